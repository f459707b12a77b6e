/// An immutable, ordered list of books, as the result of a filter and a sort order.
public struct BookList: Sendable {
    private enum Members {
        /// All books in catalog order, without storage per book.
        case all(count: Int)
        /// The given books in the given order.
        case some([UInt32])
    }

    private let members: Members

    /// Creates a list of all books of a catalog with `count` books, in catalog order.
    public init(allOf count: Int) {
        members = .all(count: count)
    }

    /// Creates a list of these books in this order.
    public init(_ ids: [BookID]) {
        members = .some(ids.map(\.number))
    }

    /// Creates a list of the books with these numbers in this order, without copying.
    public init(numbers: [UInt32]) {
        members = .some(numbers)
    }

    /// The number of books.
    public var count: Int {
        switch members {
        case .all(let count): count
        case .some(let indices): indices.count
        }
    }

    /// Whether the list was created as all books of a catalog with `count` books, in catalog order.
    public func isAll(of count: Int) -> Bool {
        if case .all(count) = members { true } else { false }
    }

    /// Returns the book in `row`, from 0 to below `count`.
    public subscript(row: Int) -> BookID {
        switch members {
        case .all: BookID(row)
        case .some(let numbers): BookID(numbers[row])
        }
    }

    /// The numbers of the books in order, or nil for all books in catalog order.
    public var indices: [UInt32]? {
        switch members {
        case .all: nil
        case .some(let indices): indices
        }
    }

    /// Returns the row of a book, or nil if it is not in the list. Linear, a fraction of a nanosecond per row, but
    /// constant for a list of all books.
    public func row(of id: BookID) -> Int? {
        switch members {
        case .all(let count): id.index < count ? id.index : nil
        case .some(let numbers): numbers.firstIndex(of: id.number)
        }
    }

    /// Returns the row of one of `ids`, the nearest to `row` if there are several. Linear in the list, but for a list
    /// of all books linear in `ids`.
    public func row(ofOneOf ids: [BookID], nearestTo row: Int) -> Int? {
        let rows: [Int]
        switch members {
        case .all(let count): rows = ids.map(\.index).filter { $0 < count }
        case .some(let members):
            let wanted = Set(ids.map(\.number))
            rows = members.indices.filter { wanted.contains(members[$0]) }
        }
        let row = min(max(row, 0), count)
        return rows.min { abs($0 - row) < abs($1 - row) }
    }
}

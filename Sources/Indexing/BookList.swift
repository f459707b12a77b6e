/// An order and a filter over the books of a store: what a list shows. Immutable.
public struct BookList: Sendable {
    private enum Members {
        /// All books in the catalog's order; nothing is stored for each.
        case all(count: Int)
        /// These, in this order.
        case some([UInt32])
    }

    private let members: Members

    /// All books of a catalog that has `count`, in its order.
    public init(allOf count: Int) {
        members = .all(count: count)
    }

    /// These books in this order.
    public init(_ ids: [BookID]) {
        members = .some(ids.map(\.number))
    }

    /// The books with these numbers in this order. Copies nothing.
    public init(numbers: [UInt32]) {
        members = .some(numbers)
    }

    /// How many books it has.
    public var count: Int {
        switch members {
        case .all(let count): count
        case .some(let indices): indices.count
        }
    }

    /// Whether it is all books of a catalog that has `count`, in its order. False of a list of them that were counted out.
    public func isAll(of count: Int) -> Bool {
        if case .all(count) = members { true } else { false }
    }

    /// The book in `row`, from zero to below `count`.
    public subscript(row: Int) -> BookID {
        switch members {
        case .all: BookID(row)
        case .some(let numbers): BookID(numbers[row])
        }
    }

    /// The books in their order; nil where they are all in the catalog's.
    package var indices: [UInt32]? {
        switch members {
        case .all: nil
        case .some(let indices): indices
        }
    }

    /// The row of a book; nil if the list does not have it. Linear in the list, a fraction of a nanosecond a row, but constant
    /// for a list of all.
    public func row(of id: BookID) -> Int? {
        switch members {
        case .all(let count): id.index < count ? id.index : nil
        case .some(let numbers): numbers.firstIndex(of: id.number)
        }
    }

    /// The row of one of `ids`, of several the nearest to `row`; nil if the list has none of them. Linear in the list, but for
    /// a list of all; there in `ids`.
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

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

    /// The books at `indices`, each below 2^32, in this order.
    public init(_ indices: [Int]) {
        members = .some(indices.map { UInt32($0) })
    }

    /// The books at `indices`, in this order, as which they are kept.
    public init(numbers indices: [UInt32]) {
        members = .some(indices)
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

    /// The index in the store of the book in `row`.
    public func index(atRow row: Int) -> Int {
        switch members {
        case .all: row
        case .some(let indices): Int(indices[row])
        }
    }

    /// The books in their order; nil where they are all in the catalog's.
    package var indices: [UInt32]? {
        switch members {
        case .all: nil
        case .some(let indices): indices
        }
    }

    /// The row of the book at `index` in the store; nil where the list does not have it. Linear in the list, a fraction of a
    /// nanosecond a row, but for a list of all.
    public func row(of index: Int) -> Int? {
        switch members {
        case .all(let count): (0..<count).contains(index) ? index : nil
        case .some(let indices): UInt32(exactly: index).flatMap { indices.firstIndex(of: $0) }
        }
    }

    /// The row of a book whose index in the store is one of `indices`, of several the nearest to `row`; nil where the
    /// list has none. Linear in the list, but for a list of all; there in `indices`.
    public func row(ofOneOf indices: [Int], nearestTo row: Int) -> Int? {
        let rows: [Int]
        switch members {
        case .all(let count): rows = indices.filter((0..<count).contains)
        case .some(let members):
            let wanted = Set(indices.compactMap { UInt32(exactly: $0) })
            rows = members.indices.filter { wanted.contains(members[$0]) }
        }
        let row = min(max(row, 0), count)
        return rows.min { abs($0 - row) < abs($1 - row) }
    }
}

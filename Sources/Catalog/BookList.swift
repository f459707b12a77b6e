/// An order and a filter over the books of a store: what a list shows. Immutable.
public struct BookList: Sendable {
    private enum Members {
        /// All books in the catalog's order; nothing is stored for each.
        case all(count: Int)
        /// These, in this order.
        case some([Int])
    }

    private let members: Members

    /// All books of a catalog that has `count`, in its order.
    public init(allOf count: Int) {
        members = .all(count: count)
    }

    /// The books at `indices`, in this order.
    public init(_ indices: [Int]) {
        members = .some(indices)
    }

    /// How many books it has.
    public var count: Int {
        switch members {
        case .all(let count): count
        case .some(let indices): indices.count
        }
    }

    /// The index in the store of the book in `row`.
    public func index(atRow row: Int) -> Int {
        switch members {
        case .all: row
        case .some(let indices): indices[row]
        }
    }

    /// The row of the book at `index` in the store; nil where the list does not have it. Linear, but for a list of all.
    public func row(ofIndex index: Int) -> Int? {
        switch members {
        case .all(let count): (0..<count).contains(index) ? index : nil
        case .some(let indices): indices.firstIndex(of: index)
        }
    }
}

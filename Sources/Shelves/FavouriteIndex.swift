public import Catalog

/// Which books of a catalog are favourites: where each mark's book is now, though the catalog was sorted anew, edited,
/// downloaded again, or is another one.
///
/// A mark's book is the one with its ISBN; of several, the one whose title and authors are the same too; and where
/// none has the ISBN, the one whose title and authors are the same. Records that are alike in all that are told apart
/// by their order.
public struct FavouriteIndex {
    /// The mark of each book that has one, by the book's index.
    private var marks: [Int: BookIdentity] = [:]

    /// The places of `favourites` in `store`. Reads all books, where there are favourites.
    public init(_ favourites: Favourites, in store: BookStore) {
        for (identity, mark) in favourites.marks.sorted(by: { $0.key.occurrence < $1.key.occurrence }) {
            let free = Self.candidates(for: mark, in: store).filter { marks[$0] == nil }
            // Of doubles the one at its old place among them, else the first that no mark has yet.
            guard let index = free.first(where: { store.identity(at: $0) == identity }) ?? free.first else { continue }
            marks[index] = identity
        }
    }

    private static func candidates(for mark: Favourites.Mark, in store: BookStore) -> [Int] {
        let editions = mark.isbn.map(store.indices(withISBN:)) ?? []
        let alike = store.indices(withHash: mark.hash)
        if editions.isEmpty { return alike }
        let same = editions.filter(alike.contains)
        return same.isEmpty ? editions : same
    }

    /// The identity that the mark of the book at `index` was made with; nil where the book is no favourite.
    public func mark(at index: Int) -> BookIdentity? { marks[index] }

    /// The books that are favourites, in the catalog's order.
    public var indices: [Int] { marks.keys.sorted() }
}

public import Catalog

/// Which books of a catalog are favourites: where each mark's book is now, though the catalog was sorted anew, edited,
/// downloaded again, or is another one.
///
/// A mark goes to the book that matches it best; where several marks match one book, it is the surest one's, and the
/// others go to the next best. Records that are alike in all their keys are told apart by their order.
public struct FavouriteIndex {
    /// The marks of each book that has any, by the book's index.
    private var marks: [Int: [BookIdentity]] = [:]

    /// The places of `favourites` among the books that `finder`, which was made for them, knows. It does not depend on
    /// the size of the catalog.
    public init(_ favourites: Favourites, by finder: BookFinder) {
        var homeless = favourites.marks.sorted { $0.key < $1.key }
        func settle(_ candidates: (BookIdentity, BookKeys) -> [Int]) {
            homeless.removeAll { identity, keys in
                guard let index = candidates(identity, keys).first(where: { marks[$0] == nil }) else { return false }
                marks[index] = [identity]
                return true
            }
        }
        settle { identity, keys in
            finder.index(of: identity).map { [$0] }?.filter { finder.keys(at: $0) == keys } ?? []
        }
        for match in BookKeys.Match.allCases {
            settle { _, keys in finder.indices(matching: keys, by: match) }
        }
        // A mark whose books all have one already goes with the best of them, and is taken away with it.
        for (identity, keys) in homeless {
            if let index = finder.indices(bestMatching: keys).first { marks[index]?.append(identity) }
        }
    }

    /// The identities that the marks of the book at `index` were made with; none where it is no favourite.
    public func marks(at index: Int) -> [BookIdentity] { marks[index] ?? [] }

    /// The books that are favourites, in the catalog's order.
    public var indices: [Int] { marks.keys.sorted() }
}

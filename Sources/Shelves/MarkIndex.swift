public import Catalog

/// Which books of a catalog are marked: where each mark's book is now, though the catalog was sorted anew, edited,
/// downloaded again, or is another one.
///
/// A mark goes to the book that matches it best; where several marks match one book, it is the surest one's, and the
/// others go to the next best. Records that are alike in all their keys are told apart by their order. The catalog's own
/// keys for its books are no help: the index of a catalog does not have them, and reading all records for them would cost
/// more than all else at the start.
public struct MarkIndex {
    private let shelves: Shelves
    /// The names of the marks of each book that has any, by the book's index.
    private var identities: [Int: [BookIdentity]] = [:]
    /// The names of the marks that are on no book.
    private var homeless: [BookIdentity] = []

    /// The places of the marks of `shelves` among the books that `finder`, which was made for them, knows. It does not depend
    /// on the size of the catalog.
    public init(_ shelves: Shelves, by finder: BookFinder) {
        self.shelves = shelves
        var homeless = shelves.marks.map { (identity: $0.key, keys: $0.value.keys) }
        homeless.sort { $0.identity < $1.identity }
        var identities: [Int: [BookIdentity]] = [:]
        identities.reserveCapacity(homeless.count)
        func settle(_ candidates: (BookIdentity, BookKeys) -> [Int]) {
            homeless.removeAll { identity, keys in
                guard let index = candidates(identity, keys).first(where: { identities[$0] == nil }) else {
                    return false
                }
                identities[index] = [identity]
                return true
            }
        }
        settle { identity, keys in
            finder.index(of: identity).map { [$0] }?.filter { finder.keys(at: $0) == keys } ?? []
        }
        for match in BookKeys.Match.allCases {
            settle { _, keys in finder.indices(matching: keys, by: match) }
        }
        // A mark whose books all have one already goes with the best of them.
        homeless.removeAll { identity, keys in
            guard let index = finder.indices(bestMatching: keys).first else { return false }
            identities[index]?.append(identity)
            return true
        }
        self.identities = identities
        self.homeless = homeless.map(\.identity)
    }

    /// Says that the book at `index` has the marks of these names, as `Shelves.apply(_:to:)` returned them: the rest stays as
    /// it is, and need not be looked for again.
    public mutating func setMarks(_ identities: [BookIdentity], at index: Int) {
        self.identities[index] = identities.isEmpty ? nil : identities
    }

    /// The identities that the marks of the book at `index` were made with, the best first; none where it has no mark.
    public func marks(at index: Int) -> [BookIdentity] {
        (identities[index] ?? []).filter { shelves.marks[$0] != nil }
    }

    /// What the marks of the book at `index` say together, without deleted shelves; nil where that is nothing.
    public func mark(at index: Int) -> Mark? {
        guard let mark = shelves.merged(marks(at: index)) else { return nil }
        let shown = shelves.shown(mark)
        return shown.isEmpty ? nil : shown
    }

    /// The books that are marked, in the catalog's order.
    public var indices: [Int] { indices { _ in true } }

    /// The books whose marks are such, in the catalog's order.
    public func indices(where isIncluded: (Mark) -> Bool) -> [Int] {
        identities.keys.filter { mark(at: $0).map(isIncluded) ?? false }.sorted()
    }

    /// The marks whose books are not in this catalog, by their titles.
    public var missing: [BookIdentity] {
        homeless.compactMap { identity -> (title: String, identity: BookIdentity)? in
            guard let mark = shelves.marks[identity], !shelves.shown(mark).isEmpty else { return nil }
            return (mark.title, identity)
        }
        .sorted { $0.title == $1.title ? $0.identity < $1.identity : $0.title < $1.title }
        .map(\.identity)
    }
}

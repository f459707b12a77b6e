public import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Shelves
public import Storage

extension Library {
    /// The search for duplicates among the books of the catalog, as they are now.
    public var duplicateSearch: DuplicateSearch {
        DuplicateSearch(in: store.index) { [store] id in store.wholeBook(id)?.withoutSourceID }
    }

    /// Starts the search for duplicates among the books of the catalog, as they are now.
    ///
    /// - Parameter notify: Called on any thread when groups were found, and ten times a second until the end.
    /// - Returns: Nil if the source cannot be read on another thread.
    public func startFindingDuplicates(notifying notify: @escaping @Sendable () -> Void) -> DuplicateFinder? {
        guard let reader = store.concurrent?.concurrentReader else { return nil }
        return DuplicateFinder(in: store.index, notifying: notify) { reader.wholeBook($0)?.withoutSourceID }
    }

    /// Returns the groups without the books of which the reader says that they are not the same. Locates the user data
    /// first if necessary.
    public func withoutDistinct(_ groups: [DuplicateGroup]) -> [DuplicateGroup] {
        guard userData.hasDistinctions else { return groups }
        return groups.flatMap { group -> [DuplicateGroup] in
            if group.reason == .editions { return [group] }
            // Each book belongs to the first others of which none is another one.
            var sets: [(books: [BookID], distinctions: Set<String>)] = []
            for id in group.books {
                let distinctions = distinctions(of: id)
                if let place = sets.firstIndex(where: { $0.distinctions.isDisjoint(with: distinctions) }) {
                    sets[place].books.append(id)
                    sets[place].distinctions.formUnion(distinctions)
                } else {
                    sets.append(([id], distinctions))
                }
            }
            return sets.filter { $0.books.count > 1 }.map { DuplicateGroup(group.reason, $0.books) }
        }
    }

    private func distinctions(of id: BookID) -> Set<String> {
        located.identities(of: id).reduce(into: []) { $0.formUnion(userData.books[$1]?.distinctions ?? []) }
    }

    /// Says that the books of a group are not the same, as user data.
    ///
    /// - Throws: `FileError`; see `apply(_:to:missing:)`.
    public func setDistinct(_ group: DuplicateGroup) throws(FileError) {
        // The same group gets the same id from every instance.
        let identities = IdentityTable(of: Set(group.books), in: store.index)
        let names = group.books.map { identities[$0].description }.sorted().joined(separator: " ")
        let id = checksum(of: Array(names.utf8)).hexadecimal
        try apply(.distinction(id, true), to: group.books)
    }
}

extension Book {
    /// The book without the key that its catalog gives it.
    public var withoutSourceID: Book {
        var book = self
        book.sourceID = nil
        return book
    }
}

public import Books
internal import Catalog
internal import Editing
public import Indexing
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
    /// first if necessary; linear in the books of the groups.
    ///
    /// - Parameter certain: The certain groups, whose books count as one in the others.
    public func withoutDistinct(_ groups: [DuplicateGroup], certain: [DuplicateGroup]) -> [DuplicateGroup] {
        guard userData.hasDistinctions else { return groups }
        let units = CertainUnits(certain)
        return groups.flatMap { group -> [DuplicateGroup] in
            if group.reason == .editions { return [group] }
            let isCertain = group.reason.certainty == .certain
            var sets = DistinctSets()
            for books in isCertain ? group.books.map({ [$0] }) : units.split(group.books) {
                sets.add(books, books.reduce(into: []) { $0.formUnion(distinctions(of: $1)) })
            }
            return sets.all.filter { $0.count > 1 && (isCertain || units.split($0).count > 1) }
                .map { DuplicateGroup(group.reason, $0.sorted()) }
        }
    }

    /// The number of the reader's ratings and statuses of these books that their merging leaves out, because another one
    /// stays. Locates the user data first if necessary.
    public func droppedMarkCount(merging books: [BookID]) -> Int {
        if userData.isEmpty { return 0 }
        let marks = books.flatMap(located.identities(of:)).compactMap { userData.books[$0] }
        let counts = [Set(marks.compactMap(\.rating)).count, Set(marks.compactMap(\.status)).count]
        return counts.reduce(0) { $0 + max(0, $1 - 1) }
    }

    /// The ids of distinctions that hold for a book of this catalog.
    private func distinctions(of id: BookID) -> Set<String> {
        let all = located.identities(of: id).reduce(into: Set()) {
            $0.formUnion(userData.books[$1]?.distinctions ?? [])
        }
        return all.filter { !$0.contains("@") || $0.hasSuffix(suffixOfCatalog) }
    }

    /// What ends the ids of distinctions that hold in this catalog only.
    private var suffixOfCatalog: String { "@" + checksum(of: Array((catalogPath ?? "").utf8)).hexadecimal }

    /// Says that the books of a group are not the same, as user data. Those that are certainly one stay so.
    ///
    /// - Parameter certain: The certain groups.
    /// - Throws: `FileError`; see `apply(_:to:missing:)`.
    public func setDistinct(_ group: DuplicateGroup, certain: [DuplicateGroup]) throws(FileError) {
        let units = CertainUnits(certain)
        let books = group.reason.certainty == .certain ? group.books : units.split(group.books).map { $0[0] }
        // The same group gets the same id from every instance.
        let table = IdentityTable(of: Set(books), in: store.index)
        let identities = books.map { table[$0] }
        let names = identities.map(\.description).sorted().joined(separator: " ")
        // Which of several records with one key is meant is only known in their catalog.
        let isOfCatalog = identities.contains { $0.occurrence > 1 }
        let id = checksum(of: Array(names.utf8)).hexadecimal + (isOfCatalog ? suffixOfCatalog : "")
        try apply(.distinction(id, true), to: books)
    }
}

/// The books that are certainly one.
private struct CertainUnits {
    private var numbers: [BookID: Int] = [:]

    init(_ groups: [DuplicateGroup]) {
        for (number, group) in groups.enumerated() where group.reason.certainty == .certain {
            for id in group.books { numbers[id] = number }
        }
    }

    /// Returns books in sets of those that are one, in their order.
    func split(_ books: [BookID]) -> [[BookID]] {
        var units: [[BookID]] = []
        var places: [Int: Int] = [:]
        for id in books {
            if let number = numbers[id], let place = places[number] {
                units[place].append(id)
            } else {
                if let number = numbers[id] { places[number] = units.count }
                units.append([id])
            }
        }
        return units
    }
}

/// Sets of books of which none is said to be another one than the others: each book is in the first that it fits in.
private struct DistinctSets {
    /// The books of the sets.
    private(set) var all: [[BookID]] = []
    private var distinctions: [Set<String>] = []
    /// The number of sets at the beginning that all have a distinction.
    private var counts: [String: Int] = [:]

    mutating func add(_ books: [BookID], _ ids: Set<String>) {
        var place = ids.map { counts[$0] ?? 0 }.max() ?? 0
        while place < all.count, !distinctions[place].isDisjoint(with: ids) { place += 1 }
        if place == all.count {
            all.append([])
            distinctions.append([])
        }
        all[place] += books
        distinctions[place].formUnion(ids)
        for id in ids {
            var count = counts[id] ?? 0
            while count < all.count, distinctions[count].contains(id) { count += 1 }
            counts[id] = count
        }
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

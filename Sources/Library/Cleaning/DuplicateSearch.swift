public import Books
public import Indexing

/// The search for books that are in a catalog more than once.
///
/// Books without a title are in no group. Groups come with the surest reason first, and in catalog order within one.
public struct DuplicateSearch {
    private let index: BookIndex
    private let record: (BookID) -> Book?
    /// The certain duplicates as sets.
    private var certain: DisjointSets
    /// The certain groups, once they are found.
    private var certainGroups: [DuplicateGroup]?
    /// Whether a record could not be read, because the catalog has changed meanwhile.
    public private(set) var isRecordMissing = false
    /// Whether the search for likely groups was stopped before its end.
    public private(set) var isStopped = false

    /// Creates a search in the books of `index`.
    ///
    /// - Parameter record: Returns a book without the key that its catalog gives it; nil if it is gone. Equal books are
    ///   one.
    public init(in index: BookIndex, record: @escaping (BookID) -> Book?) {
        (self.index, self.record) = (index, record)
        certain = DisjointSets(count: index.count)
    }

    // MARK: - Certain

    /// Returns the certain groups. Linearithmic in the books; reads records of books whose index entries are equal.
    public mutating func findCertain() -> [DuplicateGroup] {
        if let certainGroups { return certainGroups }
        var united: Set<UInt32> = []
        var byISBN: [KeyedBook] = []
        for book in 0..<index.count {
            let entry = IndexedBook(index, book)
            if entry.title.isEmpty { continue }
            let work = entry.titleHash.mixed(with: UInt64(entry.volume.bitPattern))
            for isbn in entry.isbns { byISBN.append(KeyedBook(key: isbn.mixed(with: work), book: UInt32(book))) }
        }
        byISBN.forEachRun { run in
            for entry in run.dropFirst() where certain.unite(run[run.startIndex].book, entry.book) {
                united.insert(entry.book)
            }
        }
        for run in Self.runs(of: titled()) {
            // Only books without any difference in the index can have equal records.
            var byEntry = run.map { KeyedBook(key: IndexedBook(index, Int($0)).checksum, book: $0) }
            byEntry.forEachRun { equal in
                var first: [Book: UInt32] = [:]
                for entry in equal {
                    guard let book = record(BookID(entry.book)) else {
                        isRecordMissing = true
                        continue
                    }
                    if let known = first[book] { certain.unite(known, entry.book) } else { first[book] = entry.book }
                }
            }
        }
        let groups = members(of: &certain, among: nil).map { books in
            let isByISBN = books.contains(where: united.contains)
            return DuplicateGroup(isByISBN ? .sameISBNAndTitle : .sameRecord, books.map { BookID($0) })
        }
        certainGroups = groups.inOrder
        return groups.inOrder
    }

    /// The books with a title, by the hash of title and authors.
    private func titled() -> [KeyedBook] {
        (0..<index.count).compactMap { book in
            let entry = IndexedBook(index, book)
            if entry.title.isEmpty { return nil }
            return KeyedBook(key: index.keys(of: BookID(book)).hash.indexed, book: UInt32(book))
        }
    }

    /// Returns the books that share a key, in catalog order.
    private static func runs(of books: [KeyedBook]) -> [[UInt32]] {
        var books = books
        var runs: [[UInt32]] = []
        books.forEachRun { runs.append($0.map(\.book)) }
        return runs
    }

    // MARK: - Likely

    /// Returns the likely groups, and those of editions. Linearithmic in the books.
    ///
    /// - Parameters:
    ///   - findsSimilar: Whether to find titles that are spelt in another way, which takes most of the time.
    ///   - progress: Called with the part that is done, in 0...1.
    ///   - isCancelled: Asked now and then; if true, the groups so far are returned.
    public mutating func findLikely(
        findsSimilar: Bool = true, reporting progress: (Double) -> Void = { _ in },
        unless isCancelled: () -> Bool = { false }
    ) -> [DuplicateGroup] {
        _ = findCertain()
        var groups: [DuplicateGroup] = []
        var known = certain
        func add(_ reason: DuplicateGroup.Reason, _ sets: inout DisjointSets, _ united: Set<UInt32>) {
            groups += members(of: &sets, among: united).map { DuplicateGroup(reason, $0.map { BookID($0) }) }
        }

        var united: Set<UInt32> = []
        var byISBN = certain
        for run in Self.runs(of: withISBN()) {
            for book in run.dropFirst() where byISBN.unite(run[0], book) { united.insert(book) }
            for book in run.dropFirst() { known.unite(run[0], book) }
        }
        add(.sameISBN, &byISBN, united)
        progress(0.1)
        isStopped = isCancelled()
        if isStopped { return groups.inOrder }

        united = []
        var byTitle = certain
        for run in Self.runs(of: titled()) {
            for volume in volumes(of: run) {
                let editions = editions(of: volume)
                for edition in editions {
                    for book in edition.dropFirst() where known.root(of: book) != known.root(of: edition[0]) {
                        if byTitle.unite(edition[0], book) { united.insert(book) }
                    }
                }
                for edition in editions { for book in edition.dropFirst() { known.unite(edition[0], book) } }
                if editions.count > 1 { groups.append(DuplicateGroup(.editions, volume.map { BookID($0) })) }
            }
        }
        add(.sameTitle, &byTitle, united)
        progress(0.2)
        isStopped = isCancelled()
        if isStopped || !findsSimilar { return groups.inOrder }

        var similar = certain
        let representatives = (0..<UInt32(index.count)).filter { known.root(of: $0) == $0 }
        let search = SimilarTitles(index, representatives)
        let sets = search.find(reporting: { progress(0.2 + 0.8 * $0) }, unless: isCancelled)
        guard let sets else {
            isStopped = true
            return groups.inOrder
        }
        for set in sets { for book in set.dropFirst() { similar.unite(set[0], book) } }
        add(.similarTitle, &similar, Set(sets.joined()))
        return groups.inOrder
    }

    /// The books with a title and an ISBN, once for each of their ISBNs.
    private func withISBN() -> [KeyedBook] {
        (0..<index.count).flatMap { book -> [KeyedBook] in
            let entry = IndexedBook(index, book)
            return entry.title.isEmpty ? [] : entry.isbns.map { KeyedBook(key: $0, book: UInt32(book)) }
        }
    }

    /// Returns the books of the same title and authors by their volumes, if they have several.
    private func volumes(of books: [UInt32]) -> [[UInt32]] {
        let volumes = books.map { index.facts(at: Int($0)).position }
        if Set(volumes.filter { !$0.isNaN }).count < 2 { return [books] }
        return Dictionary(grouping: zip(books, volumes), by: \.1.bitPattern).values.map { $0.map(\.0) }
            .filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    }

    /// Returns the books of the same title and authors by their editions: certain duplicates are of one, and each belongs
    /// to the first edition with which neither ISBN, year nor language disagrees.
    private mutating func editions(of books: [UInt32]) -> [[UInt32]] {
        var unions: [UInt32: Int] = [:]
        var copies: [(imprint: Imprint, books: [UInt32])] = []
        for book in books {
            let imprint = Imprint(IndexedBook(index, Int(book)))
            if let number = unions[certain.root(of: book)] {
                copies[number].imprint.add(imprint)
                copies[number].books.append(book)
            } else {
                unions[certain.root(of: book)] = copies.count
                copies.append((imprint, [book]))
            }
        }
        var editions = Editions()
        for (imprint, books) in copies { editions.add(books, imprint) }
        return editions.all.map { $0.sorted() }
    }

    /// Returns the sets of several books in catalog order; only those that have one of `books`, unless nil.
    private func members(of sets: inout DisjointSets, among books: Set<UInt32>?) -> [[UInt32]] {
        let roots = books.map { books in Set(books.map { sets.root(of: $0) }) }
        var found: [UInt32: [UInt32]] = [:]
        for book in 0..<UInt32(index.count) {
            let root = sets.root(of: book)
            if let roots { if !roots.contains(root) { continue } } else if root == book { continue }
            found[root, default: roots == nil ? [root] : []].append(book)
        }
        return Array(found.values)
    }
}

extension [DuplicateGroup] {
    /// The groups with the surest reason first, and in catalog order within one.
    fileprivate var inOrder: [DuplicateGroup] {
        let ranks = Dictionary(uniqueKeysWithValues: DuplicateGroup.Reason.allCases.enumerated().map { ($1, $0) })
        return sorted { (ranks[$0.reason] ?? 0, $0.books[0]) < (ranks[$1.reason] ?? 0, $1.books[0]) }
    }
}

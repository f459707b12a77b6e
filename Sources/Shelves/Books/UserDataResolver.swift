public import Books
public import Indexing

/// A mapping from user data to the books of a catalog, even if the catalog was sorted, edited, downloaded again or
/// replaced.
///
/// User data goes to the book that matches it best. If several match one book, the most certain match wins, and the
/// others go to their next best book. Records with equal keys are told apart by their order. The catalog's own keys are
/// not used: the index does not contain them, and reading all records would dominate the start-up time.
public struct UserDataResolver: Sendable {
    /// The match keys of one book's user data, and its title, by which orphans are sorted.
    private struct Sought {
        var identity: BookIdentity
        var keys: MatchKeys
        var title: String
        var authors: [String]
        /// The keys of the book in a catalog that is read more exactly than when the user data was stored: if it gives
        /// each author on its own, whose names it gave as one, the title without the series after it, or straight
        /// quotation marks, which became curly ones in bibliographies.
        var exactKeys: [BookIdentity.Key] = []
        /// The part that was known, if the catalog has more now.
        var knownPart: KnownPart?

        init(_ identity: BookIdentity, _ bookData: UserBookData, in catalog: Rereading?) {
            self.identity = identity
            keys = bookData.keys
            title = bookData.title.withoutSubfieldCodes
            authors = bookData.authors
            let rereading = catalog?.path == bookData.catalog ? catalog?.what ?? [] : []
            if title.isEmpty != authors.isEmpty, rereading.contains(title.isEmpty ? .titles : .authors) {
                knownPart = title.isEmpty ? .authors(authors) : .title(title)
            } else if !title.isEmpty, authors.count == 1, rereading.contains(.moreAuthors) {
                knownPart = .firstAuthor(title, authors[0])
            }
            // User data that was created when titles were shown with their subfield codes has another hash.
            if title != bookData.title {
                keys.hash = BookIdentity.Key(hashOf: Book(title: title, authors: bookData.authors))
            }
            var lists = rereading.contains(.eachAuthor) ? [authors.flatMap(\.separatedNames)] : []
            if var text = authors.first, authors.count == 1, text.withUTF8(ListedName.mayDiffer) {
                let names = ListedName.names(in: text)
                // Contributors are among the authors where the catalog has no other field for them.
                lists += [names.map(\.text), names.filter(\.isAuthor).map(\.name)]
            }
            for names in lists where names != authors { addKey(title, names) }
            if let series = SeriesInTitle(title) { for names in [authors] + lists { addKey(series.title, names) } }
            if title.hasClosingQuotes || authors.contains(where: \.hasClosingQuotes) {
                addKey(title.withStraightQuotes, authors.map(\.withStraightQuotes))
            }
        }

        private mutating func addKey(_ title: String, _ authors: [String]) {
            exactKeys.append(BookIdentity.Key(hashOf: Book(title: title, authors: authors)))
        }
    }

    private let sought: [Sought]
    private var finder: BookLookup
    /// For each book number the index in `sought` of its best match plus 1, or 0 for none. A dictionary takes three
    /// times as long to build.
    private var best: [UInt32] = []
    /// The identities of all matches of each book that has several.
    private var several: [BookID: [BookIdentity]] = [:]
    /// The identities of the user data of the books of which only the title or the authors were known.
    private var partial: [BookID: BookIdentity] = [:]
    private var partialLookup: PartialLookup?
    /// The identities of the user data of each book that has changed since.
    private var changed: [BookID: [BookIdentity]] = [:]
    /// The identities of the user data without a book, sorted by title.
    private(set) var orphans: [BookIdentity] = []
    /// Whether all user data was there when the mapping was built.
    public private(set) var isComplete = true

    /// Resolves the user data in `books` to the books in `index`. Linear in the index, at a few nanoseconds per book,
    /// and in the user data, at a few hundred each.
    ///
    /// - Parameter catalog: The catalog, if it is read more completely than by earlier versions: user data that was created
    ///   in it finds its book also by what was known then.
    init(of books: UserDataTable, in index: BookIndex, catalog: Rereading? = nil) {
        // Iterate over indices: an iterator would copy each element.
        sought = books.elements.indices.map { position in
            Sought(books.elements[position].key, books.elements[position].value, in: catalog)
        }
        var keys: [BookIdentity.Key] = []
        keys.reserveCapacity(2 * sought.count)
        for bookData in sought {
            keys.append(bookData.keys.hash)
            if let isbn = bookData.keys.isbn { keys.append(isbn) }
            let key = bookData.identity.key
            if key != bookData.keys.hash, key != bookData.keys.isbn { keys.append(key) }
            keys += bookData.exactKeys
        }
        finder = BookLookup(of: keys, in: index)
        position(in: index)
    }

    /// The number of books covered.
    public var bookCount: Int { finder.count }

    /// Adds the books appended to `index`. Linear in these books and, if one of them may match, in the user data.
    ///
    /// - Returns: Whether user data may now belong to other books.
    @discardableResult
    public mutating func extend(to index: BookIndex) -> Bool {
        let isFound = finder.extend(to: index)
        guard isFound || partialLookup != nil else { return false }
        let before = partial
        position(in: index)
        return isFound || partial != before
    }

    private mutating func position(in index: BookIndex) {
        best = Array(repeating: 0, count: finder.numberCount)
        (several, partial) = ([:], [:])
        var orphans: [UInt32] = []
        // Identities are unique among user data and among books, so the order does not matter yet.
        for (bookData, sought) in sought.enumerated() {
            if let number = finder.number(of: sought.identity, having: sought.keys) {
                best[number] = UInt32(bookData) + 1
            } else {
                orphans.append(UInt32(bookData))
            }
        }
        orphans.sort { sought[Int($0)].identity < sought[Int($1)].identity }
        for match in MatchKeys.Match.allCases {
            orphans.removeAll { bookData in
                let (identity, keys) = (sought[Int(bookData)].identity, sought[Int(bookData)].keys)
                let numbers = finder.ids(matching: keys, by: match).lazy.compactMap(finder.number)
                // Books whose ISBNs were not known were told apart by their order.
                let nth =
                    match == .hash && !identity.key.isISBN ? numbers.dropFirst(identity.occurrence - 1).first : nil
                guard let number = nth.flatMap({ best[$0] == 0 ? $0 : nil }) ?? numbers.first(where: { best[$0] == 0 })
                else { return false }
                best[number] = bookData + 1
                return true
            }
        }
        // The reader of a later version may read titles and authors more exactly.
        orphans.removeAll { bookData in
            let ids = sought[Int(bookData)].exactKeys.flatMap { finder.ids(with: $0) }
            let numbers = ids.lazy.compactMap(finder.number)
            guard let number = numbers.first(where: { best[$0] == 0 }) else { return false }
            best[number] = bookData + 1
            return true
        }
        // User data whose candidates are all taken joins the best of them.
        orphans.removeAll { bookData in
            let bookData = sought[Int(bookData)]
            guard let book = finder.ids(bestMatching: bookData.keys).first else { return false }
            several[book] = (several[book] ?? [bestIdentity(of: book)].compactMap(\.self)) + [bookData.identity]
            return true
        }
        placePartial(&orphans, in: index)
        let books = orphans.map { sought[Int($0)] }
        self.orphans = books.sorted {
            $0.title == $1.title ? $0.identity < $1.identity : $0.title < $1.title
        }.map(\.identity)
    }

    /// Gives user data with only a title, only authors or only the first author to the book that has more.
    private mutating func placePartial(_ orphans: inout [UInt32], in index: BookIndex) {
        guard orphans.contains(where: { sought[Int($0)].knownPart != nil }) else { return }
        var lookup = partialLookup ?? PartialLookup(of: sought.compactMap(\.knownPart))
        lookup.extend(to: index)
        partialLookup = lookup
        orphans.removeAll { orphan in
            let sought = sought[Int(orphan)]
            guard let part = sought.knownPart, let book = lookup.book(with: part), identities(of: book).isEmpty else {
                return false
            }
            partial[book] = sought.identity
            return true
        }
    }

    /// Returns the identity of a book's best match.
    private func bestIdentity(of id: BookID) -> BookIdentity? {
        guard let number = finder.number(of: id), best[number] > 0 else { return nil }
        return sought[Int(best[number]) - 1].identity
    }

    /// Returns the identities of the user data of a book, best match first.
    public func identities(of id: BookID) -> [BookIdentity] {
        changed[id] ?? several[id] ?? onlyIdentity(of: id).map { [$0] } ?? []
    }

    /// Returns the identity of the user data of a book, if there is exactly one.
    func onlyIdentity(of id: BookID) -> BookIdentity? {
        if let identities = changed[id] ?? several[id] { return identities.count == 1 ? identities[0] : nil }
        return bestIdentity(of: id) ?? partial[id]
    }

    /// The books that have user data, in catalog order.
    var books: [BookID] {
        let matched = best.indices.lazy.filter { best[$0] > 0 }.compactMap(finder.id(ofNumber:))
        let found = partial.isEmpty ? Array(matched) : (Array(matched) + Array(partial.keys)).sorted()
        if changed.isEmpty { return found }
        return (found.filter { changed[$0] == nil } + changed.keys.filter { changed[$0] != [] }).sorted()
    }

    /// Makes room for the assignments of `count` books.
    mutating func reserveCapacity(_ count: Int) { changed.reserveCapacity(changed.count + count) }

    /// Assigns user data to a book.
    mutating func setIdentities(_ identities: [BookIdentity], of id: BookID) {
        if identities == self.identities(of: id) { return }
        isComplete = false
        changed[id] = identities
    }
}

extension UserData {
    /// Resolves the user data to the books in `index`.
    public func resolver(in index: BookIndex) -> UserDataResolver {
        UserDataResolver(of: books, in: index, catalog: rereading())
    }
}

extension UserData.Content {
    /// Resolves the user data to the books in `index`.
    ///
    /// - Parameter catalog: The catalog, if it is read more completely than by earlier versions.
    public func resolver(in index: BookIndex, catalog: Rereading?) -> UserDataResolver {
        UserDataResolver(of: replay.state.books, in: index, catalog: catalog)
    }
}

extension String {
    /// Whether this text has closing quotation marks, which are apostrophes, too.
    fileprivate var hasClosingQuotes: Bool {
        // The first byte of both is rare.
        utf8.contains(0xE2) && unicodeScalars.contains { $0 == "’" || $0 == "”" }
    }

    /// This text with straight quotation marks in place of closing ones.
    fileprivate var withStraightQuotes: String { replacing("’", with: "'").replacing("”", with: "\"") }

    /// The names in a text that may have several: between semicolons, or else between commas.
    fileprivate var separatedNames: [String] {
        let separator: Character = contains(";") ? ";" : ","
        let names = split(separator: separator).map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
        return names.count > 1 ? names : [self]
    }
}

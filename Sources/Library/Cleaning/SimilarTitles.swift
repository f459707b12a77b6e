internal import Books
internal import Indexing
internal import Text

/// The search for books whose titles and authors differ in their spelling only.
///
/// Titles are similar if their words are the same but for punctuation and blanks, or if one letter of one word of at
/// least four is left out, added, replaced or swapped with the next one; numbers must be equal. Each pair of similar
/// titles shares a key, so that only books with a key in common are compared.
struct SimilarTitles {
    private let index: BookIndex
    private let books: [UInt32]

    /// The number of words of a title that may be misspelt.
    private static let wordCount = 16
    /// The number of books whose keys are in memory at once.
    private static let passSize = 1 << 19
    /// The number of books with a key from which the word that differs is looked up.
    private static let directCount = 16
    /// The number of editions of one title and its authors that are compared with others.
    private static let editionCount = 16
    /// The number of comparisons after which is asked whether to go on.
    private static let patience = 1 << 14

    /// Creates a search among these books of `index`, which are known to differ.
    init(_ index: BookIndex, _ books: [UInt32]) { (self.index, self.books) = (index, books) }

    /// A book at a key.
    private struct Entry {
        var key: UInt64
        var book: UInt32
        /// The part of title and authors that the key has.
        var part: Part

        /// A part of title and authors.
        enum Part {
            case title
            case titleAndName
            /// A name, and the title without the word of this number.
            case nameAndTitle(without: UInt8)
        }
    }

    /// A pair of similar books, the earlier one first.
    private struct Pair: Hashable, Comparable {
        var first: UInt32
        var second: UInt32

        init(_ one: UInt32, _ other: UInt32) { (first, second) = (min(one, other), max(one, other)) }

        static func < (left: Pair, right: Pair) -> Bool { (left.first, left.second) < (right.first, right.second) }
    }

    /// Returns sets of books that are similar to each other; nil if the search was cancelled.
    func find(reporting progress: (Double) -> Void, unless isCancelled: () -> Bool) -> [[UInt32]]? {
        guard let pairs = pairs(reporting: progress, unless: isCancelled) else { return nil }
        // A book that is similar to two others does not make these similar: all of a set must be.
        var sets: [[SimilarTitle]] = []
        var places: [UInt32: Int] = [:]
        for pair in pairs.sorted() {
            func set(of book: UInt32) -> Int {
                if let place = places[book] { return place }
                places[book] = sets.count
                sets.append([SimilarTitle(index, book)])
                return sets.count - 1
            }
            let (one, other) = (set(of: pair.first), set(of: pair.second))
            if one == other || !sets[one].allSatisfy({ title in sets[other].allSatisfy(title.isSimilar) }) { continue }
            for title in sets[other] { places[title.book] = one }
            sets[one] += sets[other]
            sets[other] = []
        }
        return sets.filter { $0.count > 1 }.map { $0.map(\.book).sorted() }
    }

    /// Returns all pairs; nil if the search was cancelled.
    private func pairs(reporting progress: (Double) -> Void, unless isCancelled: () -> Bool) -> Set<Pair>? {
        var pairs: Set<Pair> = []
        // A book has a dozen keys: each pass has a part of those of many books.
        let passCount = UInt64(max(1, (books.count + Self.passSize - 1) / Self.passSize))
        var comparisonCount = 0
        for pass in 0..<passCount {
            var entries: [Entry] = []
            for (number, book) in books.enumerated() {
                addKeys(of: book, to: &entries) { $0 % passCount == pass }
                if number.isMultiple(of: 4096) {
                    progress((Double(pass) + 0.5 * Double(number) / Double(books.count)) / Double(passCount))
                    if isCancelled() { return nil }
                }
            }
            entries.sort { ($0.key, $0.book) < ($1.key, $1.book) }
            var start = 0
            while start < entries.count {
                var end = start + 1
                while end < entries.count, entries[end].key == entries[start].key { end += 1 }
                if end - start > 1 {
                    let isWhole = compare(entries[start..<end]) { one, other in
                        comparisonCount += 1
                        if one.isSimilar(to: other) { pairs.insert(Pair(one.book, other.book)) }
                        return !comparisonCount.isMultiple(of: Self.patience) || !isCancelled()
                    }
                    if !isWhole { return nil }
                }
                if start / 4096 != end / 4096 {
                    progress((Double(pass) + 0.5 + 0.5 * Double(end) / Double(entries.count)) / Double(passCount))
                    if isCancelled() { return nil }
                }
                start = end
            }
        }
        return pairs
    }

    /// Adds the keys of a book: its title as a whole, without its authors and with each of their names, and its title
    /// without each of its words with each of the names.
    private func addKeys(of book: UInt32, to entries: inout [Entry], where isWanted: (UInt64) -> Bool) {
        let entry = IndexedBook(index, Int(book))
        let words = NameParts(String(decoding: entry.title, as: UTF8.self)).parts
        if words.isEmpty { return }
        func add(_ key: UInt64, _ part: Entry.Part) {
            if isWanted(key) { entries.append(Entry(key: key, book: book, part: part)) }
        }
        let whole = Self.hash(of: words)
        add(whole, .title)
        var names: Set<UInt64> = []
        for author in entry.authors.prefix(SimilarTitle.authorCount) {
            names.insert(author.hashed)
            for name in PersonName(folded: String(decoding: author, as: UTF8.self)).names {
                names.insert(Self.hash(of: [name]))
            }
        }
        for name in names { add(whole.mixed(with: name), .titleAndName) }
        let hashes = words.map { Self.hash(of: [$0]) }
        for number in words.indices.prefix(Self.wordCount) where words[number].isMisspellable {
            var rest = UInt64(number)
            for (other, hash) in hashes.enumerated() where other != number { rest = rest.mixed(with: hash) }
            for name in names { add(rest.mixed(with: name), .nameAndTitle(without: UInt8(number))) }
        }
    }

    private static func hash(of words: [String]) -> UInt64 {
        var text = words.joined()
        return text.withUTF8(\.hashed)
    }

    /// Calls `body` with the titles of one key that may be similar, until it returns false.
    ///
    /// - Returns: Whether it was called with all.
    private func compare(_ run: ArraySlice<Entry>, _ body: (SimilarTitle, SimilarTitle) -> Bool) -> Bool {
        // Books of the same title and authors are known to be other editions or volumes.
        var counts: [UInt64: Int] = [:]
        let books = run.map(\.book).filter { book in
            let hash = index.keys(of: BookID(book)).hash.indexed
            counts[hash, default: 0] += 1
            return counts[hash, default: 0] <= Self.editionCount
        }
        if counts.count < 2 { return true }
        let titles = books.map { SimilarTitle(index, $0) }
        func compare(_ first: Int, _ second: Int) -> Bool { body(titles[first], titles[second]) }
        switch run.first?.part {
        case .nameAndTitle(without: let word) where titles.count > Self.directCount:
            // Words that differ in one letter have a shortened form in common.
            var byForm: [String: [Int]] = [:]
            for (number, title) in titles.enumerated() where title.words.indices.contains(Int(word)) {
                for form in title.words[Int(word)].shortened { byForm[form, default: []].append(number) }
            }
            return byForm.values.allSatisfy { numbers in
                numbers.enumerated().allSatisfy { place, first in
                    numbers[(place + 1)...].allSatisfy { compare(first, $0) }
                }
            }
        case .title:
            // Books with authors have other keys in common.
            let alone = titles.indices.filter { titles[$0].hasNoAuthors }
            return alone.allSatisfy { first in
                titles.indices.allSatisfy { second in
                    first == second || titles[second].hasNoAuthors && second < first || compare(first, second)
                }
            }
        default:
            return titles.indices.allSatisfy { first in
                titles.indices[(first + 1)...].allSatisfy { compare(first, $0) }
            }
        }
    }
}

/// A book as its title is compared.
private struct SimilarTitle {
    let book: UInt32
    let words: [String]
    /// The words in one.
    private let letters: String
    /// The words that are numbers.
    private let numbers: [String]
    private let hash: UInt64
    private let volume: Float
    private let imprint: Imprint
    private let authors: [PersonName]
    /// Whether the book has no author.
    var hasNoAuthors: Bool { authors.isEmpty }

    /// The number of authors that count.
    static let authorCount = 2
    /// The number of letters from which a title tells books without authors apart.
    private static let tellingCount = 4

    init(_ index: BookIndex, _ book: UInt32) {
        self.book = book
        let entry = IndexedBook(index, Int(book))
        words = NameParts(String(decoding: entry.title, as: UTF8.self)).parts
        (letters, numbers) = (words.joined(), words.filter(\.isNumber))
        hash = index.keys(of: BookID(book)).hash.indexed
        (volume, imprint) = (entry.volume, Imprint(entry))
        authors = entry.authors.prefix(Self.authorCount).map { PersonName(folded: String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether title and authors differ in their spelling only, and nothing says that the books are not the same.
    func isSimilar(to other: SimilarTitle) -> Bool {
        if hash == other.hash || numbers != other.numbers || !imprint.agrees(with: other.imprint) { return false }
        if !volume.isNaN && !other.volume.isNaN && volume != other.volume { return false }
        let isSameTitle = letters == other.letters
        if authors.isEmpty || other.authors.isEmpty { return isSameTitle && letters.count >= Self.tellingCount }
        guard isSameTitle || isMisspelt(other) else { return false }
        return authors.contains { author in other.authors.contains(where: author.mayBe) }
    }

    /// Whether one word differs in one letter.
    private func isMisspelt(_ other: SimilarTitle) -> Bool {
        guard words.count == other.words.count else { return false }
        let differing = words.indices.filter { words[$0] != other.words[$0] }
        guard differing.count == 1, let place = differing.first else { return false }
        let (mine, theirs) = (words[place], other.words[place])
        return mine.isMisspellable && theirs.isMisspellable && mine.isOneLetterFrom(theirs)
    }
}

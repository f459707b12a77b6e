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

    /// The number of authors that count.
    private static let authorCount = 2
    /// The number of words of a title that may be misspelt.
    private static let wordCount = 16
    /// The number of books whose keys are in memory at once.
    private static let passSize = 1 << 20
    /// The number of books with a key from which the word that differs is looked up.
    private static let directCount = 16

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

    /// Calls `body` with the books of each similar pair.
    ///
    /// - Returns: Whether the search was not cancelled.
    func forEachPair(
        reporting progress: (Double) -> Void, unless isCancelled: () -> Bool, _ body: (UInt32, UInt32) -> Void
    ) -> Bool {
        // The keys of ten million books would take a gigabyte: each pass has a part of them.
        let passCount = UInt64(max(1, (books.count + Self.passSize - 1) / Self.passSize))
        for pass in 0..<passCount {
            var entries: [Entry] = []
            for (number, book) in books.enumerated() {
                addKeys(of: book, to: &entries) { $0 % passCount == pass }
                if number.isMultiple(of: 4096) {
                    progress((Double(pass) + 0.5 * Double(number) / Double(books.count)) / Double(passCount))
                    if isCancelled() { return false }
                }
            }
            entries.sort { ($0.key, $0.book) < ($1.key, $1.book) }
            var start = 0
            while start < entries.count {
                var end = start + 1
                while end < entries.count, entries[end].key == entries[start].key { end += 1 }
                if end - start > 1 { compare(entries[start..<end], body) }
                if start / 4096 != end / 4096 {
                    progress((Double(pass) + 0.5 + 0.5 * Double(end) / Double(entries.count)) / Double(passCount))
                    if isCancelled() { return false }
                }
                start = end
            }
        }
        return true
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
        for author in entry.authors.prefix(Self.authorCount) {
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

    /// Compares the books of one key.
    private func compare(_ run: ArraySlice<Entry>, _ body: (UInt32, UInt32) -> Void) {
        let titles = run.map { SimilarTitle(index, $0.book) }
        func compare(_ first: Int, _ second: Int) {
            if titles[first].isSimilar(to: titles[second]) { body(titles[first].book, titles[second].book) }
        }
        switch run.first?.part {
        case .nameAndTitle(without: let word) where run.count > Self.directCount:
            // Words that differ in one letter have a shortened form in common.
            var byForm: [String: [Int]] = [:]
            for (number, title) in titles.enumerated() where title.words.indices.contains(Int(word)) {
                for form in title.words[Int(word)].shortened { byForm[form, default: []].append(number) }
            }
            for numbers in byForm.values {
                for (place, first) in numbers.enumerated() { numbers[(place + 1)...].forEach { compare(first, $0) } }
            }
        case .title:
            // Books with authors have other keys in common.
            let alone = titles.indices.filter { titles[$0].hasNoAuthors }
            for first in alone {
                for second in titles.indices where second > first || !titles[second].hasNoAuthors {
                    compare(first, second)
                }
            }
        default:
            for first in titles.indices { titles.indices[(first + 1)...].forEach { compare(first, $0) } }
        }
    }
}

/// A book as its title is compared.
private struct SimilarTitle {
    let book: UInt32
    let words: [String]
    private let hash: UInt64
    private let volume: Float
    private let imprint: Imprint
    private let authors: [PersonName]
    /// Whether the book has no author.
    var hasNoAuthors: Bool { authors.isEmpty }

    init(_ index: BookIndex, _ book: UInt32) {
        self.book = book
        let entry = IndexedBook(index, Int(book))
        words = NameParts(String(decoding: entry.title, as: UTF8.self)).parts
        hash = index.keys(of: BookID(book)).hash.indexed
        (volume, imprint) = (entry.volume, Imprint(entry))
        authors = entry.authors.prefix(2).map { PersonName(folded: String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether title and authors differ in their spelling only, and nothing says that the books are not the same.
    func isSimilar(to other: SimilarTitle) -> Bool {
        // Books of the same title and authors are other editions or volumes.
        if hash == other.hash || !imprint.agrees(with: other.imprint) { return false }
        if !volume.isNaN && !other.volume.isNaN && volume != other.volume { return false }
        let isSameTitle = words == other.words || words.joined() == other.words.joined()
        if authors.isEmpty || other.authors.isEmpty { return isSameTitle && words.joined().count >= 4 }
        guard authors.contains(where: { author in other.authors.contains(where: author.mayBe) }) else { return false }
        if isSameTitle { return true }
        guard words.count == other.words.count else { return false }
        let differing = words.indices.filter { words[$0] != other.words[$0] }
        guard differing.count == 1, let place = differing.first else { return false }
        let (mine, theirs) = (words[place], other.words[place])
        return mine.isMisspellable && theirs.isMisspellable && mine.isOneLetterFrom(theirs)
    }
}

extension String {
    /// Whether the word is long enough for a misspelling to be told from another word, is no number, and is spelt with
    /// letters: one ideograph makes another word.
    fileprivate var isMisspellable: Bool {
        count >= 4 && !utf8.contains(where: \.isASCIIDigit) && !utf8.allSatisfy("ivxlcdm".utf8.contains)
            && !unicodeScalars.contains { !$0.isASCII && $0.properties.isIdeographic }
    }

    /// The word, and the word without each of its letters.
    fileprivate var shortened: Set<String> {
        var forms: Set<String> = [self]
        for place in indices {
            var form = self
            form.remove(at: place)
            forms.insert(form)
        }
        return forms
    }

    /// Whether the word becomes `other` if one letter is left out, added, replaced or swapped with the next one.
    fileprivate func isOneLetterFrom(_ other: String) -> Bool {
        let (mine, theirs) = (Array(self), Array(other))
        if abs(mine.count - theirs.count) > 1 { return false }
        let start = zip(mine, theirs).prefix { $0 == $1 }.count
        let (left, right) = (mine.dropFirst(start), theirs.dropFirst(start))
        if left.dropFirst().elementsEqual(right) || right.dropFirst().elementsEqual(left) { return true }
        if left.dropFirst().elementsEqual(right.dropFirst()) { return true }
        return left.count == right.count && left.count > 1 && left.prefix(2).elementsEqual(right.prefix(2).reversed())
            && left.dropFirst(2).elementsEqual(right.dropFirst(2))
    }
}

internal import CText
internal import Text

/// Looks up books by title and author, for books that a catalog contains with other keys: another ISBN, other or fewer
/// authors, their names in another form, or a subtitle.
public struct TitleLookup {
    /// A book to find.
    public struct Wanted: Sendable {
        /// The titles that the catalog may use.
        public var titles: [String]
        /// The authors, one of which the book in the catalog must have.
        public var authors: [String]

        /// Creates a book to find.
        public init(titles: [String], authors: [String]) {
            (self.titles, self.authors) = (titles, authors)
        }
    }

    /// The matches of a wanted book, of which only one is a reliable match.
    private enum Matches {
        case none, one(BookID), several

        mutating func add(_ id: BookID) {
            if case .none = self { self = .one(id) } else { self = .several }
        }
    }

    /// The wanted books by the hashes of their titles, and by those of their titles without subtitles.
    private var numbersByTitle: [UInt64: [Int]] = [:]
    private var numbersByMainTitle: [UInt64: [Int]] = [:]
    /// The hashes of the authors of each wanted book.
    private var authors: [Set<UInt64>] = []
    /// The memory for sort keys.
    private let key = KeyBuffer()

    /// Returns the only book in `index` that has a title and an author of each wanted book, or else the only one that
    /// has both without subtitles; nil if there is none or several. Linear in the index, about a hundred nanoseconds
    /// per book.
    public static func books(_ wanted: [Wanted], in index: BookIndex) -> [BookID?] {
        if wanted.isEmpty { return [] }
        var lookup = TitleLookup(wanted)
        return lookup.matches(in: index)
    }

    private init(_ wanted: [Wanted]) {
        for (number, book) in wanted.enumerated() {
            authors.append([])
            for name in book.authors { if let hash = key.hash(ofName: name) { authors[number].insert(hash) } }
            for title in book.titles {
                if let hash = key.hash(ofTitle: title) { numbersByTitle[hash, default: []].append(number) }
                if let hash = key.hash(ofMainTitle: title) { numbersByMainTitle[hash, default: []].append(number) }
            }
        }
    }

    private mutating func matches(in index: BookIndex) -> [BookID?] {
        var whole = Array(repeating: Matches.none, count: authors.count)
        var main = whole
        for (segment, first) in zip(index.segments, index.starts) {
            for book in 0..<segment.count {
                let text = segment.text(at: book)
                var lines = IndexedText(text)
                guard let title = lines.next()?.content else { continue }
                let found = key.hash(ofFoldedTitle: title).flatMap { numbersByTitle[$0] } ?? []
                let foundMain = key.hash(ofFoldedMainTitle: title).flatMap { numbersByMainTitle[$0] } ?? []
                if found.isEmpty && foundMain.isEmpty { continue }
                var names: Set<UInt64> = []
                for line in lines where line.kind == .author {
                    if let hash = key.hash(ofFoldedName: line.content) { names.insert(hash) }
                }
                for number in Set(found) where !names.isDisjoint(with: authors[number]) {
                    whole[number].add(BookID(first + book))
                }
                for number in Set(foundMain) where !names.isDisjoint(with: authors[number]) {
                    main[number].add(BookID(first + book))
                }
            }
        }
        return zip(whole, main).map { whole, main in
            switch (whole, main) {
            case (.one(let id), _), (.none, .one(let id)): id
            case (.several, _), (.none, .none), (.none, .several): nil
            }
        }
    }
}

/// Computes hashes of the sort keys of titles and names; texts that are filed in the same place have the same hash.
private final class KeyBuffer {
    private var folded = ByteBuffer()
    private var key = ByteBuffer()

    func hash(ofTitle title: String) -> UInt64? { folding(title) { hash(ofFoldedTitle: $0) } }
    func hash(ofMainTitle title: String) -> UInt64? { folding(title) { hash(ofFoldedMainTitle: $0) } }
    func hash(ofName name: String) -> UInt64? { folding(name) { hash(ofFoldedName: $0) } }

    func hash(ofFoldedTitle title: UnsafeBufferPointer<UInt8>) -> UInt64? {
        making { TitleKey.append(title, language: nil, to: &$0) }
    }

    /// Ignores what follows a colon or an opening bracket.
    func hash(ofFoldedMainTitle title: UnsafeBufferPointer<UInt8>) -> UInt64? {
        let end = title.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }
        let main = UnsafeBufferPointer(rebasing: title[..<(end ?? title.endIndex)])
        return hash(ofFoldedTitle: main) ?? hash(ofFoldedTitle: title)
    }

    func hash(ofFoldedName name: UnsafeBufferPointer<UInt8>) -> UInt64? { making { NameKey.append(name, to: &$0) } }

    private func folding(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> UInt64?) -> UInt64? {
        folded.count = 0
        folded.append(folding: text)
        return body(UnsafeBufferPointer(folded.bytes))
    }

    private func making(_ append: (inout ByteBuffer) -> Void) -> UInt64? {
        key.count = 0
        append(&key)
        return key.count == 0 ? nil : cs_hash(key.bytes.baseAddress, key.count)
    }
}

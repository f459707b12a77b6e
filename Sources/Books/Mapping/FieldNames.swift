internal import Text

/// The names that tell a field: keys of records, headings of tables, columns of databases and fields of indexes, in
/// English and a dozen other languages.
public struct FieldNames: Sendable {
    /// The names, most likely first, in lower case and without separators.
    public let all: [String]
    /// The names that tell the field by themselves: "verlag" is a publisher, while "press" may be anything.
    public let telling: Set<String>
    /// The weights by name.
    private let weights: [String: Double]

    /// Returns how likely a name, in lower case and without separators, means the field, from 0.9 to 1; nil for other
    /// names.
    public func weight(of name: String) -> Double? { weights[name] }

    /// Returns `name` in lower case and without white space and punctuation, as names are compared: "ISBN-13" is
    /// "isbn13".
    public static func key(of name: String) -> String {
        // Nearly all names, at a tenth of the time: each start asks for those of the first records.
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: name.utf8.filter { $0.isASCIILetter || $0.isASCIIDigit }, as: UTF8.self)
                .lowercased()
        }
        return words(of: name).joined()
    }

    /// The words of a key that carry no meaning for the field: prefixes, terms of library vocabularies, and Solr type
    /// suffixes.
    static let passedOver: Set<String> = [
        "book", "books", "item", "record", "work", "the", "my", "its", "of", "de", "du", "dc", "dcterms", "bib",
        "schema", "meta",
        "metadata", "info", "data", "volume", "main", "full", "display", "tsim", "ssim", "ssi", "tesim", "ssm", "txt",
        "str",
        "buch", "livre", "libro", "a", "field", "value", "opf", "raw", "list", "original", "csv", "col",
    ]

    /// The generic keys whose meaning comes from the enclosing key.
    static let general: Set<String> = [
        "name", "names", "value", "values", "text", "label", "title", "date", "display", "content", "full", "main",
        "href",
        "url", "src", "link", "code", "key", "id", "year", "number", "count", "total", "average", "default", "en",
        "list",
        "all", "item", "items", "entry", "raw", "literal", "identifier", "score",
    ]

    /// Whether the last key names a date that is not the publication date, such as that of the record, the owner or the
    /// author.
    public static func isOfAnotherTime(_ keys: [String]) -> Bool {
        let others: Set<String> = [
            "modified", "updated", "changed", "accessed", "created", "added", "indexed", "timestamp", "born", "birth",
            "died",
            "death", "founded", "read", "started", "finished", "bought", "purchased", "loaned", "due",
        ]
        return keys.last.map { words(of: $0).contains { others.contains($0) } } ?? false
    }

    /// Whether a key names a span of time, such as the minutes of an audiobook, which are no pages.
    public static func isOfDuration(_ keys: [String]) -> Bool {
        let units: Set<String> = ["seconds", "minutes", "mins", "min", "hours", "hrs", "duration", "runtime", "time"]
        return keys.last.map { words(of: $0).contains { units.contains($0) } } ?? false
    }

    /// Splits a key into lower-case words: "publicationDate", "publication_date" and "Publication Date" all give
    /// "publication" and "date".
    static func words(of key: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previous: Character?
        for character in key {
            let begins = character.isUppercase && previous.map { $0.isLowercase || $0.isNumber } == true
            if begins || !character.isLetter && !character.isNumber {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if character.isLetter || character.isNumber { word.append(character) }
            previous = character
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }

    /// Returns how well the keys of a path, starting at the record, match the names of `field`, from 0 to 1.
    public static func likeness(of keys: [String], to field: BookField) -> Double {
        guard let last = keys.last else { return 0 }
        let words = words(of: last)
        let parent = keys.dropLast().last.map(Self.words) ?? []
        let keyScore = likeness(ofWords: words, to: field)
        // A value within the object of another field belongs to that field.
        if let owner = BookField.builtIn.filter({ $0 != field && $0 != .identifiers }).max(by: {
            likeness(ofWords: parent, to: $0) < likeness(ofWords: parent, to: $1)
        }), !parent.isEmpty, likeness(ofWords: parent, to: owner) >= 0.9,
            likeness(ofWords: parent, to: owner) > likeness(ofWords: parent, to: field)
        {
            let both = likeness(ofWords: parent + words, to: field)
            return both >= 0.9 ? both * 0.97 : keyScore * 0.25
        }
        var best = keyScore * 0.98
        if keys.count == 1 { best = keyScore }
        if general.contains(words.joined()) {
            best = max(best, likeness(ofWords: parent, to: field) * 0.96)
        }
        if !parent.isEmpty { best = max(best, likeness(ofWords: parent + words, to: field) * 0.95) }
        return best
    }

    private static func likeness(ofWords words: [String], to field: BookField) -> Double {
        if words.isEmpty { return 0 }
        let names = field.names
        func rank(_ word: String) -> Double? { names.weight(of: word) }
        let whole = words.joined()
        if let rank = rank(whole) { return rank }
        let significantWords = words.filter { !passedOver.contains($0) }
        if !significantWords.isEmpty, let rank = rank(significantWords.joined()) { return rank * 0.95 }
        // Keys with a number, such as "Titel2" and "author1", are numbered instances of the same field.
        let withoutDigits = whole.filter { !$0.isNumber }
        if !withoutDigits.isEmpty, withoutDigits != whole, let rank = rank(withoutDigits) { return rank * 0.85 }
        // A key may have one letter missing, added or changed.
        if whole.count >= 5, names.all.contains(where: { $0.count >= 5 && $0.isNearlyEqual(to: whole) }) { return 0.7 }
        // One word of several matches.
        let part = significantWords.compactMap { word in word.count >= 4 ? rank(word) : nil }.max()
        return part.map { $0 * 0.6 } ?? 0
    }
}

extension FieldNames {
    /// The names of the fields of every catalog by the ids of the fields; made when a catalog is recognized.
    static let ofFields = Dictionary(
        uniqueKeysWithValues: BookField.builtIn.map { ($0.id, FieldNames("\($0.info.nameList)")) })

    /// Takes names that are separated by white space, most likely first; a star follows those that tell the field by
    /// themselves, two those that tell of an object that it is a book.
    init(_ text: String) {
        let star = UInt8(ascii: "*")
        let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        let names = words.map { (name: String(decoding: $0.prefix { $0 != star }, as: UTF8.self), word: $0) }
        all = names.map(\.name)
        telling = Set(names.filter { $0.word.last == star }.map(\.name))
        weights = Dictionary(
            all.enumerated().map { ($1, 1 - 0.002 * Double(min($0, 40))) }, uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// Whether the strings differ by at most one inserted, deleted or replaced character.
    fileprivate func isNearlyEqual(to other: String) -> Bool {
        let (left, right) = (Array(self), Array(other))
        guard abs(left.count - right.count) <= 1 else { return false }
        let prefix = zip(left, right).prefix { $0 == $1 }.count
        let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        return prefix + suffix >= Swift.max(left.count, right.count) - 1
    }
}

internal import Text

/// The fields of a catalog: those of every book, and those that only this catalog has.
public struct Schema: Hashable, Sendable {
    /// The fields that only this catalog has, in its order.
    public let own: [BookField]

    /// The fields of every book.
    public static let ofEveryBook = Schema(own: [])

    /// Creates the schema of a catalog with these fields beside those of every book.
    public init(own: [BookField]) { self.own = own }

    /// All fields, in the order of the JSON of stacks.
    public var fields: [BookField] { BookField.builtIn + own }
    /// The fields in the order of the form.
    public var inForm: [BookField] { BookField.inForm + own }
    /// The fields below the facts of a card.
    public var inFacts: [BookField] { BookField.inFacts + own }
    /// The fields that are printed with a label.
    public var inPrint: [BookField] { BookField.inPrint + own }
    /// The fields with a column in lists, in the order in which they are offered.
    public var inColumns: [BookField] { BookField.inColumns + described }
    /// The catalog's own fields that describe books, in contrast to keys and checksums.
    public var described: [BookField] { own.filter { $0.info.own?.isInternal == false } }
    /// The catalog's own fields whose values are counted.
    public var facets: [BookField] { own.filter { $0.info.isFacet } }

    /// The field with this name in a profile, in queries or in edits. The names of the fields of every book come first;
    /// case, spaces, hyphens and underscores do not count in those of others.
    public func field(named name: String) -> BookField? { BookField(named: name) ?? ownField(named: name) }

    /// The catalog's own field with this name, without regard to case, spaces, hyphens and underscores. Linear in the
    /// fields.
    public func ownField(named name: String) -> BookField? {
        if own.isEmpty { return nil }
        let key = OwnField.key(of: name)
        if let field = own.first(where: { OwnField.key(of: $0.id) == key }) { return field }
        if OwnField.reservedKeys.contains(key) { return nil }
        return own.first { field in field.info.own.map { OwnField.key(of: $0.label) == key } ?? false }
            ?? own.first { field in field.info.own.map { OwnField.key(of: $0.path.description) == key } ?? false }
    }
}

extension OwnField {
    /// The form in which names are compared: without case, spaces, hyphens and underscores.
    public static func key(of name: String) -> String {
        String(name.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" })
    }

    /// Returns the words of a key: "lent", "to" for "lentTo", "lent_to" and "Lent to".
    private static func words(of key: String) -> [String] {
        var words: [String] = []
        var isOpen = false
        var last: Character = " "
        for character in key {
            guard character.isLetter || character.isNumber else {
                isOpen = false
                continue
            }
            if isOpen, character.isUppercase, last.isLowercase { isOpen = false }
            if isOpen { words[words.count - 1].append(character) } else { words.append(String(character)) }
            (isOpen, last) = (true, character)
        }
        return words
    }

    /// Returns the name of the field with this key: its words with hyphens between them; "" if it has none.
    public static func name(of key: String) -> String {
        words(of: key).joined(separator: "-").lowercased().cut(to: longestName)
    }

    /// Returns the label of the field with this key: its words, the first with an initial capital; the key itself, if
    /// it has none, or if it is written in words, as headings are ("Price (EUR)").
    public static func label(of key: String) -> String {
        let heading = key.onOneLine.split(separator: " ")
        let words = words(of: key).map { word in
            if initialisms.contains(word.lowercased()) { return word.uppercased() }
            return word.allSatisfy { !$0.isLowercase } ? word : word.lowercased()
        }
        let text = heading.count > 1 ? heading.joined(separator: " ") : words.joined(separator: " ")
        return (text.isEmpty ? key.onOneLine : text.prefix(1).uppercased() + text.dropFirst())
            .cut(to: longestName)
    }

    /// The words that are written in capitals.
    private static let initialisms: Set = ["asin", "doi", "isbn", "issn", "lc", "lccn", "oclc", "url"]

    /// The number of characters of the longest name and label.
    private static let longestName = 40
}

extension String {
    /// The beginning with at most `count` characters.
    fileprivate func cut(to count: Int) -> String { self.count > count ? String(prefix(count)) : self }
}

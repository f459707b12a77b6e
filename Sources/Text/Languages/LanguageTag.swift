/// A BCP 47 language tag of a language with a known name.
public struct LanguageTag: Hashable, Sendable {
    /// The tag in canonical form, with the usual case and the shortest code: "pt-BR".
    public let text: String

    /// Parses a tag in any case, with "-" or "_" between its subtags and codes of ISO 639-1, 639-2 or 639-3: "eng" and
    /// "EN" become "en". Fails if the language has no known name.
    public init?(_ text: String) {
        guard text.utf8.count <= 35 else { return nil }
        // The tags of most catalogs are canonical already.
        if text.utf8.count == 2, StaticTable.languages.has(text) {
            self.text = text
            return
        }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let first = parts.first, (2...3).contains(first.utf8.count), parts.allSatisfy(Self.isPart) else {
            return nil
        }
        let language = first.lowercased()
        let short = StaticTable.languageCodes[language] ?? language
        guard StaticTable.languages[short] != nil else { return nil }
        self.text = ([short] + parts.dropFirst().map(Self.written)).joined(separator: "-")
    }

    /// Parses a tag, the path of one such as "/languages/eng", or a name in English or in the language itself. Fails if
    /// the language is unknown.
    public init?(naming text: String) {
        guard text.utf8.count <= 200 else { return nil }
        if let tag = Self(text) {
            self = tag
            return
        }
        if text.contains("/") {
            guard let last = text.split(separator: "/").last, let tag = Self(String(last)) else { return nil }
            self = tag
            return
        }
        let name = text.lowercased()
        // "Greek, Modern (1453- )" is modern Greek.
        let bare = name.prefix { $0 != "(" }
        let parts = bare.split(separator: ",").map { String($0).onOneLine }
        let turned = parts.reversed().joined(separator: " ")
        for candidate in [name, parts.joined(separator: ", "), turned] {
            if let tag = StaticTable.languageTags[candidate] {
                self.text = tag
                return
            }
        }
        return nil
    }

    /// Returns the tags of all languages that a text names, such as "French, English" or "eng; ger"; empty if a part of
    /// it names none.
    public static func tags(naming text: String) -> [LanguageTag] {
        // The slashes of a path or an address are not separators, and neither is the comma in "Greek, Modern".
        let isPath = text.hasPrefix("/") || text.contains("://")
        let goesOn = text.firstIndex(of: ")").map { $0 != text.indices.last } ?? false
        if isPath || !text.contains("/") && !goesOn, let tag = LanguageTag(naming: text) { return [tag] }
        guard !isPath, text.utf8.count <= 200 else { return [] }
        for separator in [";", "|", "/", "&", " and ", ","] where text.contains(separator) {
            let parts = text.split(separator: separator).map { String($0).onOneLine }.filter { !$0.isEmpty }
            let tags = parts.map(Self.tags)
            return tags.contains(where: \.isEmpty) ? [] : tags.flatMap(\.self)
        }
        return []
    }

    /// The English name of the language: "Brazilian Portuguese", "German", "Serbian (Cyrillic, Serbia)".
    public var englishName: String {
        if text.utf8.count <= 3 { return StaticTable.languages[text] ?? text }
        var parts = text.split(separator: "-")
        // Find the longest prefix that has a name.
        while parts.count > 1, StaticTable.languages[parts.joined(separator: "-")] == nil { parts.removeLast() }
        let base = parts.joined(separator: "-")
        let rest = text.split(separator: "-").dropFirst(parts.count)
        let name = StaticTable.languages[base] ?? base
        let qualities = rest.map { part in
            StaticTable.scripts[part] ?? StaticTable.regions[part] ?? String(part)
        }
        return qualities.isEmpty ? name : "\(name) (\(qualities.joined(separator: ", ")))"
    }

    private static func isPart(_ part: Substring) -> Bool {
        (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }

    /// Returns a subtag after the first one in its usual case: scripts "Hant", regions "BR", others in lower case.
    private static func written(_ part: Substring) -> String {
        let isWord = part.utf8.allSatisfy(\.isASCIILetter)
        return switch part.utf8.count {
        case 2 where isWord: part.uppercased()
        case 4 where isWord: part.prefix(1).uppercased() + part.dropFirst().lowercased()
        default: part.lowercased()
        }
    }
}

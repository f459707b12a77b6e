/// A language as BCP 47 tags it, of those that have a name here.
public struct LanguageTag: Hashable, Sendable {
    /// The tag, each part in its usual case and as short as it can be: "pt-BR".
    public let text: String

    /// The tag that `text` is, in any case, with "-" or "_" between its parts, and with the codes of ISO 639-1, 639-2 and
    /// 639-3: "eng" and "EN" are "en". Nil where the language has no name here.
    public init?(_ text: String) {
        guard text.utf8.count <= 35 else { return nil }
        // What most catalogs have is right as it is.
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

    /// The language that `text` says: a tag, the address of one, "/languages/eng", or a name in English or in the language
    /// itself. Nil where it says none that is known.
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

    /// The language's name in English: "Brazilian Portuguese", "German", "Serbian (Cyrillic, Serbia)".
    public var englishName: String {
        if text.utf8.count <= 3 { return StaticTable.languages[text] ?? text }
        var parts = text.split(separator: "-")
        // The longest beginning of it that has a name of its own.
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

    /// A part behind the first: scripts are written "Hant", regions "BR", others in lower case.
    private static func written(_ part: Substring) -> String {
        let isWord = part.utf8.allSatisfy(\.isASCIILetter)
        return switch part.utf8.count {
        case 2 where isWord: part.uppercased()
        case 4 where isWord: part.prefix(1).uppercased() + part.dropFirst().lowercased()
        default: part.lowercased()
        }
    }
}

public import JSON
internal import Text

/// Lenient reading of values in the many forms that catalogs write them; each property is nil or empty if the value is
/// unreadable.
extension JSONValue {
    /// The text on one line: of a string or number, or of the first element or member that has one.
    public var text: String? {
        switch self {
        case .string(let string):
            let line = string.onOneLine
            return line.isEmpty ? nil : line
        case .number(let number): return number
        case .array(let elements): return elements.firstMade(\.text)
        case .object(let members): return members.firstMade(\.value.text)
        case .null, .boolean: return nil
        }
    }

    /// Whether the value is empty: null, white space, an array of blank values, or an object without members.
    public var isBlank: Bool {
        switch self {
        case .null: true
        case .boolean, .number: false
        case .string(let string): string.isBlank
        case .array(let elements): elements.allSatisfy(\.isBlank)
        case .object(let members): members.isEmpty
        }
    }

    /// The texts of a list without duplicates, each on one line: of strings, numbers, named objects, or the first
    /// language.
    var texts: [String] { listed(by: Self.namingKeys).uniqued() }

    private static let namingKeys = ["name", "label", "value", "@value", "term", "prefLabel", "title"]

    /// Returns the texts of an array's elements; for an object, the texts under the first of `keys` that has any.
    func listed(by keys: [String]) -> [String] {
        switch self {
        case .string, .number: return text.map { [$0] } ?? []
        case .array(let elements): return elements.flatMap { $0.listed(by: keys) }
        case .object:
            for key in keys {
                if let found = self[key]?.listed(by: keys).nonEmpty { return found }
            }
            return firstLanguage?.listed(by: keys) ?? []
        case .null, .boolean: return []
        }
    }

    /// The value of the first language that has one, if the keys of this object are language tags.
    var firstLanguage: JSONValue? {
        guard let members, !members.isEmpty, members.allSatisfy({ LanguageTag($0.key) != nil }) else { return nil }
        // "id" is the tag of Indonesian, but also a common key of other objects.
        if members.count == 1, members[0].key == "id" { return nil }
        return members.firstMade { member in
            switch member.value {
            case .string: member.value.text == nil ? nil : member.value
            // Only texts count; deeper nesting is ignored, so that it is not searched again at every level.
            case .array(let elements): elements.contains { $0.string?.onOneLine.isEmpty == false } ? member.value : nil
            case .null, .boolean, .number, .object: nil
            }
        }
    }

    /// Whether the book is fiction, from a boolean or a word; numbers are ignored, because 0 and 1 have too many
    /// meanings.
    public var fiction: Bool? {
        switch self {
        case .boolean(let boolean): return boolean
        case .string(let string):
            switch string.onOneLine.lowercased() {
            case "true", "yes", "y", "fiction": return true
            case "false", "no", "n", "non-fiction", "nonfiction", "non fiction": return false
            default: return nil
            }
        case .null, .number, .array, .object: return nil
        }
    }

    /// A link: a string, or the target of an object or of the first element that has one; "data:" and "javascript:" are
    /// rejected.
    public var link: String? {
        switch self {
        case .string(let string):
            let line = string.onOneLine
            let isLink = !line.isEmpty && !["data", "javascript"].contains(line.uriScheme)
            return isLink ? line : nil
        // Open Library stores covers as numbers, negative if there is none.
        case .number(let number): return number.hasPrefix("-") ? nil : number
        case .array(let elements): return elements.firstMade(\.link)
        case .object:
            return ["href", "url", "@id", "contentUrl", "src"].firstMade { self[$0]?.link }
        case .null, .boolean: return nil
        }
    }

    /// A link to a picture, or the picture itself: as `link`, and a string that is "data:" with a type of pictures (RFC 2397).
    public var pictureLink: String? {
        if case .string(let string) = self, string.prefix(Self.pictureStart.count).lowercased() == Self.pictureStart {
            return string
        }
        return link
    }

    private static let pictureStart = "data:image/"

    /// The first valid ISBN of an array or string, otherwise the first text; nil for a number in another URI scheme.
    public var isbn: ISBN? {
        // Fast path for the form that nearly every catalog uses.
        if case .string(let string) = self, let isbn = ISBN.plain(string) { return isbn }
        var first: ISBN?
        // A number that a spreadsheet has rounded is not an ISBN.
        for text in isbnTexts where !text.isRoundedNumber && !text.isOfOtherScheme {
            if let isbn = ISBN.valid(in: text).first { return isbn }
            if first == nil { first = ISBN(text) }
        }
        return first
    }

    /// The valid ISBNs of an array or string.
    var isbns: [ISBN] {
        if case .string(let string) = self, let isbn = ISBN.plain(string) { return [isbn] }
        return isbnTexts.filter { !$0.isOfOtherScheme }.flatMap(ISBN.valid)
    }

    private var isbnTexts: [String] {
        switch self {
        case .string: return text.map(\.unwrapped).flatMap { $0.isEmpty ? nil : [$0] } ?? []
        case .number(let number): return [number]
        case .array(let elements): return elements.flatMap(\.isbnTexts)
        case .object(let members):
            let keys = ["identifier", "value", "@value", "isbn"]
            return keys.firstMade { self[$0]?.isbnTexts.nonEmpty }
                ?? members.flatMap { keys.contains($0.key) ? [] : $0.value.isbnTexts }
        case .null, .boolean: return []
        }
    }
}

extension String {
    /// The text without what programs put around digits: `="..."`, so that spreadsheets keep zeros, or brackets.
    fileprivate var unwrapped: String { content(between: "=\"", and: "\"") ?? content(between: "[", and: "]") ?? self }

    private func content(between start: String, and end: String) -> String? {
        guard hasPrefix(start), hasSuffix(end), count > start.count else { return nil }
        return String(dropFirst(start.count).dropLast(end.count)).onOneLine
    }

    /// Whether the text is a number that a spreadsheet has rounded, such as "9.78044E+12".
    public var isRoundedNumber: Bool {
        guard utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }), !ISBN(self).isValid else { return false }
        let parts = utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        return parts.count == 2 && parts[0].first?.isASCIIDigit == true
            && Double(replacing(",", with: ".", maxReplacements: 1)) != nil
    }

    /// Whether the text is a number in another URI scheme.
    fileprivate var isOfOtherScheme: Bool {
        uriScheme.map { !$0.hasPrefix("isbn") && !lowercased().hasPrefix("urn:isbn") } ?? false
    }
}

extension ISBN {
    /// Returns the valid ISBNs in a line of text: the text itself, or those among others in it.
    fileprivate static func valid(in text: String) -> [ISBN] {
        let whole = ISBN(text)
        if whole.isValid { return [whole] }
        var copy = text
        // The digits of a single number are not a list; the record scanner decides the same way.
        if copy.withUTF8({ plainNumber(in: $0) }) != nil { return [] }
        return text.split(whereSeparator: { ",;/|".contains($0) }).flatMap { part in
            let isbn = ISBN(String(part).onOneLine)
            if isbn.isValid { return [isbn] }
            // Fewer than ten digits may be part of anything.
            return part.split { " :()[]".contains($0) }.filter { $0.utf8.count >= 10 }.map { ISBN(String($0)) }
                .filter(\.isValid)
        }
    }
}

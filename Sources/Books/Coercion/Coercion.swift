package import JSON
internal import Text

/// Liberal reading of values: what a field means, in whatever form a catalog writes it. Nil, or nothing, where nothing can
/// be made of a value.
extension JSONValue {
    /// The text on one line: of a string or number, the first of an array that has one, or the first language's.
    package var text: String? {
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

    /// Whether nothing is said: null, a string of white space, an array of such values, or an object without members.
    package var isBlank: Bool {
        switch self {
        case .null: true
        case .boolean, .number: false
        case .string(let string): string.isBlank
        case .array(let elements): elements.allSatisfy(\.isBlank)
        case .object(let members): members.isEmpty
        }
    }

    /// The texts of a list, each once and on one line: of a string or number, of objects that have a name, or of the first
    /// language.
    var texts: [String] { listed(by: Self.namingKeys).uniqued() }

    private static let namingKeys = ["name", "label", "value", "@value", "term", "prefLabel", "title"]

    /// The texts of an array's elements, and of objects under the first of `keys` that has any.
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

    /// The value in the first language that has one, where this is an object whose keys are tags of languages.
    var firstLanguage: JSONValue? {
        guard let members, !members.isEmpty, members.allSatisfy({ LanguageTag($0.key) != nil }) else { return nil }
        // Indonesian is "id", as is what objects of any kind are called by.
        if members.count == 1, members[0].key == "id" { return nil }
        return members.firstMade { member in
            switch member.value {
            case .string: member.value.text == nil ? nil : member.value
            // Texts alone: what is nested more deeply is none, and nobody looks for it again and again.
            case .array(let elements): elements.contains { $0.string?.onOneLine.isEmpty == false } ? member.value : nil
            case .null, .boolean, .number, .object: nil
            }
        }
    }

    /// Whether it is fiction: of a boolean, or of a word that says so. A number says nothing: 0 and 1 mean too many things.
    package var fiction: Bool? {
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

    /// Where something is: of a string, or of what an object or the first of an array refers to. What holds its data or a
    /// program itself is no link.
    package var link: String? {
        switch self {
        case .string(let string):
            let line = string.onOneLine
            let isLink = !line.isEmpty && !["data", "javascript"].contains(line.uriScheme)
            return isLink ? line : nil
        // The numbers of covers at Open Library; below zero there is none.
        case .number(let number): return number.hasPrefix("-") ? nil : number
        case .array(let elements): return elements.firstMade(\.link)
        case .object:
            return ["href", "url", "@id", "contentUrl", "src"].firstMade { self[$0]?.link }
        case .null, .boolean: return nil
        }
    }

    /// The book number: the first valid one of an array, or of a string that has several, else the first that is text.
    /// Nil where there is none, or a number in another scheme of URIs.
    package var isbn: ISBN? {
        // As nearly every catalog has it.
        if case .string(let string) = self, let isbn = ISBN.plain(string) { return isbn }
        var first: ISBN?
        for text in isbnTexts {
            // A number that a spreadsheet has rounded is none any more.
            guard !text.isScientific, let isbn = ISBN(amongOthersIn: text) else { continue }
            if isbn.isValid { return isbn }
            if first == nil { first = isbn }
        }
        return first
    }

    private var isbnTexts: [String] {
        switch self {
        case .string: return text.map { [$0] } ?? []
        // Programs that know only floating numbers write a fraction to all of them.
        case .number(let number): return [number.hasSuffix(".0") ? String(number.dropLast(2)) : number]
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
    /// Whether it is a number with an exponent, "9.78044E+12".
    fileprivate var isScientific: Bool {
        guard utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
        let parts = utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        return parts.count == 2 && parts[0].first?.isASCIIDigit == true && Double(self) != nil
    }
}

extension ISBN {
    /// The first valid number in `text`, one line that may have several; the whole of it where none is valid. Nil where it
    /// is in another scheme of URIs.
    fileprivate init?(amongOthersIn text: String) {
        if let scheme = text.uriScheme, !scheme.hasPrefix("isbn") {
            guard text.lowercased().hasPrefix("urn:isbn") else { return nil }
        }
        self.init(text)
        var copy = text
        // What has nothing but digits of one number is no list: who scans the catalog knows no better.
        if isValid || copy.withUTF8({ Self.plainNumber(in: $0) }) != nil { return }
        for part in text.split(whereSeparator: { ",;/|".contains($0) }) {
            let isbn = ISBN(String(part).onOneLine)
            if isbn.isValid {
                self = isbn
                return
            }
            for word in part.split(whereSeparator: { " :()[]".contains($0) }) {
                // Less than ten digits may be a part of anything.
                guard word.utf8.count >= 10 else { continue }
                let isbn = ISBN(String(word))
                if isbn.isValid {
                    self = isbn
                    return
                }
            }
        }
    }
}

extension Book {
    /// Whether subjects say that a book is fiction: true where one does that is not non-fiction, else nil, as they need not
    /// say it.
    package static func isFiction(subjects: [String]) -> Bool? {
        for subject in subjects {
            let words = subject.lowercased().split { !$0.isLetter }
            for (index, word) in words.enumerated() where word == "fiction" {
                if index == 0 || !["non", "not", "no"].contains(words[index - 1]) { return true }
            }
        }
        return nil
    }
}

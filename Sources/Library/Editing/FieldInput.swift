public import Books
internal import Graphemes
internal import JSON
internal import Text

/// The values of fields as users type them, in a form or on the command line.
///
/// The items of a list are separated by semicolons; `\;` is a semicolon in an item. An identifier follows its scheme
/// (`doi:10.1000/182`), and the role of a contributor follows in parentheses (`Constance Garnett (translator)`).
public enum FieldInput {
    /// Returns the value of `field` that `text` describes; nil for blank text, which clears the field.
    ///
    /// - Parameter known: A text whose items are always accepted because books have them already: languages without a
    ///   known name, and identifiers without a scheme.
    /// - Throws: `FieldInputError` if the text is not a value of the field, or is blank and the field is the title.
    public static func value(
        of field: BookField, _ text: String, besides known: String = ""
    ) throws(FieldInputError) -> FieldValue? {
        if text.isBlank {
            if field == .title { throw FieldInputError(field: field, text: "") }
            return nil
        }
        let value: FieldValue? =
            switch field.info.kind {
            case .text: .text(field == .description || field.isOwn ? text : text.onOneLine)
            case .link: text.contains("://") ? .text(text.onOneLine) : nil
            case .number: number(of: field, text.onOneLine)
            case .isbn: ISBN(text).isValid ? .isbn(ISBN(text.onOneLine)) : nil
            case .date: date(of: field, text.onOneLine)
            case .boolean: boolean(text.onOneLine.lowercased())
            case .status: Book.ReadingStatus(written: text.onOneLine).map(FieldValue.status)
            case .list, .gatheredList: list(of: field, text)
            }
        // A text of semicolons only is a list without items.
        if value == nil, field.isList { return nil }
        if case .list(let items)? = value {
            var knownItems: [FieldValue.Item] = []
            if case .list(let items)? = list(of: field, known) { knownItems = items }
            try check(items, of: field, besides: knownItems)
        }
        guard let value else { throw FieldInputError(field: field, text: text.onOneLine) }
        return value
    }

    /// Returns the text that describes `value`; `value(of:_:)` returns the same value for it.
    public static func text(of value: FieldValue, for field: BookField) -> String {
        guard case .list(let items) = value else { return value.text }
        return EscapedList.text(of: items.map { text(of: $0, in: field) })
    }

    /// Returns the text that describes `field` in `book`; "" if the field is empty.
    public static func text(of field: BookField, in book: Book) -> String {
        field.value(in: book).map { text(of: $0, for: field) } ?? ""
    }

    /// Returns a list item as typed between semicolons.
    public static func text(ofListItem text: String) -> String { text.escaped(before: ";", isFollowed: false) }

    /// Returns the items of a list as typed between semicolons, without empty ones.
    public static func items(of text: some StringProtocol) -> [String] {
        String(text).separated(at: ";").map(\.text.onOneLine).filter { !$0.isEmpty }
    }

    /// Returns the range of characters of the list item in `text` that ends at `cursor`, without leading spaces.
    public static func item(endingAt cursor: Int, in text: String) -> Range<Int> {
        let characters = Array(text.prefix(cursor))
        let parts = String(characters).separated(at: ";")
        let last = parts.last?.source ?? ""
        return (characters.count - last.drop { $0 == " " }.count)..<characters.count
    }

    // MARK: - Single values

    private static func number(of field: BookField, _ text: String) -> FieldValue? {
        if field == .pageCount { return wholeNumber(text).flatMap { $0 > 0 ? .integer($0) : nil } }
        // Many languages use a decimal comma: 4,5.
        let isDecimalComma = text.count { $0 == "," } == 1 && !text.contains(".")
        guard let number = Double(isDecimalComma ? text.replacing(",", with: ".") : text), number.isFinite else {
            return nil
        }
        return field == .rating && !(0...5).contains(number) ? nil : .number(number)
    }

    /// Parses a whole number, with or without thousands separators: 1,200 or 1.200 or 1 200.
    private static func wholeNumber(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        let groups = text.split(omittingEmptySubsequences: false) { ",.'’ \u{A0}\u{202F}".contains($0) }
        guard let first = groups.first, (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.joined().allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return Int(groups.joined())
    }

    private static func boolean(_ word: String) -> FieldValue? {
        switch word {
        case "yes", "y", "true", "fiction": .boolean(true)
        case "no", "n", "false", "non-fiction", "nonfiction": .boolean(false)
        default: nil
        }
    }

    /// Parses a date and rejects one with a part that makes no sense. Catalogs are read leniently, but a user who
    /// types 2004-02-30 has made a mistake.
    private static func date(of field: BookField, _ text: String) -> FieldValue? {
        guard case .date(let date)? = field.value(of: .string(text)) else { return nil }
        let numbers = text.split { !$0.isNumber }.count
        let known = 1 + (date.month == nil ? 0 : 1) + (date.day == nil ? 0 : 1)
        let isWritten = text.contains(where: \.isLetter)
        if !isWritten, text.contains(where: { !$0.isNumber }), numbers > known { return nil }
        if isWritten, date.month != nil, date.day == nil, numbers == 2 { return nil }
        // Another word may be a month in another language, which would be lost.
        if date.month == nil, !words(of: text).isSubset(of: wordsOfYears) { return nil }
        return .date(date)
    }

    /// The words beside a year that do not make the date more exact.
    private static let wordsOfYears: Set<String> = ["about", "ad", "around", "bc", "bce", "c", "ca", "ce", "circa"]

    /// The words of a text in lower case; "b.c." is one.
    private static func words(of text: String) -> Set<String> {
        Set(text.lowercased().replacing(".", with: "").split { !$0.isLetter }.map(String.init))
    }

    // MARK: - Lists

    private static func list(of field: BookField, _ text: String) -> FieldValue? {
        var items: [FieldValue.Item] = []
        for part in text.separated(at: ";").map(\.text.onOneLine) where !part.isEmpty {
            for item in Self.items(of: field, part) where !items.contains(item) { items.append(item) }
        }
        return items.isEmpty ? nil : .list(items)
    }

    /// Returns the items that the text of one describes, semicolons included; none for a blank text.
    ///
    /// - Parameter known: The item that the book has already, which is always accepted.
    /// - Throws: `FieldInputError` if the text is not an item of the field.
    static func items(
        of field: BookField, ofOne text: String, besides known: FieldValue.Item
    ) throws(FieldInputError) -> [FieldValue.Item] {
        if text.isBlank { return [] }
        let items = items(of: field, text)
        if items.isEmpty { throw FieldInputError(field: field, text: text) }
        try check(items, of: field, besides: [known])
        return items
    }

    private static func check(
        _ items: [FieldValue.Item], of field: BookField, besides known: [FieldValue.Item]
    ) throws(FieldInputError) {
        let misfit = items.first { !known.contains($0) && !fits($0, field) }
        if let misfit { throw FieldInputError(field: field, text: misfit.text.onOneLine) }
    }

    /// Whether an item can be typed: a language with a known name, or an identifier with its scheme.
    private static func fits(_ item: FieldValue.Item, _ field: BookField) -> Bool {
        switch field {
        case .languages: LanguageTag(item.text) != nil
        case .identifiers: item.tag?.isEmpty == false
        default: true
        }
    }

    private static func items(of field: BookField, _ part: String) -> [FieldValue.Item] {
        switch field {
        case .languages:
            if case .list(let languages)? = field.value(of: .string(part)) { return languages }
            return []
        case .identifiers:
            let halves = part.separated(at: ":", limit: 2).map(\.text.onOneLine)
            let isComplete = halves.count == 2 && !halves[1].isEmpty
            return [isComplete ? .init(text: halves[1], tag: halves[0]) : .init(text: part, tag: "")]
        case .contributors: return [contributor(part)]
        default: return [.init(text: part)]
        }
    }

    /// Parses a name with its role in the parentheses at the end; empty parentheses mark those before as part of the
    /// name.
    private static func contributor(_ part: String) -> FieldValue.Item {
        guard part.last == ")" else { return .init(text: part) }
        var depth = 0
        for index in part.indices.reversed() {
            if part[index] == ")" { depth += 1 }
            if part[index] == "(" { depth -= 1 }
            guard depth == 0 else { continue }
            let name = String(part[..<index]).onOneLine
            if name.isEmpty { break }
            let role = String(part[index...].dropFirst().dropLast()).onOneLine
            return .init(text: name, tag: role.isEmpty ? nil : role)
        }
        return .init(text: part)
    }

    /// Returns the text that describes an item of a list, without escapes.
    static func text(of item: FieldValue.Item, in field: BookField) -> String {
        switch field {
        case .languages:
            guard let name = LanguageTag(item.text)?.englishName, items(of: field, name) == [item] else {
                return item.text
            }
            return name
        case .identifiers:
            guard let scheme = item.tag, !scheme.isEmpty || item.text.contains(":") else { return item.text }
            return scheme.escaped(before: ":", isFollowed: true) + ":" + item.text
        case .contributors:
            if let role = item.tag, !role.isEmpty { return "\(item.text) (\(role))" }
            return item.text.last == ")" ? item.text + " ()" : item.text
        default: return item.text
        }
    }
}

/// A text that is not a value of a field.
public struct FieldInputError: Error, Hashable {
    /// The field.
    public let field: BookField
    /// The text; "" if the field cannot be empty.
    public let text: String

    /// The error message, which names valid input.
    public var sentence: String {
        if text.isEmpty { return Message.titleIsEmpty.text() }
        if field == .isbn { return Message.isbnDoesNotFit.text(text.sanitized) }
        return Message.valueDoesNotFit.text(field.info.label, text.sanitized, kind)
    }

    /// A description of values that fit.
    var kind: String {
        switch field {
        case .rating: "a number from 0 to 5"
        case .pageCount: "a whole number above 0"
        case .languages: "the name or code of a language, such as French or fr"
        case .identifiers: "a number with its scheme, such as doi:10.1000/182"
        case .published, .dateAdded: "a date such as 1815, 1815-12 or 1815-12-23"
        default: field.info.noun
        }
    }
}

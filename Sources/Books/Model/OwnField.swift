public import JSON
internal import Text

/// A field that a catalog has beside those of every book: where its records have the values, and what these are.
public struct OwnField: Hashable, Sendable {
    /// The kinds of values.
    public enum Kind: String, CaseIterable, Sendable {
        case text, list, number, date, boolean, link
    }

    /// The name in queries, orders, edits and profiles: "lent-to", or the whole path where that is ambiguous.
    public let name: String
    /// The label on the screen: "Lent to".
    public let label: String
    /// The kind of the values.
    public let kind: Kind
    /// The path within a record.
    public let path: FieldPath
    /// Whether the values tell books apart rather than describe them, as keys, checksums and long texts do. Lists do not
    /// offer them as columns.
    public let isInternal: Bool
    /// Whether books are counted by the values, because several have the same.
    public let isFacet: Bool

    /// Creates a field.
    public init(
        _ name: String, label: String, _ kind: Kind, at path: FieldPath, isInternal: Bool = false, isFacet: Bool = true
    ) {
        (self.name, self.label, self.kind, self.path) = (name, label, kind, path)
        (self.isInternal, self.isFacet) = (isInternal, isFacet)
    }
}

// MARK: - Values

extension OwnField.Kind {
    /// Returns the value that `raw` encodes; nil for one of another kind, or an empty one.
    public func value(of raw: JSONValue) -> FieldValue? {
        switch self {
        case .text: raw.ownText.map(FieldValue.text)
        case .list: raw.ownTexts.map { .list($0.map { .init(text: $0) }) }
        case .number: raw.ownNumber.map(FieldValue.number)
        case .date: raw.ownDate.map(FieldValue.date)
        case .boolean: raw.ownBoolean.map(FieldValue.boolean)
        case .link: raw.ownLink.map(FieldValue.text)
        }
    }

    /// Returns the number by which values are compared and searched: that of a number, 20240312 for a date, whose
    /// unknown parts are 0, and 1 for yes. Nil for texts.
    public func number(of value: FieldValue) -> Double? {
        switch value {
        case .number(let number): number
        case .date(let date): Double(date.year * 10_000 + (date.month ?? 0) * 100 + (date.day ?? 0))
        case .boolean(let isTrue): isTrue ? 1 : 0
        default: nil
        }
    }

    /// Whether values are compared as numbers.
    public var isNumeric: Bool { self == .number || self == .date || self == .boolean }
}

extension JSONValue {
    /// The text of a scalar as it is, or nil if it is blank.
    fileprivate var ownText: String? {
        switch self {
        case .string(let string): string.isBlank ? nil : string
        case .number(let number): number
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The texts of an array of scalars, or that of one scalar, as the only one.
    fileprivate var ownTexts: [String]? {
        guard case .array(let elements) = self else { return ownText.map { [$0.onOneLine] } }
        var texts: [String] = []
        for element in elements where !element.isBlank {
            guard let text = element.ownText else { return nil }
            texts.append(text.onOneLine)
        }
        return texts.nonEmpty
    }

    /// The number; nil for one with more digits than a number of the program can have, which would come out changed.
    fileprivate var ownNumber: Double? {
        switch self {
        case .number(let text): text.utf8.count <= OwnField.longestNumber ? Double(text) : nil
        case .string(let text): text.isPlainNumber ? Double(text) : nil
        case .null, .boolean, .array, .object: nil
        }
    }

    fileprivate var ownDate: PartialDate? {
        switch self {
        case .string, .number: partialDate
        case .null, .boolean, .array, .object: nil
        }
    }

    fileprivate var ownBoolean: Bool? {
        switch self {
        case .boolean(let isTrue): return isTrue
        case .string(let string):
            return OwnField.words.first { $0.yes == string.lowercased() || $0.no == string.lowercased() }
                .map { $0.yes == string.lowercased() }
        case .null, .number, .array, .object: return nil
        }
    }

    fileprivate var ownLink: String? {
        guard case .string(let string) = self, string.contains("://") else { return nil }
        return string.onOneLine
    }
}

extension OwnField {
    /// The number of characters of the longest number that is read exactly.
    static let longestNumber = 16
    /// The words that catalogs write for yes and no.
    static let words = [("yes", "no"), ("true", "false"), ("y", "n")].map { (yes: $0.0, no: $0.1) }
}

extension String {
    /// Whether the text is a decimal number without leading zeros, which belong to codes.
    fileprivate var isPlainNumber: Bool {
        guard utf8.count <= OwnField.longestNumber else { return false }
        let parts = (hasPrefix("-") ? dropFirst() : self[...]).split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, whole.count == 1 || whole.first != "0" else { return false }
        return parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}

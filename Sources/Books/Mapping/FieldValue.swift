public import JSON
internal import Text

/// The value of one field of a book.
public enum FieldValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case integer(Int)
    case boolean(Bool)
    case isbn(ISBN)
    case date(PartialDate)
    case status(Book.ReadingStatus)
    case list([Item])

    /// An item of a list: a name with its role, an identifier with its scheme, or a plain text.
    public struct Item: Hashable, Sendable {
        /// The text, or the name.
        public var text: String
        /// The role of a name, or the scheme of an identifier.
        public var tag: String?

        /// Creates an item.
        public init(text: String, tag: String? = nil) { (self.text, self.tag) = (text, tag) }
    }

    /// The value as text, with semicolons between the items of a list.
    public var text: String {
        switch self {
        case .text(let text): text
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .integer(let integer): String(integer)
        case .boolean(let isTrue): isTrue ? "yes" : "no"
        case .isbn(let isbn): isbn.text
        case .date(let date): date.description
        case .status(let status): status.rawValue
        case .list(let items): items.map(\.text).joined(separator: "; ")
        }
    }

    /// The texts of the items of a list, or the value as the only text.
    public var texts: [String] { if case .list(let items) = self { items.map(\.text) } else { [text] } }

    /// Whether both values are spelled alike, byte for byte: texts in another normalization form are not.
    public func isIdentical(to other: FieldValue) -> Bool {
        guard self == other else { return false }
        switch (self, other) {
        case (.text(let one), .text(let another)): return one.utf8.elementsEqual(another.utf8)
        case (.list(let items), .list(let others)):
            return zip(items, others).allSatisfy { one, another in
                one.text.utf8.elementsEqual(another.text.utf8)
                    && (one.tag ?? "").utf8.elementsEqual((another.tag ?? "").utf8)
            }
        default: return true
        }
    }

    /// Whether both values mean the same; valid ISBNs are compared by number, not by spelling.
    func isEquivalent(to other: FieldValue) -> Bool {
        if case .isbn(let left) = self, case .isbn(let right) = other, left.isValid {
            return left.number == right.number
        }
        return self == other
    }
}

extension JSONValue {
    /// The title: the text of a string or number, the first text of an object, or the first readable element of an
    /// array; without MARC subfield codes.
    public var titleText: String? {
        let title: String? =
            switch self {
            case .array(let elements): elements.firstMade(\.titleText)
            case .object: texts.first ?? text
            case .null, .boolean, .number, .string: text
            }
        guard let title = title?.withoutSubfieldCodes, !title.isEmpty else { return nil }
        return title
    }
}

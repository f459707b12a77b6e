public import Books
internal import Graphemes
internal import Text

/// Changes as users type them.
extension FieldTransform {
    /// Parses a change of a field: `+a; b` appends items to a list and `-a; b` removes them; `s/old/new/`, with the flags
    /// `g` for all matches and `i` for any case, replaces what matches a regular expression; `trim` and `titlecase`
    /// change texts.
    ///
    /// Another character may stand instead of the slash, which a backslash makes a part of the pattern.
    ///
    /// - Throws: `FieldTransformError` if the text is none of these, or not for this field.
    public init(_ text: String, of field: BookField) throws(FieldTransformError) {
        switch (text.first, text) {
        case ("+", _): self.init(.add(try Self.items(text, of: field)), of: field)
        // Any value that a catalog contains can be removed.
        case ("-", _): self.init(.remove(try Self.items(text, of: field, areKnown: true)), of: field)
        case (_, "trim"): self.init(.rewrite(.trim), of: field)
        case (_, "titlecase"): self.init(.rewrite(.titleCase), of: field)
        default: self.init(.rewrite(.substitution(try TypedSubstitution(text).compiled())), of: field)
        }
    }

    /// Returns the items after the sign.
    private static func items(
        _ text: String, of field: BookField, areKnown: Bool = false
    ) throws(FieldTransformError) -> [FieldValue.Item] {
        guard field.isList else { throw .notAList(field) }
        let text = String(text.dropFirst())
        let value: FieldValue?
        do throws(FieldInputError) {
            value = try FieldInput.value(of: field, text, besides: areKnown ? text : "")
        } catch {
            throw .value(error)
        }
        if case .list(let items)? = value { return items } else { return [] }
    }
}

/// A text that is not a change of a field.
public enum FieldTransformError: Error, Hashable {
    /// The text is no change at all.
    case unknown(String)
    /// Items are added to or removed from a field with a single value.
    case notAList(BookField)
    /// An item is not a value of the field.
    case value(FieldInputError)
    /// A substitution lacks its second or third delimiter.
    case unfinished
    /// A substitution has an empty pattern.
    case noPattern
    /// A substitution has a flag other than `g` and `i`.
    case unknownFlag(String)
    /// The pattern is malformed, at a column from 1.
    case pattern(reason: String, column: Int)
    /// The replacement is malformed, at a column from 1.
    case replacement(reason: String, column: Int)

    /// The error message with the next step.
    public var sentence: String {
        switch self {
        case .unknown(let text): Message.notAChange.text(text.sanitized)
        case .notAList(let field): Message.onlyLists.text(field.info.label, field.id)
        case .value(let error): error.sentence
        case .unfinished: Message.substitutionOpen.text()
        case .noPattern: Message.substitutionEmpty.text()
        case .unknownFlag(let flag): Message.substitutionFlag.text(flag.sanitized)
        case .pattern(let reason, let column): Message.patternInvalid.text(String(column), reason)
        case .replacement(let reason, let column): Message.replacementInvalid.text(String(column), reason)
        }
    }
}

/// A substitution as it is typed: `s/old/new/gi`.
private struct TypedSubstitution {
    private let text: String
    /// The pattern and the replacement with their offsets in bytes. A delimiter in them keeps its backslash, with which
    /// PCRE2 takes any punctuation literally.
    private var parts: [(text: String, offset: Int)]
    private var flags = ""

    init(_ text: String) throws(FieldTransformError) {
        self.text = text
        var rest = text.unicodeScalars[...]
        guard rest.popFirst() == "s", let delimiter = rest.popFirst(), Self.isDelimiter(delimiter) else {
            throw .unknown(text)
        }
        var offset = 1 + UTF8.width(delimiter)
        parts = [("", offset)]
        while parts.count < 3 {
            guard let scalar = rest.popFirst() else { throw .unfinished }
            offset += UTF8.width(scalar)
            if scalar == delimiter {
                parts.append(("", offset))
                continue
            }
            parts[parts.count - 1].text.unicodeScalars.append(scalar)
            if scalar == "\\", let next = rest.popFirst() {
                offset += UTF8.width(next)
                parts[parts.count - 1].text.unicodeScalars.append(next)
            }
        }
        flags = String(rest)
        if parts[0].text.isEmpty { throw .noPattern }
        if let flag = flags.first(where: { !"gi".contains($0) }) { throw .unknownFlag(String(flag)) }
    }

    private static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .control, .format: return false
        default:
            return scalar != "\\" && !properties.isAlphabetic && properties.numericType == nil
                && !properties.isWhitespace
        }
    }

    func compiled() throws(FieldTransformError) -> Substitution {
        do throws(Substitution.SyntaxError) {
            return try Substitution(
                parts[0].text, with: parts[1].text, isGlobal: flags.contains("g"), ignoresCase: flags.contains("i"))
        } catch {
            switch error {
            case .pattern(let syntaxError):
                throw .pattern(reason: syntaxError.message, column: column(syntaxError.offset + parts[0].offset))
            case .replacement(let syntaxError):
                throw .replacement(reason: syntaxError.message, column: column(syntaxError.offset + parts[1].offset))
            }
        }
    }

    /// Returns the column of the character after `offset` bytes.
    private func column(_ offset: Int) -> Int { String(decoding: text.utf8.prefix(offset), as: UTF8.self).count + 1 }
}

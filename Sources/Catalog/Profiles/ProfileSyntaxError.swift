public import Books
public import JSON
internal import Text

/// The reason and the position of an error in a profile.
public struct ProfileSyntaxError: Error, Hashable, Sendable {
    /// The reason of an error.
    public enum Reason: Hashable, Sendable {
        /// The text is not JSON.
        case json(JSONSyntaxError.Reason)
        /// An unknown key, with the most similar known keys.
        case unknownKey(String, nearest: [String])
        /// An unknown field, with the most similar known fields.
        case unknownField(String, nearest: [String])
        /// A value of another type than expected, "a text" for example.
        case wrongType(expected: String)
        /// A required key is missing, "name" for example.
        case missing(String)
        /// A text is not a valid path.
        case path(String, FieldPathSyntaxError)
        /// A field of the catalog's own has the name of one of every book.
        case nameOfEveryBook(String)
        /// Two record paths differ after their last "[*]".
        case differentRecords(String, String)
    }

    /// The position of the error.
    public var position: TextPosition
    /// The reason of the error.
    public var reason: Reason

    /// Creates an error at `position`.
    public init(_ reason: Reason, at position: TextPosition) {
        self.reason = reason
        self.position = position
    }

    /// Returns the error message with the position in `file`, as a full sentence.
    public func message(in file: String) -> String { sentence(in: file) + "." }

    /// Returns the error message without a full stop.
    public func sentence(in file: String) -> String {
        ProfileMessage.mistake.text(file, String(position.line), String(position.column), explanation)
    }

    private var explanation: String {
        switch reason {
        case .json(let reason): reason.message.text()
        case .unknownKey(let key, let nearest): ProfileMessage.unknownKey.text(key, nearest.asChoice)
        case .unknownField(let name, let nearest): ProfileMessage.unknownField.text(name, nearest.asChoice)
        case .nameOfEveryBook(let name): ProfileMessage.nameOfEveryBook.text(name)
        case .wrongType(let expected): ProfileMessage.wrongType.text(expected)
        case .missing(let key): ProfileMessage.missing.text(key)
        case .path(let text, let syntaxError):
            ProfileMessage.malformedPath.text(text, syntaxError.expected.rawValue, String(syntaxError.offset + 1))
        case .differentRecords(let first, let second):
            ProfileMessage.differentRecords.text(second, first)
        }
    }
}

extension JSONSyntaxError.Reason {
    fileprivate var message: ProfileMessage {
        switch self {
        case .unexpectedEnd: .unexpectedEnd
        case .unexpectedCharacter: .unexpectedCharacter
        case .malformedNumber: .malformedNumber
        case .controlCharacterInString: .controlCharacter
        case .malformedEscape: .malformedEscape
        case .tooDeep: .tooDeep
        case .trailingContent: .trailingContent
        }
    }
}

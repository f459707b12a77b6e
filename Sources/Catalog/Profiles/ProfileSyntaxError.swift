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
        "\(file), line \(position.line), column \(position.column): \(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .json(let reason): reason.explanation
        case .unknownKey(let key, let nearest): "unknown key \"\(key)\"; expected \(nearest.asChoice)"
        case .unknownField(let name, let nearest): "unknown field \"\(name)\"; expected \(nearest.asChoice)"
        case .wrongType(let expected): "expected \(expected)"
        case .missing(let key): "expected \"\(key)\""
        case .path(let text, let fault):
            "\"\(text)\" is not a path; expected \(fault.expected.rawValue) at character \(fault.offset + 1)"
        case .differentRecords(let first, let second):
            "expected \"\(second)\" to continue after its last [*] as \"\(first)\" does"
        }
    }
}

extension JSONSyntaxError.Reason {
    fileprivate var explanation: String {
        switch self {
        case .unexpectedEnd: "unexpected end of file"
        case .unexpectedCharacter: "expected a value, a key, a comma or a closing bracket"
        case .malformedNumber: "expected a JSON number"
        case .controlCharacterInString: "expected an escape sequence for a control character"
        case .malformedEscape: "expected a JSON escape sequence"
        case .tooDeep: "nested too deeply"
        case .trailingContent: "expected the end of the file"
        }
    }
}

public import Books
public import JSON
internal import Text

/// Where and why a text is no `Profile`.
public struct ProfileSyntaxError: Error, Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
        /// The text is not JSON.
        case json(JSONSyntaxError.Reason)
        /// A key that a profile does not have, and those that come nearest to it.
        case unknownKey(String, nearest: [String])
        /// A field that a book does not have, and those that come nearest to it.
        case unknownField(String, nearest: [String])
        /// A value of another kind than this one, "a text".
        case wrongType(expected: String)
        /// Something that must be there, "name", is not.
        case missing(String)
        /// A text that is no path.
        case path(String, FieldPathSyntaxError)
        /// Several paths of records that go on in different ways behind their last "[*]".
        case differentRecords(String, String)
    }

    /// Where.
    public var position: TextPosition
    /// Why.
    public var reason: Reason

    /// The fault at `position`.
    public init(_ reason: Reason, at position: TextPosition) {
        self.reason = reason
        self.position = position
    }

    /// One sentence that says where it is in `file` and what was expected.
    public func message(in file: String) -> String { sentence(in: file) + "." }

    /// The same without its full stop.
    public func sentence(in file: String) -> String {
        "\(file), line \(position.line), column \(position.column): \(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .json(let reason): reason.explanation
        case .unknownKey(let key, let nearest): "a profile has no \"\(key)\"; \(nearest.asChoice) was expected"
        case .unknownField(let name, let nearest): "a book has no \"\(name)\"; \(nearest.asChoice) was expected"
        case .wrongType(let expected): "\(expected) was expected"
        case .missing(let key): "\"\(key)\" was expected"
        case .path(let text, let fault):
            "\"\(text)\" is no path; \(fault.expected.rawValue) was expected at character \(fault.offset + 1)"
        case .differentRecords(let first, let second):
            "\"\(second)\" goes on differently behind its last [*] than \"\(first)\"; the same was expected"
        }
    }
}

extension JSONSyntaxError.Reason {
    fileprivate var explanation: String {
        switch self {
        case .unexpectedEnd: "the text ends too early; more JSON was expected"
        case .unexpectedCharacter: "a value, a key, a comma or the end of what is open was expected"
        case .malformedNumber: "a number as JSON has them was expected"
        case .controlCharacterInString: "an escape was expected for a control character in a string"
        case .malformedEscape: "an escape as JSON has them was expected"
        case .tooDeep: "fewer arrays and objects within another were expected"
        case .trailingContent: "the end of the text was expected"
        }
    }
}

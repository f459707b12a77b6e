internal import CPCRE2

// Unchecked, since the compiler cannot know that the compiled code is only read.
/// A PCRE2 regular expression that is matched against normalized text, such as the indexed text of a book: values in
/// lower case without accents, each ended by a line feed.
///
/// Literal characters of the pattern are normalized too, "^" and "$" match at the ends of values, and "." matches any
/// character within a value.
public final class RegularExpression: @unchecked Sendable {
    /// A syntax error in a regular expression.
    public struct Fault: Error, Hashable, Sendable {
        /// The message of PCRE2 in English, such as "missing closing parenthesis".
        public var message: String
        /// The offset in bytes of UTF-8 up to which the pattern was read.
        public var offset: Int

        /// Creates the error that PCRE2 found at `offset`.
        public init(_ message: String, at offset: Int) {
            self.message = message
            self.offset = offset
        }
    }

    /// The result of matching a text.
    public enum Outcome: Hashable, Sendable {
        case match, noMatch
        /// Matching exceeded a limit, since the text has too many possible matches.
        case gaveUp
    }

    /// The maximum number of steps per text: a tenth of a millisecond of machine code, or a millisecond of
    /// interpretation.
    static let stepLimit: UInt32 = 50_000
    /// The maximum length of a normalized pattern in bytes.
    static let maximumLength = 4096

    private let code: OpaquePointer

    /// Parses and compiles `pattern`.
    ///
    /// - Throws: `Fault` if the pattern is malformed.
    public convenience init(_ pattern: String) throws(Fault) { try self.init(pattern, isCompiled: true) }

    /// Parses `pattern`. If `isCompiled`, PCRE2 compiles it to machine code, which takes as long as some hundred
    /// interpreted matches; if the system does not allow that, PCRE2 interprets the pattern.
    public init(_ pattern: String, isCompiled: Bool) throws(Fault) {
        let folded = NormalizedRegex(pattern)
        // The text may come from a damaged cache file: invalid UTF-8 in it does not match and cannot cause reads out of
        // bounds. The check takes 20 ns per book.
        let options = PCRE2_MATCH_INVALID_UTF | PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C
        guard let context = pcre2_compile_context_create_8(nil) else {
            throw Fault(Self.message(of: PCRE2_ERROR_NOMEMORY), at: 0)
        }
        defer { pcre2_compile_context_free_8(context) }
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
        pcre2_set_max_pattern_length_8(context, Self.maximumLength)
        var error: Int32 = 0
        var offset = 0
        guard let code = pcre2_compile_8(folded.bytes, folded.bytes.count, options, &error, &offset, context) else {
            throw Fault(Self.message(of: error), at: folded.origin(of: offset))
        }
        self.code = code
        if isCompiled { pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE) }
    }

    deinit { pcre2_code_free_8(code) }

    private static func message(of error: Int32) -> String {
        var text = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(error, &text, text.count)
        return String(decoding: text.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// The working memory for matching an expression; each thread needs its own.
    public struct Matcher: ~Copyable {
        private let expression: RegularExpression
        // These are nil if memory is short, and PCRE2 works without all but the first.
        private let data: OpaquePointer?
        private let context: OpaquePointer?
        private let stack: OpaquePointer?

        /// Creates a matcher of `expression`.
        public init(_ expression: RegularExpression) {
            self.expression = expression
            data = pcre2_match_data_create_8(1, nil)
            context = pcre2_match_context_create_8(nil)
            stack = pcre2_jit_stack_create_8(32 << 10, 256 << 10, nil)
            if let context {
                pcre2_set_match_limit_8(context, RegularExpression.stepLimit)
                // The limit is in kibibytes.
                pcre2_set_heap_limit_8(context, 1024)
                if let stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
            }
        }

        deinit {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
            pcre2_jit_stack_free_8(stack)
        }

        /// Matches the expression anywhere in `text`, which must be normalized.
        public mutating func matches(_ text: UnsafeBufferPointer<UInt8>) -> Outcome { match(text, from: 0) }

        /// Returns the range of the first match in `text`, which must be normalized, from `offset` on; it may be empty.
        /// Returns nil if there is no match or matching exceeds a limit.
        public mutating func firstMatch(
            in text: UnsafeBufferPointer<UInt8>, from offset: Int = 0
        ) -> Range<Int>? {
            guard match(text, from: offset) == .match, let ends = pcre2_get_ovector_pointer_8(data), ends[0] <= ends[1]
            else { return nil }
            return ends[0]..<ends[1]
        }

        private mutating func match(_ text: UnsafeBufferPointer<UInt8>, from offset: Int) -> Outcome {
            guard let data, let context else { return .gaveUp }
            guard let start = text.baseAddress else {
                return withUnsafePointer(to: 0) { match(UnsafeBufferPointer(start: $0, count: 0), from: offset) }
            }
            return switch pcre2_match_8(expression.code, start, text.count, offset, 0, data, context) {
            case 0...: .match
            case PCRE2_ERROR_NOMATCH: .noMatch
            default: .gaveUp
            }
        }
    }
}

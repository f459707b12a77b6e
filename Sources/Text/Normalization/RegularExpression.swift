internal import CPCRE2

// Unchecked, as the compiler cannot know that compiled code is only ever read.
/// A regular expression of PCRE2 that is matched against folded text, such as that of a book: values in lower case and
/// without accents, each ended by a line feed. Its own literal characters are folded, "^" and "$" are at the ends of values,
/// and "." is anything within one.
public final class RegularExpression: @unchecked Sendable {
    /// Why a text is no regular expression.
    public struct Fault: Error, Hashable, Sendable {
        /// What PCRE2 says of it, in English: "missing closing parenthesis".
        public var message: String
        /// Up to where the pattern was read, in bytes of UTF-8.
        public var offset: Int

        /// The fault that PCRE2 found at `offset`.
        public init(_ message: String, at offset: Int) {
            self.message = message
            self.offset = offset
        }
    }

    /// What matching a text came to.
    public enum Outcome: Hashable, Sendable {
        case match, noMatch
        /// There are too many ways to match the text for all of them to be tried.
        case gaveUp
    }

    /// How many steps a text may take: a tenth of a millisecond of machine code, one millisecond where there is none.
    static let stepLimit: UInt32 = 50_000
    /// How many bytes a pattern may have when it is folded.
    static let maximumLength = 4096

    private let code: OpaquePointer

    /// The expression that `pattern` is.
    ///
    /// - Throws: Where it is malformed.
    public convenience init(_ pattern: String) throws(Fault) { try self.init(pattern, isCompiled: true) }

    /// The same; where `isCompiled`, PCRE2 makes machine code of it, which takes as long as some hundred matches without it.
    /// Where the system does not allow that, PCRE2 interprets the pattern.
    package init(_ pattern: String, isCompiled: Bool) throws(Fault) {
        let folded = NormalizedRegex(pattern)
        // The text may come from a cache file that was damaged: what is no UTF-8 in it is not matched, and is not read
        // beyond. That takes 20 ns a book.
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

    /// What a thread needs to match an expression; each has its own.
    public struct Matcher: ~Copyable {
        private let expression: RegularExpression
        // They are missing where there is no memory for them, and PCRE2 does without all but the first.
        private let data: OpaquePointer?
        private let context: OpaquePointer?
        private let stack: OpaquePointer?

        /// A matcher of `expression`.
        public init(_ expression: RegularExpression) {
            self.expression = expression
            data = pcre2_match_data_create_8(1, nil)
            context = pcre2_match_context_create_8(nil)
            stack = pcre2_jit_stack_create_8(32 << 10, 256 << 10, nil)
            if let context {
                pcre2_set_match_limit_8(context, RegularExpression.stepLimit)
                // In kibibytes.
                pcre2_set_heap_limit_8(context, 1024)
                if let stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
            }
        }

        deinit {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
            pcre2_jit_stack_free_8(stack)
        }

        /// Whether the expression matches anywhere in `text`, which is folded.
        public mutating func matches(_ text: UnsafeBufferPointer<UInt8>) -> Outcome { match(text, from: 0) }

        /// Where the first match is in `text`, which is folded, from the character at `offset` on; it may be empty. Nil where
        /// there is none, or where finding it would take too long.
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

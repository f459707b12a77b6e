internal import CPCRE2

/// A PCRE2 regular expression that is matched against normalized text, such as the indexed text of a book: values in
/// lower case without accents, each ended by a line feed.
///
/// Literal characters of the pattern are normalized too, "^" and "$" match at the ends of values, and "." matches any
/// character within a value.
public final class RegularExpression: Sendable {
    /// A syntax error in a regular expression.
    public struct SyntaxError: Error, Hashable, Sendable {
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

    private let pattern: CompiledPattern

    /// Parses and compiles `pattern`.
    ///
    /// - Throws: `SyntaxError` if the pattern is malformed.
    public convenience init(_ pattern: String) throws(SyntaxError) { try self.init(pattern, isCompiled: true) }

    /// Parses `pattern`. If `isCompiled`, PCRE2 compiles it to machine code, which takes as long as some hundred
    /// interpreted matches; if the system does not allow that, PCRE2 interprets the pattern.
    public init(_ pattern: String, isCompiled: Bool) throws(SyntaxError) {
        let folded = NormalizedRegex(pattern)
        // The text may come from a damaged cache file: invalid UTF-8 in it does not match and cannot cause reads out of
        // bounds. The check takes 20 ns per book.
        let options = PCRE2_MATCH_INVALID_UTF | PCRE2_MULTILINE
        do throws(SyntaxError) {
            self.pattern = try CompiledPattern(folded.bytes, options: options, isCompiled: isCompiled)
        } catch {
            throw SyntaxError(error.message, at: folded.origin(of: error.offset))
        }
    }

    /// The working memory for matching an expression; each thread needs its own.
    public struct Matcher: ~Copyable {
        private let expression: RegularExpression
        private let memory: MatchMemory

        /// Creates a matcher of `expression`.
        public init(_ expression: RegularExpression) {
            self.expression = expression
            memory = MatchMemory(for: expression.pattern, hasGroups: false)
        }

        /// Matches the expression anywhere in `text`, which must be normalized.
        public mutating func matches(_ text: UnsafeBufferPointer<UInt8>) -> Outcome { match(text, from: 0) }

        /// Returns the range of the first match in `text`, which must be normalized, from `offset` on; it may be empty.
        /// Returns nil if there is no match or matching exceeds a limit.
        public mutating func firstMatch(
            in text: UnsafeBufferPointer<UInt8>, from offset: Int = 0
        ) -> Range<Int>? {
            guard match(text, from: offset) == .match, let ends = pcre2_get_ovector_pointer_8(memory.data),
                ends[0] <= ends[1]
            else { return nil }
            return ends[0]..<ends[1]
        }

        private mutating func match(_ text: UnsafeBufferPointer<UInt8>, from offset: Int) -> Outcome {
            guard let data = memory.data, let context = memory.context else { return .gaveUp }
            guard let start = text.baseAddress else {
                return withUnsafePointer(to: 0) { match(UnsafeBufferPointer(start: $0, count: 0), from: offset) }
            }
            return switch pcre2_match_8(expression.pattern.code, start, text.count, offset, 0, data, context) {
            case 0...: .match
            case PCRE2_ERROR_NOMATCH: .noMatch
            default: .gaveUp
            }
        }
    }
}

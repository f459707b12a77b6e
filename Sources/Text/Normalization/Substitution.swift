internal import CPCRE2
internal import Synchronization

/// A regular expression in the syntax of PCRE2 and the text that replaces its matches, in which `$1`, `${name}` and `$0`
/// stand for groups and for the whole match, and `\U`, `\L` and `\E` for upper and lower case.
///
/// Unlike a `RegularExpression`, it is matched against texts as they are: case and accents count.
public final class Substitution: Sendable {
    /// A syntax error, with the offset in the pattern or in the replacement.
    public enum SyntaxError: Error, Hashable, Sendable {
        case pattern(RegularExpression.SyntaxError)
        case replacement(RegularExpression.SyntaxError)
    }

    /// The result for a text.
    public enum Outcome: Hashable, Sendable {
        /// Nothing matches, or the replacement is what it replaces.
        case unchanged
        /// The text with the replacements.
        case replaced(String)
        /// Matching exceeded a limit, since the text has too many possible matches.
        case gaveUp
    }

    /// The maximum length of a result in bytes.
    static let maximumLength = 1 << 28

    private let pattern: CompiledPattern
    private let replacement: [UInt8]
    private let options: UInt32
    /// The memories that no thread uses now.
    private let idle = Mutex<[MatchMemory]>([])

    /// Compiles a substitution.
    ///
    /// - Parameters:
    ///   - isGlobal: Whether all matches are replaced instead of the first.
    ///   - ignoresCase: Whether letters match those of the other case.
    /// - Throws: `SyntaxError` if the pattern or the replacement is malformed.
    public init(
        _ pattern: String, with replacement: String, isGlobal: Bool = false, ignoresCase: Bool = false
    ) throws(SyntaxError) {
        let caseOption = ignoresCase ? PCRE2_CASELESS : 0
        do throws(RegularExpression.SyntaxError) {
            self.pattern = try CompiledPattern(Array(pattern.utf8), options: caseOption, isCompiled: true)
        } catch {
            throw .pattern(error)
        }
        self.replacement = Array(replacement.utf8)
        // Strings are valid UTF-8.
        let always =
            PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_UNSET_EMPTY | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH
            | PCRE2_NO_UTF_CHECK
        options = isGlobal ? always | PCRE2_SUBSTITUTE_GLOBAL : always
        try checkReplacement(of: pattern, caseOption)
    }

    /// Throws the error of the replacement, which PCRE2 only parses after a match: with an empty alternative before it,
    /// the pattern matches an empty text and has the same groups.
    private func checkReplacement(of pattern: String, _ caseOption: UInt32) throws(SyntaxError) {
        // Settings such as (*LF) only stand at the beginning. An error is then found with the first match.
        guard let matching = try? CompiledPattern(Array("|\(pattern)".utf8), options: caseOption, isCompiled: false)
        else { return }
        var length = 0
        let memory = MatchMemory(for: matching, hasGroups: true)
        let status = pcre2_substitute_8(
            matching.code, nil, 0, 0, options, memory.data, memory.context, replacement, replacement.count, nil,
            &length)
        guard status < 0, status != PCRE2_ERROR_NOMEMORY else { return }
        let offset = (0...replacement.count).contains(length) ? length : 0
        throw .replacement(RegularExpression.SyntaxError(CompiledPattern.message(of: status), at: offset))
    }

    /// Replaces the first match in `text`, or all. Several threads may do that at once.
    public func result(for text: String) -> Outcome {
        let memory = idle.withLock { $0.popLast() } ?? MatchMemory(for: pattern, hasGroups: true)
        defer { idle.withLock { $0.append(memory) } }
        guard memory.data != nil, memory.context != nil else { return .gaveUp }
        var text = text
        return text.withUTF8 { result(for: $0, memory) }
    }

    private func result(for text: UnsafeBufferPointer<UInt8>, _ memory: MatchMemory) -> Outcome {
        var capacity = 2 * text.count + 64
        while capacity <= Self.maximumLength {
            var length = capacity
            var status: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                status = pcre2_substitute_8(
                    pattern.code, text.baseAddress, text.count, 0, options, memory.data, memory.context, replacement,
                    replacement.count, buffer.baseAddress, &length)
                count = status > 0 ? length : 0
            }
            switch status {
            case 0: return .unchanged
            case 1...: return bytes.elementsEqual(text) ? .unchanged : .replaced(String(decoding: bytes, as: UTF8.self))
            // PCRE2 says how much space it needs.
            case PCRE2_ERROR_NOMEMORY where length > capacity && length <= Self.maximumLength: capacity = length
            default: return .gaveUp
            }
        }
        return .gaveUp
    }
}

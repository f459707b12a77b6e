internal import CPCRE2

// Unchecked, since the compiler cannot know that the compiled code is only read.
/// A pattern that PCRE2 has parsed and compiled.
final class CompiledPattern: @unchecked Sendable {
    /// The maximum length of a pattern in bytes.
    static let maximumLength = 4096

    /// The code that PCRE2 matches.
    let code: OpaquePointer

    /// Parses `pattern`, in which a line feed ends lines. If `isCompiled`, PCRE2 compiles it to machine code, which takes
    /// as long as some hundred interpreted matches; if the system does not allow that, PCRE2 interprets the pattern.
    ///
    /// - Throws: The error of PCRE2 with the offset in `pattern`.
    init(_ pattern: [UInt8], options: UInt32, isCompiled: Bool) throws(RegularExpression.SyntaxError) {
        guard let context = pcre2_compile_context_create_8(nil) else {
            throw RegularExpression.SyntaxError(Self.message(of: PCRE2_ERROR_NOMEMORY), at: 0)
        }
        defer { pcre2_compile_context_free_8(context) }
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
        pcre2_set_max_pattern_length_8(context, Self.maximumLength)
        var error: Int32 = 0
        var offset = 0
        let options = options | PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C
        guard let code = pcre2_compile_8(pattern, pattern.count, options, &error, &offset, context) else {
            throw RegularExpression.SyntaxError(Self.message(of: error), at: offset)
        }
        self.code = code
        if isCompiled { pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE) }
    }

    deinit { pcre2_code_free_8(code) }

    /// Returns the message of PCRE2 for an error.
    static func message(of error: Int32) -> String {
        var text = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(error, &text, text.count)
        return String(decoding: text.prefix(max(0, Int(count))), as: UTF8.self)
    }
}

// Unchecked, since each thread that matches has its own.
/// The working memory for matching a pattern, with the limits for one match.
final class MatchMemory: @unchecked Sendable {
    /// The maximum number of steps per match: a tenth of a millisecond of machine code, or a millisecond of
    /// interpretation.
    static let stepLimit: UInt32 = 50_000

    // These are nil if memory is short, and PCRE2 works without the stack.
    /// The offsets of the match.
    let data: OpaquePointer?
    /// The limits.
    let context: OpaquePointer?
    private let stack: OpaquePointer?

    /// Creates the memory for matches of `pattern`, with the offsets of its groups if `hasGroups`.
    init(for pattern: CompiledPattern, hasGroups: Bool) {
        data =
            hasGroups
            ? pcre2_match_data_create_from_pattern_8(pattern.code, nil) : pcre2_match_data_create_8(1, nil)
        context = pcre2_match_context_create_8(nil)
        stack = pcre2_jit_stack_create_8(32 << 10, 256 << 10, nil)
        if let context {
            pcre2_set_match_limit_8(context, Self.stepLimit)
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
}

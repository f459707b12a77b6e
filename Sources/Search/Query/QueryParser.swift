internal import Books
internal import Text

/// Parses the text of a `Query`; input that ends early is not an error, because the user may still be typing.
struct QueryParser {
    /// The maximum nesting of parentheses, each of which is a recursive call.
    static let maximumDepth = 64
    /// The maximum length in UTF-8 bytes. Longer ones are pasted by mistake, and would be parsed again with every key.
    static let maximumLength = 1 << 14

    /// The first error; the text after it is not parsed.
    private(set) var syntaxError: QuerySyntaxError?
    /// The word, possibly empty, that the text ends with.
    private(set) var unfinished: Unfinished?
    /// The phrase without its closing quotation mark that the text ends with; it starts at the opening one.
    private(set) var unfinishedPhrase: Unfinished?
    /// The closing characters that are missing at the end of the text.
    private(set) var missingEnd = ""
    /// The first parenthesis or quotation mark without a closing one.
    private(set) var unclosed: QuerySyntaxError?
    /// The text, up to the maximum length.
    private let text: [UInt8]
    private let schema: Schema
    private let isCut: Bool
    private var offset = 0
    private var depth = 0

    /// A word that may continue after the end of the text.
    struct Unfinished {
        /// The offset of its first byte.
        var start: Int
        /// The field whose value the word is.
        var field: QueryField?
    }

    /// The interpretation of words: as values of a field, or as any text.
    private struct Context {
        var field: QueryField?
        /// Whether the status was asked for as the progress, which can be a number, too.
        var isProgress = false
        /// Whether a word must equal the whole value.
        var isWhole = false

        /// Whether the field has texts, which may be regular expressions.
        var hasTexts: Bool {
            if case .own(let field)? = field { field.info.own?.kind.isNumeric == false } else { textField != nil }
        }

        /// The field of text conditions: an inner nil for all text fields, nil if words are not text.
        var textField: Query.TextField?? {
            switch field {
            case nil: .some(nil)
            case .text(let field): .some(field)
            default: nil
            }
        }

        /// Whether "=" before a value requires a whole-value match.
        var isEqualSignPassed: Bool {
            switch field {
            case .number: false
            case .own(let field): field.info.own?.kind.isNumeric != true
            default: true
            }
        }
    }

    /// Creates a parser of UTF-8 text that knows the fields of a catalog.
    init(_ text: some Collection<UInt8>, _ schema: Schema) {
        (self.text, self.schema) = (Array(text.prefix(Self.maximumLength)), schema)
        isCut = text.count > Self.maximumLength
    }

    /// Parses the whole text; nil if it contains no terms.
    mutating func readAll() -> Query.Expression? {
        let expression = readAlternatives(Context())
        // Everything else ends at an error or at the end.
        if syntaxError == nil, offset < text.count { fail(.unmatched(")"), at: offset..<offset + 1) }
        if isCut { fail(.tooLong, at: text.count..<text.count) }
        return expression
    }

    private mutating func readAlternatives(_ context: Context) -> Query.Expression? {
        var alternatives: [Query.Expression] = []
        repeat {
            if let terms = readTerms(context) { alternatives.append(terms) }
        } while syntaxError == nil && take("|")
        return Query.Expression(any: alternatives)
    }

    private mutating func readTerms(_ context: Context) -> Query.Expression? {
        var terms: [Query.Expression] = []
        var end: Int?
        while syntaxError == nil {
            skipBlanks()
            guard let byte = peek() else {
                if offset != end { unfinished = Unfinished(start: offset, field: context.field) }
                break
            }
            if byte == UInt8(ascii: "|") || byte == UInt8(ascii: ")") { break }
            if let term = readTerm(context) { terms.append(term) }
            end = offset
        }
        return Query.Expression(all: terms)
    }

    private mutating func readTerm(_ context: Context) -> Query.Expression? {
        guard isExclusion(context) else { return readOperand(context) }
        offset += 1
        let operand = readOperand(context)
        // An incomplete group would exclude more than it should.
        return syntaxError == nil ? operand.map(Query.Expression.init(excluding:)) : nil
    }

    /// Whether a hyphen here excludes the following term: it is text if alone or before another hyphen, but an
    /// exclusion at the end, where a term may follow.
    private func isExclusion(_ context: Context) -> Bool {
        guard peek() == UInt8(ascii: "-") else { return false }
        guard let next = peek(1) else { return true }
        if case .number(let field) = context.field, field.isSigned, next.isASCIIDigit { return false }
        return next != UInt8(ascii: "-") && !isDelimiter(at: offset + 1) || next == UInt8(ascii: "(")
    }

    private mutating func readOperand(_ context: Context) -> Query.Expression? {
        switch peek() {
        case nil: nil
        case UInt8(ascii: "("): readGroup(context)
        case UInt8(ascii: "\""): readPhrase(context, from: offset)
        case UInt8(ascii: "/") where isPattern(context): readPattern(context, from: offset)
        default: readFieldOrWord(context)
        }
    }

    private mutating func readGroup(_ context: Context) -> Query.Expression? {
        guard depth < Self.maximumDepth else {
            fail(.tooDeep, at: offset..<offset + 1)
            return nil
        }
        let start = offset
        offset += 1
        depth += 1
        let expression = readAlternatives(context)
        depth -= 1
        if syntaxError == nil { close(with: ")", openedAt: start) }
        return expression
    }

    // MARK: Fields

    private mutating func readFieldOrWord(_ context: Context) -> Query.Expression? {
        let start = offset
        var end = offset
        while end < text.count, text[end].isASCIILetter { end += 1 }
        guard end > start, end < text.count, text[end] == UInt8(ascii: ":") else {
            if let field = takeOwnField() { return readValue(Context(field: .own(field)), from: start) }
            return readWord(context, from: start)
        }
        let name = string(start..<end)
        // A field "note" of the catalog takes precedence over the reader's note.
        if let field = QueryField(named: name), field != .note || schema.ownField(named: name) == nil {
            offset = end + 1
            let isProgress = field == .status && name.lowercased() == Query.LogField.progress.rawValue
            return readValue(Context(field: field, isProgress: isProgress), from: start)
        }
        if let field = takeOwnField() { return readValue(Context(field: .own(field)), from: start) }
        let hasValue = end + 1 < text.count && (text[end + 1] == UInt8(ascii: "(") || !isDelimiter(at: end + 1))
        let nearest = hasValue ? QueryField.nearest(to: name, of: schema) : []
        guard nearest.isEmpty else {
            fail(.unknownField(name, nearest: nearest), at: start..<end)
            return nil
        }
        return readWord(context, from: start)
    }

    /// Skips the name of a field that only the catalog has, with its colon; its path is one, too.
    ///
    /// - Returns: Nil if there is none.
    private mutating func takeOwnField() -> BookField? {
        if schema.own.isEmpty { return nil }
        var end = offset
        while end < text.count, text[end] != UInt8(ascii: ":"), text[end] != UInt8(ascii: "\""), !isDelimiter(at: end) {
            end += 1
        }
        guard end > offset, end < text.count, text[end] == UInt8(ascii: ":"),
            let field = schema.ownField(named: string(offset..<end))
        else { return nil }
        offset = end + 1
        return field
    }

    /// Parses the value after a colon; the term begins at `start`.
    private mutating func readValue(_ context: Context, from start: Int) -> Query.Expression? {
        var context = context
        // Before a number, "=" is a comparison.
        if context.isEqualSignPassed, take("=") { context.isWhole = true }
        return switch peek() {
        case UInt8(ascii: "("): readGroup(context)
        case UInt8(ascii: "\""): readPhrase(context, from: start)
        case UInt8(ascii: "/") where isPattern(context): readPattern(context, from: start)
        default: readWord(context, from: start)
        }
    }

    // MARK: Words

    /// Parses a possibly empty word, up to a space, parenthesis or bar; its term begins at `start`.
    private mutating func readWord(_ context: Context, from start: Int) -> Query.Expression? {
        let valueStart = offset
        var value: [UInt8] = []
        while offset < text.count, !isDelimiter(at: offset) { value.append(readCharacter()) }
        if offset == text.count { unfinished = Unfinished(start: valueStart, field: context.field) }
        return term(context, value, at: start..<offset, value: valueStart..<offset)
    }

    /// Parses a quoted phrase; its term begins at `start`.
    private mutating func readPhrase(_ context: Context, from start: Int) -> Query.Expression? {
        let valueStart = offset
        offset += 1
        var value: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "\"") { value.append(readCharacter()) }
        if offset == text.count { unfinishedPhrase = Unfinished(start: valueStart, field: context.field) }
        close(with: "\"", openedAt: valueStart)
        // The label of a field that only the catalog has.
        if peek() == UInt8(ascii: ":"), start == valueStart,
            let field = schema.ownField(named: String(decoding: value, as: UTF8.self))
        {
            offset += 1
            return readValue(Context(field: .own(field)), from: start)
        }
        return term(context, value, at: start..<offset, value: valueStart..<offset)
    }

    /// Reads a byte, or the literal character after a backslash.
    private mutating func readCharacter() -> UInt8 {
        if text[offset] == UInt8(ascii: "\\"), let next = peek(1), Self.escaped.contains(next) { offset += 1 }
        offset += 1
        return text[offset - 1]
    }

    /// The characters with a special meaning unless a backslash precedes them.
    static let escaped = Array("\"\\()|-/:".utf8)

    /// Whether a slash here begins a regular expression; before a space it is text, as in "either / or".
    private func isPattern(_ context: Context) -> Bool {
        context.hasTexts && (offset + 1 == text.count || blankLength(at: offset + 1) == 0)
    }

    /// Parses a regular expression between slashes; its term begins at `start`.
    private mutating func readPattern(_ context: Context, from start: Int) -> Query.Expression? {
        offset += 1
        let patternStart = offset
        while let byte = peek(), byte != UInt8(ascii: "/") { offset += byte == UInt8(ascii: "\\") ? 2 : 1 }
        offset = min(offset, text.count)
        let pattern = string(patternStart..<offset)
        close(with: "/")
        guard !pattern.isEmpty, context.hasTexts else { return nil }
        do throws(RegularExpression.SyntaxError) {
            _ = try RegularExpression(pattern, isCompiled: false)
        } catch {
            fail(.malformedPattern(error.message, offset: patternStart + error.offset), at: start..<offset)
            return nil
        }
        let condition: Query.Condition =
            if case .own(let field)? = context.field { .own(field, .regex(pattern)) } else {
                .regex(pattern, field: context.textField.flatMap(\.self))
            }
        return .term(Query.Term(condition, at: start..<offset))
    }

    // MARK: Values

    /// Returns the term of a value; nil if the value is empty or invalid.
    private mutating func term(
        _ context: Context, _ value: [UInt8], at range: Range<Int>, value valueRange: Range<Int>
    ) -> Query.Expression? {
        guard !value.isEmpty else { return nil }
        let value = String(decoding: value, as: UTF8.self)
        return condition(context, value, at: valueRange).map { .term(Query.Term($0, at: range)) }
    }

    private mutating func condition(_ context: Context, _ value: String, at range: Range<Int>) -> Query.Condition? {
        switch context.field {
        case nil: return Query.TextPattern(value).map(Query.Condition.text)
        case .text(let field):
            return Query.TextPattern(value, in: field, isWhole: context.isWhole).map(Query.Condition.text)
        case .number(let field):
            guard let bounds = Query.NumberBounds(value, of: field, isUnfinished: range.upperBound == text.count) else {
                fail(.numberExpected(value, of: field), at: range)
                return nil
            }
            return bounds.condition
        case .log(let field):
            guard let bounds = Query.LogBounds(value, of: field, isUnfinished: range.upperBound == text.count) else {
                fail(.logValueExpected(value, of: field), at: range)
                return nil
            }
            return bounds.condition
        case .shelf:
            let key = Query.shelfKey(of: value)
            return key.isEmpty ? nil : .shelf(key)
        case .note:
            let folded = [UInt8](folding: value)
            return folded.isEmpty ? nil : .note(folded)
        case .own(let field) where field.info.kind != .boolean: return condition(field, context, value, at: range)
        case .fiction?, .status?, .property?, .known?, .own?:
            if context.field == .status,
                let bounds = Query.LogBounds(value, of: .progress, isUnfinished: range.upperBound == text.count)
            {
                return bounds.condition
            }
            let values = context.field?.values(in: schema) ?? []
            let label =
                context.field == .known ? schema.ownField(named: value).map { Query.Condition.own($0, .known) } : nil
            guard let found = values.first(where: { $0.isNamed(value) })?.condition ?? label else {
                let progress = context.isProgress ? Query.LogField.progress : nil
                let allowed = (progress?.examples ?? []) + values.compactMap(\.names.first)
                let name = progress?.rawValue ?? context.field?.name ?? ""
                fail(.unknownValue(value, of: name, allowed: allowed), at: range)
                return nil
            }
            return found
        }
    }

    /// Returns the condition of a value of a field that only the catalog has.
    private mutating func condition(
        _ field: BookField, _ context: Context, _ value: String, at range: Range<Int>
    ) -> Query.Condition? {
        guard let kind = field.info.own?.kind, kind.isNumeric else {
            let folded = [UInt8](folding: value)
            // A text of signs alone is compared as it is.
            let text = folded.isEmpty ? Array(value.utf8) : folded
            return .own(field, .text(text, isWhole: context.isWhole))
        }
        guard let bounds = Query.OwnBounds(value, of: kind, isUnfinished: range.upperBound == text.count) else {
            fail(.ownValueExpected(value, of: field), at: range)
            return nil
        }
        return bounds.range.map { .own(field, .number($0)) }
    }

    // MARK: Reading

    private func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < text.count ? text[offset + distance] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        offset += 1
        return true
    }

    /// Skips a closing character, or notes that it is missing.
    private mutating func close(with scalar: Unicode.Scalar, openedAt start: Int? = nil) {
        if take(scalar) { return }
        missingEnd.unicodeScalars.append(scalar)
        guard let start, start < unclosed?.range.lowerBound ?? .max else { return }
        unclosed = QuerySyntaxError(.unmatched(scalar == ")" ? "(" : String(scalar)), at: start..<start + 1)
    }

    private mutating func skipBlanks() {
        while case let length = blankLength(at: offset), length > 0 { offset += length }
    }

    private func isDelimiter(at offset: Int) -> Bool {
        switch text[offset] {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"): true
        default: blankLength(at: offset) > 0
        }
    }

    /// Returns the length in bytes of the white space character at `offset`, or 0.
    private func blankLength(at offset: Int) -> Int {
        guard offset < text.count else { return 0 }
        switch text[offset] {
        case 0x20, 0x09...0x0D: return 1
        case ..<0xC2: return 0
        default:
            // These blocks contain all non-ASCII white space.
            let (second, third) = (peekByte(offset + 1), peekByte(offset + 2))
            switch (text[offset], second, third) {
            case (0xC2, 0x85, _), (0xC2, 0xA0, _): return 2
            case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
                (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
                return 3
            default: return 0
            }
        }
    }

    private func peekByte(_ offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

    private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    private mutating func fail(_ reason: QuerySyntaxError.Reason, at range: Range<Int>) {
        syntaxError = syntaxError ?? QuerySyntaxError(reason, at: range)
    }
}

extension Query.Expression {
    /// Creates the conjunction of `parts`; fails if there are none.
    fileprivate init?(all parts: [Self]) {
        let flat = parts.flatMap { part in if case .all(let inner) = part { inner } else { [part] } }
        guard let first = flat.first else { return nil }
        self = flat.count == 1 ? first : .all(flat)
    }

    /// Creates the disjunction of `parts`; fails if there are none.
    fileprivate init?(any parts: [Self]) {
        let flat = parts.flatMap { part in if case .any(let inner) = part { inner } else { [part] } }
        guard let first = flat.first else { return nil }
        self = flat.count == 1 ? first : .any(flat)
    }

    /// Creates the negation of `part`.
    fileprivate init(excluding part: Self) {
        if case .not(let inner) = part { self = inner } else { self = .not(part) }
    }
}

internal import Text

/// Reads the text of a `Query`. Nothing that ends too early is a mistake, as the reader may still be typing it.
struct QueryParser {
    /// How many parentheses may be open at once: each is a call within another.
    static let maximumDepth = 64

    /// The first mistake; what stands behind it is not read.
    private(set) var fault: QuerySyntaxError?
    /// What the text ends with, where that is a word or the place for one.
    private(set) var unfinished: Unfinished?
    private let text: [UInt8]
    private var offset = 0
    private var depth = 0

    /// A word that may go on behind the end of the text.
    struct Unfinished {
        /// Where it begins.
        var start: Int
        /// The field whose value it is.
        var field: QueryField?
    }

    /// What words stand for: values of a field, or any text.
    private struct Context {
        var field: QueryField?
        /// Whether they are all of the value.
        var isWhole = false

        /// The field for texts; nil inside where there is none, nil where the words are no texts.
        var textField: Query.TextField?? {
            switch field {
            case nil: .some(nil)
            case .text(let field): .some(field)
            default: nil
            }
        }

        /// Whether "=" before a value says that it is all of the value.
        var isEqualSignPassed: Bool {
            if case .number = field { false } else { true }
        }
    }

    /// A parser of `text`, which is UTF-8.
    init(_ text: some Sequence<UInt8>) { self.text = Array(text) }

    /// What the whole text says; nil where that is nothing.
    mutating func readAll() -> Query.Expression? {
        let expression = readAlternatives(Context())
        // All else ends at a mistake or at the end.
        if fault == nil, offset < text.count { fail(.unexpectedParenthesis, at: offset..<offset + 1) }
        return expression
    }

    private mutating func readAlternatives(_ context: Context) -> Query.Expression? {
        var alternatives: [Query.Expression] = []
        repeat {
            if let terms = readTerms(context) { alternatives.append(terms) }
        } while fault == nil && take("|")
        return Query.Expression(any: alternatives)
    }

    private mutating func readTerms(_ context: Context) -> Query.Expression? {
        var terms: [Query.Expression] = []
        var end: Int?
        while fault == nil {
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
        // Without what it has behind the mistake, a group would exclude more than it should.
        return fault == nil ? operand.map(Query.Expression.init(excluding:)) : nil
    }

    /// Whether a hyphen stands here that excludes what follows it. Alone, or before another, it is text; at the end there
    /// may follow something.
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
        offset += 1
        depth += 1
        let expression = readAlternatives(context)
        depth -= 1
        if fault == nil { take(")") }
        return expression
    }

    // MARK: Fields

    private mutating func readFieldOrWord(_ context: Context) -> Query.Expression? {
        let start = offset
        var end = offset
        while end < text.count, text[end].isASCIILetter { end += 1 }
        guard end > start, end < text.count, text[end] == UInt8(ascii: ":") else {
            return readWord(context, from: start)
        }
        let name = string(start..<end)
        if let field = QueryField(named: name) {
            offset = end + 1
            return readValue(Context(field: field), from: start)
        }
        let hasValue = end + 1 < text.count && (text[end + 1] == UInt8(ascii: "(") || !isDelimiter(at: end + 1))
        let nearest = hasValue ? QueryField.nearest(to: name) : []
        guard nearest.isEmpty else {
            fail(.unknownField(name, nearest: nearest), at: start..<end)
            return nil
        }
        return readWord(context, from: start)
    }

    /// Reads what stands behind a field's colon; the field begins at `start`.
    private mutating func readValue(_ context: Context, from start: Int) -> Query.Expression? {
        var context = context
        // Before a number it is a comparison.
        if context.isEqualSignPassed, take("=") { context.isWhole = true }
        return switch peek() {
        case UInt8(ascii: "("): readGroup(context)
        case UInt8(ascii: "\""): readPhrase(context, from: start)
        case UInt8(ascii: "/") where isPattern(context): readPattern(context, from: start)
        default: readWord(context, from: start)
        }
    }

    // MARK: Words

    /// Reads a word up to a blank, a parenthesis or a bar; its term begins at `start`. It may have no characters.
    private mutating func readWord(_ context: Context, from start: Int) -> Query.Expression? {
        let valueStart = offset
        var value: [UInt8] = []
        while offset < text.count, !isDelimiter(at: offset) { value.append(readCharacter()) }
        if offset == text.count { unfinished = Unfinished(start: valueStart, field: context.field) }
        return term(context, value, at: start..<offset, value: valueStart..<offset)
    }

    /// Reads what stands between quotes; its term begins at `start`.
    private mutating func readPhrase(_ context: Context, from start: Int) -> Query.Expression? {
        let valueStart = offset
        offset += 1
        var value: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "\"") { value.append(readCharacter()) }
        take("\"")
        return term(context, value, at: start..<offset, value: valueStart..<offset)
    }

    /// Reads a byte, or a backslash and the character behind it that it makes plain.
    private mutating func readCharacter() -> UInt8 {
        if text[offset] == UInt8(ascii: "\\"), let next = peek(1), Self.escaped.contains(next) { offset += 1 }
        offset += 1
        return text[offset - 1]
    }

    /// What has a meaning of its own where no backslash stands before it.
    static let escaped = Array("\"\\()|-/:".utf8)

    /// Whether a slash that stands here begins a regular expression. Before a blank it is text, as in "either / or".
    private func isPattern(_ context: Context) -> Bool {
        context.textField != nil && (offset + 1 == text.count || blankLength(at: offset + 1) == 0)
    }

    /// Reads what stands between slashes; its term begins at `start`.
    private mutating func readPattern(_ context: Context, from start: Int) -> Query.Expression? {
        offset += 1
        let patternStart = offset
        while let byte = peek(), byte != UInt8(ascii: "/") { offset += byte == UInt8(ascii: "\\") ? 2 : 1 }
        offset = min(offset, text.count)
        let pattern = string(patternStart..<offset)
        take("/")
        guard !pattern.isEmpty, let field = context.textField else { return nil }
        do throws(RegularExpression.Fault) {
            _ = try RegularExpression(pattern, isCompiled: false)
        } catch {
            fail(.malformedPattern(error.message, offset: patternStart + error.offset), at: start..<offset)
            return nil
        }
        return .term(Query.Term(.regex(pattern, field: field), at: start..<offset))
    }

    // MARK: Values

    /// The term of a value; nil where there is none yet, or a mistake.
    private mutating func term(
        _ context: Context, _ value: [UInt8], at range: Range<Int>, value place: Range<Int>
    ) -> Query.Expression? {
        guard !value.isEmpty else { return nil }
        let value = String(decoding: value, as: UTF8.self)
        return condition(context, value, at: place).map { .term(Query.Term($0, at: range)) }
    }

    private mutating func condition(_ context: Context, _ value: String, at place: Range<Int>) -> Query.Condition? {
        switch context.field {
        case nil: return Query.TextPattern(value).map(Query.Condition.text)
        case .text(let field):
            return Query.TextPattern(value, in: field, isWhole: context.isWhole).map(Query.Condition.text)
        case .number(let field):
            guard let bounds = Query.NumberBounds(value, of: field, isUnfinished: place.upperBound == text.count) else {
                fail(.numberExpected(value, of: field), at: place)
                return nil
            }
            return bounds.range.map { .number(field, $0) }
        case .shelf:
            let key = Query.shelfKey(of: value)
            return key.isEmpty ? nil : .shelf(key)
        case .fiction?, .status?, .property?, .known?:
            let values = context.field?.values ?? []
            guard let found = values.first(where: { $0.isNamed(value) }) else {
                let allowed = values.compactMap(\.names.first)
                fail(.unknownValue(value, of: context.field?.name ?? "", allowed: allowed), at: place)
                return nil
            }
            return found.condition
        }
    }

    // MARK: Reading

    private func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < text.count ? text[offset + distance] : nil
    }

    @discardableResult
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        offset += 1
        return true
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

    /// How many bytes the blank at `offset` has; none where there is something else.
    private func blankLength(at offset: Int) -> Int {
        guard offset < text.count else { return 0 }
        switch text[offset] {
        case 0x20, 0x09...0x0D: return 1
        case ..<0xC2: return 0
        default:
            // Of the blanks outside ASCII none is outside these blocks.
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

    private mutating func fail(_ reason: QuerySyntaxError.Reason, at place: Range<Int>) {
        fault = fault ?? QuerySyntaxError(reason, at: place)
    }
}

extension Query.Expression {
    /// What asks for each of these; nil where there are none.
    fileprivate init?(all parts: [Self]) {
        let flat = parts.flatMap { part in if case .all(let inner) = part { inner } else { [part] } }
        guard let first = flat.first else { return nil }
        self = flat.count == 1 ? first : .all(flat)
    }

    /// What asks for one of these; nil where there are none.
    fileprivate init?(any parts: [Self]) {
        let flat = parts.flatMap { part in if case .any(let inner) = part { inner } else { [part] } }
        guard let first = flat.first else { return nil }
        self = flat.count == 1 ? first : .any(flat)
    }

    /// What asks for the contrary of `part`.
    fileprivate init(excluding part: Self) {
        if case .not(let inner) = part { self = inner } else { self = .not(part) }
    }
}

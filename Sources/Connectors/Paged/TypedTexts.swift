internal import Search
internal import Text

/// The texts that a query searches for in their original spelling, for servers whose indexes are normalized in
/// another way: "Émile" is found as "émile", but not as "emile".
struct TypedTexts {
    private var texts: [Query.TextPattern: String] = [:]

    /// Collects the texts of a query.
    init(of query: Query) {
        let text = Array(query.text.utf8)
        collect(query.expression, text)
    }

    /// Returns the text of a pattern as it was typed, without the name of the field and quotation marks.
    subscript(pattern: Query.TextPattern) -> String {
        texts[pattern] ?? String(decoding: pattern.folded, as: UTF8.self)
    }

    private mutating func collect(_ expression: Query.Expression, _ text: [UInt8]) {
        switch expression {
        case .everything: break
        case .term(let term):
            guard case .text(let pattern) = term.condition, term.range.upperBound <= text.count else { return }
            texts[pattern] = Self.value(of: text[term.range], for: pattern)
        case .not(let operand): collect(operand, text)
        case .all(let operands), .any(let operands): for operand in operands { collect(operand, text) }
        }
    }

    /// Returns the value of a term; nil if its spelling is not that of the pattern, such as the name of a language.
    private static func value(of term: ArraySlice<UInt8>, for pattern: Query.TextPattern) -> String? {
        var candidates = [term]
        if let colon = term.firstIndex(of: UInt8(ascii: ":")) {
            var value = term[(colon + 1)...]
            if value.first == UInt8(ascii: "=") { value = value.dropFirst() }
            candidates.insert(value, at: 0)
        }
        for candidate in candidates {
            let text = unquoted(candidate)
            if [UInt8](folding: text) == pattern.folded { return text }
        }
        return nil
    }

    /// Returns a word or phrase without quotation marks, and without the backslashes before special characters.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> String {
        var rest = value
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            if rest.last == UInt8(ascii: "\""), !rest.dropLast().hasSuffix(UInt8(ascii: "\\")) {
                rest = rest.dropLast()
            }
        }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = rest.first, "\"\\()|-/:".utf8.contains(next) {
                rest = rest.dropFirst()
                text.append(next)
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ byte: UInt8) -> Bool { last == byte }
}

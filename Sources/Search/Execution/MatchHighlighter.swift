public import Books
internal import CText
internal import Text

/// Finds the parts of a book's texts that match a query, to highlight them.
///
/// Of a text that is very long, only the beginning is searched.
public struct MatchHighlighter {
    /// The patterns that apply to the texts of one field.
    private struct Patterns {
        var texts: [Query.TextPattern] = []
        var expressions: [Expression] = []

        var isEmpty: Bool { texts.isEmpty && expressions.isEmpty }
    }

    /// The number of bytes of a text that are searched. Texts can have megabytes, and finding the matches takes more
    /// than ten times the memory of what is searched.
    static let lengthLimit = 200_000

    private final class Expression {
        private var matcher: RegularExpression.Matcher

        init?(_ pattern: String) {
            guard let expression = try? RegularExpression(pattern) else { return nil }
            matcher = RegularExpression.Matcher(expression)
        }

        func firstMatch(in text: UnsafeBufferPointer<UInt8>, from offset: Int) -> Range<Int>? {
            matcher.firstMatch(in: text, from: offset)
        }
    }

    /// The patterns by field.
    private let patterns: [Query.TextField: Patterns]
    private let patternsOfOwn: [BookField: Patterns]
    private let plainPatterns: Patterns

    /// Creates a highlighter for `query`; excluded terms are not highlighted.
    public init(_ query: Query) {
        var patterns: [Query.TextField: Patterns] = [:]
        for field in Query.TextField.allCases {
            let found = Patterns(
                texts: query.patterns(in: field),
                expressions: query.regularExpressions(in: field).compactMap(Expression.init))
            if !found.isEmpty { patterns[field] = found }
        }
        self.patterns = patterns
        var patternsOfOwn: [BookField: Patterns] = [:]
        for field in query.columnFields {
            for condition in query.conditions(on: field) {
                switch condition {
                case .text(let text, let isWhole):
                    patternsOfOwn[field, default: Patterns()].texts.append(
                        Query.TextPattern(folded: text, isWhole: isWhole))
                case .regex(let pattern):
                    patternsOfOwn[field, default: Patterns()].expressions += [Expression(pattern)].compactMap(\.self)
                case .number, .known: break
                }
            }
        }
        self.patternsOfOwn = patternsOfOwn
        plainPatterns = Patterns(texts: query.patterns(in: .title).filter { $0.field == nil })
    }

    /// Returns the UTF-8 byte ranges in `text`, a value of `field`, that match the query: whole characters, in
    /// ascending order, neither overlapping nor adjacent. Linear in the patterns and in the part of the text that is
    /// searched.
    public func ranges(in text: String, field: Query.TextField) -> [Range<Int>] {
        guard let patterns = patterns[field], !text.isEmpty else { return [] }
        switch field {
        case .isbn: return ranges(of: patterns, field, in: FoundText(digitsOf: text))
        case .language:
            // The query contains a tag, but the text may be the language's name.
            if let tag = LanguageTag(naming: text)?.text, tag != text {
                return ranges(of: patterns, field, in: FoundText(folding: tag)).isEmpty ? [] : [0..<text.utf8.count]
            }
            return ranges(of: patterns, field, in: FoundText(folding: text))
        default: return ranges(of: patterns, field, in: FoundText(folding: text))
        }
    }

    /// Returns the ranges in `text`, a value of a field that only the catalog has, that match the query, as
    /// `ranges(in:field:)` does.
    public func ranges(in text: String, own field: BookField) -> [Range<Int>] {
        guard let patterns = patternsOfOwn[field], !text.isEmpty else { return [] }
        return ranges(of: patterns, .title, in: FoundText(folding: text))
    }

    /// Returns the byte ranges in a description that match words and phrases without a field, although queries do not
    /// search descriptions. The ranges are as in `ranges(in:field:)`.
    public func ranges(inDescription text: String) -> [Range<Int>] {
        if plainPatterns.isEmpty || text.isEmpty { return [] }
        return ranges(of: plainPatterns, .title, in: FoundText(folding: text))
    }

    private func ranges(of patterns: Patterns, _ field: Query.TextField, in text: FoundText) -> [Range<Int>] {
        var found: [Range<Int>] = []
        text.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
            for pattern in patterns.texts {
                let wanted = field == .isbn ? pattern.digits ?? pattern.folded : pattern.folded
                if pattern.isWhole || field == .language {
                    if bytes.isWhole(wanted, of: field) { found.append(0..<wanted.count) }
                    continue
                }
                var position = 0
                while true {
                    position = text_find(base, bytes.count, position, wanted, wanted.count)
                    if position >= bytes.count { break }
                    found.append(position..<position + wanted.count)
                    position += 1
                }
            }
            for expression in patterns.expressions {
                var position = 0
                while position < bytes.count, let match = expression.firstMatch(in: bytes, from: position) {
                    if !match.isEmpty { found.append(match) }
                    position = max(match.upperBound, position + 1)
                    // A match begins at a character boundary.
                    while position < bytes.count && bytes[position] & 0xC0 == 0x80 { position += 1 }
                }
            }
        }
        return found.isEmpty ? [] : text.originals(of: found)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `pattern` equals the whole value, up to the ending that comparison ignores for this field.
    fileprivate func isWhole(_ pattern: [UInt8], of field: Query.TextField) -> Bool {
        guard starts(with: pattern) else { return false }
        let rest = dropFirst(pattern.count)
        let ends: [StaticString] =
            switch field {
            // Catalogs append the position to the name of a series.
            case .series: [" #", ", ", " ("]
            case .language: ["-"]
            default: []
            }
        return rest.isEmpty || ends.contains { $0.withUTF8Buffer { rest.starts(with: $0) } }
    }
}

/// The part of a text that is searched, in its searchable form, with the origin of each byte.
private struct FoundText {
    private let original: String
    private(set) var bytes: [UInt8]
    /// The offset in the original of the character that each byte comes from; negative for inserted bytes.
    private var origins: [Int] = []

    /// Normalizes `text`.
    init(folding text: String) {
        original = text
        var text = text.searchedPart
        var buffer = ByteBuffer(capacity: text.utf8.count + 8)
        var origins: [Int] = []
        origins.reserveCapacity(text.utf8.count + 8)
        text.withUTF8 { buffer.append(folding: $0, origins: &origins) }
        bytes = Array(buffer.bytes)
        self.origins = origins
    }

    /// Extracts the digits of an ISBN, converted to thirteen if it is valid.
    init(digitsOf text: String) {
        original = text
        bytes = []
        for (offset, byte) in text.searchedPart.utf8.enumerated()
        where byte.isASCIIDigit || byte | 0x20 == UInt8(ascii: "x") {
            bytes.append(byte | 0x20)
            origins.append(offset)
        }
        guard bytes.count == 10, let number = ISBN(text).number else { return }
        bytes = Array(String(number).utf8)
        origins = [-1, -1, -1] + origins
    }

    /// Maps `ranges` to the original text: whole characters, in ascending order, neither overlapping nor adjacent.
    func originals(of ranges: [Range<Int>]) -> [Range<Int>] {
        let isASCII = original.searchedPart.utf8.allSatisfy { $0 < 0x80 }
        return ranges.compactMap { range in
            guard let first = origins[range].first(where: { $0 >= 0 }) else { return nil }
            let range = first..<origins[range.upperBound - 1] + 1
            return isASCII ? range : wholeCharacters(range)
        }.merged
    }

    /// Extends `range` to whole characters, including combining marks that normalization removed.
    private func wholeCharacters(_ range: Range<Int>) -> Range<Int> {
        let utf8 = original.utf8
        // An index within a character is rounded down to its beginning.
        func end(at offset: Int) -> String.Index {
            original.index(after: utf8.index(utf8.startIndex, offsetBy: offset))
        }
        let lower = original.index(before: end(at: range.lowerBound))
        let upper = end(at: range.upperBound - 1)
        return utf8.distance(from: utf8.startIndex, to: lower)..<utf8.distance(from: utf8.startIndex, to: upper)
    }
}

extension String {
    /// The part of this text that is searched.
    fileprivate var searchedPart: Substring {
        guard utf8.count > MatchHighlighter.lengthLimit else { return self[...] }
        return self[..<utf8.index(startIndex, offsetBy: MatchHighlighter.lengthLimit)]
    }
}

extension [Range<Int>] {
    /// The ranges in ascending order, with overlapping and adjacent ones merged.
    fileprivate var merged: Self {
        var merged: Self = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

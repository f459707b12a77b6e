internal import Glibc

/// Finds the fields of rows in a buffer of CSV (RFC 4180) with any of the three line endings.
///
/// A quote inside an unquoted field is an ordinary character, as in `="0123456789"`.
public struct CSVScanner: Sendable {
    /// A field of a row, as a range of the buffer without the quotes around it.
    public struct Field: Hashable, Sendable {
        /// The offset of the first byte.
        public var start: Int
        /// The offset after the last byte.
        public var end: Int
        /// Whether quotes inside the field are doubled.
        public var hasDoubledQuotes: Bool
    }

    /// The result of scanning a row.
    public enum Outcome: Hashable, Sendable {
        /// The row is whole.
        case row
        /// The row continues after the end of the buffer.
        case incomplete
        /// The row is malformed.
        case syntaxError(CSVSyntaxError.Kind)
    }

    /// The byte between fields.
    public var separator: UInt8
    /// Whether a quote inside a quoted field need not be doubled, if the field ends on the same line.
    public var acceptsStrayQuotes: Bool
    /// The number of fields of a row above which further ones are left out, except for one more.
    public var fieldLimit = Int.max
    /// The fields of the most recent row.
    public private(set) var fields: [Field] = []
    /// The offset after the most recent row and its line end; after an error, the offset of the error.
    public private(set) var end = 0
    /// The number of line ends in the most recent row, including its own.
    public private(set) var lineEnds = 0
    /// Whether a quoted field of the most recent row has a quote that is not doubled.
    public private(set) var hasStrayQuotes = false

    /// Creates a scanner for rows with `separator` between fields.
    public init(separator: UInt8, acceptsStrayQuotes: Bool = false) {
        self.separator = separator
        self.acceptsStrayQuotes = acceptsStrayQuotes
    }

    /// Scans the row at `start`, which must not be a line end. If `isLast`, the text ends with the buffer.
    public mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool) -> Outcome {
        fields.removeAll(keepingCapacity: true)
        lineEnds = 0
        hasStrayQuotes = false
        guard let base = bytes.baseAddress else { return isLast ? .row : .incomplete }
        let count = bytes.count
        let separator = separator
        var index = start
        while true {
            if index < count, base[index] == Self.quote {
                switch scanQuoted(base, count, from: &index, isLast: isLast) {
                case .row: break
                case let other: return other
                }
            } else {
                let first = index
                while index < count {
                    let byte = base[index]
                    if byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn { break }
                    index += 1
                }
                add(Field(start: first, end: index, hasDoubledQuotes: false))
            }
            guard index < count else {
                end = index
                return isLast ? .row : .incomplete
            }
            if base[index] == separator {
                index += 1
                continue
            }
            guard let next = offset(afterLineEndAt: index, base, count, isLast: isLast) else { return .incomplete }
            lineEnds += 1
            end = next
            return .row
        }
    }

    @inline(__always)
    private mutating func add(_ field: Field) {
        if fields.count <= fieldLimit { fields.append(field) }
    }

    /// Returns the offset after the line end at `index`, or nil if it may continue after the buffer.
    private func offset(
        afterLineEndAt index: Int, _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool
    ) -> Int? {
        guard base[index] == Self.carriageReturn else { return index + 1 }
        if index + 1 < count { return base[index + 1] == Self.lineFeed ? index + 2 : index + 1 }
        return isLast ? index + 1 : nil
    }

    /// Scans the quoted field at `index` and moves `index` after its closing quote.
    private mutating func scanQuoted(
        _ base: UnsafePointer<UInt8>, _ count: Int, from index: inout Int, isLast: Bool
    ) -> Outcome {
        let first = index + 1
        let lineEndsBefore = lineEnds
        var position = first
        var hasDoubledQuotes = false
        var isStray = false
        while true {
            guard let found = memchr(base + position, Int32(Self.quote), count - position) else {
                if isStray, lineEnds(base, position, count) > 0 { return .syntaxError(.textBehindQuote) }
                lineEnds = lineEndsBefore
                end = index
                return isLast ? .syntaxError(.openQuote) : .incomplete
            }
            let quote = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
            if isStray, lineEnds(base, position, quote) > 0 {
                end = index
                return .syntaxError(.textBehindQuote)
            }
            lineEnds += lineEnds(base, position, quote)
            guard quote + 1 < count else {
                if !isLast { return .incomplete }
                add(Field(start: first, end: quote, hasDoubledQuotes: hasDoubledQuotes))
                index = quote + 1
                return .row
            }
            let next = base[quote + 1]
            if next == Self.quote {
                hasDoubledQuotes = true
                position = quote + 2
            } else if next == separator || next == Self.lineFeed || next == Self.carriageReturn {
                add(Field(start: first, end: quote, hasDoubledQuotes: hasDoubledQuotes))
                index = quote + 1
                return .row
            } else if acceptsStrayQuotes {
                isStray = true
                hasStrayQuotes = true
                position = quote + 1
            } else {
                end = quote + 1
                return .syntaxError(.textBehindQuote)
            }
        }
    }

    /// Returns the number of line ends between two offsets.
    private func lineEnds(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var count = 0
        var index = start
        while index < end {
            if base[index] == Self.lineFeed {
                count += 1
            } else if base[index] == Self.carriageReturn, index + 1 >= end || base[index + 1] != Self.lineFeed {
                count += 1
            }
            index += 1
        }
        return count
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}

/// A syntax error in CSV.
public struct CSVSyntaxError: Error, Hashable, Sendable {
    /// The kind of a syntax error.
    public enum Kind: Hashable, Sendable {
        /// A quoted field is not closed.
        case openQuote
        /// Text follows the closing quote of a field.
        case textBehindQuote
    }

    /// The kind of error.
    public var kind: Kind
    /// The line of the error, counted from 1; for an unclosed field, the line of its opening quote.
    public var line: Int

    /// Creates an error.
    public init(kind: Kind, line: Int) {
        self.kind = kind
        self.line = line
    }
}

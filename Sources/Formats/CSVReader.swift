/// A CSV parser (RFC 4180) that accepts any of the three line endings.
///
/// Quoted fields may contain line endings and quotes. A quote inside an unquoted field is an ordinary character, as in
/// `="0123456789"`.
public struct CSVReader {
    /// A row of the table.
    public struct Record: Hashable {
        /// The line of the file on which the row begins, counted from 1.
        public var line: Int
        /// The fields of the row.
        public var fields: [String]
    }

    /// A syntax error.
    public struct Fault: Error, Hashable {
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
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var index = 0
    private var line = 1

    /// Creates a parser of UTF-8 text with `separator` between fields.
    public init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
    }

    /// Returns the next non-empty row, or nil at the end. Linear in the length of the row.
    public mutating func next() throws(Fault) -> Record? {
        while index < bytes.count, isEndOfLine(bytes[index]) { skipEndOfLine() }
        guard index < bytes.count else { return nil }
        var record = Record(line: line, fields: [])
        while true {
            record.fields.append(try nextField())
            guard index < bytes.count else { return record }
            if bytes[index] != separator {
                skipEndOfLine()
                return record
            }
            index += 1
        }
    }

    /// Reads the next field, up to the separator or line ending after it.
    private mutating func nextField() throws(Fault) -> String {
        guard index < bytes.count, bytes[index] == Self.quote else {
            let start = index
            while index < bytes.count, bytes[index] != separator, !isEndOfLine(bytes[index]) { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        let firstLine = line
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.quote {
                index += 1
                if index == bytes.count || bytes[index] == separator || isEndOfLine(bytes[index]) {
                    return String(decoding: text, as: UTF8.self)
                }
                guard bytes[index] == Self.quote else { throw Fault(kind: .textBehindQuote, line: line) }
            } else if isEndOfLine(byte) {
                let start = index
                skipEndOfLine()
                text += bytes[start..<index]
                continue
            }
            text.append(byte)
            index += 1
        }
        throw Fault(kind: .openQuote, line: firstLine)
    }

    private static let quote = UInt8(ascii: "\"")

    private func isEndOfLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private mutating func skipEndOfLine() {
        let isPair =
            bytes[index] == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
        index += isPair ? 2 : 1
        line += 1
    }
}

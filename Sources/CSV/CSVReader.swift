/// A strict parser of CSV text in memory (RFC 4180) that accepts any of the three line endings.
public struct CSVReader {
    /// A row of the table.
    public struct Record: Hashable {
        /// The line of the file on which the row begins, counted from 1.
        public var line: Int
        /// The fields of the row.
        public var fields: [String]
    }

    private let bytes: [UInt8]
    private var scanner: CSVScanner
    private var index = 0
    private var line = 1

    /// Creates a parser of UTF-8 text with `separator` between fields.
    public init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        scanner = CSVScanner(separator: separator)
    }

    /// Returns the next non-empty row, or nil at the end. Linear in the length of the row.
    public mutating func next() throws(CSVSyntaxError) -> Record? {
        while index < bytes.count, isEndOfLine(bytes[index]) { skipEndOfLine() }
        guard index < bytes.count else { return nil }
        switch bytes.withUnsafeBufferPointer({ scanner.scan($0, from: index, isLast: true) }) {
        case .row, .incomplete:
            let record = Record(line: line, fields: scanner.fields.map(text(of:)))
            line += scanner.lineEnds
            index = scanner.end
            return record
        case .syntaxError(let kind): throw CSVSyntaxError(kind: kind, line: line + scanner.lineEnds)
        }
    }

    private func text(of field: CSVScanner.Field) -> String {
        let range = bytes[field.start..<field.end]
        guard field.hasDoubledQuotes else { return String(decoding: range, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var index = range.startIndex
        while index < range.endIndex {
            text.append(range[index])
            index += range[index] == UInt8(ascii: "\"") ? 2 : 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func isEndOfLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private mutating func skipEndOfLine() {
        let isPair =
            bytes[index] == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
        index += isPair ? 2 : 1
        line += 1
    }
}

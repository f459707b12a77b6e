/// A reader of comma-separated values (RFC 4180), with any of its three line endings, and quoted fields that may have line
/// endings and quotes in them. A quote within a field that does not begin with one is a character like others, as in
/// `="0123456789"`.
public struct CSVReader {
    /// A line of the table.
    public struct Record: Hashable {
        /// The line of the file on which it begins, counted from 1.
        public var line: Int
        /// Its fields.
        public var fields: [String]
    }

    /// Why a text is no table.
    public struct Fault: Error, Hashable {
        /// What is wrong.
        public enum Kind: Hashable {
            /// A quote is never closed.
            case openQuote
            /// There is something between the quote that closes a field and its end.
            case textBehindQuote
        }

        /// What is wrong.
        public var kind: Kind
        /// The line where it is, counted from 1; for a quote, where it is opened.
        public var line: Int
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var index = 0
    private var line = 1

    /// A reader of a text in UTF-8, in which `separator` stands between fields.
    public init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
    }

    /// The next record that is no empty line; nil behind the last. Linear in its length.
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

    /// Reads up to the separator or the end of the line behind the field.
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

/// Lines of a faulty config that belong together: a key with its value, the header of a table, or anything else.
///
/// The parser says only where it stopped. Brackets, quotes and the beginnings of lines tell how much to leave out, so that
/// the parser can read the rest.
struct ConfigStatement: Equatable {
    /// The lines, counted from 1.
    var lines: ClosedRange<Int>
    /// Whether it is the header of a table.
    var isHeader = false
    /// Whether all brackets and quotes that it opens are closed.
    var isClosed = true

    /// Divides lines, which come without their line feeds, into statements: every line is in one.
    static func all(in lines: [ArraySlice<UInt8>]) -> [ConfigStatement] {
        var statements: [ConfigStatement] = []
        var number = 0
        while number < lines.count {
            var statement = ConfigStatement(lines: number + 1...number + 1)
            statement.isHeader = withoutBlanks(lines[number]).first == UInt8(ascii: "[")
            if !statement.isHeader {
                var value = ValueEnd()
                value.read(lines[number])
                // Nothing in an array begins as a statement does: a bracket is missing.
                while !value.isReached, number + 1 < lines.count, value.isInText || !begins(with: lines[number + 1]) {
                    number += 1
                    value.read(lines[number])
                }
                statement.lines = statement.lines.lowerBound...number + 1
                statement.isClosed = value.isReached
            }
            statements.append(statement)
            number += 1
        }
        return statements
    }

    /// Whether a line begins with a key and "=", or is the header of a table, as no line within an array does.
    private static func begins(with line: ArraySlice<UInt8>) -> Bool {
        let line = withoutBlanks(line)
        if line.first == UInt8(ascii: "[") {
            guard let name = (try? TOMLDocument(Array(line)))?.entries.first?.name else { return false }
            // A list within a list may look like a header, too.
            return name.first?.isLetter == true && name != "true" && name != "false"
        }
        guard let end = line.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return (try? TOMLDocument(line[..<end] + Array("=0".utf8))) != nil
    }

    private static func withoutBlanks(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

/// The end of a value, which brackets and texts of several lines may put off.
private struct ValueEnd {
    /// How many brackets are open.
    private var depth = 0
    /// The quote of the text that goes on in the next line, which three of it end.
    private var quote: UInt8?

    /// Whether a text of several lines goes on.
    var isInText: Bool { quote != nil }
    /// Whether nothing is open.
    var isReached: Bool { depth <= 0 && quote == nil }

    /// Goes through the next line.
    mutating func read(_ line: ArraySlice<UInt8>) {
        var rest = line
        while let byte = rest.first {
            if let quote {
                if rest.starts(with: [quote, quote, quote]) {
                    // One or two quotes more belong to the text.
                    rest = rest.drop { $0 == quote }
                    self.quote = nil
                } else {
                    rest = rest.dropFirst(Self.isEscape(byte, in: quote) ? 2 : 1)
                }
                continue
            }
            rest = rest.dropFirst()
            switch byte {
            case UInt8(ascii: "#"): return
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if rest.starts(with: [byte, byte]) {
                    quote = byte
                    rest = rest.dropFirst(2)
                } else {
                    while let next = rest.first, next != byte {
                        rest = rest.dropFirst(Self.isEscape(next, in: byte) ? 2 : 1)
                    }
                    rest = rest.dropFirst()
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }

    private static func isEscape(_ byte: UInt8, in quote: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
    }
}

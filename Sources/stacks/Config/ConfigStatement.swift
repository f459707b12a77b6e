/// The lines of one statement in an invalid config file: a key with its value, a table header, or anything else.
///
/// The parser reports only the position at which it stopped. Brackets, quotes and the starts of lines show how much to
/// leave out, so that the rest can be parsed.
struct ConfigStatement: Equatable {
    /// The line numbers, counted from 1.
    var lines: ClosedRange<Int>
    /// Whether the statement is a table header.
    var isHeader = false
    /// Whether all brackets and quotes that it opens are closed.
    var isClosed = true

    /// Divides lines, given without line feeds, into statements that cover all of them.
    static func all(in lines: [ArraySlice<UInt8>]) -> [ConfigStatement] {
        var statements: [ConfigStatement] = []
        var number = 0
        while number < lines.count {
            var statement = ConfigStatement(lines: number + 1...number + 1)
            statement.isHeader = withoutBlanks(lines[number]).first == UInt8(ascii: "[")
            if !statement.isHeader {
                var value = ValueEnd()
                value.read(lines[number])
                // No line within an array looks like the start of a statement, so a closing bracket is missing.
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

    /// Returns whether a line starts with a key and "=" or is a table header, which no line within an array does.
    private static func begins(with line: ArraySlice<UInt8>) -> Bool {
        let line = withoutBlanks(line)
        if line.first == UInt8(ascii: "[") {
            guard let name = (try? TOMLDocument(Array(line)))?.entries.first?.name else { return false }
            // A nested array may look like a header.
            return name.first?.isLetter == true && name != "true" && name != "false"
        }
        guard let end = line.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return (try? TOMLDocument(line[..<end] + Array("=0".utf8))) != nil
    }

    private static func withoutBlanks(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

/// A scanner for the end of a value, which may have several lines because of brackets and multi-line strings.
private struct ValueEnd {
    /// The number of open brackets.
    private var depth = 0
    /// The quotation mark of the open multi-line string; three of them close it.
    private var quote: UInt8?

    /// Whether a multi-line string is open.
    var isInText: Bool { quote != nil }
    /// Whether the value is complete.
    var isReached: Bool { depth <= 0 && quote == nil }

    /// Scans the next line.
    mutating func read(_ line: ArraySlice<UInt8>) {
        var rest = line
        while let byte = rest.first {
            if let quote {
                if rest.starts(with: [quote, quote, quote]) {
                    // One or two additional quotes belong to the string.
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

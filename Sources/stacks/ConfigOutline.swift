/// Where the keys of a TOML file stand: its parser tells that of what is wrong, and not of what is right.
///
/// It goes by the beginnings of lines, and reads what is no TOML as well as can be.
struct ConfigOutline {
    /// A key with its value, or the header of a table.
    struct Statement: Equatable {
        /// The names that lead to it, from the top: `a.b` in the table `t` is `["t", "a", "b"]`.
        var path: [String]
        /// The lines that it takes, counted from 1.
        var lines: ClosedRange<Int>
        /// Whether it is the header of a table.
        var isHeader = false
        /// Whether all brackets and quotes that it opens are closed.
        var isClosed = true
        /// Why it must not come before the parser: there are faults at which toml++ 3.4 aborts. Nil where it may.
        var fault: Fault?
    }

    /// What is wrong with a statement.
    struct Fault: Equatable {
        /// The line, counted from 1.
        var line: Int
        /// What is wrong in it.
        var cause: String
    }

    /// Each name between points is a table within the one before, and the parser uses the stack for each.
    private static let greatestDepth = 64
    private static let depthCause = "there are more than \(greatestDepth) points"

    /// All of them, from the top.
    private(set) var statements: [Statement] = []

    /// The statements in these lines, which have no line feeds.
    init(lines: [Substring.UTF8View]) {
        var table: [String] = []
        var number = 0
        while number < lines.count {
            var scanner = LineScanner(lines[number])
            number += 1
            scanner.skipBlanks()
            if scanner.isAtEndOrComment { continue }
            if scanner.takeHeader() {
                let path = scanner.takePath()
                table = path ?? []
                var statement = Statement(path: table, lines: number...number, isHeader: true)
                if path == nil {
                    statement.fault = Fault(line: number, cause: "the name of a table is missing behind [")
                }
                if table.count > Self.greatestDepth {
                    statement.fault = Fault(line: statement.lines.lowerBound, cause: Self.depthCause)
                }
                statements.append(statement)
                continue
            }
            var statement = Statement(path: table + (scanner.takePath() ?? []), lines: number...number)
            if scanner.take("=") {
                var value = ValueEnd()
                value.read(&scanner, line: number)
                while !value.isReached, number < lines.count {
                    // Nothing in an array looks so: a bracket is missing.
                    if !value.isInText, LineScanner.beginsStatement(lines[number]) { break }
                    scanner = LineScanner(lines[number])
                    number += 1
                    value.read(&scanner, line: number)
                }
                statement.lines = statement.lines.lowerBound...number
                statement.isClosed = value.isReached
                statement.fault = value.fault
                if value.pointCount > Self.greatestDepth {
                    statement.fault = Fault(line: statement.lines.lowerBound, cause: Self.depthCause)
                }
            }
            if statement.path.count > Self.greatestDepth {
                statement.fault = Fault(line: statement.lines.lowerBound, cause: Self.depthCause)
            }
            statements.append(statement)
        }
    }

    /// The line on which the key with this path begins, or what it is within; nil where there is none.
    func line(of path: [String]) -> Int? {
        if let statement = statements.first(where: { $0.path == path }) { return statement.lines.lowerBound }
        let within = statements.filter { !$0.isHeader && !$0.path.isEmpty && path.starts(with: $0.path) }
        if let inline = within.max(by: { $0.path.count < $1.path.count }) { return inline.lines.lowerBound }
        return statements.first { $0.path.starts(with: path) }?.lines.lowerBound
    }

    /// The statement that is at fault where the parser stopped in `line`: one before it, where that was not closed.
    func statement(atFaultInLine line: Int) -> Statement? {
        guard let index = statements.lastIndex(where: { $0.lines.lowerBound <= line }) else { return nil }
        let isFirst = index == 0 || statements[index].lines.lowerBound < line
        return isFirst || statements[index - 1].isClosed ? statements[index] : statements[index - 1]
    }

    /// The lines of the table whose header a statement is, up to the next header; those of the statement where it is none.
    func extent(of statement: Statement, lineCount: Int) -> ClosedRange<Int> {
        guard statement.isHeader else { return statement.lines }
        let next = statements.first { $0.isHeader && $0.lines.lowerBound > statement.lines.lowerBound }
        return statement.lines.lowerBound...(next.map { $0.lines.lowerBound - 1 } ?? lineCount)
    }
}

/// The end of a value, which brackets and texts of several lines may put off.
private struct ValueEnd {
    /// The brackets that are open.
    private var open: [UInt8] = []
    /// The quotes, three of them, of the text that goes on in the next line.
    private var quote: UInt8?
    /// What stands in no quotes, up to where the line was read.
    private var word: [UInt8] = []
    /// The last sign between words.
    private var sign = UInt8(ascii: "=")
    /// How many points there are outside of texts.
    private(set) var pointCount = 0
    /// The first reason why the value must not come before the parser; nil where it may.
    private(set) var fault: ConfigOutline.Fault?

    /// Whether a text of several lines goes on.
    var isInText: Bool { quote != nil }
    /// Whether nothing is open.
    var isReached: Bool { open.isEmpty && quote == nil }

    /// Goes through the rest of a line.
    mutating func read(_ scanner: inout LineScanner, line: Int) {
        while true {
            if let quote {
                if !scanner.skipLongText(quote) { return }
                self.quote = nil
            }
            guard let byte = scanner.next() else { return endWord(line) }
            if !" \t\r#[]{},=\"'".utf8.contains(byte) {
                word.append(byte)
                if byte == UInt8(ascii: ".") { pointCount += 1 }
                continue
            }
            endWord(line)
            switch byte {
            case UInt8(ascii: "#"): return
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if scanner.takeTwo(byte) { quote = byte } else { scanner.skipText(byte) }
            case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
            // In ASCII a bracket is two before the one that closes it.
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if open.popLast() != byte - 2 { blame("a bracket is closed that is not open", line) }
            default: break
            }
            if byte > UInt8(ascii: "'") { sign = byte }
        }
    }

    /// Looks at what stands in no quotes: true, false, a number, or a name in braces.
    private mutating func endWord(_ line: Int) {
        if word.isEmpty { return }
        let text = String(decoding: word, as: UTF8.self)
        word = []
        if open.last == UInt8(ascii: "{"), sign != UInt8(ascii: "=") {
            if !text.utf8.allSatisfy({ $0 < 0x80 }) { blame("a name stands in quotes", line) }
        } else if text != "true", text != "false", !Self.isNumber(text) {
            blame("this is no TOML, as a text stands in quotes", line)
        }
    }

    private mutating func blame(_ cause: String, _ line: Int) {
        if fault == nil { fault = ConfigOutline.Fault(line: line, cause: cause) }
    }

    /// Whether it is a number without an exponent, of so many digits as one of 64 bits has.
    private static func isNumber(_ text: String) -> Bool {
        let digits =
            text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
            ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return digits.count <= 20 && parts.count <= 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    }
}

/// The bytes of a line, from left to right.
private struct LineScanner {
    private var rest: Substring.UTF8View.SubSequence

    init(_ line: Substring.UTF8View) {
        rest = line[...]
        // The byte-order mark that a file may begin with.
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    }

    mutating func next() -> UInt8? { rest.popFirst() }

    mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    /// The end of a line may have a carriage return.
    var isAtEndOrComment: Bool { rest.first == nil || rest.first == UInt8(ascii: "#") || rest.first == 0x0D }

    /// Goes behind `character` where it is next, blanks before it aside.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Goes behind the brackets that a header begins with.
    mutating func takeHeader() -> Bool {
        guard take("[") else { return false }
        _ = take("[")
        return true
    }

    /// Goes behind two more of the quotes that one was of; two alone are an empty text.
    mutating func takeTwo(_ quote: UInt8) -> Bool {
        guard rest.starts(with: [quote, quote]) else { return false }
        rest = rest.dropFirst(2)
        return true
    }

    /// Goes behind the quote that ends a text, or to the end of the line.
    mutating func skipText(_ quote: UInt8) { _ = takeText(quote) }

    /// Goes behind the three quotes that end a text.
    ///
    /// - Returns: Whether they are in this line.
    mutating func skipLongText(_ quote: UInt8) -> Bool {
        while let byte = next() {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { _ = next() }
            if byte == quote, takeTwo(quote) {
                // One or two quotes more belong to the text.
                rest = rest.drop { $0 == quote }
                return true
            }
        }
        return false
    }

    /// The names of a key with points between them; nil where there is none.
    mutating func takePath() -> [String]? {
        var path: [String] = []
        repeat {
            skipBlanks()
            guard let name = takeName() else { return path.isEmpty ? nil : path }
            path.append(name)
        } while take(".")
        return path
    }

    private mutating func takeName() -> String? {
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            rest = rest.dropFirst()
            return takeText(quote)
        }
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        rest = rest[name.endIndex...]
        return name.isEmpty ? nil : String(name)
    }

    private mutating func takeText(_ quote: UInt8) -> String {
        var text: [UInt8] = []
        while let byte = next(), byte != quote {
            guard byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") else {
                text.append(byte)
                continue
            }
            switch next() {
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "u"): text += takeScalar(digits: 4)
            case UInt8(ascii: "U"): text += takeScalar(digits: 8)
            case let other?: text.append(other)
            case nil: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func takeScalar(digits: Int) -> [UInt8] {
        let code = UInt32(String(decoding: rest.prefix(digits), as: UTF8.self), radix: 16)
        rest = rest.dropFirst(digits)
        return code.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) } ?? []
    }

    /// Whether a line begins with a key and "=", or is the header of a table, as no line within an array does.
    static func beginsStatement(_ line: Substring.UTF8View) -> Bool {
        var scanner = LineScanner(line)
        scanner.skipBlanks()
        let isHeader = scanner.takeHeader()
        guard let first = scanner.rest.first, isHeader ? isLetter(first) : true, let path = scanner.takePath() else {
            return false
        }
        guard isHeader else { return scanner.take("=") }
        // A list in a list may have one of these alone.
        if ["true", "false"].contains(path.joined(separator: ".")) { return false }
        guard scanner.take("]") else { return false }
        return !scanner.take(",")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

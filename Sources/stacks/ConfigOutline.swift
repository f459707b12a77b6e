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
        var fault: String?
    }

    /// Each name between points is a table within the one before, and the parser uses the stack for each.
    private static let greatestDepth = 64
    private static let depthFault = "there are more than \(greatestDepth) points"

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
                if path == nil { statement.fault = "the name of a table is missing behind [" }
                if table.count > Self.greatestDepth { statement.fault = Self.depthFault }
                statements.append(statement)
                continue
            }
            var statement = Statement(path: table + (scanner.takePath() ?? []), lines: number...number)
            if scanner.take("=") {
                var value = ValueEnd()
                value.read(&scanner)
                while !value.isReached, number < lines.count {
                    // Nothing in an array looks so: a bracket is missing.
                    if !value.isInText, LineScanner.beginsStatement(lines[number]) { break }
                    scanner = LineScanner(lines[number])
                    value.read(&scanner)
                    number += 1
                }
                statement.lines = statement.lines.lowerBound...number
                statement.isClosed = value.isReached
                statement.fault = value.fault
                if value.pointCount > Self.greatestDepth { statement.fault = Self.depthFault }
            }
            if statement.path.count > Self.greatestDepth { statement.fault = Self.depthFault }
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
    /// Why the value must not come before the parser; nil where it may.
    private(set) var fault: String?
    /// How many points there are outside of texts.
    private(set) var pointCount = 0
    /// The quotes, three of them, of the text that goes on in the next line.
    private var quote: UInt8?

    /// Whether a text of several lines goes on.
    var isInText: Bool { quote != nil }
    /// Whether nothing is open.
    var isReached: Bool { open.isEmpty && quote == nil }

    /// Goes through the rest of a line.
    mutating func read(_ scanner: inout LineScanner) {
        while true {
            if let quote {
                if !scanner.skipLongText(quote) { return }
                self.quote = nil
            }
            guard let byte = scanner.next() else { return }
            switch byte {
            case UInt8(ascii: "#"): return
            case UInt8(ascii: "."): pointCount += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
            // In ASCII a bracket is two before the one that closes it.
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if open.popLast() != byte - 2 { fault = "a bracket is closed that is not open" }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if scanner.takeTwo(byte) { quote = byte } else { scanner.skipText(byte) }
            // There are line feeds among them by which toml++ is surprised in a list.
            case 0x80...: fault = "a text is not in quotes"
            default: break
            }
        }
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
        if ["true", "false", "inf", "nan"].contains(path.joined(separator: ".")) { return false }
        guard scanner.take("]") else { return false }
        return !scanner.take(",")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

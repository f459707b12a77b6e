internal import TOMLKit

/// A value of a config file.
enum ConfigValue: Equatable {
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([ConfigValue])
    case table([String: ConfigValue])
    case fraction
    case date

    /// What it is, in a sentence.
    var kind: String {
        switch self {
        case .text: "a text"
        case .integer: "a whole number"
        case .flag: "true or false"
        case .list: "a list"
        case .table: "a table"
        case .fraction: "a number with a point"
        case .date: "a date or a time"
        }
    }
}

/// The text of a config file as far as it is TOML. The only place that knows the TOML library.
struct ConfigText {
    /// Its values.
    private(set) var values: [String: ConfigValue] = [:]
    /// Where their keys stand.
    private(set) var outline: ConfigOutline
    /// What in it is no TOML; that is left out.
    private(set) var warnings: [ConfigWarning] = []

    /// Where so many things are wrong, it is another kind of file.
    private static let greatestFaultCount = 20

    /// The values of `text`, which must have no NUL.
    init(_ text: String) {
        // By bytes: with a carriage return before it, a line feed is no character of its own.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        outline = ConfigOutline(lines: lines)
        for _ in 0...Self.greatestFaultCount {
            if let statement = outline.statements.first(where: { $0.fault != nil }), let fault = statement.fault {
                leaveOut(statement, from: &lines, line: fault.line, column: nil, fault.cause)
                continue
            }
            do {
                let table = try TOMLTable(string: lines.map { String(Substring($0)) }.joined(separator: "\n"))
                values = Self.values(of: table)
                return
            } catch {
                guard let error = error as? TOMLParseError, leaveOut(error, from: &lines) else { break }
            }
        }
        warnings.append(ConfigWarning(sentence: "too much of it is no TOML: nothing of it is used"))
        outline = ConfigOutline(lines: [])
    }

    /// Empties the lines of what is at fault.
    ///
    /// - Returns: Whether there were any.
    private mutating func leaveOut(_ error: TOMLParseError, from lines: inout [Substring.UTF8View]) -> Bool {
        let line = min(max(error.source.begin.line, 1), lines.count)
        guard let statement = outline.statement(atFaultInLine: line) else { return false }
        // Where a bracket is missing, the fault is where it opens, and not where the parser notices.
        if !statement.isClosed, line != statement.lines.lowerBound {
            leaveOut(
                statement, from: &lines, line: statement.lines.lowerBound, column: nil,
                "a bracket or a quote is not closed")
        } else {
            leaveOut(statement, from: &lines, line: line, column: error.source.begin.column, Self.sentence(error))
        }
        return true
    }

    /// Empties the lines of a statement.
    private mutating func leaveOut(
        _ statement: ConfigOutline.Statement, from lines: inout [Substring.UTF8View], line: Int, column: Int?,
        _ cause: String
    ) {
        let extent = outline.extent(of: statement, lineCount: lines.count)
        let consequence =
            if statement.isHeader {
                "this table is left out"
            } else if extent.count == 1 {
                "this line is left out"
            } else {
                "the lines from \(extent.lowerBound) to \(extent.upperBound) are left out"
            }
        warnings.append(ConfigWarning(line: line, column: column, sentence: "\(cause); \(consequence)"))
        for number in extent { lines[number - 1] = Substring("").utf8 }
        outline = ConfigOutline(lines: lines)
    }

    /// "Error while parsing value: expected ..." as it reads within a sentence.
    private static func sentence(_ error: TOMLParseError) -> String {
        let words = error.description
        guard words.hasPrefix("Error while parsing "), let colon = words.firstRange(of: ": ") else {
            return "this is no TOML (\(words))"
        }
        let what = words.dropFirst("Error while parsing ".count)[..<colon.lowerBound]
        return "this \(what) is no TOML (\(words[colon.upperBound...]))"
    }

    private static func values(of table: TOMLTable) -> [String: ConfigValue] {
        var values: [String: ConfigValue] = [:]
        for key in table.keys {
            if let node = table[key] { values[key] = value(of: node) }
        }
        return values
    }

    private static func value(of node: any TOMLValueConvertible) -> ConfigValue {
        switch node.type {
        case .table: .table(node.table.map(values(of:)) ?? [:])
        case .array: .list(node.array.map { $0.map { value(of: $0) } } ?? [])
        case .string: .text(node.string ?? "")
        case .int: .integer(node.int ?? 0)
        case .bool: .flag(node.bool ?? false)
        case .double: .fraction
        case .date, .time, .dateTime: .date
        }
    }
}

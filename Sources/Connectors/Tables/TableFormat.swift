internal import CSV

/// The separator and the column names of a text.
struct TableFormat {
    /// The byte between fields.
    let separator: UInt8
    /// Whether the first row has the names of the columns.
    let hasHeader: Bool
    /// The length of a first line such as "sep=;", which spreadsheet programs use.
    let preambleLength: Int

    /// Detects the format from the start of a text in UTF-8 or Windows-1252; fails for other text. A text with one
    /// column is a table only if `isNamedTable`, that is, if its file extension is that of a table.
    init?(of prefix: [UInt8], isWhole: Bool, isNamedTable: Bool) {
        var candidates: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
        var start = 0
        let mark = Array("sep=".utf8)
        if prefix.starts(with: mark), prefix.count > mark.count + 1,
            prefix[mark.count + 1] == 0x0A || prefix[mark.count + 1] == 0x0D
        {
            candidates = [prefix[mark.count]]
            start = mark.count + 1
        }
        preambleLength = start
        // Other text with commas in its lines is not a table.
        guard isNamedTable || !prefix.contains(0) else { return nil }
        let samples = candidates.map { Sample(of: prefix, from: start, separator: $0, isWhole: isWhole) }
        guard let best = samples.max(by: { $0.score < $1.score }), let first = best.rows.first else { return nil }
        if first.count == 1 {
            guard isNamedTable else { return nil }
        } else if !isNamedTable, best.rows.count < 2 || best.share < 0.8 {
            return nil
        }
        separator = best.separator
        hasHeader = Self.isHeader(first)
    }

    /// Column names are not numbers and not all empty.
    private static func isHeader(_ cells: [String]) -> Bool {
        func isNumber(_ cell: String) -> Bool {
            cell.contains(where: \.isNumber) && cell.allSatisfy { $0.isNumber || "+-.,:/ ".contains($0) }
        }
        return cells.contains { !$0.isEmpty } && !cells.contains(where: isNumber)
    }

    /// The first rows of a text, split by one separator.
    private struct Sample {
        let separator: UInt8
        var rows: [[String]] = []
        /// The share of rows with as many fields as the first one.
        var share = 0.0

        private static let rowCount = 100

        init(of prefix: [UInt8], from start: Int, separator: UInt8, isWhole: Bool) {
            self.separator = separator
            var scanner = CSVScanner(separator: separator, acceptsStrayQuotes: true)
            prefix.withUnsafeBufferPointer { bytes in
                var index = start
                while rows.count < Self.rowCount {
                    while index < bytes.count, bytes[index] == 0x0A || bytes[index] == 0x0D { index += 1 }
                    guard index < bytes.count, scanner.scan(bytes, from: index, isLast: isWhole) == .row else { break }
                    rows.append(
                        scanner.fields.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) })
                    index = scanner.end
                }
            }
            if let first = rows.first {
                share = Double(rows.count { $0.count == first.count }) / Double(rows.count)
            }
        }

        /// The share of rows with the same number of fields counts most, then the number of fields.
        var score: Double {
            guard let first = rows.first, first.count > 1 else { return 0 }
            return share * 100 + Double(min(first.count, 50))
        }
    }
}

/// The keys of the columns of a table.
struct TableHeader {
    /// The keys, in the order of the columns; all are different and not empty.
    private(set) var keys: [String] = []
    private var used: Set<String> = []

    /// Creates keys from column names: a blank name becomes "column 3", the second "Author" becomes "Author 2".
    init(_ names: [String]) {
        for name in names { add(name) }
    }

    /// Adds a column that is missing from the header.
    mutating func addColumn() { add("") }

    private mutating func add(_ name: String) {
        let trimmed = name.drop { $0.isWhitespace }
        let text = String(trimmed.prefix(trimmed.count - trimmed.reversed().prefix { $0.isWhitespace }.count))
        let base = text.isEmpty ? "column \(keys.count + 1)" : text
        var key = base
        var number = 2
        while !used.insert(key).inserted {
            key = "\(base) \(number)"
            number += 1
        }
        keys.append(key)
    }
}

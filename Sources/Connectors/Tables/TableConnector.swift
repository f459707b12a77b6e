internal import Books
internal import CSV
internal import ConnectorProtocol
internal import JSON

/// A table in CSV or TSV. Each row becomes an object of strings with the column names as keys.
///
/// Cells stay strings, because only the profile knows whether 0345391802 is a number, and empty cells are omitted, but
/// for the first row: it has all columns, by which a table is recognized.
/// The apostrophe of a `FormulaGuard` is removed.
final class TableConnector: Connector {
    private let input: SourceInput
    private let format: TableFormat
    private let encoding: TextEncoding
    private let markLength: Int

    /// The maximum number of columns; a longer row does not belong to a table.
    private static let columnLimit = 4096

    /// Opens a table; fails for other input.
    init?(_ input: SourceInput) {
        self.input = input
        (encoding, markLength) = input.encoding
        let text = input.decodedPrefix
        let name = input.path.lowercased()
        let isNamedTable = [".csv", ".tsv", ".tab"].contains { name.hasSuffix($0) || name.contains($0 + ".") }
        guard let format = TableFormat(of: text, isWhole: input.isWhole, isNamedTable: isNamedTable) else { return nil }
        self.format = format
    }

    var version: SourceVersion { input.version }

    var opened: OpenedSource {
        var facts = ["encoding": encoding.name, "separator": String(UnicodeScalar(format.separator))]
        facts["compression"] = input.compression?.rawValue
        facts["header"] = format.hasHeader ? "yes" : "no"
        return OpenedSource(kind: format.separator == UInt8(ascii: "\t") ? "tsv" : "csv", facts: facts)
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let content = input.content()
        _ = try content.read(upTo: markLength)
        let text = encoding.decoded(content)
        _ = try text.read(upTo: format.preambleLength)
        let stream = CSVStream(
            separator: format.separator, rowLimit: RowWriter.rowLimit / 4, fieldLimit: Self.columnLimit
        ) {
            // Skipping a row can take long: rows of hundreds of megabytes exist.
            try rows.checkCancellation()
            return try text.read(into: $0)
        }
        var last = (line: 1, isRagged: false)
        do {
            last = try copy(stream, to: rows)
        } catch let failure as ConnectorFailure {
            throw failure
        } catch {
            throw ConnectorFailure(.helper, detail: "\(error)")
        }
        if let text = text as? ConvertedText { rows.note(text.encodingErrors) }
        if text.isCut {
            // The last row lacks its end.
            if last.isRagged { rows.withdraw(.columns) }
            rows.note(.cut, at: .line(last.line))
        }
        return !text.isCut
    }

    /// - Returns: The line of the last row, and whether it has too few cells.
    private func copy(_ stream: CSVStream, to rows: RowWriter) throws -> (line: Int, isRagged: Bool) {
        var last = (line: 1, isRagged: false)
        var header: TableHeader?
        var columnCount = 0
        var lists: [Int: BookField?] = [:]
        var columns = TableColumns([])
        // The text before the value of each column in a row; the first has no comma.
        var keys: [[UInt8]] = []
        while let event = try stream.next() {
            let line: Int
            var isShort = false
            defer { last = (line, isShort) }
            switch event {
            case .row(let number): line = number
            case .syntaxError(let syntaxError):
                line = syntaxError.line
                rows.note(syntaxError.kind == .openQuote ? .quote : .malformed, at: .line(syntaxError.line))
                continue
            case .tooLong(let number):
                line = number
                rows.note(.tooLarge, at: .line(number))
                continue
            }
            guard stream.fieldCount <= Self.columnLimit else {
                rows.note(.tooLarge, at: .line(line))
                continue
            }
            if header == nil {
                let names = (0..<stream.fieldCount).map { format.hasHeader ? name(of: stream.field($0)) : "" }
                let named = TableHeader(names)
                columns = TableColumns(names)
                header = named
                columnCount = named.keys.count
                keys = named.keys.map(Self.memberStart)
                lists = Self.lists(in: named.keys)
                if format.hasHeader { continue }
            }
            if stream.fieldCount != columnCount {
                // A surplus blank cell comes from a separator at the end.
                let isRagged =
                    stream.fieldCount < columnCount
                    || (columnCount..<stream.fieldCount).contains { !stream.field($0).isEmpty }
                if isRagged { rows.note(.columns, at: .line(line)) }
                isShort = stream.fieldCount < columnCount
                while stream.fieldCount > keys.count {
                    header?.addColumn()
                    keys = (header?.keys ?? []).map(Self.memberStart)
                }
            }
            if stream.hasStrayQuotes { rows.note(.strayQuote, at: .line(line)) }
            var isEncoded = true
            var isRounded = false
            rows.place = .line(line)
            try rows.add { json in
                json.append(UInt8(ascii: "{"))
                var isFirst = true
                for number in 0..<stream.fieldCount {
                    var cell = stream.field(number)
                    var items: [String]?
                    if !columns.repetitions.isEmpty {
                        if columns.isRepetition(number) { continue }
                        items = columns.repetitions[number].map { texts(of: [number] + $0, in: stream) }
                    }
                    if cell.isEmpty && rows.count > 0 && items?.isEmpty ?? true { continue }
                    if FormulaGuard.isPresent(in: cell) { cell = UnsafeBufferPointer(rebasing: cell.dropFirst()) }
                    keys[number].withUnsafeBufferPointer {
                        json.append(contentsOf: isFirst ? UnsafeBufferPointer(rebasing: $0.dropFirst()) : $0)
                    }
                    isFirst = false
                    if let items, items.count > 1 || cell.isEmpty && !items.isEmpty {
                        Self.append(items, of: nil, to: &json)
                        continue
                    }
                    if cell.isEmpty {
                        json += "null".utf8
                        continue
                    }
                    if let field = lists[number] {
                        Self.append(EscapedList.items(of: name(of: cell)), of: field, to: &json)
                        continue
                    }
                    if columns.isbns.contains(number), cell.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
                        isRounded = isRounded || name(of: cell).isRoundedNumber
                    }
                    if JSONText.append(cell, to: &json) != .valid { isEncoded = false }
                }
                json.append(UInt8(ascii: "}"))
            }
            if isRounded, !texts(of: columns.isbns, in: stream).contains(where: { ISBN($0).isValid }) {
                rows.note(.rounded, at: .line(line))
            }
            if !isEncoded, encoding != .windows1252 { rows.note(.encoding, at: .line(line)) }
        }
        return last
    }

    /// Returns the texts of cells that are not empty.
    private func texts(of columns: [Int], in row: CSVStream) -> [String] {
        columns.filter { $0 < row.fieldCount }.map { name(of: row.field($0)) }.filter { !$0.isEmpty }
    }

    private func name(of cell: UnsafeBufferPointer<UInt8>) -> String {
        JSONText.isUTF8(cell)
            ? String(decoding: cell, as: UTF8.self) : cell.map { String(windows1252: $0) }.joined()
    }

    /// Returns the columns of lists in the CSV of stacks, each with its field, which is nil for one that only the catalog
    /// has: these come last. Empty for other tables.
    private static func lists(in keys: [String]) -> [Int: BookField?] {
        let (first, later) = (BookField.inCSV, BookField.laterInCSV)
        guard Set(first.map(\.heading)).isSubset(of: keys) else { return [:] }
        var lists: [Int: BookField?] = [:]
        for column in first + later where column.field.isList {
            if let number = keys.firstIndex(of: column.heading) { lists[number] = column.field }
        }
        if let last = later.last.flatMap({ keys.firstIndex(of: $0.heading) }) {
            for number in keys.indices where number > last { lists[number] = .some(nil) }
        }
        return lists
    }

    /// Appends the items of a list; the only one of a catalog's own field may be a text.
    private static func append(_ items: [String], of field: BookField?, to json: inout [UInt8]) {
        if field == nil, items.count == 1 { return JSONText.append(items[0], to: &json) }
        json.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            if field == .contributors, item.hasSuffix(")"), let role = item.lastIndex(of: "(") {
                append(item[..<role], role: item[role...].dropFirst().dropLast(), to: &json)
            } else {
                JSONText.append(item, to: &json)
            }
        }
        json.append(UInt8(ascii: "]"))
    }

    /// Appends a contributor with a role, which is in parentheses after the name.
    private static func append(_ name: Substring, role: Substring, to json: inout [UInt8]) {
        json += #"{"name":"#.utf8
        JSONText.append(String(name.last == " " ? name.dropLast() : name), to: &json)
        json += #","role":"#.utf8
        JSONText.append(String(role), to: &json)
        json.append(UInt8(ascii: "}"))
    }

    /// Returns the bytes `,"key":` of a member.
    private static func memberStart(_ key: String) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: ",")]
        JSONText.append(key, to: &json)
        json.append(UInt8(ascii: ":"))
        return json
    }
}

internal import Books
internal import Formats
internal import Glibc
internal import Graphemes
internal import JSON
internal import Library

/// Prints readings in one of the formats of `stacks log`.
struct LogOutput {
    private let format: LogCommand.Format
    /// The width of the terminal; nil if standard output is none.
    private let width: Int?
    private let guardsFormulas: Bool

    /// Creates the output in a format.
    ///
    /// - Parameter guardsFormulas: Whether a table guards cells that a spreadsheet would run as formulas.
    init(_ format: LogCommand.Format, guardsFormulas: Bool) {
        self.init(
            format, width: isatty(STDOUT_FILENO) == 1 ? outputSize().columns : nil, guardsFormulas: guardsFormulas)
    }

    /// Creates the output in a format for a terminal of this width, or for programs.
    init(_ format: LogCommand.Format, width: Int?, guardsFormulas: Bool = false) {
        (self.format, self.width, self.guardsFormulas) = (format, width, guardsFormulas)
    }

    /// A reading with its book.
    private struct Row {
        var id: BookIdentity
        var book: LoggedBook
        var reading: Reading
    }

    /// Returns the readings of all books, the latest first.
    func text(of books: [IdentifiedBook]) -> String {
        let ids = Dictionary(books.map { ($0.book.place, $0.id) }) { first, _ in first }
        return text(
            of: books.map(\.book).latestReadings.compactMap { reading in
                ids[reading.book.place].map { Row(id: $0, book: reading.book, reading: reading.reading) }
            })
    }

    /// Returns the readings of a book, the earliest first.
    func text(of identified: IdentifiedBook) -> String {
        let book = identified.book
        guard format == .text, width != nil else {
            return text(of: book.log.readings.map { Row(id: identified.id, book: book, reading: $0) })
        }
        var lines = [([book.title] + (book.authors.isEmpty ? [] : [book.authors.listed])).joined(separator: ", ")]
        if let day = book.log.toRead { lines.append("to read since \(DayInput.inWords(day))") }
        if book.log.readings.isEmpty { lines.append("No readings yet. Enter one with: stacks log ID --started today") }
        for (number, reading) in book.log.readings.enumerated() {
            lines.append("\(number + 1)  \(ReadingSentence(reading).sentence)")
        }
        return lines.map(\.harmlessLine).joined()
    }

    private func text(of rows: [Row]) -> String {
        switch format {
        case .text: width.map { table(of: rows, width: $0) } ?? rows.map(Self.line).joined()
        case .csv: csv(of: rows)
        case .json:
            "[" + rows.map { "\n" + Self.json(of: $0) }.joined(separator: ",") + (rows.isEmpty ? "]\n" : "\n]\n")
        case .jsonl: rows.map { Self.json(of: $0) + "\n" }.joined()
        }
    }

    // MARK: - Text

    private static func fields(of row: Row) -> [String] {
        [
            row.reading.start ?? "", row.reading.end ?? "", row.reading.outcome?.rawValue ?? "",
            ReadingText.text(of: row.reading.progress), row.id.description, row.book.title,
            row.book.authors.joined(separator: "; "),
        ]
    }

    private static func line(of row: Row) -> String {
        fields(of: row).map(\.sanitized).joined(separator: "\t") + "\n"
    }

    private func table(of rows: [Row], width: Int) -> String {
        let texts = rows.map { row in
            [
                row.reading.start ?? "", row.reading.end ?? "", ReadingSentence(row.reading).state,
                ([row.book.title] + row.book.authors.prefix(1)).joined(separator: ", ").sanitized,
            ]
        }
        let header = ["Started", "Ended", "", "Book"]
        let lines = [header] + texts
        let widths = header.indices.dropLast().map { column in lines.map { $0[column].displayColumns }.max() ?? 0 }
        return lines.map { fields in
            let days = zip(fields, widths).map { $0.padded(to: $1) + "  " }.joined()
            return (days + fields[widths.count]).clipped(to: max(1, width)).text + "\n"
        }
        .joined()
    }

    // MARK: - For programs

    private func csv(of rows: [Row]) -> String {
        let header = ["start", "end", "outcome", "progress", "id", "title", "authors"]
        return ([header] + rows.map(Self.fields)).map { CSVTable.row($0, guardsFormulas: guardsFormulas) }.joined()
    }

    private static func json(of row: Row) -> String {
        let (book, reading) = (row.book, row.reading)
        var members: [JSONValue.Member] = [
            .init(key: "id", value: .string(row.id.description)), .init(key: "title", value: .string(book.title)),
            .init(key: "authors", value: JSONValue(book.authors)),
            .init(key: "isbn", value: book.isbn.map { .string($0) } ?? .null),
        ]
        if !book.isInCatalog { members.append(.init(key: "inCatalog", value: .boolean(false))) }
        members += [reading].json.elements?.first?.members ?? []
        var text: [UInt8] = []
        JSONValue.object(members).writeHarmlessly(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

internal import Books
internal import CSV
internal import Catalog
internal import Formats
internal import Search
internal import Text

/// Reading tables: CSV exports of Goodreads, of StoryGraph and of stacks.
extension ImportedBooks {
    /// The columns of a table that are imported.
    private enum Columns {
        /// The columns of Goodreads and of other programs that write its format.
        case goodreads([GoodreadsFormatter.Column: Int])
        /// The columns of StoryGraph.
        case storygraph([StoryGraphFormatter.Column: Int])
        /// The columns of the CSV of stacks, by name.
        case stacks([String: Int])
    }

    /// Reads a CSV file with a header.
    ///
    /// - Throws: `CommandError` if the columns are unknown or the file is damaged.
    mutating func readTable(_ file: ImportedFile) throws(CommandError) {
        var reader = CSVReader(file.bytes, separator: Self.separator(of: file.bytes))
        func refuse(_ line: Int, _ sentence: String) -> CommandError {
            CommandError(sentence: "\(file.shownPath), line \(line): \(sentence)", exitStatus: ExitStatus.badData)
        }
        func next() throws(CommandError) -> CSVReader.Record? {
            do throws(CSVSyntaxError) {
                return try reader.next()
            } catch {
                switch error.kind {
                case .openQuote:
                    throw refuse(error.line, "unclosed quotation mark. Export the file again")
                case .textBehindQuote:
                    throw refuse(
                        error.line, "no comma after a quotation mark. Within a field, double it")
                }
            }
        }
        guard let header = try next() else { return }
        let columns: Columns
        do throws(MissingColumn) {
            columns = try Self.columns(header.fields)
        } catch {
            throw refuse(
                header.line,
                "no column “\(error.name)”. Import a CSV export of Goodreads, StoryGraph or stacks, or a list of ISBNs")
        }
        while let record = try next() {
            guard record.fields.count == header.fields.count else {
                let count = record.fields.count == 1 ? "1 field" : "\(record.fields.count) fields"
                throw refuse(record.line, "\(count), but the header has \(header.fields.count). Export the file again")
            }
            let row = ImportedRow(record, omissions)
            let book =
                switch columns {
                case .goodreads(let places): row.book(ofGoodreads: places)
                case .storygraph(let places): row.book(ofStoryGraph: places)
                case .stacks(let places): row.book(ofStacks: places)
                }
            if let column = book.invalidColumn {
                problems.append("\(file.shownPath), line \(row.line): invalid value of \(column)")
            }
            // The table of stacks has books without user data, too.
            if case .stacks = columns, !book.hasUserData { continue }
            books.append(book)
        }
        unusedColumns = omissions.unusedColumns(of: header.fields)
        if case .stacks = columns { try requireUserData(in: file) }
    }

    /// A column that a table must have.
    private struct MissingColumn: Error {
        var name: String
    }

    private static func columns(_ header: [String]) throws(MissingColumn) -> Columns {
        // A table of stacks may have lost columns.
        let table = ProfileRecognition.table(withColumns: Set(header))
        if table == ProfileRecognition.own || Set(["id", "title", "authors"]).isSubset(of: header) {
            return .stacks(Dictionary(zip(header, header.indices), uniquingKeysWith: { first, _ in first }))
        }
        let names = header.map { $0.folded }
        if table != "goodreads", let places = try storyGraphColumns(names) { return .storygraph(places) }
        var places: [GoodreadsFormatter.Column: Int] = [:]
        for column in GoodreadsFormatter.Column.allCases {
            places[column] = names.firstIndex(of: column.rawValue.folded)
        }
        for column in [GoodreadsFormatter.Column.title, .author] where places[column] == nil {
            throw MissingColumn(name: column.rawValue)
        }
        return .goodreads(places)
    }

    /// Returns the places of the columns of StoryGraph; nil if the table has other columns.
    private static func storyGraphColumns(_ names: [String]) throws(MissingColumn) -> [StoryGraphFormatter.Column: Int]?
    {
        guard names.contains(StoryGraphFormatter.Column.readStatus.rawValue.folded) else { return nil }
        var places: [StoryGraphFormatter.Column: Int] = [:]
        for column in StoryGraphFormatter.Column.allCases {
            let known = [column.rawValue] + column.earlierNames
            places[column] = known.lazy.compactMap { names.firstIndex(of: $0.folded) }.first
        }
        for column in [StoryGraphFormatter.Column.title, .authors] where places[column] == nil {
            throw MissingColumn(name: column.rawValue)
        }
        return places
    }

    /// Returns the field separator: spreadsheets write semicolons if the comma is the decimal separator.
    private static func separator(of bytes: [UInt8]) -> UInt8 {
        let header = bytes.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A && $0 != 0x0D }
        func count(_ byte: UInt8) -> Int { header.count { $0 == byte } }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let most = separators.map(count).max() ?? 0
        return separators.first { count($0) == most } ?? UInt8(ascii: ",")
    }
}

/// A row of a table with the user data of a book.
struct ImportedRow {
    private let record: CSVReader.Record
    /// What is left out.
    let omissions: ImportOmissions

    /// Creates a row from a record.
    init(_ record: CSVReader.Record, _ omissions: ImportOmissions) {
        (self.record, self.omissions) = (record, omissions)
    }

    /// The first line of the row in the file, counted from 1.
    var line: Int { record.line }

    /// Returns the text in a column without an apostrophe that guards a formula and without surrounding white space;
    /// empty if there is no such column.
    func text(at index: Int?) -> String { exactText(at: index).trimmed }

    /// Returns the text in a column without an apostrophe that guards a formula; empty if there is no such column.
    private func exactText(at index: Int?) -> Substring {
        guard let index else { return "" }
        omissions.use(index)
        let field = record.fields[index][...]
        return FormulaGuard.isPresent(in: field.utf8) ? field.dropFirst() : field
    }

    /// Returns a day that a reading may have; notes other texts but "".
    func day(_ text: String, of column: String) -> String? { omissions.day(text, of: column, at: line) }

    /// Returns the value of a text; notes one that has none, but for "".
    func value<Value>(_ text: String, of column: String, _ read: (String) -> Value?) -> Value? {
        let value = read(text)
        if value == nil, !text.isEmpty { omissions.add(column, text, at: line) }
        return value
    }

    /// Returns the book of a row of the CSV of stacks with the columns at `places`.
    func book(ofStacks places: [String: Int]) -> ImportedBook {
        func text(_ column: String) -> String { self.text(at: places[column]) }
        func list(_ column: String) -> [String] {
            QuotedList.items(of: text(column), separator: CSVTable.listSeparator).map(\.name)
        }
        let isbn = text("isbn").isEmpty ? nil : ISBN(text("isbn"))
        var imported = ImportedBook(
            line: record.line,
            book: Book(title: text("title"), authors: EscapedList.items(of: text("authors")), isbn: isbn))
        imported.identity = BookIdentity(text("id"))
        imported.isFavourite = text("favourite").lowercased() == CSVTable.yes
        imported.shelves = list("shelves")
        imported.status = value(text("status"), of: "status", Book.ReadingStatus.init(rawValue:))
        var dates: [Book.ReadingStatus: String] = [:]
        for status in Book.ReadingStatus.allCases {
            let column = CSVTable.dateColumn(of: status)
            dates[status] = day(text(column), of: column)
        }
        imported.readingLog = ReadingLog(statusDates: dates, status: imported.status)
        imported.setReadings(text(CSVTable.readingsColumn), in: CSVTable.readingsColumn, toRead: dates[.toRead])
        imported.rating = value(text("rating"), of: "rating") { Double($0).flatMap { StarRating(exactly: $0) } }
        imported.note = text("note").isEmpty ? nil : String(exactText(at: places["note"]))
        return imported
    }
}

extension ImportedBook {
    /// Sets the readings to those of a column that stacks writes, unless it is empty.
    mutating func setReadings(_ text: String, in column: String, toRead: String?) {
        if text.isEmpty { return }
        if let readings = ReadingText.readings(of: text) {
            readingLog = ReadingLog(toRead: toRead, readings: readings)
        } else {
            invalidColumn = column
        }
    }

    /// Applies the meaning of an item of a list of Goodreads shelves.
    mutating func put(on item: QuotedList.Item) {
        switch item.isQuoted ? .shelf(item.name) : GoodreadsShelf(named: item.name) {
        case .favourites: isFavourite = true
        case .status(let status): self.status = self.status ?? status
        case .shelf(let name): if !shelves.contains(name) { shelves.append(name) }
        }
    }
}

extension ReadingLog {
    /// Adds finished readings of unknown days, so that there are `count` finished readings.
    mutating func addFinished(upTo count: Int) {
        // No reader has read a book more often; a file may say anything.
        for _ in 0..<max(0, min(count, 1000) - finishedCount) { add(Reading(outcome: .finished)) }
    }
}

extension String {
    /// The full or partial date in the form of the journal: "2023/01/15" becomes "2023-01-15"; nil if it is invalid.
    var day: String? {
        let date = split { "/-.".contains($0) }.joined(separator: "-")
        if PrintedUserData.isDate(date) { return date }
        // Spreadsheets drop leading zeros.
        let parts = date.split(separator: "-").map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1000...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let padded = PartialDate(year: year, month: month, day: day).description
        return PrintedUserData.isDate(padded) ? padded : nil
    }
}

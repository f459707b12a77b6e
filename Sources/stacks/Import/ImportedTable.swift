internal import Books
internal import CSV
internal import Formats
internal import Search
internal import Text

/// Reading tables: CSV exports of Goodreads and of stacks.
extension ImportedBooks {
    /// The columns of a table that are imported.
    private enum Columns {
        /// The columns of Goodreads and of other programs that write its format.
        case goodreads([GoodreadsForm.Column: Int])
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
            do throws(CSVFault) {
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
                "no column “\(error.name)”. Import a CSV export of Goodreads or of stacks, or a list of ISBNs")
        }
        while let record = try next() {
            guard record.fields.count == header.fields.count else {
                let count = record.fields.count == 1 ? "1 field" : "\(record.fields.count) fields"
                throw refuse(record.line, "\(count), but the header has \(header.fields.count). Export the file again")
            }
            let row = ImportedRow(record)
            switch columns {
            case .goodreads(let places): books.append(row.book(ofGoodreads: places))
            case .stacks(let places):
                let book = row.book(ofStacks: places)
                if book.hasUserData { books.append(book) }
            }
        }
        if case .stacks = columns { try requireUserData(in: file) }
    }

    /// A column that a table must have.
    private struct MissingColumn: Error {
        var name: String
    }

    private static func columns(_ header: [String]) throws(MissingColumn) -> Columns {
        if Set(["id", "title", "authors"]).isSubset(of: header) {
            return .stacks(Dictionary(zip(header, header.indices), uniquingKeysWith: { first, _ in first }))
        }
        let names = header.map { $0.folded }
        var places: [GoodreadsForm.Column: Int] = [:]
        for column in GoodreadsForm.Column.allCases { places[column] = names.firstIndex(of: column.rawValue.folded) }
        for column in [GoodreadsForm.Column.title, .author] where places[column] == nil {
            throw MissingColumn(name: column.rawValue)
        }
        return .goodreads(places)
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
private struct ImportedRow {
    private let record: CSVReader.Record

    init(_ record: CSVReader.Record) { self.record = record }

    // MARK: - Goodreads

    func book(ofGoodreads places: [GoodreadsForm.Column: Int]) -> ImportedBook {
        func text(_ column: GoodreadsForm.Column) -> String { self.text(at: places[column]) }
        let full = text(.title).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let title = full.withoutSeries
        var authors = [text(.author).split(whereSeparator: \.isWhitespace).joined(separator: " ")]
        authors.removeAll(where: \.isEmpty)
        let others = text(.additionalAuthors).split(separator: ",").map(\.trimmed)
        for name in others where !name.isEmpty && !authors.contains(name) { authors.append(name) }
        let isbn = [text(.isbn13), text(.isbn)].map { ISBN($0) }.first { $0.isValid }
        var imported = ImportedBook(line: record.line, book: Book(title: title, authors: authors, isbn: isbn))
        imported.identity = BookIdentity(text(.identity))
        if title != full { imported.otherTitles.append(full) }
        if let colon = title.firstIndex(of: ":") { imported.otherTitles.append(title[..<colon].trimmed) }
        imported.rating = Int(text(.rating)).flatMap { (1...5).contains($0) ? $0 : nil }
        let notes = [GoodreadsNote.text(of: text(.privateNotes)), GoodreadsNote.text(of: text(.review))]
        let note = notes.filter { !$0.isEmpty }.joined(separator: "\n\n")
        imported.note = note.isEmpty ? nil : note
        for column in [GoodreadsForm.Column.exclusiveShelf, .bookshelves] {
            for item in QuotedList.items(of: text(column), separator: ",") { imported.put(on: item) }
        }
        imported.statusDates[.read] = text(.dateRead).day
        // The other dates are in columns of stacks; without these columns, two dates of Goodreads stand for them.
        imported.statusDates[.toRead] = text(.dateToRead).day
        imported.statusDates[.reading] = text(.dateStarted).day
        imported.statusDates[.abandoned] = text(.dateAbandoned).day
        switch imported.status {
        case .abandoned where places[.dateAbandoned] == nil:
            imported.statusDates = [.abandoned: imported.statusDates[.read]].compactMapValues(\.self)
        case .toRead where places[.dateToRead] == nil:
            imported.statusDates = [.toRead: text(.dateAdded).day].compactMapValues(\.self)
        case .reading where places[.dateStarted] == nil: imported.statusDates = [:]
        default: break
        }
        return imported
    }

    // MARK: - stacks

    func book(ofStacks places: [String: Int]) -> ImportedBook {
        func text(_ column: String) -> String { self.text(at: places[column]) }
        func list(_ column: String) -> [String] {
            QuotedList.items(of: text(column), separator: CSVTable.listSeparator).map(\.name)
        }
        let isbn = text("isbn").isEmpty ? nil : ISBN(text("isbn"))
        var imported = ImportedBook(
            line: record.line, book: Book(title: text("title"), authors: list("authors"), isbn: isbn))
        imported.identity = BookIdentity(text("id"))
        imported.isFavourite = text("favourite").lowercased() == CSVTable.yes
        imported.shelves = list("shelves")
        imported.status = Book.ReadingStatus(rawValue: text("status"))
        for status in Book.ReadingStatus.allCases {
            imported.statusDates[status] = text(CSVTable.dateColumn(of: status)).day
        }
        imported.rating = Int(text("rating")).flatMap { (0...5).contains($0) ? $0 : nil }
        imported.note = text("note").isEmpty ? nil : text("note")
        return imported
    }

    private func text(at index: Int?) -> String { index.map { record.fields[$0][...].trimmed } ?? "" }
}

extension ImportedBook {
    /// Applies the meaning of an item of a list of Goodreads shelves.
    fileprivate mutating func put(on item: QuotedList.Item) {
        switch item.isQuoted ? .shelf(item.name) : GoodreadsShelf(named: item.name) {
        case .favourites: isFavourite = true
        case .status(let status): self.status = self.status ?? status
        case .shelf(let name): if !shelves.contains(name) { shelves.append(name) }
        }
    }
}

extension String {
    /// The title without the series after it: "The Stand (Some Series, #1)" becomes "The Stand".
    fileprivate var withoutSeries: String {
        guard hasSuffix(")"), let bracket = lastIndex(of: "("), self[bracket...].contains("#") else { return self }
        let title = self[..<bracket].trimmed
        return title.isEmpty ? self : title
    }

    /// The full or partial date in the form of the journal: "2023/01/15" becomes "2023-01-15"; nil if it is invalid.
    fileprivate var day: String? {
        let date = split { "/-.".contains($0) }.joined(separator: "-")
        if PrintedUserData.isDate(date) { return date }
        // Spreadsheets drop leading zeros.
        let parts = date.split(separator: "-").map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1000...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return PartialDate(year: year, month: month, day: day).description
    }
}

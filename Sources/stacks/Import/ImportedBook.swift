internal import Books
internal import Formats
internal import Search
internal import Text

/// A book in another program's file with its user data.
struct ImportedBook: Hashable {
    /// The first line of the record in the file, counted from 1.
    var line: Int
    /// The title, the authors and the ISBN.
    var book: Book
    /// Alternative titles that a catalog may use.
    var otherTitles: [String] = []
    /// Whether the book is a favourite.
    var isFavourite = false
    /// The reading status.
    var status: Book.ReadingStatus?
    /// The date of the status, such as "2026-11-21", if known.
    var statusDay: String?
    /// The rating, 1...5.
    var rating: Int?
    /// The note.
    var note: String?
    /// The names of the shelves that contain the book.
    var shelves: [String] = []

    /// The keys to find the book in a catalog: its ISBN, then each title with all authors and with the first one only,
    /// since other contributors are among the authors in these files.
    var keys: [BookIdentity.Key] {
        var keys = book.isbn.flatMap { BookIdentity.Key(isbn: $0) }.map { [$0] } ?? []
        // Books of an ISBN list have no real title.
        if isTitleMadeUp { return keys }
        for title in [book.title] + otherTitles {
            keys.append(BookIdentity.Key(hashOf: Book(title: title, authors: book.authors)))
            if book.authors.count > 1 {
                keys.append(BookIdentity.Key(hashOf: Book(title: title, authors: [book.authors[0]])))
            }
        }
        return keys
    }

    /// Whether the title is a placeholder for a missing one.
    var isTitleMadeUp = false
}

/// The destination of the books of an ISBN list.
enum ImportGoal: Hashable {
    /// The books become favourites.
    case favourites
    /// The books get a reading status.
    case status(Book.ReadingStatus)
    /// The books are added to the shelf of this name.
    case shelf(String)

    /// Creates the destination with this name: a built-in list or a shelf.
    init(named name: String) {
        let key = Query.shelfKey(of: name)
        if ["favourites", "favorites"].contains(key) {
            self = .favourites
        } else if let status = Book.ReadingStatus.allCases.first(where: { Query.shelfKey(of: $0.rawValue) == key }) {
            self = .status(status)
        } else {
            self = .shelf(name)
        }
    }
}

/// The books of an imported file.
struct ImportedBooks {
    /// The books in file order.
    var books: [ImportedBook] = []
    /// Error messages about single lines, without a full stop.
    var faults: [String] = []

    /// Reads a file whose first line shows its format: an ISBN list or a CSV export of Goodreads.
    ///
    /// - Parameter goal: The destination of the books of an ISBN list.
    /// - Throws: `CommandError` if the file is neither or is damaged; nothing should be imported then.
    init(_ file: ImportedFile, goal: ImportGoal) throws(CommandError) {
        let first = file.bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).lazy
            .map { String(decoding: $0, as: UTF8.self) }.first { !Self.isbnText(of: $0[...]).isEmpty }
        guard let first else {
            throw CommandError(sentence: "there are no books in \(file.shownPath)", exitStatus: ExitStatus.badData)
        }
        let text = Self.isbnText(of: first[...])
        if ISBN(text).isValid || text.allSatisfy({ $0.isNumber || "-Xx ".contains($0) }) {
            readList(file, goal: goal)
        } else {
            try readGoodreads(file)
        }
    }

    // MARK: - ISBN lists

    private static func isbnText(of line: Substring) -> String {
        line.prefix { $0 != "#" }.trimmed
    }

    private mutating func readList(_ file: ImportedFile, goal: ImportGoal) {
        let text = String(decoding: file.bytes, as: UTF8.self)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let text = Self.isbnText(of: line)
            if text.isEmpty { continue }
            let isbn = ISBN(text)
            guard isbn.isValid else {
                faults.append("\(file.shownPath), line \(number + 1): \"\(text)\" is no valid ISBN")
                continue
            }
            var book = ImportedBook(line: number + 1, book: Book(title: "ISBN \(isbn.formatted)", isbn: isbn))
            book.isTitleMadeUp = true
            switch goal {
            case .favourites: book.isFavourite = true
            case .status(let status): book.status = status
            case .shelf(let name): book.shelves = [name]
            }
            books.append(book)
        }
    }

    // MARK: - Goodreads

    /// The columns of a Goodreads export that are imported.
    private enum Column: String, CaseIterable {
        case title = "Title"
        case author = "Author"
        case additionalAuthors = "Additional Authors"
        case isbn = "ISBN"
        case isbn13 = "ISBN13"
        case rating = "My Rating"
        case exclusiveShelf = "Exclusive Shelf"
        case bookshelves = "Bookshelves"
        case dateRead = "Date Read"
        case dateAdded = "Date Added"
        case review = "My Review"
        case privateNotes = "Private Notes"
    }

    /// A record with access by column.
    private struct Row {
        let record: CSVReader.Record
        let places: [Column: Int]

        subscript(column: Column) -> String { places[column].map { record.fields[$0][...].trimmed } ?? "" }

        /// Returns the comma-separated names in a column.
        func names(_ column: Column) -> [String] {
            self[column].split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        }
    }

    private mutating func readGoodreads(_ file: ImportedFile) throws(CommandError) {
        var reader = CSVReader(file.bytes, separator: Self.separator(of: file.bytes))
        func refuse(_ line: Int, _ sentence: String) -> CommandError {
            CommandError(sentence: "\(file.shownPath), line \(line): \(sentence)", exitStatus: ExitStatus.badData)
        }
        func next() throws(CommandError) -> CSVReader.Record? {
            do throws(CSVReader.Fault) {
                return try reader.next()
            } catch {
                switch error.kind {
                case .openQuote:
                    throw refuse(error.line, "a quotation mark is never closed: export the file again")
                case .textBehindQuote:
                    throw refuse(
                        error.line, "behind a quotation mark there is no comma: within a field it has to be doubled")
                }
            }
        }
        guard let header = try next() else { return }
        let names = header.fields.map { $0.folded }
        var places: [Column: Int] = [:]
        for column in Column.allCases { places[column] = names.firstIndex(of: column.rawValue.folded) }
        for column in [Column.title, .author] where places[column] == nil {
            throw refuse(
                header.line,
                "there is no column \"\(column.rawValue)\", so it is neither a CSV export of Goodreads nor a list of "
                    + "ISBNs: export it anew (My Books, Tools, Import and export)")
        }
        while let record = try next() {
            guard record.fields.count == header.fields.count else {
                throw refuse(
                    record.line,
                    "there \(record.fields.count == 1 ? "is 1 field" : "are \(record.fields.count) fields") where the header "
                        + "has \(header.fields.count): export the file again")
            }
            books.append(Self.book(of: Row(record: record, places: places)))
        }
    }

    /// Returns the field separator: spreadsheets write semicolons if the comma is the decimal separator.
    private static func separator(of bytes: [UInt8]) -> UInt8 {
        let header = bytes.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A && $0 != 0x0D }
        func count(_ byte: UInt8) -> Int { header.count { $0 == byte } }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let most = separators.map(count).max() ?? 0
        return separators.first { count($0) == most } ?? UInt8(ascii: ",")
    }

    private static func book(of row: Row) -> ImportedBook {
        let full = row[.title].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let title = full.withoutSeries
        var authors = [row[.author].split(whereSeparator: \.isWhitespace).joined(separator: " ")].filter { !$0.isEmpty }
        for name in row.names(.additionalAuthors) where !authors.contains(name) { authors.append(name) }
        let isbn = [row[.isbn13], row[.isbn]].map { ISBN($0) }.first { $0.isValid }
        var imported = ImportedBook(line: row.record.line, book: Book(title: title, authors: authors, isbn: isbn))
        if title != full { imported.otherTitles.append(full) }
        if let colon = title.firstIndex(of: ":") {
            imported.otherTitles.append(title[..<colon].trimmed)
        }
        imported.rating = Int(row[.rating]).flatMap { (1...5).contains($0) ? $0 : nil }
        let notes = [row[.privateNotes], row[.review]].map { $0.isEmpty ? "" : $0.paragraphsOfHTML }
        let note = notes.filter { !$0.isEmpty }.joined(separator: "\n\n")
        imported.note = note.isEmpty ? nil : note
        for name in row.names(.exclusiveShelf) + row.names(.bookshelves) { imported.put(onGoodreadsShelf: name) }
        switch imported.status {
        case .read, .abandoned: imported.statusDay = row[.dateRead].day
        case .toRead: imported.statusDay = row[.dateAdded].day
        case .reading, nil: break
        }
        return imported
    }
}

extension ImportedBook {
    /// Applies the meaning of a Goodreads shelf with this name.
    fileprivate mutating func put(onGoodreadsShelf name: String) {
        switch name.lowercased() {
        case "favorites", "favourites", "favorite", "favourite": isFavourite = true
        case "read": status = status ?? .read
        case "to-read": status = status ?? .toRead
        case "currently-reading": status = status ?? .reading
        case "abandoned", "dnf", "did-not-finish": status = status ?? .abandoned
        default: if !shelves.contains(name) { shelves.append(name) }
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

    /// A date in the format of the journal: "2023/01/15" becomes "2023-01-15"; nil if it is invalid.
    fileprivate var day: String? {
        let parts = split { "/-.".contains($0) }.map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1000...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return PartialDate(year: year, month: month, day: day).description
    }
}

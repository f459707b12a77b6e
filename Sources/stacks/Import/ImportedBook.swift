internal import Books
internal import Formats
internal import Library
internal import Search
internal import Text

/// A book in another program's file with its user data.
struct ImportedBook: Hashable {
    /// The first line of the record in the file, counted from 1.
    var line: Int
    /// The title, the authors and the ISBN.
    var book: Book
    /// The identity of the book, if stacks has written the file.
    var identity: BookIdentity?
    /// Alternative titles that a catalog may use.
    var otherTitles: [String] = []
    /// Whether the book is a favourite.
    var isFavourite = false
    /// The reading status.
    var status: Book.ReadingStatus?
    /// The readings, and the day on which the book became one to read.
    var readingLog = ReadingLog()
    /// The rating.
    var rating: StarRating?
    /// The note.
    var note: String?
    /// The names of the shelves that contain the book.
    var shelves: [String] = []

    /// The name of a column whose value is invalid, if any.
    var invalidColumn: String?

    /// Whether the record contains data to import.
    var hasUserData: Bool {
        isFavourite || status != nil || !readingLog.isEmpty || rating != nil || note != nil || !shelves.isEmpty
    }

    /// The keys to find the book in a catalog: its ISBN, then each title with all authors and with the first one only,
    /// since other contributors are among the authors in these files.
    var keys: [BookIdentity.Key] {
        var keys = book.isbn.flatMap { BookIdentity.Key(isbn: $0) }.map { [$0] } ?? []
        // Books of an ISBN list have only a placeholder title.
        if isTitleMadeUp { return keys }
        for title in [book.title] + otherTitles {
            keys.append(BookIdentity.Key(hashOf: Book(title: title, authors: book.authors)))
            if book.authors.count > 1 {
                keys.append(BookIdentity.Key(hashOf: Book(title: title, authors: [book.authors[0]])))
            }
        }
        return keys
    }

    /// Whether the title is a placeholder.
    var isTitleMadeUp = false
}

/// The destination of the books of an ISBN list.
enum ImportDestination: Hashable {
    /// The books become favourites.
    case favourites
    /// The books get a reading status.
    case status(Book.ReadingStatus)
    /// The books are added to the shelf of this name.
    case shelf(String)

    /// Creates the destination that a user names: a built-in list or a shelf.
    init(named name: String) {
        self = Query.shelfKey(of: name) == "favorites" ? .favourites : ImportDestination(listNamed: name)
    }

    /// Creates the list with this name: a built-in one or a shelf.
    init(listNamed name: String) {
        let key = Query.shelfKey(of: name)
        if key == "favourites" {
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
    var problems: [String] = []
    /// What is left out.
    let omissions = ImportOmissions()
    /// The columns of a table that are left out.
    var unusedColumns: [String] = []

    /// Reads a file whose beginning shows its format: an ISBN list, a CSV export of Goodreads or StoryGraph, or an
    /// export of stacks.
    ///
    /// - Parameter destination: The destination of the books of an ISBN list.
    /// - Throws: `CommandError` if the file is none of these or is damaged; nothing should be imported then.
    init(_ file: ImportedFile, destination: ImportDestination) throws(CommandError) {
        if let start = file.bytes.first(where: { $0 > 0x20 }), start == UInt8(ascii: "[") || start == UInt8(ascii: "{")
        {
            try readRecords(file)
            return
        }
        let first = file.bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).lazy
            .map { String(decoding: $0, as: UTF8.self) }.first { !Self.isbnText(of: $0[...]).isEmpty }
        guard let first else {
            throw CommandError(
                sentence: CommandMessage.importHasNoBooks.text(file.shownPath), exitStatus: ExitStatus.badData)
        }
        let text = Self.isbnText(of: first[...])
        if ISBN(text).isValid || text.allSatisfy({ $0.isNumber || "-Xx ".contains($0) }) {
            readList(file, destination: destination)
        } else {
            try readTable(file)
        }
    }

    // MARK: - ISBN lists

    private static func isbnText(of line: Substring) -> String {
        line.prefix { $0 != "#" }.trimmed
    }

    private mutating func readList(_ file: ImportedFile, destination: ImportDestination) {
        let text = String(decoding: file.bytes, as: UTF8.self)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let text = Self.isbnText(of: line)
            if text.isEmpty { continue }
            let isbn = ISBN(text)
            guard isbn.isValid else {
                problems.append("\(file.shownPath), line \(number + 1): “\(text)” is not a valid ISBN")
                continue
            }
            var book = ImportedBook(line: number + 1, book: Book(title: "ISBN \(isbn.formatted)", isbn: isbn))
            book.isTitleMadeUp = true
            switch destination {
            case .favourites: book.isFavourite = true
            case .status(let status):
                book.status = status
                book.readingLog = ReadingLog(statusDates: [:], status: status)
            case .shelf(let name): book.shelves = [name]
            }
            books.append(book)
        }
    }
}

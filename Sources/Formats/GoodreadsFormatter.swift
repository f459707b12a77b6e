public import Books
internal import Text

/// A CSV table with the columns of Goodreads exports, followed by columns for other user data.
///
/// Programs that import the table find columns by their names and ignore others.
public struct GoodreadsFormatter: BookFormatter {
    /// A column of the table; the raw values are the names in the header.
    public enum Column: String, CaseIterable, Sendable {
        case bookID = "Book Id"
        case title = "Title"
        case author = "Author"
        case authorLastFirst = "Author l-f"
        case additionalAuthors = "Additional Authors"
        case isbn = "ISBN"
        case isbn13 = "ISBN13"
        case rating = "My Rating"
        case averageRating = "Average Rating"
        case publisher = "Publisher"
        case binding = "Binding"
        case pageCount = "Number of Pages"
        case yearPublished = "Year Published"
        case originalYear = "Original Publication Year"
        case dateRead = "Date Read"
        case dateAdded = "Date Added"
        case bookshelves = "Bookshelves"
        case bookshelvesWithPositions = "Bookshelves with positions"
        case exclusiveShelf = "Exclusive Shelf"
        case review = "My Review"
        case spoiler = "Spoiler"
        case privateNotes = "Private Notes"
        case readCount = "Read Count"
        case ownedCopies = "Owned Copies"
        // The columns from here on are not part of Goodreads exports.
        case halfStar = "Half Star"
        case dateToRead = "Date To Read"
        case dateStarted = "Date Started"
        case dateAbandoned = "Date Abandoned"
        case readings = "Readings"
        case identity = "Stacks Id"
    }

    private let guardsFormulas: Bool

    /// Creates a formatter.
    ///
    /// - Parameter guardsFormulas: Whether to guard cells that a spreadsheet would run as formulas.
    public init(guardsFormulas: Bool = false) { self.guardsFormulas = guardsFormulas }

    /// True: the table is for user data.
    public var omitsBooksWithoutUserData: Bool { true }

    /// What Goodreads' table has no column for.
    public func expect(_ schema: Schema) -> [FieldLoss] {
        let kept: Set<BookField> = [
            .title, .authors, .isbn, .pageCount, .publisher, .published, .rating, .identifiers,
        ]
        return [FieldLoss].all(but: kept, in: schema) + [
            .commasInNames, FieldLoss("that further authors are not contributors") { $0.authors.count > 1 },
            FieldLoss("months and days of publication") { $0.published?.month != nil },
            FieldLoss("further identifiers") { book in
                book.identifiers.contains { $0.scheme.lowercased() != "goodreads" }
            },
        ]
    }

    /// Appends the header.
    public func begin(_ text: inout [UInt8]) { Column.allCases.map { CSVField($0.rawValue) }.write(to: &text) }

    /// Appends the row of a book.
    public func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let userData = printed.userData ?? PrintedUserData()
        Column.allCases.map { column in
            switch column {
            // Without the formula, a spreadsheet would read an ISBN as a number.
            case .isbn: CSVField(digits: "")
            case .isbn13: CSVField(digits: printed.book.isbn?.number.map { String($0) } ?? "")
            case .privateNotes: CSVField(lines: userData.note.map(GoodreadsNote.note) ?? "")
            default: CSVField(Self.text(of: printed, userData, in: column))
            }
        }
        .write(to: &text, guardsFormulas: guardsFormulas)
    }

    private static func text(of printed: PrintedBook, _ userData: PrintedUserData, in column: Column) -> String {
        let book = printed.book
        return switch column {
        case .bookID: book.identifiers.first { $0.scheme.lowercased() == "goodreads" }?.value ?? ""
        case .title: book.title
        case .author: book.authors.first ?? ""
        case .authorLastFirst: book.authors.first.map(\.lastNameFirst) ?? ""
        case .additionalAuthors: book.authors.dropFirst().joined(separator: ", ")
        case .rating: String(userData.rating?.whole ?? 0)
        case .averageRating: book.rating.flatMap { $0.isFinite ? $0.inBibliography : nil } ?? ""
        case .publisher: book.publisher ?? ""
        case .pageCount: book.pageCount.map { String($0) } ?? ""
        case .yearPublished: book.published.map { String($0.year) } ?? ""
        case .dateRead: userData.slashedDate(of: .read)
        case .dateAdded: userData.slashedDateAdded
        case .bookshelves: GoodreadsShelf.list(of: userData, with: userData.status)
        case .exclusiveShelf: userData.status.map(GoodreadsShelf.name) ?? ""
        case .readCount: String(readCount(of: userData))
        case .ownedCopies: "0"
        case .halfStar: userData.rating?.hasHalf == true ? CSVTable.yes : ""
        case .dateToRead: userData.slashedDate(of: .toRead)
        case .dateStarted: userData.slashedDate(of: .reading)
        case .dateAbandoned: userData.slashedDate(of: .abandoned)
        case .readings: ReadingText.text(of: userData.furtherReadings ?? [])
        case .identity: printed.knownIdentity.description
        case .isbn, .isbn13, .binding, .originalYear, .bookshelvesWithPositions, .review, .spoiler, .privateNotes: ""
        }
    }

    private static func readCount(of userData: PrintedUserData) -> Int {
        userData.finishedCount + Self.unfinishedCount(of: userData.status)
    }

    /// Returns how many of the readings that Goodreads counts for a book with this status are not finished: it counts
    /// the current reading, too.
    private static func unfinishedCount(of status: Book.ReadingStatus?) -> Int {
        switch status {
        case .reading, .abandoned: 1
        case .toRead, .read, nil: 0
        }
    }

    /// Returns the number of finished readings of a book with this value in the column `readCount`.
    public static func finishedCount(ofReadCount count: Int, status: Book.ReadingStatus?) -> Int {
        max(0, count - unfinishedCount(of: status))
    }
}

public import Books

/// A CSV table with the columns of StoryGraph exports, followed by columns for other user data.
///
/// Programs that import the table find columns by their names and ignore others.
public struct StoryGraphFormatter: BookFormatter {
    /// A column of the table; the raw values are the names in the header.
    public enum Column: String, CaseIterable, Sendable {
        case title = "Title"
        case authors = "Authors"
        case contributors = "Contributors"
        case isbn = "ISBN/UID"
        case format = "Format"
        case readStatus = "Read Status"
        case dateAdded = "Date Added"
        case lastDateRead = "Last Date Read"
        case datesRead = "Dates Read"
        case readCount = "Read Count"
        case moods = "Moods"
        case pace = "Pace"
        case characterOrPlotDriven = "Character- or Plot-Driven?"
        case strongCharacterDevelopment = "Strong Character Development?"
        case loveableCharacters = "Loveable Characters?"
        case diverseCharacters = "Diverse Characters?"
        case flawedCharacters = "Flawed Characters?"
        case rating = "Star Rating"
        case review = "Review"
        case contentWarnings = "Content Warnings"
        case contentWarningDescription = "Content Warning Description"
        case tags = "Tags"
        case owned = "Owned?"
        // The columns from here on are not part of StoryGraph exports.
        case dateToRead = "Date To Read"
        case readings = "Readings"
        case identity = "Stacks Id"

        /// The names in exports of earlier years.
        public var earlierNames: [String] {
            switch self {
            case .authors: ["Author"]
            case .isbn: ["ISBN"]
            default: []
            }
        }
    }

    private let guardsFormulas: Bool

    /// Creates a formatter.
    ///
    /// - Parameter guardsFormulas: Whether to guard cells that a spreadsheet would run as formulas.
    public init(guardsFormulas: Bool = false) { self.guardsFormulas = guardsFormulas }

    /// True: the table is for user data.
    public var omitsBooksWithoutUserData: Bool { true }

    /// What StoryGraph's table has no column for.
    public func expect(_ schema: Schema) -> [FieldLoss] {
        [FieldLoss].all(but: [.title, .authors, .isbn, .contributors], in: schema) + [
            .commasInNames, FieldLoss("roles") { $0.contributors.contains { $0.role != nil } },
        ]
    }

    /// Appends the header.
    public func begin(_ text: inout [UInt8]) { Column.allCases.map { CSVField($0.rawValue) }.write(to: &text) }

    /// Appends the row of a book.
    public func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let userData = printed.userData ?? PrintedUserData()
        Column.allCases.map { column in
            switch column {
            case .review: CSVField(lines: userData.note.map(GoodreadsNote.note) ?? "")
            default: CSVField(Self.text(of: printed, userData, in: column))
            }
        }
        .write(to: &text, guardsFormulas: guardsFormulas)
    }

    private static func text(of printed: PrintedBook, _ userData: PrintedUserData, in column: Column) -> String {
        let (book, log) = (printed.book, userData.readingLog)
        return switch column {
        case .title: book.title
        case .authors: book.authors.joined(separator: ", ")
        case .contributors:
            book.contributors.map { $0.name + ($0.role.map { " (\($0))" } ?? "") }.joined(separator: ", ")
        case .isbn: book.isbn?.number.map { String($0) } ?? ""
        case .readStatus: userData.status.map(GoodreadsShelf.name) ?? ""
        case .dateAdded: userData.slashedDateAdded
        case .lastDateRead: userData.slashedDate(of: .read)
        case .datesRead: datesRead(log)
        case .readCount: String(userData.finishedCount)
        case .rating: userData.rating.flatMap { $0.halves > 0 ? String($0.stars) : nil } ?? ""
        case .tags: GoodreadsShelf.list(of: userData, with: nil)
        case .owned: "No"
        case .dateToRead: userData.slashedDate(of: .toRead)
        case .readings: ReadingText.text(of: log.readings)
        case .identity: printed.knownIdentity.description
        case .format, .moods, .pace, .characterOrPlotDriven, .strongCharacterDevelopment, .loveableCharacters,
            .diverseCharacters, .flawedCharacters, .review, .contentWarnings, .contentWarningDescription:
            ""
        }
    }

    /// The finished readings with a known end, the last one first.
    private static func datesRead(_ log: ReadingLog) -> String {
        log.readings.reversed()
            .compactMap { reading in
                guard reading.outcome == .finished, let end = reading.end else { return nil }
                return (reading.start.map { $0.slashed + "-" } ?? "") + end.slashed
            }
            .joined(separator: ", ")
    }
}

internal import Books
internal import Catalog
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

/// The contents of the detail pane.
enum BookDetail: Hashable {
    /// No row is current.
    case nothingSelected
    /// The book is not available, for this reason: not loaded yet, removed, or not readable.
    case notThere(String)
    /// A book, the names of the reader's shelves that it is on, what else is their own of it, and the directory of the
    /// calibre library that is open, if one is.
    case book(Book, shelves: [String], bookData: UserBookData? = nil, directory: String? = nil)
    /// A mark on a book that is not in the catalog, and the names of the shelves that it is on.
    case absent(UserBookData, shelves: [String])

    /// The detail of what a source has in place of a book.
    init(_ slot: Slot<Book>, shelves: [String], bookData: UserBookData?, directory: String?) {
        if case .ready(let book) = slot {
            self = .book(book, shelves: shelves, bookData: bookData, directory: directory)
        } else {
            self = .notThere(slot.placeholder)
        }
    }

    /// The text of the pane, with the matches of `finder` highlighted.
    ///
    /// - Parameters:
    ///   - related: The titles of related books, as far as they are known.
    ///   - keys: The keys of the commands that list related books.
    ///   - today: Today, from which the days of reading count.
    func card(
        highlightedBy finder: MatchHighlighter? = nil, related: RelatedTitles = RelatedTitles(),
        keys: CardKeys = CardKeys(), today: CalendarDay = CalendarDay(number: 0)
    ) -> [TextView.Paragraph] {
        switch self {
        case .nothingSelected: []
        case .notThere(let reason): [.init(reason, style: .secondary)]
        case .book(let book, let shelves, let bookData, let directory):
            BookCard(
                book: book, shelves: shelves, bookData: bookData, directory: directory, related: related,
                today: today, keys: keys, finder: finder
            ).paragraphs
        case .absent(let bookData, let shelves):
            BookCard(
                book: Book(title: bookData.title, authors: bookData.authors), shelves: shelves, bookData: bookData,
                today: today, isInCatalog: false
            ).paragraphs
        }
    }

    /// The text with a label for each field, as it is printed.
    var labelled: [TextView.Paragraph] {
        switch self {
        case .nothingSelected: []
        case .notThere(let reason): [.init(reason, style: .secondary)]
        case .book(let book, let shelves, let bookData, let directory):
            LabelledBook(book: book, shelves: shelves, bookData: bookData, directory: directory).paragraphs
        case .absent(let bookData, let shelves):
            LabelledBook(
                book: Book(title: bookData.title, authors: bookData.authors), shelves: shelves, bookData: bookData
            ).paragraphsOfAbsent
        }
    }
}

/// The number of lines of a text that are paragraphs of their own. The lines after them are one paragraph, since a text
/// can have a million.
private let separateLines = 1000

extension Book {
    /// The paragraphs of the description, with an empty line before each one but the first that is not a list item.
    var descriptionParagraphs: [String] {
        guard let description, !description.isEmpty else { return [] }
        var paragraphs: [String] = []
        // Splitting bytes: finding character boundaries would cost more than everything else here.
        let lines = description.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: separateLines)
        for line in lines.map(Substring.init) {
            let isItem =
                line.hasPrefix("• ") || line.first?.isNumber == true && line.drop(while: \.isNumber).hasPrefix(". ")
            if !isItem && !paragraphs.isEmpty { paragraphs.append("") }
            paragraphs.append(String(line))
        }
        return paragraphs
    }
}

extension UserBookData {
    /// The lines of the note.
    var noteLines: [String] {
        let lines = note?.split(
            maxSplits: separateLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines?.map(String.init) ?? []
    }

    /// The status with its date, "Read, 2026-11-21".
    var datedStatus: String? {
        status.map { status in status.shown + (statusDates[status].map { ", " + $0 } ?? "") }
    }
}

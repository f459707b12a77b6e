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
    ) -> LinkedText {
        switch self {
        case .nothingSelected: LinkedText()
        case .notThere(let reason): LinkedText(paragraphs: [.init(reason, style: .secondary)])
        case .book(let book, let shelves, let bookData, let directory):
            BookCard(
                book: book, shelves: shelves, bookData: bookData, directory: directory, related: related,
                today: today, keys: keys, finder: finder
            ).text
        case .absent(let bookData, let shelves):
            BookCard(
                book: Book(title: bookData.title, authors: bookData.authors), shelves: shelves, bookData: bookData,
                today: today, isInCatalog: false
            ).text
        }
    }
}

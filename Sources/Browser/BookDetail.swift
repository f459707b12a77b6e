internal import Catalog
internal import TerminalUI

/// What the detail pane shows.
enum BookDetail: Hashable {
    /// There is no book to show.
    case nothingSelected
    /// The record of the book is not there any more.
    case missing
    /// A book, and the names of the reader's lists that it is on.
    case book(Book, shelves: [String])

    /// The text of the pane.
    var paragraphs: [TextView.Paragraph] {
        switch self {
        case .nothingSelected: return []
        case .missing: return [.init(Book.missingText, style: .dim)]
        case .book(let book, let shelves):
            var paragraphs: [TextView.Paragraph] = [
                .init(book.shownTitle, style: .bold),
                .init(book.shownAuthors),
                .init(""),
                .init(book.shownISBN, label: "ISBN"),
                .init(book.shownPages, label: "Pages"),
                .init(book.shownKind, label: "Kind"),
            ]
            if !shelves.isEmpty { paragraphs.append(.init(shelves.joined(separator: ", "), label: "Shelves")) }
            return paragraphs
        }
    }
}

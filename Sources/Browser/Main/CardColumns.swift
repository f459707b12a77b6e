internal import Books
internal import Catalog
internal import Library
internal import Search
internal import TerminalUI

/// The columns of a card, which shows a book of the list on two or three lines.
extension ListColumn {
    /// Returns the columns of each line, from left to right: title, with what the user has of the book; authors and
    /// year; series and numbers. The last line has the date added only in the order of it.
    static func cardLines(in order: SortOrder) -> [[ListColumn]] {
        let added: [ListColumn] = order.criteria.contains { $0.key == .added } ? [.added] : []
        return [[.favourite, .status, .title, .mine], [.author, .year], [.series, .pages, .rating] + added]
    }

    /// The column of the table; the least important one of a line is hidden first if the pane is narrow.
    var cardColumn: TableColumn {
        switch self {
        case .title, .author, .series: TableColumn(label, width: .share(1), minimumWidth: 10)
        case .status, .favourite: TableColumn(label, width: .fixed(1), priority: 9)
        case .mine: TableColumn(label, width: .fixed(5), priority: 8)
        case .year: TableColumn(label, width: .fixed(7), priority: 7, isRightAligned: true)
        case .rating: TableColumn(label, width: .fixed(6), priority: 6, isRightAligned: true)
        case .added: TableColumn(label, width: .fixed(10), priority: 7, isRightAligned: true)
        default:
            TableColumn(label, width: .fixed(8), priority: 5, isRightAligned: true)
        }
    }

    /// The style of the text: the title stands out, because cards have no line between them.
    var cardStyle: Style {
        switch self {
        case .title: .strong
        case .series, .pages, .rating, .added: .secondary
        default: .plain
        }
    }

    /// Returns the text for a book with this summary. Cards have no heading that says what a number counts.
    func cardText(of book: Book, _ summary: BookSummary) -> (text: String, field: Query.TextField?, isKnown: Bool) {
        guard self == .pages, let count = summary.pageCount else { return text(of: book, summary) }
        return (count.grouped + (count == 1 ? " p" : " pp"), nil, true)
    }
}

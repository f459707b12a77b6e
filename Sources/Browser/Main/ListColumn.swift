internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// A column of the list of books; the raw value names it in options, the config file and the preferences.
public enum ListColumn: String, CaseIterable, Hashable, Sendable {
    case title, author, series, year, pages, rating, language, publisher, subject, isbn, added, status, mine, favourite
}

extension ListColumn {
    /// Returns the standard columns of a table with `width` columns of text: as many as leave enough room for title
    /// and author.
    static func standard(inWidth width: Int) -> [ListColumn] {
        switch width {
        case ..<64: [.favourite, .status, .title, .author]
        case ..<74: [.favourite, .status, .title, .author, .year, .mine]
        case ..<96: [.favourite, .status, .title, .author, .year, .pages, .mine]
        default: [.favourite, .status, .title, .author, .series, .year, .pages, .mine]
        }
    }

    /// Whether any book of `index` may have a value in the column.
    func isKnown(in index: BookIndex) -> Bool {
        switch self {
        case .series: index.hasSeriesPositions
        case .year: index.hasYears
        case .pages: index.hasPages
        case .favourite, .status, .mine, .title, .author, .isbn, .rating, .language, .publisher, .subject, .added: true
        }
    }

    /// Whether the value is the user's own, or takes the place of the catalog's.
    var isOfUser: Bool { isSign || self == .mine }

    /// Whether the values are single signs.
    var isSign: Bool { self == .favourite || self == .status }

    /// The name of the column on the screen.
    var label: String {
        switch self {
        case .status: "Status"
        case .mine: "Mine"
        case .favourite: "Favourite"
        default: BookField(queryName: rawValue)?.info.columnLabel ?? rawValue
        }
    }

    /// The heading of the column; that of a single sign has no room for one.
    private var heading: String { isSign ? "" : label }

    /// The sort key of the column; nil if the list cannot be sorted by it.
    var sortKey: SortOrder.Key? { SortOrder.Key(rawValue: rawValue) }

    /// Whether the values need the whole decoded book; those of the other columns are in the summary or the index.
    var needsWholeBook: Bool {
        switch self {
        case .favourite, .status, .title, .author, .isbn, .year, .pages, .mine: false
        case .series, .rating, .language, .publisher, .subject, .added: true
        }
    }

    /// Returns the column of the table, with the width that the user chose, if any.
    func tableColumn(width chosen: Int?, in order: SortOrder) -> TableColumn {
        let (width, least, priority, isNumber) = measures
        let criterion = order.criteria.first { $0.key == sortKey }
        let sign = criterion.map { $0.isReversed ? " ↓" : " ↑" } ?? ""
        return TableColumn(
            heading + sign, width: chosen.map(TableColumn.Width.fixed) ?? width,
            minimumWidth: order.bringsUpColumn ? min(least, narrowWidth ?? least) : least, priority: priority,
            isRightAligned: isNumber)
    }

    /// The minimum width of title and author beside the column of the sort order; nil for others.
    private var narrowWidth: Int? {
        switch self {
        case .title: 16
        case .author: 12
        default: nil
        }
    }

    /// The width, the minimum width, the priority in a narrow table, and whether the values are numbers.
    private var measures: (TableColumn.Width, least: Int, priority: Int?, isNumber: Bool) {
        switch self {
        case .favourite: (.fixed(1), 1, nil, false)
        case .status: (.fixed(1), 1, 11, false)
        case .title: (.share(3), 26, nil, false)
        case .author: (.share(2), 14, 10, false)
        case .year: (.fixed(7), 7, 9, true)
        case .pages: (.fixed(7), 7, 8, true)
        case .rating: (.fixed(8), 8, 7, true)
        case .mine: (.fixed(5), 5, 7, false)
        case .series: (.share(2), 18, 6, false)
        case .isbn: (.fixed(17), 17, 5, false)
        case .language: (.fixed(10), 10, 4, false)
        case .subject: (.share(2), 18, 3, false)
        case .publisher: (.share(1), 14, 2, false)
        case .added: (.fixed(10), 10, 1, false)
        }
    }

    /// Returns the text for a book with this summary; `book` has only the summary's fields if no column needs more.
    func text(of book: Book, _ summary: BookSummary) -> (text: String, field: Query.TextField?, isKnown: Bool) {
        switch self {
        case .year: (summary.year.map(PartialDate.name) ?? "", nil, true)
        case .pages: (summary.pageCount?.grouped ?? "", nil, true)
        default: text(of: book)
        }
    }

    /// Returns the text for `book`, and the field in which a search finds it.
    func text(of book: Book) -> (text: String, field: Query.TextField?, isKnown: Bool) {
        switch self {
        // The user data of a book is not part of it.
        case .mine, .favourite: ("", nil, true)
        case .status: (book.status?.sign ?? "", nil, true)
        case .title: (book.shownTitle, .title, true)
        case .author: (book.shownAuthors, .author, !book.authors.isEmpty)
        case .series: (book.shownSeries ?? "", .series, true)
        case .year: (book.published.map { PartialDate.name(ofYear: $0.year) } ?? "", nil, true)
        case .pages: (book.pageCount.map(\.grouped) ?? "", nil, true)
        case .rating: (book.rating.map { StarRating($0).text } ?? "", nil, true)
        case .language: (book.shownLanguages, .language, true)
        case .publisher: (book.publisher ?? "", .publisher, true)
        case .subject: (book.subjects.listed, .subject, true)
        case .isbn: (book.isbn == nil ? "" : book.shownISBN, .isbn, true)
        case .added: (book.dateAdded?.sortable ?? "", nil, true)
        }
    }
}

/// The columns that the user chose, from left to right, with their widths.
public struct ListColumns: Hashable, Sendable {
    /// A column with its width.
    struct Choice: Hashable, Sendable {
        var column: ListColumn
        /// The width in columns of text; nil for automatic.
        var width: Int?
    }

    /// The columns, without duplicates.
    var choices: [Choice]

    /// Creates columns with automatic widths.
    init(_ columns: [ListColumn]) {
        choices = columns.map { Choice(column: $0) }
    }

    /// The valid widths of a column.
    static let widths = 3...200

    /// Parses names such as "title" or "author:24"; ignores unknown names, and returns nil if none is known.
    public init?(names: [String]) {
        var seen: Set<ListColumn> = []
        choices = names.compactMap { name in
            let parts = name.split(separator: ":", maxSplits: 1)
            guard let column = parts.first.flatMap({ ListColumn(rawValue: String($0)) }), seen.insert(column).inserted
            else { return nil }
            let width = parts.count > 1 ? Int(parts[1]) : nil
            return Choice(column: column, width: width.flatMap { Self.widths.contains($0) ? $0 : nil })
        }
        if choices.isEmpty { return nil }
    }

    /// The names, in the form that `init(names:)` takes.
    public var names: [String] {
        choices.map { choice in choice.column.rawValue + (choice.width.map { ":\($0)" } ?? "") }
    }
}

extension SortOrder {
    /// Whether it adds a column that the list may not have otherwise.
    fileprivate var bringsUpColumn: Bool { criteria.contains { ![.title, .author].contains($0.key) } }
}

extension PartialDate {
    /// The known parts of the date in ISO order: "2004-03-05", "2004".
    fileprivate var sortable: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return ["\(year)", month.map(padded), month == nil ? nil : day.map(padded)].compactMap(\.self)
            .joined(separator: "-")
    }
}

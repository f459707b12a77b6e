internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// A column that the list of books can have, by the name that options, the config file and the preferences have for it.
public enum ListColumn: String, CaseIterable, Hashable, Sendable {
    case title, author, series, year, pages, rating, language, publisher, subject, isbn, added
}

extension ListColumn {
    /// The columns of a list for which nothing else was chosen, in a table of `width`: as many as leave the title and the
    /// author room to be read.
    static func standard(inWidth width: Int) -> [ListColumn] {
        switch width {
        case ..<64: [.title, .author]
        case ..<74: [.title, .author, .year]
        case ..<96: [.title, .author, .year, .pages]
        default: [.title, .author, .series, .year, .pages]
        }
    }

    /// Whether it may show anything of the books of `index`.
    func isKnown(in index: BookIndex) -> Bool {
        switch self {
        case .series: index.hasSeriesPositions
        case .year: index.hasYears
        case .pages: index.hasPages
        default: true
        }
    }

    /// What it is called, above the column.
    var label: String { BookField(queryName: rawValue)?.info.columnLabel ?? rawValue }

    /// The key that the list can be sorted by for it; nil for none.
    var sortKey: SortOrder.Key? { SortOrder.Key(rawValue: rawValue) }

    /// Whether the whole book is decoded for what it shows; the others are in its heading, or in the index.
    var needsWholeBook: Bool {
        switch self {
        case .title, .author, .isbn, .year, .pages: false
        case .series, .rating, .language, .publisher, .subject, .added: true
        }
    }

    /// It in a table, with a width that the reader chose, where they did.
    func tableColumn(width chosen: Int?, in order: SortOrder) -> TableColumn {
        let (width, least, priority, isNumber) = measures
        let criterion = order.criteria.first { $0.key == sortKey }
        let sign = criterion.map { $0.isReversed ? " ↓" : " ↑" } ?? ""
        return TableColumn(
            label + sign, width: chosen.map(TableColumn.Width.fixed) ?? width,
            minimumWidth: order.bringsUpColumn ? min(least, narrowWidth ?? least) : least, priority: priority,
            isRightAligned: isNumber)
    }

    /// How wide title and author are at least beside the column of the order; nil for the others.
    private var narrowWidth: Int? {
        switch self {
        case .title: 16
        case .author: 12
        default: nil
        }
    }

    /// How wide it is, how wide at least, how long it stays where it gets narrow, and whether it is a number.
    private var measures: (TableColumn.Width, least: Int, priority: Int?, isNumber: Bool) {
        switch self {
        case .title: (.share(3), 26, nil, false)
        case .author: (.share(2), 14, 10, false)
        case .year: (.fixed(7), 7, 9, true)
        case .pages: (.fixed(7), 7, 8, true)
        case .rating: (.fixed(8), 8, 7, true)
        case .series: (.share(2), 18, 6, false)
        case .isbn: (.fixed(17), 17, 5, false)
        case .language: (.fixed(10), 10, 4, false)
        case .subject: (.share(2), 18, 3, false)
        case .publisher: (.share(1), 14, 2, false)
        case .added: (.fixed(10), 10, 1, false)
        }
    }

    /// What it shows of a book with this summary, which is all that is known of the book if no column needs more.
    func text(of book: Book, _ summary: BookSummary) -> (text: String, field: Query.TextField?, isKnown: Bool) {
        switch self {
        case .year: (summary.year.map(PartialDate.name) ?? "", nil, true)
        case .pages: (summary.pageCount?.grouped ?? "", nil, true)
        default: text(of: book)
        }
    }

    /// What it shows of `book`, and the field that a search finds it by.
    func text(of book: Book) -> (text: String, field: Query.TextField?, isKnown: Bool) {
        switch self {
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

/// The columns that the reader chose, from left to right, with the widths that they gave them.
public struct ListColumns: Hashable, Sendable {
    /// One of them.
    struct Choice: Hashable, Sendable {
        var column: ListColumn
        /// In columns of the screen; nil for what the window has room for.
        var width: Int?
    }

    /// The columns, each once.
    var choices: [Choice]

    /// These columns, of any width.
    init(_ columns: [ListColumn]) {
        choices = columns.map { Choice(column: $0) }
    }

    /// The widths that a column can be given.
    static let widths = 3...200

    /// The columns that `names` are, as "title" or "author:24"; nil where there is none among them. What is none is
    /// passed over.
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

    /// Their names, as `init(names:)` takes them.
    public var names: [String] {
        choices.map { choice in choice.column.rawValue + (choice.width.map { ":\($0)" } ?? "") }
    }
}

extension SortOrder {
    /// Whether it has a column that the list may not have otherwise.
    fileprivate var bringsUpColumn: Bool { criteria.contains { ![.title, .author].contains($0.key) } }
}

extension PartialDate {
    /// The date as far as it is known, so that later ones sort behind: "2004-03-05", "2004".
    fileprivate var sortable: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return ["\(year)", month.map(padded), month == nil ? nil : day.map(padded)].compactMap(\.self)
            .joined(separator: "-")
    }
}

public import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Text

/// A column of the list of books: a field of the catalog, or what the user has of a book.
public struct ListColumn: Hashable, Sendable {
    /// The name in options, the config file and the preferences.
    public let rawValue: String
    /// The field of the catalog; nil for what the user has, and for a field that is not known yet.
    let field: BookField?

    private init(_ rawValue: String) { (self.rawValue, field) = (rawValue, nil) }
    /// The column of a field of the catalog.
    init(_ field: BookField) { (rawValue, self.field) = (field.info.queryNames.first ?? field.id, field) }

    /// The column of this name in every catalog.
    public init?(rawValue: String) {
        guard let column = Self.ofEveryBook.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = column
    }

    /// The column of a field that only some catalog has, or misspelled: which, is known once a catalog is open.
    public static func named(_ name: String) -> ListColumn { Self(rawValue: name) ?? Self(name) }

    /// Returns this column in a catalog; nil if the catalog does not have the field.
    func resolved(in schema: Schema) -> ListColumn? {
        if let column = Self(rawValue: rawValue) { return column }
        return schema.ownField(named: rawValue).map { Self($0) }
    }

    /// The title.
    public static let title = Self(.title)
    /// The authors.
    public static let author = Self(.authors)
    /// The series and the place in it.
    public static let series = Self(.series)
    /// The year of publication.
    public static let year = Self(.published)
    /// The number of pages.
    public static let pages = Self(.pageCount)
    /// The catalog's rating.
    public static let rating = Self(.rating)
    /// The date when the book was added.
    public static let added = Self(.dateAdded)
    /// The reading status as a sign.
    public static let status = Self("status")
    /// The user's rating.
    public static let mine = Self("mine")
    /// Whether the book is a favourite, as a sign.
    public static let favourite = Self("favourite")

    /// The columns of every catalog.
    public static let ofEveryBook = BookField.inColumns.map { Self($0) } + [.status, .mine, .favourite]

    /// Returns the names of the columns of a catalog.
    public static func names(of schema: Schema) -> [String] { all(of: schema).map(\.rawValue) }

    /// Returns the columns of a catalog.
    static func all(of schema: Schema) -> [ListColumn] { ofEveryBook + schema.described.map { Self($0) } }
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
        default: true
        }
    }

    /// Whether the value is the user's own, or takes the place of the catalog's.
    var isOfUser: Bool { isSign || self == .mine }

    /// Whether the values are single signs.
    var isSign: Bool { self == .favourite || self == .status }

    /// The name of the column on the screen.
    var label: String {
        field?.info.column?.heading ?? rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// The heading of the column; that of a single sign has no room for one.
    private var heading: String { isSign ? "" : label }

    /// The sort key of the column; nil if the list cannot be sorted by it.
    var sortKey: SortOrder.Key? {
        if let field, field.isOwn { return .own(field) }
        return SortOrder.Key(rawValue: rawValue)
    }

    /// Whether the values need the whole decoded book; those of the other columns are in the summary or the index.
    var needsWholeBook: Bool {
        guard let field else { return false }
        return ![.title, .authors, .isbn, .published, .pageCount].contains(field)
    }

    /// Returns the column of the table, with the width that the user chose, if any.
    func tableColumn(width chosen: Int?, in order: SortOrder) -> TableColumn {
        let criterion = order.criteria.first { $0.key == sortKey }
        let sign = criterion.map { $0.isReversed ? " ↓" : " ↑" } ?? ""
        func column(_ width: TableColumn.Width, _ least: Int, _ priority: Int?, isNumber: Bool = false) -> TableColumn {
            TableColumn(
                heading + sign, width: chosen.map(TableColumn.Width.fixed) ?? width, minimumWidth: least,
                priority: priority, isRightAligned: isNumber)
        }
        guard let measures = field?.info.column else {
            return self == .mine
                ? column(.fixed(5), 5, 7) : column(.fixed(1), 1, self == .status ? 11 : nil)
        }
        let width: TableColumn.Width =
            switch measures.width {
            case .fixed(let count): .fixed(count)
            case .share(let share): .share(share)
            }
        return column(
            width, order.bringsUpColumn ? measures.narrow : measures.least, measures.priority,
            isNumber: measures.isNumber)
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
        guard let field else { return (self == .status ? book.status?.sign ?? "" : "", nil, true) }
        let text: String? =
            switch field {
            case .title: book.nameInList
            case .authors: book.shownAuthors
            case .published: book.published.map { PartialDate.name(ofYear: $0.year) }
            case .rating: book.rating.map { StarRating($0).text }
            case .dateAdded: book.dateAdded?.sortable
            case _ where field.info.own?.kind == .date:
                if case .date(let date)? = field.value(in: book) { date.sortable } else { nil }
            case _ where field.isOwn: field.shown(in: book)?.onOneLine
            default: field.shown(in: book)
            }
        return (text ?? "", Query.TextField(field), field != .authors || !book.authors.isEmpty)
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
    public init(_ columns: [ListColumn]) {
        choices = columns.map { Choice(column: $0) }
    }

    /// The valid widths of a column.
    static let widths = 3...200

    /// Parses names such as "title" or "author:24"; other names are those of fields that only some catalog has. Returns nil
    /// without any name.
    public init?(names: [String]) {
        var seen: Set<ListColumn> = []
        choices = names.compactMap { name in
            let parts = name.split(separator: ":", maxSplits: 1)
            guard let column = parts.first.map({ ListColumn.named(String($0)) }), seen.insert(column).inserted else {
                return nil
            }
            let width = parts.count > 1 ? Int(parts[1]) : nil
            return Choice(column: column, width: width.flatMap { Self.widths.contains($0) ? $0 : nil })
        }
        if choices.isEmpty { return nil }
    }

    /// Returns these columns in a catalog, without those of fields that it does not have.
    func resolved(in schema: Schema) -> [Choice] {
        var seen: Set<ListColumn> = []
        return choices.compactMap { choice in
            guard let column = choice.column.resolved(in: schema), seen.insert(column).inserted else { return nil }
            return Choice(column: column, width: choice.width)
        }
    }

    /// Returns the names of fields that a catalog does not have.
    public func unknownNames(in schema: Schema) -> [String] {
        choices.filter { $0.column.resolved(in: schema) == nil }.map(\.column.rawValue)
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

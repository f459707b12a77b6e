public import Books
internal import Catalog
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
    /// The languages.
    public static let language = Self(.languages)
    /// The publisher.
    public static let publisher = Self(.publisher)
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
    /// The standard columns from left to right, in a table that is wide enough for all.
    private static let inWideTables: [ListColumn] = [
        .favourite, .status, .title, .author, .series, .year, .pages, .rating, .mine, .language, .publisher, .added,
    ]

    /// The columns beside titles and authors, the most important one first, with the room that it must leave these two.
    private static let further: [(column: ListColumn, room: Int)] = [
        (.year, 50), (.mine, 50), (.pages, 52), (.series, 53), (.rating, 60), (.language, 60), (.publisher, 60),
        (.added, 60),
    ]

    /// Returns the standard columns of a table with `width` columns of text: of those that are worth their room, as many
    /// as leave enough for title and author. Signs are always among them.
    static func standard(inWidth width: Int, where isWorthRoom: (ListColumn) -> Bool) -> [ListColumn] {
        var shown: Set<ListColumn> = [.favourite, .status, .title, .author]
        // The room for titles and authors, beside the bar, the margin and the blank between them.
        var room = width - 3 - 2 * shown.count { $0.isSign && isWorthRoom($0) }
        for (column, least) in further where isWorthRoom(column) {
            let left = room - column.leastWidth - 1
            if left < least { break }
            shown.insert(column)
            room = left
        }
        return inWideTables.filter(shown.contains)
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

    /// The width that the column needs.
    private var leastWidth: Int { field?.info.column?.least ?? (isSign ? 1 : 5) }

    /// Returns the column of the table, with the width that the user chose, if any. A column without any value gives up
    /// the room that its heading does not need.
    func tableColumn(width chosen: Int?, in order: SortOrder, isEmpty: Bool = false) -> TableColumn {
        let criterion = order.criteria.first { $0.key == sortKey }
        let title = heading + (criterion.map { $0.isReversed ? " ↓" : " ↑" } ?? "")
        guard let measures = field?.info.column else {
            // The arrow of the order needs more room than the stars.
            let width = self == .mine ? isEmpty ? title.count : max(title.count, leastWidth) : leastWidth
            return TableColumn(
                title, width: .fixed(chosen ?? width), priority: self == .mine ? 7 : self == .status ? 11 : nil)
        }
        let width: TableColumn.Width =
            switch measures.width {
            case .fixed(let count): .fixed(isEmpty ? min(count, title.count) : count)
            case .share(let share): isEmpty ? .fixed(measures.least) : .share(share)
            }
        return TableColumn(
            title, width: chosen.map(TableColumn.Width.fixed) ?? width,
            minimumWidth: order.bringsUpColumn ? measures.narrow : measures.least,
            comfortableWidth: measures.comfortable, priority: measures.priority, isRightAligned: measures.isNumber)
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
        /// Whether the user has hidden the column, which keeps its place.
        var isHidden = false
    }

    /// The columns, shown and hidden, without duplicates.
    var choices: [Choice]

    /// Creates columns with automatic widths.
    public init(_ columns: [ListColumn]) {
        choices = columns.map { Choice(column: $0) }
    }

    /// The valid widths of a column.
    static let widths = 3...200

    /// Parses names such as "title" or "author:24"; other names are those of fields that only some catalog has. Returns nil
    /// without any name.
    public init?(names: [String]) { self.init(names, mayHide: false) }

    /// Parses names in the form of `names`, in which a "-" precedes that of a hidden column.
    init?(stored names: [String]) { self.init(names, mayHide: true) }

    private init?(_ names: [String], mayHide: Bool) {
        var seen: Set<ListColumn> = []
        choices = names.compactMap { name in
            let isHidden = mayHide && name.hasPrefix("-")
            let parts = name.dropFirst(isHidden ? 1 : 0).split(separator: ":", maxSplits: 1)
            guard let column = parts.first.map({ ListColumn.named(String($0)) }), seen.insert(column).inserted else {
                return nil
            }
            let width = parts.count > 1 ? Int(parts[1]) : nil
            return Choice(
                column: column, width: width.flatMap { Self.widths.contains($0) ? $0 : nil }, isHidden: isHidden)
        }
        if choices.isEmpty { return nil }
    }

    /// Returns these columns in a catalog, without those of fields that it does not have.
    func resolved(in schema: Schema) -> [Choice] {
        var seen: Set<ListColumn> = []
        return choices.compactMap { choice in
            var choice = choice
            guard let column = choice.column.resolved(in: schema), seen.insert(column).inserted else { return nil }
            choice.column = column
            return choice
        }
    }

    /// Returns the names of fields that a catalog does not have.
    public func unknownNames(in schema: Schema) -> [String] {
        choices.filter { $0.column.resolved(in: schema) == nil }.map(\.column.rawValue)
    }

    /// The names, in the form that `init(stored:)` takes.
    public var names: [String] {
        choices.map { choice in
            (choice.isHidden ? "-" : "") + choice.column.rawValue + (choice.width.map { ":\($0)" } ?? "")
        }
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

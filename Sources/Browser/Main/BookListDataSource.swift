internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI
internal import Text

/// Provides the books of a list as rows of a table, with the chosen columns.
final class BookListDataSource: TableViewDataSource {
    /// The listed books. The table must be reloaded when they change.
    var books: any RowSource = BookList([]) {
        didSet { (recent, listedSelectionCount) = (RecentRows(), nil) }
    }
    /// The listed books if they are local; empty if they are on a server.
    var list: BookList { books as? BookList ?? BookList([]) }
    /// The number of rows with books, including placeholders.
    var bookRowCount: Int { books.rowCount.displayed }
    var sections: BookSections? {
        didSet {
            titles = sections.map { SectionTitles(of: $0, in: library.store) }
            gaps?.forget()
            recent = RecentRows()
        }
    }
    /// The maximum number of books of a section that are counted by status whenever it is drawn, which takes
    /// microseconds.
    private static let countedBooks = 100
    private var titles: SectionTitles?
    /// The user data of listed books that are missing from the catalog; their rows come last.
    var missing: [(identity: BookIdentity, bookData: UserBookData)] = []
    /// The highlighter of the matches of a search; nil without a search.
    var highlighter: MatchHighlighter? {
        didSet { recent = RecentRows() }
    }
    /// The search by facets whose ticks are shown again, as long as the list has its query.
    var facets: FacetedSearch?
    /// The columns, from left to right.
    var columns: [ListColumn] = [.title, .author] {
        didSet { if columns != oldValue { recent = RecentRows() } }
    }
    /// How rows show books.
    var look = Look() {
        didSet { if look != oldValue { recent = RecentRows() } }
    }
    private var form: ListForm { look.form }
    /// Whether the columns are those of cards, as those of covers are.
    private var isOfCards: Bool { form != .columns }
    /// The covers of the books.
    let covers: CoverShelf
    /// What is missing in the series of the sections, if the headings tell it, because all of their books are listed.
    var gaps: SeriesGapTexts?
    /// The selected books.
    var selection = RowSelection() {
        didSet { listedSelectionCount = nil }
    }
    /// The number of selected books among `books`; nil if it is not counted.
    var listedSelectionCount: Int?
    private let library: Library
    private var recent = RecentRows()

    /// The fields of recently shown books by their index, because most keys show the same rows again.
    private struct RecentRows {
        /// The fields without the user data.
        var ofCatalog: [Int: [TableViewCell.Field]] = [:]
        /// The fields with the user data.
        var shown = Cached<[Int: [TableViewCell.Field]]>()

        /// The maximum number of books: a few screens.
        static let capacity = 512
    }

    /// How rows show books.
    struct Look: Hashable {
        /// The form of the list.
        var form = ListForm.columns
        /// Whether rows show the other title of a book in place of its title.
        var showsOriginalScript = false
        /// Whether ratings are numbers, which tell apart what has the same number of stars: in the order of them.
        var showsRatingNumbers = false
    }

    /// Creates a data source for the books of `library`.
    init(library: Library, covers: CoverShelf = CoverShelf()) {
        self.library = library
        self.covers = covers
    }

    /// Marks the words of a query in the rows; the ticks of facets are no words that were looked for.
    func mark(_ query: Query) {
        let words = facets.flatMap { $0.query == query ? $0.base : nil } ?? query
        highlighter = words.expression == .everything ? nil : MatchHighlighter(words)
    }

    func numberOfSections(in tableView: TableView) -> Int { bookSectionCount + (missing.isEmpty ? 0 : 1) }

    private var bookSectionCount: Int { sections?.starts.count ?? 1 }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        if section == bookSectionCount { return missing.count }
        guard let starts = sections?.starts else { return bookRowCount }
        return (section + 1 < starts.count ? starts[section + 1] : bookRowCount) - starts[section]
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        if section == bookSectionCount { return "Not in this catalog" }
        guard let title = titles?[section], let sections, section < sections.count,
            let missing = gaps?.text(ofSection: section, of: sections, in: library.store.index)
        else { return titles?[section] }
        return "\(title): \(missing) missing"
    }

    func tableView(_ tableView: TableView, summaryForHeaderInSection section: Int) -> String? {
        guard let sections, sections.key != .status, section < sections.count else { return nil }
        let rows = sections.rows(ofSection: section)
        if rows.count > Self.countedBooks { return nil }
        var counts: [Book.ReadingStatus: Int] = [:]
        for id in rows.map({ sections.list[$0] }) {
            if let status = library.status(of: id) { counts[status, default: 0] += 1 }
        }
        let statuses: [Book.ReadingStatus] = [.read, .reading, .toRead, .abandoned]
        let summary = statuses.compactMap { status in counts[status].map { "\(status.sign) \($0)" } }
        return summary.joined(separator: " ")
    }

    /// Returns the cell of a row with other columns than those on the screen; nil without a row.
    func cell(atRow row: Int?, of tableView: TableView, in choices: [ListColumns.Choice]) -> TableViewCell? {
        guard let row else { return nil }
        let shown = (columns, look)
        defer { (columns, look) = shown }
        (columns, look.form) = (choices.map(\.column), .columns)
        return self.tableView(tableView, cellForRowAt: tableView.indexPath(forRow: row))
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        if indexPath.section == bookSectionCount { return cell(for: missing[indexPath.row].bookData) }
        let row = (sections?.starts[indexPath.section] ?? 0) + indexPath.row
        let range = selection.range(to: tableView.currentRow, count: bookRowCount)
        let slot = books.id(atRow: row)
        let isSelected = slot.value.map(selection.books.contains) ?? false || range?.contains(row) ?? false
        let fields = slot.flatMap { shownFields(of: $0) }
        guard case .ready(let fields) = fields else {
            // A column of signs has no room for it.
            let signs = columns.prefix(while: \.isOfUser).map { _ in TableViewCell.Field("") }
            return TableViewCell(
                signs + [.init(fields.placeholder, style: .secondary)], isSelected: isSelected)
        }
        let figure = form == .covers ? slot.value.map { coverFigure(of: $0, in: tableView) } : nil
        return TableViewCell(fields, isSelected: isSelected, figure: figure)
    }

    /// Returns the cover of a book, or a frame with its title.
    private func coverFigure(of id: BookID, in tableView: TableView) -> Figure {
        let (book, size) = (library.store.book(id).value, tableView.tiles?.figure)
        if let book, let size, let cover = covers.cover(of: book, in: size) { return Figure(cover) }
        return .frame(book?.title ?? "")
    }

    /// Returns the fields of a book with its user data.
    private func shownFields(of id: BookID) -> Slot<[TableViewCell.Field]> {
        if let shown = recent.shown[version]?[id.index] { return .ready(shown) }
        return fields(of: id).map { fields in
            var fields = fields
            if let bookData = library.shownUserData(of: id) { show(bookData, in: &fields) }
            // Looking for the user data can locate it.
            let version = version
            if recent.shown[version] == nil { recent.shown[version] = [:] }
            // Fields that are still to be completed are not kept.
            if recent.ofCatalog[id.index] != nil { recent.shown.latest?[id.index] = fields }
            return fields
        }
    }

    /// The version of the user data that rows show.
    private var version: LibraryVersion { library.version(of: [.userData, .places]) }

    /// Puts the user data of a book in place of the fields that depend on it.
    private func show(_ bookData: UserBookData, in fields: inout [TableViewCell.Field]) {
        for (number, column) in columns.enumerated() where column.isOfUser {
            if column == .favourite, bookData.isFavourite { fields[number] = .favourite }
            if column == .mine { fields[number] = .ownRating(bookData.rating) }
            // The status in the catalog counts as long as the user gives none.
            if column == .status, bookData.status != nil { fields[number] = .status(bookData.status) }
        }
    }

    /// Returns the fields of a book, without its user data.
    private func fields(of id: BookID) -> Slot<[TableViewCell.Field]> {
        if let known = recent.ofCatalog[id.index] { return .ready(known) }
        let summary = library.store.summary(of: id)
        guard var known = summary.value else { return summary.map { _ in [] } }
        var book: Book?
        let needsWholeBook =
            look.showsOriginalScript || known.title.isEmpty || columns.contains(where: \.needsWholeBook)
        if needsWholeBook {
            let whole = library.store.book(id)
            // A server delivers whole books later than rows; these columns are filled when the books arrive.
            if case .gone = whole { return .gone }
            book = whole.value
        }
        if look.showsOriginalScript, let title = book?.otherTitle?.nonEmpty {
            known.title = title
            book?.title = title
        }
        let fields: [TableViewCell.Field] =
            columns.map { field(of: $0, for: book ?? Book(known), known, id) }
        if book == nil, needsWholeBook { return .ready(fields) }
        if recent.ofCatalog.count >= RecentRows.capacity { recent = RecentRows() }
        recent.ofCatalog[id.index] = fields
        return .ready(fields)
    }

    private func cell(for bookData: UserBookData) -> TableViewCell {
        let book = Book(title: bookData.title, authors: bookData.authors)
        var fields = columns.map { column -> TableViewCell.Field in
            .init([.title, .author].contains(column) ? column.text(of: book).text : "", style: .secondary)
        }
        show(bookData, in: &fields)
        return TableViewCell(fields)
    }

    /// The reading status of a book in the catalog.
    private func status(of id: BookID, _ book: Book) -> Book.ReadingStatus? {
        let index = library.store.index
        return id.index < index.count ? index.facts(at: id.index).traits.status : book.status
    }

    private func field(
        of column: ListColumn, for book: Book, _ summary: BookSummary, _ id: BookID
    ) -> TableViewCell.Field {
        if column == .status { return .status(status(of: id, book)) }
        if column == .rating, look.showsRatingNumbers || isOfCards {
            // On cards, only the user's own rating has stars, and no heading says what the number is.
            let text = book.rating.map { isOfCards ? $0.shown + "/5" : $0.shown } ?? ""
            return .init(text, style: isOfCards ? column.cardStyle : .plain)
        }
        let (text, field, isKnown) = isOfCards ? column.cardText(of: book, summary) : column.text(of: book, summary)
        let style = isKnown ? (isOfCards ? column.cardStyle : .plain) : Style.secondary
        let place = column == .title ? place(of: id) : ""
        if let highlighter, let own = column.field, own.isOwn {
            return .init(text, style: style, highlights: highlighter.ranges(in: text, own: own))
        }
        guard let highlighter, let field else { return .init(place + text, style: style) }
        let offset = place.utf8.count
        let highlights = highlighter.ranges(in: text, field: field).map {
            $0.lowerBound + offset..<$0.upperBound + offset
        }
        return .init(place + text, style: style, highlights: highlights)
    }

    /// The place of a book before its title, "#2 ", if the sections are series.
    private func place(of id: BookID) -> String {
        guard sections?.key == .series, !isOfCards, id.index < library.store.index.count else { return "" }
        let position = library.store.index.facts(at: id.index).position
        return position.isNaN ? "" : "#\(Double(position).shown) "
    }
}

extension TableViewCell.Field {
    /// The sign of a favourite.
    static let favourite = TableViewCell.Field("★", style: .sign, spoken: "favourite")

    /// The sign of a reading status; blank without one.
    static func status(_ status: Book.ReadingStatus?) -> TableViewCell.Field {
        guard let status else { return TableViewCell.Field("") }
        return TableViewCell.Field(status.sign, style: Style(status.role), spoken: status.shown.lowercased())
    }

    /// The user's own rating in stars; blank without one.
    static func ownRating(_ rating: StarRating?) -> TableViewCell.Field {
        guard let rating else { return TableViewCell.Field("") }
        return TableViewCell.Field(rating.text, style: .sign, spoken: "rated \(rating.number) of 5")
    }
}

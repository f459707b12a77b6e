internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

/// Gives a table the books of a list as rows: the sign of a favourite, and the columns that were chosen.
final class BookListDataSource: TableViewDataSource {
    /// What is listed, and the sections that it stands in, if any. The table must be reloaded when they change.
    var books: any RowSource = BookList([]) {
        didSet { recentFields = [:] }
    }
    /// The books that are listed, if they are at hand; empty if a server has them.
    var list: BookList { books as? BookList ?? BookList([]) }
    /// How many rows there are of books, placeholders included.
    var bookRowCount: Int { books.rowCount.displayed }
    var sections: BookSections? {
        didSet { titles = sections.map { SectionTitles(of: $0, in: library.store) } }
    }
    private var titles: SectionTitles?
    /// The marks that the list has on books that are not in the catalog; they stand behind the others.
    var missing: [(identity: BookIdentity, bookData: UserBookData)] = []
    /// What finds the places that match a search; nil where nothing is searched for.
    var highlighter: MatchHighlighter? {
        didSet { recentFields = [:] }
    }
    /// The columns of its cells, behind the one for the sign.
    var columns: [ListColumn] = [.title, .author] {
        didSet { if columns != oldValue { recentFields = [:] } }
    }
    /// The books that the reader chose.
    var selection = RowSelection()
    private let library: Library
    /// The fields of the books that were shown last, most keys show the same rows again.
    private var recentFields: [BookID: [TableViewCell.Field]] = [:]
    /// A few screens of them.
    private static let recentCount = 512

    /// A data source for the books of `library`.
    init(library: Library) {
        self.library = library
    }

    func numberOfSections(in tableView: TableView) -> Int { bookSectionCount + (missing.isEmpty ? 0 : 1) }

    private var bookSectionCount: Int { sections?.starts.count ?? 1 }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        if section == bookSectionCount { return missing.count }
        guard let starts = sections?.starts else { return bookRowCount }
        return (section + 1 < starts.count ? starts[section + 1] : bookRowCount) - starts[section]
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        section == bookSectionCount ? "Not in this catalog" : titles?[section]
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        if indexPath.section == bookSectionCount { return cell(for: missing[indexPath.row].bookData) }
        let row = (sections?.starts[indexPath.section] ?? 0) + indexPath.row
        let range = selection.range(to: tableView.currentRow, count: bookRowCount)
        let slot = books.id(atRow: row)
        let isChosen = slot.value.map(selection.books.contains) ?? false || range?.contains(row) ?? false
        let cell = slot.flatMap { id in fields(of: id).map { (id, $0) } }
        guard case .ready((let id, var fields)) = cell else {
            return TableViewCell([.init(" "), .init(cell.placeholder, style: .secondary)], isSelected: isChosen)
        }
        if library.shownUserData(of: id)?.isFavourite == true { fields[0] = .favourite }
        return TableViewCell(fields, isSelected: isChosen)
    }

    /// The fields of a book, without the sign of a favourite.
    private func fields(of id: BookID) -> Slot<[TableViewCell.Field]> {
        if let recent = recentFields[id] { return .ready(recent) }
        let summary = library.store.summary(of: id)
        guard let known = summary.value else { return summary.map { _ in [] } }
        var book: Book?
        if columns.contains(where: \.needsWholeBook) {
            let whole = library.store.book(id)
            // A server gives whole books later than rows: those columns fill when they are there.
            if case .gone = whole { return .gone }
            book = whole.value
        }
        let fields: [TableViewCell.Field] =
            [.init(" ")] + columns.map { field(of: $0, for: book ?? Book(known), known) }
        if book == nil, columns.contains(where: \.needsWholeBook) { return .ready(fields) }
        if recentFields.count >= Self.recentCount { recentFields = [:] }
        recentFields[id] = fields
        return .ready(fields)
    }

    private func cell(for bookData: UserBookData) -> TableViewCell {
        let book = Book(title: bookData.title, authors: bookData.authors)
        let fields = columns.map { column -> TableViewCell.Field in
            .init([.title, .author].contains(column) ? column.text(of: book).text : "", style: .secondary)
        }
        return TableViewCell([bookData.isFavourite ? .favourite : .init(" ")] + fields)
    }

    private func field(of column: ListColumn, for book: Book, _ summary: BookSummary) -> TableViewCell.Field {
        let (text, field, isKnown) = column.text(of: book, summary)
        let style = isKnown ? Style.plain : .secondary
        guard let highlighter, let field else { return .init(text, style: style) }
        return .init(text, style: style, highlights: highlighter.ranges(in: text, field: field))
    }
}

extension TableViewCell.Field {
    /// The sign of a favourite.
    static let favourite = TableViewCell.Field("★", style: .sign)
}

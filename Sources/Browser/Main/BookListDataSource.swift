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
    var list = BookList([]) {
        didSet { recentFields = [:] }
    }
    var sections: BookSections? {
        didSet { titles = sections.map { SectionTitles(of: $0, in: library.store) } }
    }
    private var titles: SectionTitles?
    /// The marks that the list has on books that are not in the catalog; they stand behind the others.
    var missing: [(identity: BookIdentity, mark: UserBookData)] = []
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
    /// The fields of the books that were shown last, by their indices: most keys show the same rows again.
    private var recentFields: [Int: [TableViewCell.Field]] = [:]
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
        guard let starts = sections?.starts else { return list.count }
        return (section + 1 < starts.count ? starts[section + 1] : list.count) - starts[section]
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        section == bookSectionCount ? "Not in this catalog" : titles?[section]
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        if indexPath.section == bookSectionCount { return cell(for: missing[indexPath.row].mark) }
        let row = (sections?.starts[indexPath.section] ?? 0) + indexPath.row
        let index = list.index(atRow: row)
        let range = selection.range(to: tableView.selectedRow, count: list.count)
        let isMarked = selection.books.contains(index) || range?.contains(row) ?? false
        guard var fields = fields(ofBookAt: index) else {
            return TableViewCell([.init(" "), .init(Book.missingText, style: .secondary)], isMarked: isMarked)
        }
        if library.shownMark(at: index)?.isFavourite == true { fields[0] = .favourite }
        return TableViewCell(fields, isMarked: isMarked)
    }

    /// The fields of a book that is no favourite; nil where it is not there any more.
    private func fields(ofBookAt index: Int) -> [TableViewCell.Field]? {
        if let recent = recentFields[index] { return recent }
        let needsWholeBook = columns.contains(where: \.needsWholeBook)
        guard let book = needsWholeBook ? library.store.book(at: index) : library.store.heading(at: index) else {
            return nil
        }
        let fields: [TableViewCell.Field] = [.init(" ")] + columns.map { field(of: $0, for: book, at: index) }
        if recentFields.count >= Self.recentCount { recentFields = [:] }
        recentFields[index] = fields
        return fields
    }

    private func cell(for mark: UserBookData) -> TableViewCell {
        let book = Book(title: mark.title, authors: mark.authors)
        let fields = columns.map { column -> TableViewCell.Field in
            .init([.title, .author].contains(column) ? column.text(of: book).text : "", style: .secondary)
        }
        return TableViewCell([mark.isFavourite ? .favourite : .init(" ")] + fields)
    }

    private func field(of column: ListColumn, for book: Book, at index: Int) -> TableViewCell.Field {
        let (text, field, isKnown) = column.text(of: book, at: index, in: library.store.index)
        let style = isKnown ? Style.plain : .secondary
        guard let highlighter, let field else { return .init(text, style: style) }
        return .init(text, style: style, highlights: highlighter.ranges(in: text, field: field))
    }
}

extension TableViewCell.Field {
    /// The sign of a favourite.
    static let favourite = TableViewCell.Field("★", style: .sign)
}

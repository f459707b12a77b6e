internal import Catalog
internal import TerminalUI

/// Gives a table the books of a list as rows: mark, title, author.
final class BookListDataSource: TableViewDataSource {
    /// The columns that its cells fill.
    static let columns = [
        TableColumn("", width: .fixed(1)),
        TableColumn("Title", width: .share(3)),
        TableColumn("Author", width: .share(2), minimumTableWidth: 40),
    ]

    /// What is listed, and the sections that it stands in, if any. The table must be reloaded when they change.
    var list = BookList([])
    var sections: BookSections? {
        didSet { titles = sections.map { SectionTitles(of: $0, in: library.store) } }
    }
    private var titles: SectionTitles?
    /// What finds the places that match a search; nil where nothing is searched for.
    var finder: MatchFinder?
    private let library: Library

    /// A data source for the books of `library`.
    init(library: Library) {
        self.library = library
    }

    func numberOfSections(in tableView: TableView) -> Int { sections?.starts.count ?? 1 }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        guard let starts = sections?.starts else { return list.count }
        return (section + 1 < starts.count ? starts[section + 1] : list.count) - starts[section]
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        titles?[section]
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let index = list.index(atRow: (sections?.starts[indexPath.section] ?? 0) + indexPath.row)
        guard let book = library.store.heading(at: index) else {
            return TableViewCell([.init(" "), .init(Book.missingText, style: .secondary), .init(" ")])
        }
        return TableViewCell([
            library.isFavourite(at: index) ? .favourite : .init(" "),
            field(book.shownTitle, in: .title),
            field(book.shownAuthors, in: .author, style: book.authors.isEmpty ? .secondary : .plain),
        ])
    }

    private func field(_ text: String, in field: Query.TextField, style: Style = .plain) -> TableViewCell.Field {
        guard let finder else { return .init(text, style: style) }
        return .init(text, style: style, highlights: finder.ranges(in: text, field: field))
    }
}

extension TableViewCell.Field {
    /// The sign of a favourite.
    static let favourite = TableViewCell.Field("★", style: .sign)
}

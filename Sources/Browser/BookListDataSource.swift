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

    /// What is listed. The table must be reloaded when it changes.
    var list = BookList([])
    private let library: Library

    /// A data source for the books of `library`.
    init(library: Library) {
        self.library = library
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { list.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let index = list.index(atRow: indexPath.row)
        guard let book = library.store.heading(at: index) else {
            return TableViewCell([.init(" "), .init(Book.missingText, style: .dim), .init(" ")])
        }
        return TableViewCell([
            library.isFavourite(at: index) ? .favourite : .init(" "),
            .init(book.shownTitle),
            .init(book.shownAuthors, style: book.authors.isEmpty ? .dim : .plain),
        ])
    }
}

extension TableViewCell.Field {
    /// The sign of a favourite.
    static let favourite = TableViewCell.Field("★", style: Style(.bold, foreground: .yellow))
}

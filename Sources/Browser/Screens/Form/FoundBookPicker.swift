internal import Books
internal import Library
internal import TerminalUI

/// The list of the books that were found by a title, of which one is chosen for the form.
final class FoundBookPicker: Picker, TableViewDataSource {
    let context = CommandContext.jump
    let title = "Books found"
    let prompt = ">"
    let verb = "choose"
    var size: Size { Size(rows: min(16, table.rowCount + 3), columns: 90) }
    /// The typed words.
    var editor = LineEditor()
    /// The table of matching books.
    let table = TableView(columns: [
        TableColumn("Title", width: .share(3), minimumWidth: 12),
        TableColumn("Authors", width: .share(2), minimumWidth: 10),
        TableColumn("Year", width: .fixed(6), priority: 1),
        TableColumn("Publisher", width: .share(1), minimumWidth: 10, priority: 2),
        TableColumn("Found in", width: .share(1), minimumWidth: 8, priority: 0),
    ])
    private let all: [LookedUpBook]
    private var books: [LookedUpBook] = []
    private weak var form: BookForm?

    /// Lists books for a form.
    init(_ books: [LookedUpBook], for form: BookForm) {
        (all, self.form) = (books, form)
        table.dataSource = self
        table.surface = .popup
        table.placeholder = Message.noMatchingBooks.text()
        find()
    }

    func edited(_ app: App) { find() }

    func accepted(_ app: App) -> Effect {
        guard let row = table.currentRow else { return .none }
        form?.choose(books[row])
        app.close(self)
        return .none
    }

    private func find() {
        let words = words
        books = all.filter { words.match(([$0.book.title] + $0.book.authors).joined(separator: " ")) }
        table.reloadData()
        table.select(0, top: 0)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { books.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let (found, book) = (books[indexPath.row], books[indexPath.row].book)
        let year = book.published.map { String($0.description.prefix(4)) } ?? ""
        return TableViewCell([
            .init(book.shownTitle), .init(book.authors.listed), .init(year), .init(book.publisher ?? ""),
            .init(found.sources.joined(separator: ", "), style: .secondary),
        ])
    }
}

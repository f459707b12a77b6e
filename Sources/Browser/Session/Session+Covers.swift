internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import TerminalUI

/// The covers of the books that the user looks at.
extension Session {
    /// The covers of the books in the list.
    var covers: CoverShelf { books.rows.covers }

    /// The rows before and after the current one whose covers are loaded ahead.
    private static let rowsAhead = [1, -1, 2, -2]

    /// Loads the covers on the screen, and then those of the next rows as far as they are on this machine.
    func loadCovers(inCard size: Size?) {
        if let size, let row = books.table.currentRow {
            for row in Self.rowsAhead.map({ row + $0 }) where row >= 0 && row < books.rows.bookRowCount {
                guard let id = books.rows.books.id(atRow: row).value, let book = library.store.book(id).value else {
                    continue
                }
                _ = covers.cover(of: book, in: size, isAhead: true)
            }
        }
        covers.load()
    }

    /// Takes over the covers that were loaded. Whether one that was asked for came is seen in its place.
    func receiveCovers() {
        if covers.receive(), status.text == Message.fetchingCover.text() { status.clear() }
    }

    /// Fetches the cover of the current book from its server; asks first if the user has not named that server.
    func fetchCover(_ app: App) {
        guard covers.isShown else { return status.say(.coversOff) }
        guard let (_, book) = currentWholeBook else { return }
        switch covers.fetch(book) {
        case .none: status.say(.noCover, keyLabel(of: .editBook))
        case .nothing: status.say(.coverReadAgain)
        case .fetched:
            covers.hasPlace ? status.say(.fetchingCover) : status.say(.coverWithoutPlace, keyLabel(of: .open))
        case .permission(let server):
            let verbs = (confirm: "fetch", keep: "cancel")
            app.push(
                ConfirmDialog(Message.fetchCoverFrom.text(server.place), below: app.top, app, verbs: verbs) {
                    isConfirmed, app in
                    if isConfirmed {
                        self.covers.allow(server)
                        self.fetchCover(app)
                    }
                    return .none
                })
        }
    }
}

internal import Catalog
internal import Library
internal import Shelves
internal import TerminalUI

/// What becomes of the books that are scanned.
enum ScanMode: Hashable {
    /// They are added to the catalog.
    case add
    /// They become the current book.
    case find
    /// They are put on a shelf with this name.
    case shelf(String)
}

/// The choice of what becomes of the books that are scanned.
final class ScanPicker: Picker, TableViewDataSource {
    /// Opens it.
    static let opener = ScreenOpener(context: .shelves) { ScanPicker($0.session) }

    let context = CommandContext.shelves
    let title = "Scan books"
    let prompt = ">"
    let verb = "scan"
    var size: Size { Size(rows: min(14, table.rowCount + 3), columns: 50) }
    /// The typed words, or the name of a new shelf.
    var editor = LineEditor()
    /// The table of matching choices.
    let table = TableView(columns: [TableColumn("Scan", width: .share(1), minimumWidth: 10)])
    private let session: Session
    private var modes: [ScanMode] = []

    private init(_ session: Session) {
        self.session = session
        table.dataSource = self
        table.surface = .popup
        find()
    }

    func edited(_ app: App) { find() }

    private func find() {
        let words = words
        let userData = session.library.userData
        let all = [ScanMode.add, .find] + userData.shelves.map { .shelf($0.name) }
        modes = all.filter { words.match(text(of: $0)) }
        let name = editor.text.split(separator: " ").joined(separator: " ")
        if !name.isEmpty, session.library.list(named: name) == nil { modes.append(.shelf(name)) }
        table.reloadData()
        table.select(0, top: 0)
    }

    private func text(of mode: ScanMode) -> String {
        switch mode {
        case .add: Message.scanToAdd.text()
        case .find: Message.scanToFind.text()
        case .shelf(let name): Message.scanToShelf.text(name)
        }
    }

    func accepted(_ app: App) -> Effect {
        guard let mode = table.currentRow.map({ modes[$0] }) else { return .none }
        app.close(self)
        switch mode {
        case .add:
            guard session.isEditable(inList: true) else { return .none }
            guard session.services.lookup != nil else {
                app.push(ScanScreen(.add, session, lookup: nil))
                return .none
            }
            session.lookUp(isAsked: true, app, orElse: { app.push(ScanScreen(.add, app.session, lookup: nil)) }) {
                app.push(ScanScreen(.add, app.session, lookup: $0))
            }
        case .find, .shelf: app.push(ScanScreen(mode, session, lookup: nil))
        }
        return .none
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { modes.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        TableViewCell([.init(text(of: modes[indexPath.row]))])
    }
}

internal import Graphemes
internal import Library
internal import Storage
internal import TerminalUI
internal import Text
internal import Threading

/// The picker of the catalog to open in place of the present one: those opened before, those that the config file names,
/// and any other by its path or address.
final class CatalogPicker: Picker, TableViewDataSource {
    /// Opens the picker.
    static let opener = ScreenOpener(context: .catalogs) { CatalogPicker($0.session) }

    let context = CommandContext.catalogs
    let title = "Open a catalog"
    let prompt = ">"
    let verb = "open"
    var size: Size { Size(rows: 16, columns: 84) }
    var editor = LineEditor()
    let table = TableView(columns: [
        TableColumn("Name", width: .fixed(30), minimumWidth: 12),
        TableColumn("Place", width: .share(1), minimumWidth: 20, priority: 0),
    ])
    private let session: Session
    /// The catalogs that can be opened, some of which may be on slow disks.
    private let known: BackgroundTask<[KnownCatalog]>
    private var rows: [Row] = []
    /// Whether more rows can come, from a slow disk.
    private var isIncomplete = false
    /// The directory of the typed path with its files, which may be on a slow disk.
    private var directory: (path: String, files: BackgroundTask<[PathCompletion.File]>)?

    /// A row of the picker.
    private enum Row {
        case catalog(KnownCatalog)
        case file(PathCompletion.File)
    }

    /// Creates the picker of the catalogs with some paths; of those that are known if there are none.
    init(_ session: Session, offering offered: [String] = []) {
        self.session = session
        if offered.isEmpty {
            let (known, recent) = (session.services.catalogs.known, session.preferences.recentCatalogs)
            self.known = BackgroundTask(notifying: session.wake) { _ in known(recent) }
            self.known.wait(milliseconds: session.books.timeBudget)
        } else {
            known = BackgroundTask(made: offered.map { KnownCatalog(path: $0) })
        }
        table.dataSource = self
        table.surface = .popup
        find()
    }

    func edited(_ app: App) { find() }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.background), isIncomplete { find() }
    }

    func closed(_ app: App) { directory?.files.cancel() }

    /// Opens the current row, or what was typed if it is no row.
    func accepted(_ app: App) -> Effect {
        // What is pasted may end with a blank.
        let blanks = editor.text.reversed().prefix { $0.isWhitespace }.count
        let typed = String(editor.text.dropLast(blanks).drop { $0.isWhitespace })
        switch table.currentRow.map({ rows[$0] }) {
        case .catalog(let catalog)?: return open(catalog.name ?? catalog.path, app)
        case .file(let file)? where file.isDirectory:
            complete(app)
            return .none
        case .file(let file)?: return open(PathCompletion(typed).path(of: file), app)
        case nil: return typed.isEmpty ? .none : open(expandedPath(typed), app)
        }
    }

    /// Completes the path as far as all files agree, or with the current one if they do not.
    func complete(_ app: App) {
        let completion = PathCompletion(editor.text)
        let files = rows.compactMap { row in if case .file(let file) = row { file } else { nil } }
        guard let current = table.currentRow, files.indices.contains(current) else { return }
        let common = files.dropFirst().reduce(files[0].name) { common, file in
            String(zip(common, file.name).prefix { $0 == $1 }.map(\.0))
        }
        let text =
            files.count > 1 && common.count > completion.beginning.count
            ? completion.directory + common : completion.text(of: files[current])
        editor = LineEditor(text)
        find()
    }

    private func open(_ path: String, _ app: App) -> Effect {
        app.close(self)
        return OpeningProgress.begin(NextCatalog(path: path), app)
    }

    /// Finds the catalogs with the typed words, or the files that begin as the typed path does.
    private func find() {
        let text = editor.text
        if PathCompletion.isPath(text) {
            rows = files(for: PathCompletion(text)).map(Row.file)
            isIncomplete = directory?.files.isMade == false
            table.placeholder = Message.opensTypedPath.text()
        } else {
            let words = words
            isIncomplete = !known.isMade
            let known = known.value?.filter { $0.path != session.catalogPath }
            rows = (known ?? []).filter { words.match(($0.name ?? "") + " " + $0.path) }.map(Row.catalog)
            table.placeholder =
                (known.map { $0.isEmpty ? Message.noOtherCatalogs : .noMatch } ?? .lookingForCatalogs).text()
        }
        table.reloadData()
        table.select(0, top: 0)
    }

    /// The files in the directory of a path that begin as it does; none while they are still being read.
    private func files(for completion: PathCompletion) -> [PathCompletion.File] {
        let path = completion.expandedDirectory
        if directory?.path != path {
            directory?.files.cancel()
            directory = (path, BackgroundTask(notifying: session.wake) { _ in PathCompletion.files(in: path) })
        }
        _ = directory?.files.wait(milliseconds: session.books.timeBudget)
        return directory?.files.value?.filter(completion.accepts) ?? []
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        switch rows[indexPath.row] {
        case .catalog(let catalog):
            let path = abbreviatedPath(catalog.path)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return TableViewCell([.init((catalog.name ?? name).sanitized), .init(path.sanitized, style: .secondary)])
        case .file(let file):
            return TableViewCell([.init(file.name.sanitized + (file.isDirectory ? "/" : "")), .init("")])
        }
    }
}

internal import Library
internal import TerminalUI

/// All commands, found by their names, with their keys.
final class CommandPalette: Picker, TableViewDataSource {
    /// Opens it.
    static let opener = ScreenOpener(context: .palette) { CommandPalette($0.session, recent: $0.recentCommands) }

    let context = CommandContext.palette
    let title = "Commands"
    let prompt = ":"
    let verb = "run"
    let size = Size(rows: 16, columns: 84)
    /// What is typed to find them.
    var editor = LineEditor()
    /// Those that were found, the best first.
    let table = TableView(columns: [
        TableColumn("Command", width: .fixed(24), minimumWidth: 10),
        TableColumn("Description", width: .share(1), minimumWidth: 30, priority: 0),
        TableColumn("Keys", width: .fixed(12), isRightAligned: true),
    ])
    private let session: Session
    /// The commands that were run from the palette, the last one first.
    private let recent: [Command]
    private var matches: [CommandInfo] = []

    /// Creates a palette of the commands that `session` has, those of `recent` first.
    init(_ session: Session, recent: [Command] = []) {
        self.session = session
        self.recent = recent
        table.dataSource = self
        table.surface = .popup
        table.placeholder = Message.noCommand.text()
        find()
    }

    func edited(_ app: App) { find() }

    /// Finds the commands for what is typed.
    private func find() {
        matches = Self.commands(matching: editor.text, recent: recent).filter { session.has($0.needs) }
        table.reloadData()
        table.select(0, top: 0)
    }

    /// The command that is selected.
    var selection: CommandInfo? { table.currentRow.map { matches[$0] } }

    /// Gives the command that is selected.
    func accepted(_ app: App) -> Effect {
        guard let info = selection else { return .none }
        app.close(self)
        guard app.applies(info.command) else { return .none }
        app.noteRecent(info.command)
        guard info.argument != nil else { return app.perform(CommandRequest(command: info.command)) }
        app.awaitArgument(of: info.command)
        return .none
    }

    /// Returns the commands whose titles, or else whose descriptions or groups, contain all words of `text`: first the
    /// one with this title, then those whose titles or words of them begin so. Among equals, the recent ones come first,
    /// then the order is that of the table.
    static func commands(matching text: String, recent: [Command] = []) -> [CommandInfo] {
        let words = text.lowercased().split(separator: " ")
        let ranked = CommandInfo.all.enumerated().compactMap { index, info -> (Int, Int, CommandInfo)? in
            if info.command == .palette { return nil }
            let title = info.title.lowercased()
            let all = [title, info.help.lowercased(), info.group.rawValue.lowercased()].joined(separator: "\n")
            var rank = title == words.joined(separator: " ") ? -1 : 0
            for word in words {
                if title.hasPrefix(word) { continue }
                if title.contains(" " + word) {
                    rank += 1
                } else if title.contains(word) {
                    rank += 2
                } else if all.contains(word) {
                    rank += 10
                } else {
                    return nil
                }
            }
            return (rank, recent.firstIndex(of: info.command) ?? recent.count + index, info)
        }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { matches.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let info = matches[indexPath.row]
        return TableViewCell([
            .init(info.title),
            .init(info.help, style: .secondary),
            .init(session.bindings.labels(of: info.command).joined(separator: " "), style: .strong),
        ])
    }
}

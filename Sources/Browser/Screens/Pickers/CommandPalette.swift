internal import Library
internal import TerminalUI

/// The command palette: finds commands by name, and shows their keys.
final class CommandPalette: Picker, TableViewDataSource {
    /// Opens the palette.
    static let opener = ScreenOpener(context: .palette) { CommandPalette($0.session, recent: $0.recentCommands) }

    let context = CommandContext.palette
    let title = "Commands"
    let prompt = ":"
    let verb = "run"
    let size = Size(rows: 16, columns: 84)
    /// The typed words.
    var editor = LineEditor()
    /// The matching commands, the best match first.
    let table = TableView(columns: [
        TableColumn("Command", width: .fixed(24), minimumWidth: 10),
        TableColumn("Description", width: .share(1), minimumWidth: 30, priority: 0),
        TableColumn("Keys", width: .fixed(12), isRightAligned: true),
    ])
    private let session: Session
    /// The commands run from the palette, latest first.
    private let recent: [Command]
    private var matches: [CommandInfo] = []

    /// Creates a palette of the commands that `session` supports, those of `recent` first.
    init(_ session: Session, recent: [Command] = []) {
        self.session = session
        self.recent = recent
        table.dataSource = self
        table.surface = .popup
        table.placeholder = Message.noCommand.text()
        find()
    }

    func edited(_ app: App) { find() }

    /// Finds the commands for the typed words.
    private func find() {
        matches = Self.commands(matching: editor.text, recent: recent).filter { session.has($0.needs) }
        table.reloadData()
        table.select(0, top: 0)
    }

    /// The current command.
    var selection: CommandInfo? { table.currentRow.map { matches[$0] } }

    /// Performs the current command.
    func accepted(_ app: App) -> Effect {
        guard let info = selection else { return .none }
        app.close(self)
        guard app.applies(info.command) else { return .none }
        app.addRecent(info.command)
        guard info.argument != nil else { return app.perform(CommandRequest(command: info.command)) }
        app.awaitArgument(of: info.command)
        return .none
    }

    /// Returns the commands whose title, or else description or group, contains all words of `text`: first the one
    /// with exactly this title, then those whose title or words of it start with them. Equal matches are in the order
    /// of use, most recent first, then in that of the table.
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
            .init(session.bindings.listedLabels(of: info.command), style: .strong),
        ])
    }
}

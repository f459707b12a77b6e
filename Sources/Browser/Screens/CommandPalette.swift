internal import TerminalUI

/// All commands, found by their names, with their keys.
final class CommandPalette: Picker, TableViewDataSource {
    /// Opens it.
    static let opener = ScreenOpener(context: .palette) { CommandPalette($0.session) }

    let context = CommandContext.palette
    let title = "Commands"
    let prompt = ":"
    let verb = "run"
    let size = Size(rows: 16, columns: 60)
    /// What is typed to find them.
    var editor = LineEditor()
    /// Those that were found, the best first.
    let table = TableView(columns: [
        TableColumn("Command", width: .share(1), minimumWidth: 10),
        TableColumn("Keys", width: .fixed(12), isRightAligned: true),
    ])
    private let session: Session
    private var matches: [CommandInfo] = []

    /// The commands that `session` has, with their keys.
    init(_ session: Session) {
        self.session = session
        table.dataSource = self
        table.surface = .popup
        table.placeholder = "No command has such a name."
        find()
    }

    func edited(_ app: App) { find() }

    /// Finds the commands for what is typed.
    private func find() {
        matches = Self.commands(matching: editor.text).filter { session.has($0.needs) }
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
        guard info.argument != nil else { return app.perform(CommandRequest(command: info.command)) }
        app.awaitArgument(of: info.command)
        return .none
    }

    /// The commands in whose titles, or else in whose help or group, all words of `text` are: that first which is called
    /// so, then those where words begin the title, then those where they begin words of it, and among equals in the order of the declarations.
    static func commands(matching text: String) -> [CommandInfo] {
        let words = text.lowercased().split(separator: " ")
        let ranked = CommandInfo.all.enumerated().compactMap { place, info -> (Int, Int, CommandInfo)? in
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
            return (rank, place, info)
        }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { matches.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let info = matches[indexPath.row]
        return TableViewCell([
            .init(info.title),
            .init(session.bindings.labels(of: info.command).joined(separator: " "), style: .strong),
        ])
    }
}

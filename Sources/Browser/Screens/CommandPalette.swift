internal import TerminalUI

/// All commands, found by their names, with their keys.
final class CommandPalette: Picker, TableViewDataSource {
    let title = "Commands"
    let prompt = ":"
    let size = Size(rows: 16, columns: 60)
    /// What is typed to find them.
    var editor = LineEditor()
    /// Those that were found, the best first.
    let table = TableView(columns: [
        TableColumn("Command", width: .share(1), minimumWidth: 10),
        TableColumn("Keys", width: .fixed(12), isRightAligned: true),
    ])
    private let bindings: KeyBindings
    private var matches: [Command] = []

    /// The commands with the keys of `bindings`.
    init(bindings: KeyBindings) {
        self.bindings = bindings
        table.dataSource = self
        table.surface = .popup
        table.placeholder = "No command has such a name."
    }

    /// Begins anew, with all commands.
    func reset() {
        editor = LineEditor()
        find()
    }

    /// Finds the commands for what is typed.
    func find() {
        matches = Self.commands(matching: editor.text)
        table.reloadData()
        table.select(0, top: 0)
    }

    /// The selected one.
    var selection: Command? { table.selectedRow.map { matches[$0] } }

    /// The commands in whose titles, or else in whose help or group, all words of `text` are: that first which is called
    /// so, then those where words begin the title, then those where they begin words of it, and among equals in the order of the declarations.
    static func commands(matching text: String) -> [Command] {
        let words = text.lowercased().split(separator: " ")
        let ranked = Command.allCases.enumerated().compactMap { place, command -> (Int, Int, Command)? in
            if command == .palette { return nil }
            let declaration = command.declaration
            let title = declaration.title.lowercased()
            let all = [title, declaration.help.lowercased(), command.group.rawValue.lowercased()].joined(
                separator: "\n")
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
            return (rank, place, command)
        }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { matches.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let command = matches[indexPath.row]
        return TableViewCell([
            .init(command.declaration.title),
            .init(bindings.labels(of: command).joined(separator: " "), style: .strong),
        ])
    }
}

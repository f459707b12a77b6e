internal import Books
internal import Library
internal import Search
internal import TerminalUI
internal import Text

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
    private var matches: [Entry] = []
    /// The commands that the session supports.
    private let candidates: [Candidate]

    /// A row of the palette.
    private enum Entry {
        case command(Command)
        case list(NamedList)
        case setting(SettingChoice)

        /// The theme that the row chooses, if it does.
        var theme: Theme? { if case .setting(let setting) = self { setting.theme } else { nil } }
    }

    /// Creates a palette of the commands that `session` supports, those of `recent` first.
    init(_ session: Session, recent: [Command] = []) {
        self.session = session
        self.recent = recent
        candidates = Self.candidates.filter { session.has($0.needs) }
        table.dataSource = self
        table.surface = .popup
        table.placeholder = Message.noCommand.text()
        find()
    }

    func edited(_ app: App) { find() }

    /// Handles a key, and shows the theme that it has moved to or has named, or again the one in use.
    func type(_ key: Key, _ app: App) -> Effect? {
        let text = editor.text
        let effect = typeText(key, app)
        guard effect?.isNone != false else { return effect }
        // When it is closed, the app shows the one in use.
        guard app.top === self else { return effect }
        let used = session.settings.theme
        let isMeant = editor.text == text || matches.count { $0.theme != nil } == 1
        let theme = (isMeant ? selection?.theme : nil) ?? used
        if theme == app.previewedTheme ?? used { return effect }
        app.previewedTheme = theme
        return .adapt { $0.use(theme) }
    }

    /// Finds the commands for the typed words.
    private func find() {
        let commands = Self.commands(matching: editor.text, recent: recent, of: candidates)
        let words = words
        let lists = words.isEmpty ? [] : session.library.everyList.filter { words.match($0.name) }
        matches = commands.map(Entry.command)
        // A list with this name is meant rather than a command whose description has the words, but not rather than a
        // command with this title.
        let name = words.words.joined(separator: " ")
        let isNamed = lists.first?.name.folded == name
        let titled = commands.prefix { $0.info.title.folded == name }.count
        matches.insert(contentsOf: lists.map(Entry.list), at: isNamed ? titled : matches.count)
        let settings =
            words.isEmpty
            ? []
            : SettingChoice.all(besides: session.settings).filter { setting in
                let title = setting.title.folded
                return words.match { word in
                    title.hasBytes(of: word) || setting.synonyms.contains { $0.hasPrefix(word) }
                }
            }
        // A command with these words in its title is more likely meant, one that has them in its description is not.
        let named = matches.prefix { entry in
            guard case .command(let command) = entry else { return true }
            return words.match(command.info.title)
        }
        matches.insert(contentsOf: settings.map(Entry.setting), at: named.count)
        table.reloadData()
        table.select(0, top: 0)
    }

    private var selection: Entry? { table.currentRow.map { matches[$0] } }

    /// Performs the current command, or opens the current list.
    func accepted(_ app: App) -> Effect {
        guard let selection else { return .none }
        app.close(self)
        switch selection {
        case .list(let list):
            app.main.goToList(list, app)
            return .none
        case .setting(let setting):
            session.status.say(setting.message)
            return setting.choose(app)
        case .command(let command):
            guard app.applies(command) else { return .none }
            app.addRecent(command)
            guard command.info.argument != nil else { return app.perform(CommandRequest(command: command)) }
            app.awaitArgument(of: command)
            return .none
        }
    }

    /// The commands that a reader needs first, if none was used yet.
    private static let likely: [Command] = [
        .search, .jump, .favourite, .status(.read), .status(.reading), .status(.toRead), .rate, .putOnShelf, .note,
        .facets,
        .sort(.title), .section(.series), .statistics, .lists, .export, .undo, .help, .guide,
    ]

    /// A command that may be listed.
    struct Candidate {
        let command: Command
        /// Its number in the table.
        let number: Int
        /// Its place while nothing is typed and it was not used yet.
        let place: Int
        let isMovement: Bool
        let needs: SourceAbility?
    }

    /// All commands but that of the palette, in the order of the table; made once, since each key looks through all.
    static let candidates = CommandInfo.all.enumerated().filter { $1.command != .palette }.map { number, info in
        Candidate(
            command: info.command, number: number,
            place: likely.firstIndex(of: info.command) ?? likely.count + number, isMovement: info.group == .moving,
            needs: info.needs)
    }

    /// The texts of a command in which words are found, normalized.
    fileprivate struct SearchTexts {
        let title: String
        let synonyms: [String]
        let all: String
    }

    /// The texts by the number of the command; made with the first letter.
    private static let searchTexts = CommandInfo.all.map { info in
        SearchTexts(
            title: info.title.folded, synonyms: info.synonyms,
            all: [info.title, info.help, info.group.rawValue].joined(separator: " ").folded)
    }

    /// Returns the commands whose title, or else synonyms, description or group, contains all words of `text`: first the
    /// one with exactly this title, then those whose title or words of it start with them. Equal matches are in the order
    /// of use, most recent first, then in that of the table. Without words, the likely commands come first, and those
    /// that move last.
    static func commands(
        matching text: String, recent: [Command] = [], of candidates: [Candidate] = candidates
    ) -> [Command] {
        let typed = FilterWords(text)
        let words = typed.words
        if words.isEmpty && !typed.isEmpty { return [] }
        let name = words.joined(separator: " ")
        let ranked = candidates.compactMap { candidate -> (Int, Int, Command)? in
            let used = recent.firstIndex(of: candidate.command)
            if words.isEmpty {
                let isMovement = used == nil && candidate.isMovement
                return (isMovement ? 1 : 0, used ?? recent.count + candidate.place, candidate.command)
            }
            guard let rank = searchTexts[candidate.number].rank(of: words, named: name) else { return nil }
            return (rank, used ?? recent.count + candidate.number, candidate.command)
        }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { matches.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        switch matches[indexPath.row] {
        case .command(let command):
            TableViewCell([
                .init(command.info.title),
                .init(command.info.help, style: .secondary),
                .init(session.bindings.listedLabels(of: command), style: .strong),
            ])
        case .list(let list):
            TableViewCell([
                .init(list.name), .init("Open this list.", style: .secondary),
                .init(session.library.count(of: list)?.text ?? "", style: .secondary),
            ])
        case .setting(let setting):
            TableViewCell([.init(setting.title), .init(setting.help, style: .secondary), .init("")])
        }
    }
}

extension CommandPalette.SearchTexts {
    /// Returns how far down the command stands for these words, from -1 for the one with exactly this title; nil if it does
    /// not have them all.
    fileprivate func rank(of words: [String], named name: String) -> Int? {
        var rank = title == name ? -1 : 0
        for word in words {
            if title.hasPrefix(word) || synonyms.contains(word) { continue }
            if title.hasBytes(of: " " + word) || synonyms.contains(where: { (" " + $0).hasBytes(of: " " + word) }) {
                rank += 1
            } else if title.hasBytes(of: word) {
                rank += 2
            } else if all.hasBytes(of: word) {
                rank += 10
            } else {
                return nil
            }
        }
        return rank
    }
}

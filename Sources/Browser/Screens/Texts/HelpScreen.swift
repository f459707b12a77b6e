internal import Library
internal import TerminalUI
internal import Text

/// The help screen: all commands and their keys, from the table of commands.
final class HelpScreen: FilterableScreen, TextScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .help) { HelpScreen($0.session, from: $0.front.context) }

    let context = CommandContext.help
    private(set) var filter = ""
    // The matches are too long to be read out after every key; Enter prints them.
    let isSpokenWhileFiltering = false
    let view = TwoColumnText()
    private let session: Session
    /// The screen that it was opened from.
    private let origin: CommandContext

    /// Creates the screen with the key bindings of `session`, which begins with the commands of `origin`.
    init(_ session: Session, from origin: CommandContext = .books) {
        self.session = session
        self.origin = origin
        show(matching: "")
    }

    /// Shows the commands that contain all words of `text`.
    func show(matching text: String) {
        filter = text
        view.show(Self.paragraphs(of: session.bindings, from: origin, matching: text, where: session.has))
    }

    func heading(_ app: App) -> Heading {
        Heading(title: filter.isEmpty ? "Help" : "Help / " + filter, position: view.positionText)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: view, count: request.count)
        case .scrollDetail(let step): view.scroll(by: step.rows(count: request.count))
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        default: return .ignored
        }
        return .done
    }

    /// Returns the text of the screen for the commands whose keys, title, help or section contain all words of `text`.
    ///
    /// - Parameters:
    ///   - origin: The screen whose commands come first.
    ///   - isPossible: Returns whether the source of the books has the ability that a command needs.
    static func paragraphs(
        of bindings: KeyBindings, from origin: CommandContext = .books, matching text: String = "",
        where isPossible: (SourceAbility?) -> Bool = { _ in true }
    ) -> [TextView.Paragraph] {
        let words = FilterWords(text)
        var paragraphs: [TextView.Paragraph] = []
        for section in sections(from: origin) {
            let commands = section.commands.filter { info in
                guard isPossible(info.needs) else { return false }
                let keys = bindings.labels(of: info.command)
                let all = [info.title, info.help, section.title].joined(separator: " ").folded
                return words.match { word in all.hasBytes(of: word) || keys.contains { $0.folded == word } }
            }
            if commands.isEmpty { continue }
            if !paragraphs.isEmpty { paragraphs.append(.init("")) }
            paragraphs.append(.init(section.title, style: .strong))
            paragraphs += commands.map { info in
                let keys = bindings.listedLabels(of: info.command)
                return .init(info.help, label: keys.isEmpty ? "no key" : keys)
            }
        }
        return paragraphs.isEmpty ? [.init(Message.noCommand.text(), style: .secondary)] : paragraphs
    }

    /// The commands of the screen that the help was opened from, then those of the books in their groups, and then those
    /// that hold on other screens only. Each command is in one section.
    private static func sections(from origin: CommandContext) -> [(title: String, commands: [CommandInfo])] {
        var rest = CommandInfo.all
        func take(_ isIn: (CommandInfo) -> Bool) -> [CommandInfo] {
            defer { rest.removeAll(where: isIn) }
            return rest.filter(isIn)
        }
        var sections: [(String, [CommandInfo])] = []
        if let name = origin.screenName { sections.append((name, take { $0.contexts.contains(origin) })) }
        for group in CommandGroup.allCases {
            sections.append(
                (group.rawValue, take { $0.group == group && !$0.contexts.isDisjoint(with: .bookPanes) }))
        }
        for context in CommandContext.allCases {
            guard let name = context.screenName else { continue }
            sections.append((name, take { $0.contexts.contains(context) }))
        }
        return sections
    }
}

extension CommandContext {
    /// The title of the section of help with the commands of the screen; nil for the books, whose commands are in groups.
    fileprivate var screenName: String? {
        switch self {
        case .books, .detail: nil
        case .lists: "In the lists"
        case .facets: "In the facets"
        case .columns: "In the columns"
        case .history: "In the history"
        case .log: "In the reading log"
        case .duplicates: "In the duplicates"
        case .values: "In the values"
        case .lookup: "In a lookup"
        case .clashes: "In the conflicts"
        case .changes: "In the unsaved changes"
        case .replacement: "In the preview of a replacement"
        case .guide: "In the guide"
        case .statistics: "In the statistics"
        case .messages: "In the messages"
        case .record: "In the record"
        case .help: "In the help"
        case .search, .palette, .shelves, .fields, .catalogs, .prompt, .form, .jump: "Where text is typed"
        }
    }
}

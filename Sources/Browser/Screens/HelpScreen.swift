internal import Graphemes
internal import TerminalUI

/// All commands and their keys, made from the table of commands.
final class HelpScreen: Screen {
    /// Opens it.
    static let opener = ScreenOpener(context: .help) { HelpScreen($0.session) }

    let context = CommandContext.help
    let placement = Placement.body
    /// What is looked for among the commands; "" for nothing.
    private(set) var query = ""
    private let view = TextView()
    private let session: Session

    /// The commands with the keys that they have in `session`.
    init(_ session: Session) {
        self.session = session
        find("")
    }

    /// Shows the commands with all words of `text`.
    func find(_ text: String) {
        query = text
        view.paragraphs = Self.paragraphs(of: session.bindings, matching: text, where: session.has)
        view.scrollToTop()
    }

    func heading(_ app: App) -> Heading {
        Heading(
            title: query.isEmpty ? "Help" : "Help / " + query, position: view.positionText, namesFormat: false)
    }

    func layout(in area: Rect, _ app: App) { view.frame = area.textFrame }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        view.draw(on: &canvas)
        return Position(row: view.frame.row, column: view.frame.column)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: view, count: request.count)
        case .scrollDetail(let step): view.scroll(by: step.rows(count: request.count))
        case .search: app.push(HelpFilter(self))
        case .cancel where !query.isEmpty: find("")
        default: return .ignored
        }
        return .done
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if let rows = mouse.wheelRows { view.scroll(by: rows) }
        return .done
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: .help, heading: heading(app).title,
            content: .text(view.paragraphs.map(\.spoken), topLine: view.textOfTopLine, sameTellsChangesOnly: false))
    }

    /// The text of the screen: of all commands, or of those in whose keys, title, help or group all words of `text` are.
    ///
    /// - Parameter isPossible: Whether the source of the books has the ability that a command needs.
    static func paragraphs(
        of bindings: KeyBindings, matching text: String = "", where isPossible: (SourceAbility?) -> Bool = { _ in true }
    ) -> [TextView.Paragraph] {
        let words = text.lowercased().split(separator: " ")
        var paragraphs: [TextView.Paragraph] = []
        for group in CommandGroup.allCases {
            let commands = CommandInfo.all.filter { info in
                guard info.group == group, isPossible(info.needs) else { return false }
                let keys = bindings.labels(of: info.command)
                let all = [info.title, info.help, group.rawValue].joined(separator: "\n").lowercased()
                return words.allSatisfy { word in
                    all.contains(word) || keys.contains { $0.lowercased() == word }
                }
            }
            if commands.isEmpty { continue }
            if !paragraphs.isEmpty { paragraphs.append(.init("")) }
            paragraphs.append(.init(group.rawValue, style: .strong))
            paragraphs += commands.map { info in
                let keys = bindings.labels(of: info.command).joined(separator: " ")
                return .init(info.help, label: keys.isEmpty ? "no key" : keys)
            }
        }
        return paragraphs.isEmpty ? [.init("No command has this in its name or help.", style: .secondary)] : paragraphs
    }
}

/// The line in which the reader looks for a command in the help.
final class HelpFilter: TextInput {
    let context = CommandContext.search
    let placement = Placement.line
    let prompt = "/"
    var editor: LineEditor
    private let help: HelpScreen

    /// The line of `help`, with what is looked for there.
    init(_ help: HelpScreen) {
        self.help = help
        editor = LineEditor(help.query)
    }

    func heading(_ app: App) -> Heading { help.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        InputLine(editor: editor, prompt: prompt).draw(on: &canvas, app)
    }

    func edited(_ app: App) { help.find(editor.text) }

    func accepted(_ app: App) -> Effect {
        app.close(self)
        return .none
    }

    func cancelled(_ app: App) {
        app.close(self)
        help.find("")
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .ignored }

    func point(_ mouse: Mouse, _ app: App) -> Response { .ignored }

    // All that is found with each key would never end; it is told with Enter.
    func spoken(_ app: App) -> Spoken {
        Spoken(place: .help, typed: (prompt + editor.text).sanitized, content: .nothing)
    }
}

extension Rect {
    /// Where text stands that has this part of the window.
    var textFrame: Rect { Rect(row: row, column: 1, height: height, width: width - 2) }
}

internal import Library
internal import TerminalUI

/// The help screen: all commands and their keys, from the table of commands.
final class HelpScreen: FilterableScreen, TextScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .help) { HelpScreen($0.session) }

    let context = CommandContext.help
    private(set) var filter = ""
    // The matches are too long to be read out after every key; Enter prints them.
    let isSpokenWhileFiltering = false
    let view = TwoColumnText()
    private let session: Session

    /// Creates the screen with the key bindings of `session`.
    init(_ session: Session) {
        self.session = session
        show(matching: "")
    }

    /// Shows the commands that contain all words of `text`.
    func show(matching text: String) {
        filter = text
        view.show(Self.paragraphs(of: session.bindings, matching: text, where: session.has))
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

    /// Returns the text of the screen for the commands whose keys, title, help or group contain all words of `text`.
    ///
    /// - Parameter isPossible: Returns whether the source of the books has the ability that a command needs.
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
                let keys = bindings.listedLabels(of: info.command)
                return .init(info.help, label: keys.isEmpty ? "no key" : keys)
            }
        }
        return paragraphs.isEmpty ? [.init(Message.noCommand.text(), style: .secondary)] : paragraphs
    }
}

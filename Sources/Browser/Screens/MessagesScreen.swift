internal import Library
internal import TerminalUI

/// The screen of current warnings, and of the messages of this run, newest first.
final class MessagesScreen: Screen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .messages) { MessagesScreen($0.session) }

    let context = CommandContext.messages
    let placement = Placement.body
    private let view = TextView()
    private let session: Session

    /// Creates the screen of the messages of `session`.
    init(_ session: Session) { self.session = session }

    func heading(_ app: App) -> Heading { Heading(title: "Messages", position: view.positionText) }

    func layout(in area: Rect, _ app: App) {
        let (warnings, log) = (session.warnings, session.status.log)
        view.paragraphs = log.isEmpty ? [.init(Message.noMessages.text(), style: .secondary)] : log.map { .init($0) }
        if !warnings.isEmpty {
            view.paragraphs.insert(
                contentsOf: [.init("Warnings", style: .strong)] + warnings.map { .init($0.sentence) }
                    + [.init(""), .init("Messages", style: .strong)], at: 0)
        }
        view.frame = area.textFrame
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        view.draw(on: &canvas)
        return Position(row: view.frame.row, column: view.frame.column)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        guard case .move(let motion) = request.command else { return .ignored }
        motion.apply(to: view, count: request.count)
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool { command != .move(.down) || view.isScrollable }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if let rows = mouse.wheelRows { view.scroll(by: rows) }
        return .done
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: context, heading: "Messages",
            content: .text(view.paragraphs.map(\.spoken), topLine: view.textOfTopLine, speaksChangesOnly: false))
    }
}

internal import Catalog
internal import Library
internal import Storage
internal import TerminalUI

/// The screen of current warnings, of the messages of this run, newest first, and of how the catalog is read.
final class MessagesScreen: TextScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .messages) { MessagesScreen($0.session) }

    let context = CommandContext.messages
    let view = TextView()
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
        let format = session.library.store.recordBacked?.format?.sentence
        view.paragraphs +=
            [.init(""), .init("Catalog", style: .strong)] + (format.map { [.init($0)] } ?? [])
            + [.init("File: " + abbreviatedPath(session.catalogPath))]
        view.frame = area.textFrame
    }
}

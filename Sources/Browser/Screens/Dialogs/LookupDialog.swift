internal import Graphemes
internal import Library
internal import TerminalUI

/// The question whether library servers may see what is looked up, with the servers.
final class LookupDialog: PopupDialog {
    static let width = 70
    let inputRowCount = 0
    let title = "Look up in library servers?"
    private let servers: [LookupSource]
    private let answered: (_ isAllowed: Bool, App) -> Void

    /// Asks; `answered` is called with the answer, unless the lookup is cancelled.
    init(_ servers: [LookupSource], answered: @escaping (_ isAllowed: Bool, App) -> Void) {
        (self.servers, self.answered) = (servers, answered)
    }

    func lines(_ width: Int) -> [String] {
        let names = servers.map { server in
            let host = server.path.split(separator: "/").dropFirst().first.map(String.init) ?? server.path
            return server.name == host ? host : "\(server.name) (\(host))"
        }
        return [Message.serversWouldSee.text(names.listed), "", Message.lookupChoiceKept.text()].flatMap { text in
            text.isEmpty ? [""] : LineWrapper(text.sanitized, width: width).map { $0.map(\.text).joined() }
        }
    }

    func draw(_ lines: [String], in rect: Rect, on canvas: inout Canvas) -> Position {
        for (number, line) in lines.prefix(rect.height).enumerated() {
            canvas.write(line, row: rect.row + number, column: rect.column, width: rect.width, style: Style(on: .popup))
        }
        return Position(row: rect.row, column: rect.column)
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        [
            KeyHint(.character("y"), "ask them"), KeyHint(.character("n"), "only catalogs here"),
            KeyHint(.escape, "cancel"),
        ]
    }

    func type(_ key: Key, _ app: App) -> Effect? {
        switch key {
        case .character("y"), .character("n"):
            app.close(self)
            answered(key == .character("y"), app)
        case .escape, .control("c"): app.close(self)
        default: break
        }
        return Effect.none
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: .prompt, heading: title,
            content: .text(lines(ScreenReaderOutput.windowSize.columns), topLine: "", speaksChangesOnly: true))
    }
}

internal import Library
internal import TerminalUI

/// A popup with the progress of work that runs between keys; the key that cancels stops it.
protocol ProgressScreen: Screen {
    /// The activity in words: "Changing 10,000 books".
    var activity: String { get }
    /// The progress in words.
    var progressText: String { get }
    /// The message when the work is stopped.
    var stoppedMessage: Message { get }
}

extension ProgressScreen {
    var context: CommandContext { .prompt }
    var placement: Placement { .popup }

    func heading(_ app: App) -> Heading { app.main.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let body = app.main.layout?.body else { return Position(row: 0, column: 0) }
        let popup = Popup(in: body, contentSize: Size(rows: 2, columns: 66))
        popup.draw(activity, on: &canvas)
        let rect = popup.content
        for (number, line) in [progressText, "\(Key.escape.label) stops"].enumerated() where number < rect.height {
            canvas.write(
                line, row: rect.row + number, column: rect.column, width: rect.width,
                style: Style(number == 0 ? .plain : .secondary, on: .popup))
        }
        return Position(row: rect.row, column: rect.column)
    }

    func type(_ key: Key, _ app: App) -> Effect? {
        if let command = app.singleKeyRequest(by: key)?.command, command == .cancel || command == .interrupt {
            app.close(self)
            app.session.status.say(stoppedMessage)
        }
        return Effect.none
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .done }

    func spoken(_ app: App) -> Spoken { Spoken(place: .prompt, heading: activity, content: .row(progressText)) }
}

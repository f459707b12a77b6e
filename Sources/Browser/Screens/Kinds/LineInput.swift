internal import Graphemes
internal import TerminalUI

/// A line for text in place of the status line, above a screen that stays visible.
protocol LineInput: TextInput {
    /// The prompt in a window of this width.
    func prompt(width: Int) -> String
    /// What the line says below the text if there is no message; "" for the keys.
    var note: String { get }

    /// Returns the screen below the line.
    func screenBelow(_ app: App) -> any Screen
}

extension LineInput {
    var placement: Placement { .line }
    var note: String { "" }

    func prompt(width: Int) -> String { prompt }

    func screenBelow(_ app: App) -> any Screen { app.main }

    func heading(_ app: App) -> Heading { screenBelow(app).heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        let prompt = prompt(width: app.main.layout?.status.width ?? 0)
        return InputLine(editor: editor, prompt: prompt, syntaxError: syntaxError, note: note).draw(on: &canvas, app)
    }

    /// A line that filters lets commands act on the screen below; one that asks for something does not.
    func perform(_ request: CommandRequest, _ app: App) -> Response { context == .prompt ? .done : .ignored }

    func point(_ mouse: Mouse, _ app: App) -> Response { .ignored }

    func cancelled(_ app: App) { app.close(self) }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: context, typed: (prompt + editor.text).sanitized, content: screenBelow(app).spoken(app).content)
    }
}

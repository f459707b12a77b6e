internal import Books
internal import Graphemes
internal import Library
internal import TerminalUI

/// The line for what is replaced in the values of a field.
final class ReplaceBar: LineInput {
    let context = CommandContext.prompt
    var editor = LineEditor()
    let prompt: String
    private let field: BookField
    private let below: any Screen
    private let use: (FieldTransform, App) -> Void

    /// Creates the line above the screen `below`, which calls `use` with what was typed.
    init(in field: BookField, below: any Screen, use: @escaping (FieldTransform, App) -> Void) {
        (self.field, self.below, self.use) = (field, below, use)
        prompt = "Replace in \(field.info.label): "
    }

    func keyHints(_ app: App) -> [KeyHint]? { [KeyHint(.enter, "preview"), KeyHint(.escape, "cancel")] }

    func screenBelow(_ app: App) -> any Screen { below }

    func layout(in area: Rect, _ app: App) {
        if editor.text.isEmpty { app.session.status.say(field.isList ? .replaceInList : .replaceHow) }
    }

    /// The field in which the form replaces stays the same.
    func point(_ mouse: Mouse, _ app: App) -> Response { .done }

    func edited(_ app: App) { app.session.status.clear() }

    func accepted(_ app: App) -> Effect {
        if editor.text.isEmpty {
            cancelled(app)
            return .none
        }
        do throws(FieldTransformError) {
            let transform = try FieldTransform(editor.text, of: field)
            app.close(self)
            use(transform, app)
        } catch {
            // What was typed stays, to be corrected.
            app.session.status.say(error.sentence)
        }
        return .none
    }

    func cancelled(_ app: App) {
        app.close(self)
        app.session.status.clear()
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(place: context, typed: (prompt + editor.text).sanitized, content: .nothing)
    }
}

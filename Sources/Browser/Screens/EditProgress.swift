internal import Catalog
internal import Library
internal import Storage
internal import TerminalUI

/// The progress of an edit of many books that takes longer than a moment.
final class EditProgress: Screen {
    let context = CommandContext.prompt
    let placement = Placement.popup
    private let preparation: EditPreparation
    /// What is being done: "Changing 10,000 books".
    private let activity: String
    /// Makes the edit when it is ready; returns why that could not be done.
    private let finish: (EditPreparation) -> String?

    /// In milliseconds: how long an edit may take before its progress is shown, and how long the keyboard may wait.
    private static let patience = 100
    private static let timeSlice = 20

    /// Creates the progress of an edit.
    init(_ preparation: EditPreparation, _ activity: String, finish: @escaping (EditPreparation) -> String?) {
        (self.preparation, self.activity, self.finish) = (preparation, activity, finish)
    }

    /// Makes as much ready as takes no time, and shows the progress of the rest.
    ///
    /// - Returns: Why the edit could not be made; nil if it is made, or goes on.
    func begin(_ app: App) -> String? {
        let (isReady, problem) = advance(milliseconds: app.session.settings.timeBudget ?? Self.patience, app.session)
        if let problem { return problem }
        if isReady { return finish(preparation) }
        // The values are typed; who stops it changes nothing.
        if let form = app.top as? BookForm { app.close(form) }
        app.push(self)
        app.session.wake()
        return nil
    }

    private func advance(milliseconds: Int, _ session: Session) -> (isReady: Bool, problem: String?) {
        do throws(CatalogEditError) {
            return (try preparation.advance(milliseconds: milliseconds), nil)
        } catch {
            return (false, session.sentence(of: error))
        }
    }

    private var progressText: String { "\(Int(preparation.fraction * 100)) %" }

    func keyHints(_ app: App) -> [KeyHint]? { [KeyHint(.escape, "stop")] }

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

    /// Stops the edit, with the key that cancels; nothing is changed then.
    func type(_ key: Key, _ app: App) -> Effect? {
        switch app.requestAtOnce(by: key)?.command {
        case .cancel, .interrupt:
            app.close(self)
            app.session.status.say(.stopped)
        default: break
        }
        return Effect.none
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .done }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.reloaded) {
            app.close(self)
            app.session.status.say(.editStoppedByReload)
            return
        }
        guard changes.contains(.background) else { return }
        let (isReady, problem) = advance(milliseconds: Self.timeSlice, app.session)
        if !isReady && problem == nil { return app.session.wake() }
        app.close(self)
        if let problem = problem ?? finish(preparation) { app.session.status.say(problem) }
    }

    func spoken(_ app: App) -> Spoken { Spoken(place: .prompt, heading: activity, content: .row(progressText)) }
}

internal import Catalog
internal import Library
internal import Storage
internal import TerminalUI

/// The progress of an edit of many books that takes longer than a moment.
final class EditProgress: ProgressScreen {
    let stoppedMessage = Message.stopped
    private let preparation: EditPreparation
    /// What is being done: "Changing 10,000 books".
    let activity: String
    /// Makes the edit when it is ready; returns why that could not be done.
    private let finish: (EditPreparation) -> EditRefusal?

    /// In milliseconds: how long an edit may take before its progress is shown, and how long the keyboard may wait.
    private static let patience = 100
    private static let timeSlice = 20

    /// Creates the progress of an edit.
    init(_ preparation: EditPreparation, _ activity: String, finish: @escaping (EditPreparation) -> EditRefusal?) {
        (self.preparation, self.activity, self.finish) = (preparation, activity, finish)
    }

    /// Makes as much ready as takes no time, and shows the progress of the rest.
    ///
    /// - Returns: Why the edit could not be made; nil if it is made, or goes on.
    func begin(_ app: App) -> EditRefusal? {
        let (isReady, problem) = advance(milliseconds: app.session.settings.timeBudget ?? Self.patience, app.session)
        if let problem { return problem }
        if isReady { return finish(preparation) }
        // The values are typed; who stops it changes nothing.
        if let form = app.top as? BookForm { app.close(form) }
        app.push(self)
        app.session.wake()
        return nil
    }

    private func advance(milliseconds: Int, _ session: Session) -> (isReady: Bool, problem: EditRefusal?) {
        do throws(CatalogEditError) {
            return (try preparation.advance(milliseconds: milliseconds), nil)
        } catch {
            return (false, session.refusal(for: error))
        }
    }

    var progressText: String { "\(Int(preparation.fraction * 100)) %" }

    func keyHints(_ app: App) -> [KeyHint]? { [KeyHint(.escape, "stop")] }

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
        if let problem = problem ?? finish(preparation) { app.session.status.say(problem.sentence) }
    }
}

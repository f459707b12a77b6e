internal import Library
internal import Storage
internal import TerminalUI

/// The line for the number of books to read this year.
final class GoalDialog: LineInput {
    let context = CommandContext.prompt
    var editor: LineEditor
    private let year: Int
    private let below: any Screen

    /// Creates the line with the goal of this year, above a screen.
    init(_ session: Session, above screen: any Screen) {
        below = screen
        year = session.today.year
        editor = LineEditor(selecting: session.readingGoal.map(String.init) ?? "")
    }

    var prompt: String { "Books to read in \(year): " }

    func screenBelow(_ app: App) -> any Screen { below }

    func keyHints(_ app: App) -> [KeyHint]? {
        let verb =
            switch goal {
            case .none: nil as String?
            case .some(nil): "use the goal of the settings"
            case .some(0?): "no goal"
            case .some(_?): "set the goal"
            }
        return [verb.map { KeyHint(.enter, $0) }, KeyHint(.escape, "cancel")].compactMap(\.self)
    }

    /// The number typed, or the one of the settings for an empty text; nil if it is not a number of books.
    private var goal: Int?? {
        let text = editor.text.filter { !$0.isWhitespace && $0 != "," }
        if text.isEmpty { return .some(nil) }
        guard let number = Int(text), 0...ReadingGoal.maximumTarget ~= number else { return nil }
        return number
    }

    func edited(_ app: App) { app.session.status.clear() }

    func accepted(_ app: App) -> Effect {
        guard let goal else {
            app.session.status.say(.notAGoal, editor.text, ReadingGoal.maximumTarget.grouped)
            return .none
        }
        app.close(self)
        let text =
            switch goal {
            case nil: Message.goalRemoved.text(String(year))
            case 0?: Message.noGoalSet.text(String(year))
            case let count?: Message.goalSet.text(String(year), count.of("book"))
            }
        app.session.change(saying: text) { () throws(FileError) in
            try app.session.library.setReadingGoal(goal, of: year)
        }
        return .none
    }
}

internal import Library
internal import TerminalUI

/// A question in the status line that y confirms; y is never the key that asks.
final class ConfirmDialog: Screen {
    let placement = Placement.question
    private let below: any Screen
    private let verbs: (confirm: String, keep: String)
    private let other: KeyHint?
    private let answered: (Answer, App) -> Effect

    /// An answer.
    enum Answer {
        /// The key y.
        case confirmed
        /// The key n, if it means something else.
        case other
        /// Any other key.
        case kept
    }

    /// Shows `question` with its keys above the screen `below`, and calls `answered` with the next key's answer.
    ///
    /// - Parameters:
    ///   - verbs: The effect of y, and that of any other key.
    ///   - other: The hint of n, if that has an effect of its own.
    ///   - answered: Returns the effect on the terminal.
    init(
        _ question: String, below: any Screen, _ app: App, verbs: (confirm: String, keep: String), other: KeyHint?,
        answered: @escaping (Answer, App) -> Effect
    ) {
        self.below = below
        self.verbs = verbs
        self.other = other
        self.answered = answered
        // The line and the bar have the same words, and a screen reader speaks them with the question.
        let keys = hints.map { "\(KeyBindings.label(of: $0.alternatives[0])) \($0.text)" }
        app.session.status.say(question + " " + keys.joined(separator: ", "))
    }

    /// Shows a question that y or any other key answers.
    convenience init(
        _ question: String, below: any Screen, _ app: App, verbs: (confirm: String, keep: String) = ("delete", "keep"),
        answered: @escaping (_ isConfirmed: Bool, App) -> Effect
    ) {
        self.init(question, below: below, app, verbs: verbs, other: nil) { answered($0 == .confirmed, $1) }
    }

    /// Asks whether to delete `list`, above the screen `below`.
    convenience init(deleting list: NamedList, below: any Screen, _ app: App) {
        let question: String
        if case .shelf = list.kind {
            let count = app.session.library.count(of: list)?.total ?? 0
            question = Message.deleteShelf.text(list.name, count.of("book"))
        } else {
            question = Message.deleteSearch.text(list.name)
        }
        self.init(question, below: below, app) { isConfirmed, app in
            if isConfirmed {
                app.session.delete(list)
            } else {
                app.session.status.say(.listKept, list.name)
            }
            return .none
        }
    }

    private var hints: [KeyHint] {
        [KeyHint(.character("y"), verbs.confirm), other, KeyHint(.escape, verbs.keep)].compactMap(\.self)
    }

    func keyHints(_ app: App) -> [KeyHint]? { hints }

    var context: CommandContext { below.context }

    func heading(_ app: App) -> Heading { below.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position { Position(row: 0, column: 0) }

    /// Handles `key` as the answer.
    func type(_ key: Key, _ app: App) -> Effect? {
        app.close(self)
        switch key {
        case .character("y"): return answered(.confirmed, app)
        case .character("n") where other != nil: return answered(.other, app)
        default: return answered(.kept, app)
        }
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .ignored }

    func point(_ mouse: Mouse, _ app: App) -> Response { .ignored }

    func spoken(_ app: App) -> Spoken { below.spoken(app) }
}

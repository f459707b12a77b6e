internal import Graphemes
internal import TerminalUI

/// The bottom row: the commands that apply now, with their keys.
final class HintBar {
    private let session: Session
    /// The hints of each context, cached because they change only with the context and computing them costs as much as
    /// drawing a dozen rows.
    private var hintsByContext: [CommandContext: [Hint]] = [:]

    /// A command with its key.
    private struct Hint {
        /// The command; nil for a key that enters text, answers or completes.
        let command: Command?
        let key: String
        let text: String
        /// Whether a click performs the command: it has a single one, and no further keys.
        let isClickable: Bool

        /// The width of the key and the text, in columns.
        var width: Int { key.displayColumns + 1 + text.displayColumns }
    }

    /// A hint and its position.
    private struct PlacedHint {
        let hint: Hint
        let place: Rect
    }

    /// Creates the hint bar of `session`.
    init(_ session: Session) { self.session = session }

    /// Draws the hints.
    func draw(in rect: Rect, on canvas: inout Canvas, _ app: App) {
        for placed in hints(in: rect, app) {
            let (hint, place) = (placed.hint, placed.place)
            let used = canvas.write(hint.key, row: place.row, column: place.column, style: .strong)
            canvas.write(hint.text, row: place.row, column: place.column + used + 1, style: .secondary)
        }
    }

    /// Returns the command whose hint is at `position`.
    func command(at position: Position, _ app: App) -> Command? {
        guard let layout = app.main.layout, layout.hints.contains(position) else { return nil }
        let placed = hints(in: layout.hints, app).first { $0.place.contains(position) && $0.hint.isClickable }
        return placed?.hint.command
    }

    /// Returns the hints of the commands that can be performed now.
    private func hints(_ app: App) -> [Hint] {
        if let keys = app.top.keyHints(app) {
            return keys.map { Hint(command: nil, key: $0.key, text: $0.text, isClickable: false) }
        }
        return hints(in: app.front.context).filter { hint in
            hint.command.map { app.front.canPerform($0, app) } ?? true
        }
    }

    /// Returns the hints that fit, with their positions.
    private func hints(in rect: Rect, _ app: App) -> [PlacedHint] {
        var shown = hints(app)
        if session.status.offersUndo {
            shown.insert(
                Hint(command: .undo, key: session.keyLabel(of: .undo), text: "undo", isClickable: true), at: 0)
        }
        func needed(_ gap: Int) -> Int { shown.reduce(0) { $0 + $1.width } + gap * (shown.count - 1) }
        let isTight = needed(3) > rect.width - 2
        // The last two, help and quit, are kept.
        while isTight && shown.count > 3 && needed(2) > rect.width - 2 { shown.remove(at: shown.count - 3) }
        var placed: [PlacedHint] = []
        var column = 1
        for hint in shown {
            if column + hint.width > rect.width { break }
            placed.append(
                PlacedHint(hint: hint, place: Rect(row: rect.row, column: column, height: 1, width: hint.width)))
            column += hint.width + (isTight ? 2 : 3)
        }
        return placed
    }

    private func hints(in context: CommandContext) -> [Hint] {
        if let known = hintsByContext[context] { return known }
        let hints = CommandInfo.hints(in: context).filter { session.has($0.info.needs) }.map { info, hint in
            Hint(
                command: info.command, key: key(of: info, hint), text: hint.text(in: context),
                isClickable: hint.prefix == nil && hint.pair == nil)
        }
        hintsByContext[context] = hints
        return hints
    }

    /// The keys of a hint, as the user has bound them.
    private func key(of info: CommandInfo, _ hint: CommandHint) -> String {
        let label = session.keyLabel(of: info.command)
        if let pair = hint.pair { return label + " " + session.keyLabel(of: pair) }
        guard let prefix = hint.prefix else { return label }
        return label.hasPrefix(prefix) ? prefix : label
    }
}

extension CommandInfo {
    /// Returns the commands that the hint bar shows in `context`, in the order of the table.
    static func hints(in context: CommandContext) -> [(info: CommandInfo, hint: CommandHint)] {
        all.compactMap { info in
            guard let hint = info.hint, hint.contexts.contains(context) else { return nil }
            return (info, hint)
        }
    }
}

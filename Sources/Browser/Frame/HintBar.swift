internal import Graphemes
internal import TerminalUI

/// The bottom row: the commands that apply now, with their keys; in a wide window in groups.
final class HintBar {
    private let session: Session
    /// The hints of each context, cached because they change only with the context and computing them costs as much as
    /// drawing a dozen rows.
    private var hintsByContext: [CommandContext: [Hint]] = [:]
    /// The groups of each context, cached for the same reason.
    private var groupsByContext: [CommandContext: [Group]] = [:]

    /// What a click on a hint does.
    enum Target: Hashable {
        case command(Command)
        /// Types keys.
        case keys([Key])
    }

    /// A command with its key.
    private struct Hint {
        /// The command; nil for a key that enters text, answers or completes.
        let command: Command?
        /// The label of each key with what a click on it does; a hint of two keys has one for each direction.
        let keys: [(label: String, target: Target)]
        let text: String
        /// The number of columns between the key and the text.
        let gap: Int
        /// The label of the keys.
        let key: String
        /// The width of the key and the text, in columns. Stored, because it is needed for every hint at every drawing.
        let width: Int

        init(command: Command?, keys: [(label: String, target: Target)], text: String, gap: Int = 1) {
            (self.command, self.keys, self.text, self.gap) = (command, keys, text, gap)
            key = keys.map(\.label).joined(separator: " ")
            width = key.displayColumns + gap + text.displayColumns
        }

        /// Returns the label of a group.
        static func label(_ text: String) -> Hint { Hint(command: nil, keys: [], text: text, gap: 0) }

        /// Returns what a click on a column of the hint does.
        func target(atColumn column: Int) -> Target? {
            var end = 0
            for key in keys.dropLast() {
                end += key.label.displayColumns + 1
                if column < end { return key.target }
            }
            return keys.last?.target
        }
    }

    /// Hints that belong together.
    private struct Group {
        /// The hints after the label, if the group has one.
        let pieces: [Hint]
        /// Whether the group stays if the others do not fit.
        let isKept: Bool
        /// The width with a blank between the hints, in columns.
        let width: Int

        init(_ pieces: [Hint], isKept: Bool) {
            (self.pieces, self.isKept) = (pieces, isKept)
            width = pieces.reduce(pieces.count - 1) { $0 + $1.width }
        }

        /// Returns the group with only those hints that apply; nil if none does.
        func restricted(to applies: (Command) -> Bool) -> Group? {
            let left = pieces.filter { $0.command.map(applies) ?? true }
            if left.count == pieces.count { return self }
            return left.allSatisfy { $0.command == nil } ? nil : Group(left, isKept: isKept)
        }
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
            canvas.write(hint.text, row: place.row, column: place.column + used + hint.gap, style: .secondary)
        }
    }

    /// Returns what a click at `position` does; nil if no hint is there.
    func target(at position: Position, _ app: App) -> Target? {
        guard let layout = app.main.layout, layout.hints.contains(position) else { return nil }
        let placed = hints(in: layout.hints, app).first { $0.place.contains(position) }
        return placed.flatMap { $0.hint.target(atColumn: position.column - $0.place.column) }
    }

    /// Returns the hints that fit, with their positions.
    private func hints(in rect: Rect, _ app: App) -> [PlacedHint] {
        if let groups = fittingGroups(in: rect.width - 2, app) { return place(groups, in: rect) }
        return flatHints(in: rect, app)
    }

    private var undoHint: Hint {
        Hint(command: .undo, keys: [(session.keyLabel(of: .undo), .command(.undo))], text: "undo")
    }

    private func canPerform(_ hint: Hint, _ app: App) -> Bool {
        hint.command.map { app.front.canPerform($0, app) } ?? true
    }

    // MARK: - Groups

    /// The blanks between groups, in columns.
    private static let groupGap = 3

    /// Returns the groups that fit in `width`; nil if the window is too narrow or no book is listed.
    private func fittingGroups(in width: Int, _ app: App) -> [Group]? {
        let context = app.front.context
        guard width + 2 >= HintGroup.minimumWidth, Set.bookPanes.contains(context), app.top.keyHints(app) == nil,
            session.books.table.currentRow != nil
        else { return nil }
        let front = app.front
        var groups = groups(in: context).compactMap { $0.restricted { front.canPerform($0, app) } }
        if session.status.offersUndo { groups.insert(Group([undoHint], isKept: true), at: 0) }
        func needed() -> Int { groups.reduce((groups.count - 1) * Self.groupGap) { $0 + $1.width } }
        while needed() > width, let first = groups.firstIndex(where: { !$0.isKept }) { groups.remove(at: first) }
        return needed() <= width ? groups : nil
    }

    private func groups(in context: CommandContext) -> [Group] {
        if let known = groupsByContext[context] { return known }
        let groups = HintGroup.all.compactMap { group -> Group? in
            let hints = group.hints.compactMap { hint(of: $0, in: context) }
            if hints.isEmpty { return nil }
            return Group((group.label.isEmpty ? [] : [.label(group.label)]) + hints, isKept: group.isKept)
        }
        groupsByContext[context] = groups
        return groups
    }

    /// Returns the hint of a command of a group; nil if it does not apply in `context` or has no key.
    private func hint(of grouped: GroupedHint, in context: CommandContext) -> Hint? {
        let info = grouped.command.info
        guard info.contexts.contains(context), grouped.contexts.contains(context), session.has(info.needs),
            let keys = session.bindings.keys(of: grouped.command).first
        else { return nil }
        let first = Array(keys.prefix(1))
        return Hint(
            command: grouped.command,
            keys: grouped.isPrefix
                ? [(KeyBindings.label(of: first), .keys(first))]
                : [(KeyBindings.label(of: keys), .command(grouped.command))],
            text: grouped.text, gap: grouped.text.isEmpty || grouped.isSign ? 0 : 1)
    }

    private func place(_ groups: [Group], in rect: Rect) -> [PlacedHint] {
        var placed: [PlacedHint] = []
        var column = 1
        for group in groups {
            for hint in group.pieces {
                placed.append(
                    PlacedHint(hint: hint, place: Rect(row: rect.row, column: column, height: 1, width: hint.width)))
                column += hint.width + 1
            }
            column += Self.groupGap - 1
        }
        return placed
    }

    // MARK: - Single hints

    /// Returns the hints of the commands that can be performed now.
    private func hints(_ app: App) -> [Hint] {
        if let keys = app.top.keyHints(app) {
            return keys.map { hint in
                Hint(
                    command: nil, keys: hint.alternatives.map { (KeyBindings.label(of: $0), .keys($0)) },
                    text: hint.text)
            }
        }
        return hints(in: app.front.context).filter { canPerform($0, app) }.map { hint in
            guard let text = hint.command.flatMap(app.front.hintText(of:)) else { return hint }
            return Hint(command: hint.command, keys: hint.keys, text: text)
        }
    }

    /// Returns the hints that fit, the most important ones in a narrow window.
    private func flatHints(in rect: Rect, _ app: App) -> [PlacedHint] {
        var shown = hints(app)
        if session.status.offersUndo { shown.insert(undoHint, at: 0) }
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
            Hint(command: info.command, keys: keys(of: info, hint), text: hint.text(in: context))
        }
        hintsByContext[context] = hints
        return hints
    }

    /// The keys of a hint, as the user has bound them.
    private func keys(of info: CommandInfo, _ hint: CommandHint) -> [(label: String, target: Target)] {
        let label = session.keyLabel(of: info.command)
        if let pair = hint.pair {
            return [(label, .command(info.command)), (session.keyLabel(of: pair), .command(pair))]
        }
        guard let prefix = hint.prefix, label.hasPrefix(prefix),
            let keys = session.bindings.keys(of: info.command).first,
            keys.count > 1
        else { return [(label, .command(info.command))] }
        return [(prefix, .keys([keys[0]]))]
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

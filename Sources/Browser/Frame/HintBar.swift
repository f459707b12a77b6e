internal import Graphemes
internal import TerminalUI

/// The bottom row: the commands that apply now, with their keys; in a wide window in groups.
///
/// In the panes, a hint keeps its place whatever happens: help and quit are at the right end, and before them each hint that
/// comes with a selection or a change has a place of its own, where it covers the last of the other hints if there is no room.
final class HintBar {
    private let session: Session
    /// The hints of each context, cached because they change only with the context and computing them costs as much as
    /// drawing a dozen rows.
    private var hintsByContext: [CommandContext: [Hint]] = [:]
    /// The groups of each context, with words and with signs, cached for the same reason.
    private var groupsByContext: [CommandContext: (words: Row, signs: Row)] = [:]

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
        /// The width with a blank between the hints, in columns.
        let width: Int

        init(_ pieces: [Hint]) {
            self.pieces = pieces
            width = pieces.reduce(pieces.count - 1) { $0 + $1.width }
        }

        /// Returns the group with only those hints that apply; nil if none does.
        func restricted(to applies: (Command) -> Bool) -> Group? {
            let left = pieces.filter { $0.command.map(applies) ?? true }
            if left.count == pieces.count { return self }
            return left.allSatisfy { $0.command == nil } ? nil : Group(left)
        }

        /// Returns the hints with their positions, from `column` on.
        func placed(inRow row: Int, from column: Int) -> [PlacedHint] {
            var column = column
            return pieces.map { hint in
                defer { column += hint.width + 1 }
                return PlacedHint(hint: hint, place: Rect(row: row, column: column, height: 1, width: hint.width))
            }
        }
    }

    /// The groups of the bar.
    private struct Row {
        /// The groups from the left end on; the last ones give way.
        var left: [Group] = []
        /// The groups that stay.
        var kept: [Group] = []
        /// The blanks between groups, in columns.
        var gap = 3
        /// Whether the groups that stay are at the right end.
        var isSplit = false

        /// The width of the groups that stay.
        var keptWidth: Int { width(of: kept) }

        /// Whether all groups fit in `width`.
        func fits(in width: Int) -> Bool { self.width(of: left + kept) <= width }

        private func width(of groups: [Group]) -> Int { groups.reduce((groups.count - 1) * gap) { $0 + $1.width } }

        /// Leaves out the last groups that need not stay until the others fit in `width`, but not the first one.
        mutating func shrink(to width: Int) {
            while left.count > 1, !fits(in: width) { left.removeLast() }
        }

        /// Returns the row with only those hints that apply.
        func restricted(to applies: (Command) -> Bool) -> Row {
            var row = self
            row.left = left.compactMap { $0.restricted(to: applies) }
            row.kept = kept.compactMap { $0.restricted(to: applies) }
            return row
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
        if let keys = app.top.keyHints(app) {
            let hints = keys.map { hint in
                Hint(
                    command: nil, keys: hint.alternatives.map { (KeyBindings.label(of: $0), .keys($0)) },
                    text: hint.text)
            }
            return place(flatRow(of: hints, isSplit: false, width: rect.width - 2), in: rect)
        }
        let context = app.front.context
        guard Set.panes.contains(context) else {
            return place(flatRow(of: hints(app), isSplit: false, width: rect.width - 2), in: rect)
        }
        let row =
            groupedRow(in: context, width: rect.width - 2, app)
            ?? flatRow(
                of: hints(app).filter { $0.command.map(Self.comesWithState) != true }, isSplit: true,
                width: rect.width - 2)
        return place(row, with: stateHints(in: context, app), in: rect)
    }

    /// Returns the positions of the hints of a row; those that do not fit are left out.
    ///
    /// - Parameter states: The hints before the groups at the right end, each with the width of its place; nil for one that
    ///   does not apply now.
    private func place(_ row: Row, with states: [(hint: Hint?, width: Int)] = [], in rect: Rect) -> [PlacedHint] {
        let isSplit = row.isSplit && row.fits(in: rect.width - 2)
        let keptColumn = rect.width - 1 - row.keptWidth
        var placed: [PlacedHint] = []
        var end = keptColumn - row.gap
        // The groups at the left end before this column are not covered.
        var limit = isSplit ? end : rect.width
        for state in isSplit ? states.reversed() : [] {
            let column = end - state.width
            if let hint = state.hint, column >= 1 {
                placed += Group([hint]).placed(inRow: rect.row, from: column)
                limit = column - row.gap
            }
            end = column - Self.stateGap
        }
        var column = 1
        for group in row.left {
            if column + group.width > limit { break }
            placed += group.placed(inRow: rect.row, from: column)
            column += group.width + row.gap
        }
        if isSplit { column = keptColumn }
        for group in row.kept {
            if column + group.width > rect.width { break }
            placed += group.placed(inRow: rect.row, from: column)
            column += group.width + row.gap
        }
        return placed
    }

    private func canPerform(_ hint: Hint, _ app: App) -> Bool {
        hint.command.map { app.front.canPerform($0, app) } ?? true
    }

    // MARK: - Hints of a state

    /// The blanks between the places of hints that come with a state, in columns.
    private static let stateGap = 2

    /// Whether a command applies only after a selection or a change.
    private static func comesWithState(_ command: Command) -> Bool {
        [.editBook, .deleteBook, .saveCatalog].contains(command)
    }

    /// Returns the hints that come with a state, each with the width of its place; nil for those that do not apply now. What
    /// reverses the last key is the last one: undo and redo share a place.
    private func stateHints(in context: CommandContext, _ app: App) -> [(hint: Hint?, width: Int)] {
        let reversals = hintsOfReversals
        return hints(in: context).filter { $0.command.map(Self.comesWithState) == true }
            .map { (canPerform($0, app) ? $0 : nil, $0.width) }
            + [(reversals.first { $0.command == session.status.offer }, reversals.map(\.width).max() ?? 0)]
    }

    private lazy var hintsOfReversals = [(Command.undo, "undo"), (.redo, "redo")].map { command, text in
        Hint(command: command, keys: [(session.keyLabel(of: command), .command(command))], text: text)
    }

    // MARK: - Groups

    /// Returns the groups, with words if there is room; nil if the window is too narrow or no book is listed.
    private func groupedRow(in context: CommandContext, width: Int, _ app: App) -> Row? {
        guard width + 2 >= HintGroup.minimumWidth, Set.bookPanes.contains(context),
            session.books.table.currentRow != nil
        else { return nil }
        let front = app.front
        let rows = groups(in: context)
        let words = rows.words.restricted { front.canPerform($0, app) }
        if words.fits(in: width) { return words }
        var signs = rows.signs.restricted { front.canPerform($0, app) }
        signs.shrink(to: width)
        return signs
    }

    private func groups(in context: CommandContext) -> (words: Row, signs: Row) {
        if let known = groupsByContext[context] { return known }
        let rows = (words: groups(in: context, hasSigns: false), signs: groups(in: context, hasSigns: true))
        groupsByContext[context] = rows
        return rows
    }

    private func groups(in context: CommandContext, hasSigns: Bool) -> Row {
        var row = Row(isSplit: true)
        for group in HintGroup.all {
            let hints = group.hints.compactMap { hint(of: $0, in: context, hasSigns: hasSigns) }
            if hints.isEmpty { continue }
            let made = Group((group.label.isEmpty ? [] : [.label(group.label)]) + hints)
            if group.isAtEnd { row.kept.append(made) } else { row.left.append(made) }
        }
        return row
    }

    /// Returns the hint of a command of a group; nil if it does not apply in `context` or has no key.
    private func hint(of grouped: GroupedHint, in context: CommandContext, hasSigns: Bool) -> Hint? {
        let info = grouped.command.info
        guard info.contexts.contains(context), grouped.contexts.contains(context), session.has(info.needs),
            let keys = session.bindings.keys(of: grouped.command).first
        else { return nil }
        let first = Array(keys.prefix(1))
        let sign = hasSigns ? grouped.sign : nil
        return Hint(
            command: grouped.command,
            keys: grouped.isPrefix
                ? [(KeyBindings.label(of: first), .keys(first))]
                : [(KeyBindings.label(of: keys), .command(grouped.command))],
            text: sign ?? grouped.text, gap: grouped.text.isEmpty || sign != nil ? 0 : 1)
    }

    // MARK: - Single hints

    /// Returns the hints of the commands that can be performed now.
    private func hints(_ app: App) -> [Hint] {
        hints(in: app.front.context).filter { canPerform($0, app) }.map { hint in
            guard let text = hint.command.flatMap(app.front.hintText(of:)) else { return hint }
            return Hint(command: hint.command, keys: hint.keys, text: text)
        }
    }

    /// Returns a row of single hints, closer together and with the most important ones only in a narrow window.
    ///
    /// - Parameter isSplit: Whether help and quit are at the right end; else the last two hints stay in their place.
    private func flatRow(of hints: [Hint], isSplit: Bool, width: Int) -> Row {
        let isKept = hints.indices.map { number in
            isSplit ? [.help, .quit].contains(hints[number].command) : number >= hints.count - 2
        }
        var row = Row(isSplit: isSplit)
        for (hint, isKept) in zip(hints, isKept) {
            if isKept { row.kept.append(Group([hint])) } else { row.left.append(Group([hint])) }
        }
        if !row.fits(in: width) {
            row.gap = 2
            row.shrink(to: width)
        }
        return row
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

internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// The keys that can follow those typed, and their commands.
struct WhichKey {
    private let app: App

    /// Creates the popup for the keys typed in `app`.
    init(_ app: App) { self.app = app }

    /// Draws the popup at the bottom of `area`, in as many columns as fit.
    func draw(in area: Rect, on canvas: inout Canvas) {
        let entries = entries
        let gap = 3
        let width = entries.reduce(0) { max($0, $1.key.displayColumns + 2 + $1.text.displayColumns) }
        let room = area.width - Popup.frameSize.columns
        let columns = max(1, min(entries.count, (room + gap) / (width + gap)))
        let rows = (entries.count + columns - 1) / columns
        let size = Size(rows: rows, columns: min(room, columns * (width + gap) - gap))
        let popup = Popup(in: area, contentSize: size, isAtBottom: true)
        popup.draw(title, on: &canvas)
        for (number, entry) in entries.enumerated() where number % rows < popup.content.height {
            let column = popup.content.column + number / rows * (width + gap)
            let row = popup.content.row + number % rows
            let left = popup.content.endColumn - column
            let used = canvas.write(
                entry.key, row: row, column: column, width: left, style: Style(.strong, on: .popup))
            canvas.write(
                entry.text, row: row, column: column + used + 2, width: left - used - 2, style: Style(on: .popup))
        }
    }

    private var argument: CommandArgument? { app.keys.commandAwaitingArgument?.info.argument }

    private var title: String {
        let typed = app.keys.pendingText
        return typed.isEmpty ? argument?.label ?? "" : typed
    }

    /// The keys, each with its command, the number of commands that it leads to, or the bookmark it goes to.
    var entries: [(key: String, text: String)] {
        switch argument {
        case .rating: return (0...5).map { (key: String($0), text: $0 == 0 ? "remove rating" : UndoStep.stars($0)) }
        case .letter:
            let known = app.session.history.bookmarks.sorted { $0.letter < $1.letter }.map { bookmark in
                (key: String(bookmark.letter), text: app.session.text(of: bookmark.place))
            }
            return known.isEmpty ? [("a-z", "no bookmarks yet")] : known
        case .firstCharacter:
            return [("a-z", "the first letter, or a year before \(app.session.keyLabel(of: .goToLetter))")]
        case .listNumber:
            return app.main.tabs.numberedLists.enumerated().map { (key: String($0 + 1), text: $1.name) }
        case nil:
            return app.keys.continuations(in: app.front.context).compactMap { key, commands in
                let titles = commands.map(\.info).filter { app.session.has($0.needs) }.map(\.title)
                guard let first = titles.first else { return nil }
                if let command = commands.first, let number = app.keys.listNumber(of: key, for: command) {
                    return app.main.tabs.list(numbered: number).map { (key.label, $0.name) }
                }
                return (key.label, titles.count == 1 ? first : "\(first), … (\(titles.count))")
            }
        }
    }
}

internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// What covers a part of the screen for a while.
extension Browser {
    /// Draws the popup that there is, if any, over `area`.
    func drawPopup(in area: Rect, on canvas: inout Canvas) {
        if let picker { draw(picker, in: area, on: &canvas) }
        if overlay == .columns { drawColumnChooser(in: area, on: &canvas) }
        if isWhichKeyShown { drawWhichKey(in: area, on: &canvas) }
    }

    private func draw(_ picker: any Picker, in area: Rect, on canvas: inout Canvas) {
        let popup = Popup(in: area, contentSize: picker.size)
        popup.draw(picker.title, on: &canvas)
        let line = popup.content
        picker.editor.draw(
            on: &canvas, row: line.row, column: line.column, width: line.width, prompt: picker.prompt, surface: .popup,
            isFocused: true)
        typingCursor = picker.editor.cursor(
            row: line.row, column: line.column, width: line.width, prompt: picker.prompt)
        picker.table.frame = popup.content.droppingFirstRows(1)
        picker.table.draw(on: &canvas, isFocused: true)
    }

    private func drawColumnChooser(in area: Rect, on canvas: inout Canvas) {
        let table = columnChooser.table
        let popup = Popup(in: area, contentSize: Size(rows: table.rowCount + 1, columns: 30))
        popup.draw("Columns", on: &canvas)
        table.frame = popup.content
        table.draw(on: &canvas, isFocused: true)
    }

    /// The keys that may follow, in as many columns as fit.
    private func drawWhichKey(in area: Rect, on canvas: inout Canvas) {
        let entries = whichKeyEntries
        let gap = 3
        let width = entries.reduce(0) { max($0, $1.key.displayColumns + 2 + $1.text.displayColumns) }
        let room = area.width - Popup.frameSize.columns
        let columns = max(1, min(entries.count, (room + gap) / (width + gap)))
        let rows = (entries.count + columns - 1) / columns
        let size = Size(rows: rows, columns: min(room, columns * (width + gap) - gap))
        let popup = Popup(in: area, contentSize: size, isAtBottom: true)
        popup.draw(
            keys.pendingText.isEmpty ? keys.commandAwaitingArgument?.argument?.label ?? "" : keys.pendingText,
            on: &canvas)
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

    /// The keys that may follow those typed, and what they do: a command, or how many; of places those with letters.
    var whichKeyEntries: [(key: String, text: String)] {
        if keys.commandAwaitingArgument?.argument == .rating {
            return (0...5).map { (key: String($0), text: $0 == 0 ? "no rating" : UndoStep.stars($0)) }
        }
        if keys.commandAwaitingArgument != nil {
            let known = marks.sorted { $0.letter < $1.letter }.map { mark in
                (key: String(mark.letter), text: placeText(mark.place))
            }
            return known.isEmpty ? [("a-z", "no place has a letter yet")] : known
        }
        return keys.continuations().map { key, commands in
            let titles = commands.map(\.declaration.title)
            return (key.label, titles.count == 1 ? titles[0] : "\(titles[0]), … (\(titles.count))")
        }
    }

    /// A place for people: "All books / garden, row 12".
    private func placeText(_ place: Preferences.Place) -> String {
        let name = library.list(of: place)?.name ?? "Lists"
        return name + (place.query.map { " / " + $0 } ?? "")
            + ", row \((min(max(0, place.row), .max - 1) + 1).grouped)"
    }
}

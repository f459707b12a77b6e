internal import Books
internal import Graphemes
internal import TerminalUI
internal import Text

/// What a form looks like: the fields, and the notes below them.
struct BookFormView {
    let title: String
    let fields: [BookFormField]
    /// The index of the field that has the cursor, and of the one at the top.
    let current: Int
    let top: Int
    /// The window.
    let area: Rect
    /// Why the changes could not be made, if that is not for one of the fields.
    let problem: String?
    /// What was found elsewhere.
    let findings: [String]

    private var popup: Popup {
        Popup(
            in: area,
            contentSize: Size(rows: fields.count + max(2, notes(width: Self.width).count), columns: Self.width))
    }

    private static let width = 90
    private static let previewHeight = 6

    /// The number of fields that there is room for.
    var visibleCount: Int { max(1, fieldsRect.height) }

    /// Where the fields stand: above the notes.
    var fieldsRect: Rect {
        var rect = popup.content
        let noteCount = rect.height < 4 ? 0 : min(max(2, notes(width: rect.width).count), rect.height / 2)
        rect.height = min(fields.count, rect.height - noteCount)
        return rect
    }

    /// The lines below the fields: what is wrong, what was found elsewhere, or how the field is typed; on the screen
    /// a long text, too.
    private func notes(width: Int, isSpoken: Bool = false) -> [(text: String, role: Style.Role)] {
        let problem = self.problem ?? fields[current].problem
        var notes: [(text: String, role: Style.Role)] = []
        func add(_ text: String?, _ role: Style.Role) {
            guard let text, !text.isEmpty, width > 0 else { return }
            notes += LineWrapper(text, width: width).map { ($0.map(\.text).joined(), role) }
        }
        add(problem, .warning)
        for sentence in findings { add(sentence, .strong) }
        if notes.isEmpty { add(fields[current].advice, .secondary) }
        let preview = isSpoken ? [] : fields[current].preview(width: width, limit: Self.previewHeight)
        notes = preview.map { ($0, .secondary) } + notes
        return notes.count == 1 ? [("", .plain)] + notes : notes
    }

    /// Draws it.
    ///
    /// - Returns: Where the cursor is.
    func draw(on canvas: inout Canvas) -> Position {
        let (popup, rect) = (popup, fieldsRect)
        let place = rect.height < fields.count ? " · \(current + 1)/\(fields.count)" : ""
        popup.draw(title + place, on: &canvas)
        for row in 0..<min(rect.height, fields.count - top) {
            draw(top + row, in: Rect(row: rect.row + row, column: rect.column, height: 1, width: rect.width), &canvas)
        }
        let content = popup.content
        let notes = notes(width: content.width)
        for (offset, note) in notes.enumerated() where rect.endRow + offset < content.endRow {
            canvas.write(
                note.text, row: rect.endRow + offset, column: content.column, width: content.width,
                style: Style(note.role, on: .popup))
        }
        let value = valueRect(of: rect)
        return fields[current].editor.cursor(row: rect.row + current - top, column: value.column, width: value.width)
    }

    /// The columns of the values: behind two signs and the label.
    private func valueRect(of rect: Rect) -> Rect {
        let labels = fields.map(\.label.displayColumns).max() ?? 0
        let used = min(rect.width - 1, 2 + min(labels, rect.width / 3) + 2)
        return Rect(row: rect.row, column: rect.column + used, height: rect.height, width: rect.width - used)
    }

    private func draw(_ index: Int, in rect: Rect, _ canvas: inout Canvas) {
        let (field, value, isCurrent) = (fields[index], valueRect(of: rect), index == current)
        let sign = field.problem != nil ? "!" : field.isTouched ? "*" : " "
        canvas.write(isCurrent ? "▌" : " ", row: rect.row, column: rect.column, style: Style(on: .popup))
        canvas.write(
            sign, row: rect.row, column: rect.column + 1, width: rect.width - 1,
            style: Style(field.problem == nil ? .sign : .warning, on: .popup))
        canvas.write(
            field.label, row: rect.row, column: rect.column + 2, width: value.column - rect.column - 3,
            style: Style(isCurrent ? .strong : .secondary, on: .popup))
        if !field.placeholder.isEmpty {
            canvas.write(
                field.placeholder, row: rect.row, column: value.column, width: value.width,
                style: Style(.secondary, on: .popup))
            return
        }
        field.editor.draw(
            on: &canvas, row: rect.row, column: value.column, width: value.width, surface: .popup, isFocused: isCurrent)
    }

    /// What a screen reader is told.
    var spoken: Spoken {
        let field = fields[current]
        let text = field.placeholder.isEmpty ? field.editor.text : field.placeholder
        let notes = notes(width: ScreenReaderOutput.windowSize.columns, isSpoken: true).map(\.text.sanitized).filter {
            !$0.isEmpty
        }
        return Spoken(
            place: .form, heading: title, typed: "\(field.label): \(text)".sanitized,
            content: .text(notes, topLine: "", speaksChangesOnly: true))
    }
}

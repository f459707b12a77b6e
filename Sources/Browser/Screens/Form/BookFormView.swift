internal import Books
internal import Graphemes
internal import Library
internal import TerminalUI
internal import Text

/// What a form looks like: the fields, what is wrong beside them, and notes below them.
struct BookFormView {
    let title: String
    let fields: [BookFormField]
    /// The number of fields that are not folded.
    let shownCount: Int
    /// The index of the field that has the cursor.
    let current: Int
    /// The line at the top.
    let top: Int
    /// The window.
    let area: Rect
    /// Why the changes could not be made, if that is not for one of the fields.
    let problem: String?
    /// What was found elsewhere.
    let findings: BookFormFindings

    /// A line of the form.
    enum Line: Hashable {
        /// The field with this index.
        case field(Int)
        /// A part of what is wrong with the field above.
        case problem(String)
        /// The fold with this number of fields.
        case fold(Int)
    }

    private var popup: Popup {
        let noteCount = max(2, notes(width: Self.width).count)
        return Popup(
            in: area,
            contentSize: Size(rows: lines(width: Self.width).count + noteCount, columns: Self.width))
    }

    private static let width = 90
    private static let previewHeight = 6
    /// The number of values of other sources that are listed for the current field.
    private static let offerCount = 4

    /// The number of lines that there is room for.
    var visibleCount: Int { max(1, linesRect.height) }

    /// Where the lines stand: above the notes.
    private var linesRect: Rect {
        var rect = popup.content
        let noteCount = rect.height < 4 ? 0 : min(max(2, notes(width: rect.width).count), rect.height / 2)
        rect.height = min(lines(width: rect.width).count, rect.height - noteCount)
        return rect
    }

    private func lines(width: Int) -> [Line] {
        let valueWidth = width - valueColumn(width: width)
        var lines: [Line] = []
        for (index, field) in fields.prefix(shownCount).enumerated() {
            lines.append(.field(index))
            guard let problem = field.problem, valueWidth > 0 else { continue }
            lines += LineWrapper(problem, width: valueWidth).map { .problem($0.map(\.text).joined()) }
        }
        if shownCount < fields.count { lines.append(.fold(fields.count - shownCount)) }
        return lines
    }

    /// Returns the line at the top with which a field and what is wrong with it are visible, near the present one.
    func top(revealing index: Int) -> Int {
        let rect = linesRect
        let lines = lines(width: rect.width)
        guard let line = lines.firstIndex(of: .field(index)) else { return 0 }
        var end = line + 1
        while end < lines.count, case .problem = lines[end] { end += 1 }
        // The fold is visible with the field above it.
        if end == lines.count - 1, shownCount < fields.count { end += 1 }
        return min(max(top, end - visibleCount), line, max(0, lines.count - visibleCount))
    }

    /// Returns the line at a place on the screen; nil beside the lines.
    func line(at position: Position) -> Line? {
        let rect = linesRect
        let lines = lines(width: rect.width)
        let index = top + position.row - rect.row
        return rect.contains(position) && lines.indices.contains(index) ? lines[index] : nil
    }

    /// The lines below the fields: what is wrong with the whole, what was found elsewhere, or how the field is typed; on
    /// the screen a long text, too.
    private func notes(width: Int, isSpoken: Bool = false) -> [(text: String, role: Style.Role)] {
        var notes: [(text: String, role: Style.Role)] = []
        func add(_ text: String?, _ role: Style.Role) {
            guard let text, !text.isEmpty, width > 0 else { return }
            notes += LineWrapper(text, width: width).map { ($0.map(\.text).joined(), role) }
        }
        add(problem, .warning)
        if isSpoken { add(fields[current].problem, .warning) }
        let offers = offers(for: fields[current])
        for offer in offers.prefix(Self.offerCount) { add(offer.text(for: fields[current].field), .strong) }
        if offers.count > Self.offerCount {
            add(Message.moreValues.text((offers.count - Self.offerCount).grouped), .secondary)
        }
        for sentence in findings.sentences { add(sentence, offers.isEmpty ? .strong : .secondary) }
        if notes.isEmpty, fields[current].problem == nil { add(fields[current].advice, .secondary) }
        let preview = isSpoken ? [] : fields[current].preview(width: width, limit: Self.previewHeight)
        notes = preview.map { ($0, .secondary) } + notes
        return notes.count == 1 ? [("", .plain)] + notes : notes
    }

    /// The values that other sources have for a field, unless the field has the only one.
    private func offers(for field: BookFormField) -> [LookedUpBook.Offer] {
        guard let book = findings.current else { return [] }
        let series = fields.first { $0.field == .series }.flatMap { try? $0.value() }?.text
        let offers = book.offers(for: field.field, inSeries: series)
        if offers.count == 1, let value = try? field.value(), value.isSpelling(of: offers[0].value, in: field.field) {
            return []
        }
        return offers
    }

    /// Draws it.
    ///
    /// - Returns: Where the cursor is.
    func draw(on canvas: inout Canvas) -> Position {
        let (popup, rect) = (popup, linesRect)
        let lines = lines(width: rect.width)
        let place = rect.height < lines.count ? " · \(current + 1)/\(fields.count)" : ""
        popup.draw(title + place, on: &canvas)
        var cursorRow = rect.row
        for (row, line) in lines.dropFirst(top).prefix(rect.height).enumerated() {
            let lineRect = Rect(row: rect.row + row, column: rect.column, height: 1, width: rect.width)
            if line == .field(current) { cursorRow = lineRect.row }
            draw(line, in: lineRect, &canvas)
        }
        drawScrollMarks(of: lines.count, in: rect, popup, &canvas)
        let content = popup.content
        let notes = notes(width: content.width)
        for (offset, note) in notes.enumerated() where rect.endRow + offset < content.endRow {
            canvas.write(
                note.text, row: rect.endRow + offset, column: content.column, width: content.width,
                style: Style(note.role, on: .popup))
        }
        let used = valueColumn(width: rect.width)
        return fields[current].editor.cursor(row: cursorRow, column: rect.column + used, width: rect.width - used)
    }

    /// Draws arrows in the border beside the first and the last line, if there are more above or below.
    private func drawScrollMarks(of count: Int, in rect: Rect, _ popup: Popup, _ canvas: inout Canvas) {
        guard popup.content != popup.frame, rect.height > 0 else { return }
        let column = popup.frame.endColumn - 1
        if top > 0 { canvas.write("▲", row: rect.row, column: column, style: Style(.line, on: .popup)) }
        if top + rect.height < count {
            canvas.write("▼", row: rect.endRow - 1, column: column, style: Style(.line, on: .popup))
        }
    }

    /// The number of columns before the values: two signs and the label.
    private func valueColumn(width: Int) -> Int {
        let labels = fields.map(\.label.displayColumns).max() ?? 0
        return max(0, min(width - 1, 2 + min(labels, width / 3) + 2))
    }

    private func draw(_ line: Line, in rect: Rect, _ canvas: inout Canvas) {
        let used = valueColumn(width: rect.width)
        switch line {
        case .field(let index): draw(index, in: rect, &canvas)
        case .problem(let text):
            canvas.write(
                text, row: rect.row, column: rect.column + used, width: rect.width - used,
                style: Style(.warning, on: .popup))
        case .fold(let count):
            canvas.write(
                "▸ \(count.of("more field"))", row: rect.row, column: rect.column + 2, width: rect.width - 2,
                style: Style(.secondary, on: .popup))
        }
    }

    private func draw(_ index: Int, in rect: Rect, _ canvas: inout Canvas) {
        let (field, isCurrent) = (fields[index], index == current)
        let used = valueColumn(width: rect.width)
        let (column, width) = (rect.column + used, rect.width - used)
        let sign = field.problem != nil ? "!" : field.isTouched ? "*" : " "
        canvas.write(isCurrent ? "▌" : " ", row: rect.row, column: rect.column, style: Style(on: .popup))
        canvas.write(
            sign, row: rect.row, column: rect.column + 1, width: rect.width - 1,
            style: Style(field.problem == nil ? .sign : .warning, on: .popup))
        canvas.write(
            field.label, row: rect.row, column: rect.column + 2, width: used - 3,
            style: Style(isCurrent ? .strong : .secondary, on: .popup))
        if !field.placeholder.isEmpty {
            canvas.write(
                field.placeholder, row: rect.row, column: column, width: width, style: Style(.secondary, on: .popup))
            return
        }
        field.editor.draw(
            on: &canvas, row: rect.row, column: column, width: width, surface: .popup, isFocused: isCurrent)
        let offers = offers(for: field).map { $0.text(for: field.field) }
        if offers.isEmpty { return }
        // The values of others stand behind what is typed, and behind the cursor.
        let typed = field.editor.text.displayColumns
        let difference = typed == 0 ? "" : "≠ "
        let gap = typed == 0 ? (isCurrent ? 2 : 0) : 2
        if isCurrent, typed > 0 || typed + gap >= width { return }
        canvas.write(
            difference + offers.joined(separator: " | "), row: rect.row, column: column + typed + gap,
            width: width - typed - gap, style: Style(.secondary, on: .popup))
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

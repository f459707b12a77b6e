internal import Catalog
internal import Graphemes
internal import Library
internal import TerminalUI

/// The row at the top: what is shown, and of which catalog.
struct TitleBar {
    private let title: String
    private let isChangedOnDisk: Bool
    /// What is said of the catalog, at length and in fewer words.
    private let notes: [String]

    /// The title bar of `app`.
    init(_ app: App) {
        let store = app.session.library.store
        title = app.heading.title
        isChangedOnDisk = app.session.isChangedOnDisk
        var progress = ""
        if case .loading(let fraction) = store.state {
            progress = fraction.map { " so far, \(Int($0 * 100)) %" } ?? " so far"
        }
        let count = store.count.of("book") + progress
        notes =
            isChangedOnDisk
            ? ["\(store.name) (changed on disk) · \(count)", "\(store.name) (changed on disk)", "changed on disk"]
            : ["\(store.name) · \(count)"]
    }

    /// Draws it.
    func draw(in rect: Rect, on canvas: inout Canvas) {
        let style = Style(on: .bar)
        canvas.clear(rect, style: style)
        let room = rect.width - 2
        let titleColumns = title.displayColumns
        // What must be said is, where a half is enough for it, and the title has what is left.
        let needed = isChangedOnDisk ? notes.last.flatMap { 2 * $0.displayColumns <= room ? $0 : nil } : nil
        let note = notes.first { titleColumns + 2 + $0.displayColumns <= room } ?? needed ?? ""
        let left = room - note.displayColumns - (note.isEmpty ? 0 : 2)
        canvas.write(title, row: rect.row, column: 1, width: left, style: Style(.strong, on: .bar))
        canvas.write(note, row: rect.row, column: rect.width - 1 - note.displayColumns, style: style)
    }
}

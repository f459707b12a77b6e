internal import Catalog
internal import Editing
internal import Glibc
internal import Graphemes
internal import Library
internal import Remote
internal import TerminalUI

/// The top row: the title of the screen, the catalog with the number of listed books, and the current warnings.
struct TitleBar {
    private let title: String
    /// The catalog, in full and in two shorter forms.
    private let catalog: [String]
    /// The number of listed books alone, beside a long search.
    private let count: String
    /// The warnings, in full and in two shorter forms; empty if there are none.
    private let warnings: [String]

    /// Creates the title bar of `app` with the text of its screen.
    init(_ app: App, _ heading: Heading) {
        let store = app.session.library.store
        title = heading.title
        var progress = ""
        if case .loading(let fraction) = store.state {
            progress = fraction.map { " so far, \(Int($0 * 100)) %" } ?? " so far"
        }
        let rate = store.mirrored?.rate.map { ", \($0.words)" } ?? ""
        let copying = progress.isEmpty && !rate.isEmpty ? " · copying" : ""
        let unsaved = store.edited.map(\.unsavedCount).flatMap { $0 > 0 ? " · \($0.grouped) unsaved" : nil } ?? ""
        let age = store.mirrored?.dateOfOldCopy.map { " · copy \((time(nil) - $0).asAge) old" } ?? ""
        let pagesAge = store.remote?.connection.dateOfPages.map { " · read \((time(nil) - $0).asAge) ago" } ?? ""
        let notes = "\(age)\(pagesAge)\(unsaved)"
        count = heading.listed.map { "\($0) of \(store.count.shown)" } ?? store.count.of("book")
        let books = "\(count)\(progress)"
        catalog = [
            "\(store.name) · \(books)\(copying)\(rate)\(notes)", "\(store.name) · \(books)\(notes)",
            "\(store.name)\(notes)",
        ]
        let labels = app.session.warnings.map(\.label)
        let shortened = ["! " + labels.joined(separator: ", "), "! \(labels.count.of("warning"))", "!"]
        warnings = labels.isEmpty ? [] : shortened
    }

    /// Draws the title bar.
    func draw(in rect: Rect, on canvas: inout Canvas) {
        let style = Style(on: .bar)
        canvas.clear(rect, style: style)
        let room = rect.width - 2
        let (note, warning) = parts(in: room)
        var end = rect.width - 1
        func write(_ text: String, _ role: Style.Role) {
            if text.isEmpty { return }
            end -= text.displayColumns
            canvas.write(text, row: rect.row, column: end, style: Style(role, on: .bar))
            end -= 2
        }
        write(warning, .warning)
        write(note, .plain)
        canvas.write(title, row: rect.row, column: 1, width: end - 1, style: Style(.strong, on: .bar))
    }

    /// Returns the longest forms of catalog and warnings that fit beside the title. Warnings are never omitted: the
    /// title is truncated if they take at most half of the width.
    private func parts(in room: Int) -> (note: String, warning: String) {
        let left = room - title.displayColumns
        for warning in warnings.isEmpty ? [""] : warnings {
            for note in warning.isEmpty ? catalog.prefix(2) + [count] : catalog + [""] {
                let texts = [note, warning].filter { !$0.isEmpty }
                if texts.reduce(0, { $0 + $1.displayColumns + 2 }) <= left { return (note, warning) }
            }
            if !warning.isEmpty && 2 * warning.displayColumns <= room { return ("", warning) }
        }
        return ("", "")
    }
}

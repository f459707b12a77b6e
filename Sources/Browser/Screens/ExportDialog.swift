internal import Formats
internal import Graphemes
internal import Library
internal import Storage
internal import TerminalUI

/// The question which file books are exported to; the ending of its name decides on the format.
final class ExportDialog: TextInput {
    /// Opens the dialog for the listed or selected books.
    static let opener = ScreenOpener(context: .prompt) { app in
        let list = app.main.focus == .lists ? app.main.lists.current : nil
        return app.session.exportedBooks(of: list).map { ExportDialog($0) }
    }

    let context = CommandContext.prompt
    let placement = Placement.popup
    let prompt = "File: "
    var editor: LineEditor
    private let exported: ExportedBooks
    /// Whether user data is exported in formats that can do without it.
    private var includesUserData = true

    /// Creates a dialog that proposes a file for `exported`.
    init(_ exported: ExportedBooks) {
        self.exported = exported
        editor = LineEditor(exported.proposedPath(for: .json))
    }

    private var path: String {
        let text = editor.text.drop { $0 == " " }
        return expandedPath(String(text.reversed().drop { $0 == " " }.reversed()))
    }

    private var format: ExportFormat? { ExportFormat(fileName: path) }

    private var title: String { "Export \(exported.count.of("book"))" }

    /// The lines below the name of the file.
    private var lines: [String] {
        let endings = ExportFormat.allCases.map { $0.endings[0] }
        guard let format else { return ["End the name with", endings.joined(separator: " "), ""] }
        let others = endings.filter { !format.endings.contains($0) }.joined(separator: " ")
        let userData: String
        if format.isOnlyForUserData {
            userData = "Your data: included, and only books that have any"
        } else {
            userData =
                includesUserData ? "Your data: included. Tab leaves it out" : "Your data: left out. Tab includes it"
        }
        return ["Format: \(format.label)", "Or: \(others)", userData]
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        var hints: [KeyHint] = []
        if let format {
            hints.append(KeyHint(.enter, "export"))
            if !format.isOnlyForUserData {
                hints.append(KeyHint(.tab, includesUserData ? "leave out your data" : "include your data"))
            }
        }
        return hints + [KeyHint(.escape, "cancel")]
    }

    func heading(_ app: App) -> Heading { app.main.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let body = app.main.layout?.body else { return Position(row: 0, column: 0) }
        let popup = Popup(in: body, contentSize: Size(rows: 4, columns: 66))
        popup.draw(title, on: &canvas)
        let rect = popup.content
        editor.draw(
            on: &canvas, row: rect.row, column: rect.column, width: rect.width, prompt: prompt, surface: .popup,
            isFocused: true)
        for (number, line) in lines.enumerated() where number + 1 < rect.height {
            canvas.write(
                line, row: rect.row + 1 + number, column: rect.column, width: rect.width,
                style: Style(format == nil ? .warning : .secondary, on: .popup))
        }
        return editor.cursor(row: rect.row, column: rect.column, width: rect.width, prompt: prompt)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .done }

    /// Includes user data or leaves it out.
    func complete(_ app: App) {
        if format?.isOnlyForUserData != true { includesUserData.toggle() }
    }

    func accepted(_ app: App) -> Effect {
        guard let format else {
            app.session.status.say(.exportNeedsEnding)
            return .none
        }
        let path = path
        if let catalog = resolvedPath(app.session.catalogPath), resolvedPath(path) == catalog {
            app.session.status.say(.exportIntoCatalog)
            return .none
        }
        switch ReplacementFile.occupant(of: path) {
        case nil: export(to: path, as: format, overwriting: false, app)
        case .other: app.session.status.say(.exportNotToFile, abbreviatedPath(path))
        case .file:
            let question = Message.overwrite.text(abbreviatedPath(path))
            app.push(
                ConfirmDialog(question, below: self, app) { [weak self] isConfirmed, app in
                    if isConfirmed { self?.export(to: path, as: format, overwriting: true, app) }
                })
        }
        return .none
    }

    func cancelled(_ app: App) { app.close(self) }

    private func export(to path: String, as format: ExportFormat, overwriting overwrites: Bool, _ app: App) {
        let library = app.session.library
        let form = format.formatter(includesUserData: includesUserData)
        let export = BookExport(
            exported.books, missing: exported.missing, of: library.store, as: form,
            userDataOf: includesUserData || format.isOnlyForUserData ? library : nil)
        do throws(FileError) {
            let file = try ReplacementFile(path: path)
            let progress = ExportProgress(export, to: file, path: path, overwrites: overwrites)
            app.close(self)
            progress.begin(app)
        } catch {
            app.session.status.say(.notExported, error.savingSentence)
        }
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: .prompt, heading: title, typed: (prompt + editor.text).sanitized,
            content: .text(lines.filter { !$0.isEmpty }, topLine: "", sameTellsChangesOnly: true))
    }
}

/// The progress of an export that takes longer than a moment.
final class ExportProgress: ProgressScreen {
    let stoppedMessage = Message.exportStopped
    private var export: BookExport
    private let file: ReplacementFile
    private let path: String
    private let overwrites: Bool
    private var text: [UInt8] = []

    /// In milliseconds: how long an export may take before its progress is shown, and how long the keyboard may wait.
    private static let patience = 100
    private static let timeSlice = 20
    private static let pieceSize = 1 << 16

    /// Creates the progress of an export to `file`, which takes the place of `path`.
    init(_ export: BookExport, to file: ReplacementFile, path: String, overwrites: Bool) {
        self.export = export
        self.file = file
        self.path = path
        self.overwrites = overwrites
    }

    /// Exports as much as takes no time, and shows the progress of the rest.
    func begin(_ app: App) {
        if advance(milliseconds: app.session.settings.timeBudget ?? Self.patience, app.session) { return }
        app.push(self)
        app.session.wake()
    }

    /// Exports the next books.
    ///
    /// - Returns: Whether the export has ended; the status line says how.
    private func advance(milliseconds: Int, _ session: Session) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        do throws(FileError) {
            repeat {
                switch export.write(16, to: &text) {
                case .unfinished: break
                case .catalogChanged:
                    session.status.say(.exportNeedsReload, session.keyLabel(of: .reload))
                    return true
                case .finished where export.writtenCount == 0:
                    session.status.say(.nothingOfYours)
                    return true
                case .finished:
                    try file.append(text)
                    try file.complete(overwriting: overwrites)
                    session.status.say(summary)
                    return true
                }
                if text.count >= Self.pieceSize {
                    try file.append(text)
                    text.removeAll(keepingCapacity: true)
                }
            } while ContinuousClock.now < end
        } catch {
            session.status.say(.notExported, error.savingSentence)
            return true
        }
        return false
    }

    private var summary: String {
        let place = abbreviatedPath(absolutePath(path))
        let left = export.count - export.writtenCount
        let rest = left > 0 ? "; \(left.grouped) \(left == 1 ? "has" : "have") no data of yours" : ""
        return "Exported \(export.writtenCount.of("book")) to \(place)\(rest)"
    }

    var activity: String { "Exporting to \(fileName(of: path))" }

    var progressText: String {
        "\(export.position.grouped) of \(export.count.of("book")), \(export.position.percentage(of: export.count))"
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.reloaded) {
            app.close(self)
            app.session.status.say(.exportStoppedByReload)
        } else if changes.contains(.background) {
            if advance(milliseconds: Self.timeSlice, app.session) { app.close(self) } else { app.session.wake() }
        }
    }
}

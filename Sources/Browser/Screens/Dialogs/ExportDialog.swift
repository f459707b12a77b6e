internal import Catalog
internal import Editing
internal import Formats
internal import Graphemes
internal import Library
internal import Remote
internal import Storage
internal import TerminalUI

/// The dialog for the file that books are exported to; its file extension determines the format.
final class ExportDialog: TextInput, PopupDialog {
    /// Opens the dialog for the listed or selected books.
    static let opener = ScreenOpener(context: .prompt) { app in
        let list = app.main.focus == .lists ? app.main.lists.current : nil
        if app.main.focus == .lists, list == nil {
            app.main.lists.sayGroup()
            return nil
        }
        let hasConnector = app.session.services.connector() != nil
        return app.session.exportedBooks(of: list).map { ExportDialog($0, hasConnector: hasConnector) }
    }

    static let width = 66
    let inputRowCount = 1
    let prompt = "File: "
    var editor: LineEditor
    private let exported: ExportedBooks
    /// The available formats.
    private let formats: [ExportFormat]
    /// Whether user data is exported in a format in which it is optional.
    private var includesUserData = true

    /// Creates a dialog that suggests a file for `exported`.
    ///
    /// - Parameter hasConnector: Whether formats that need the connector program are available.
    init(_ exported: ExportedBooks, hasConnector: Bool) {
        self.exported = exported
        formats = ExportFormat.allCases.filter { hasConnector || !$0.needsConnector }
        editor = LineEditor(exported.proposedPath(for: .json))
    }

    private var path: String {
        let text = editor.text.drop { $0 == " " }
        return expandedPath(String(text.reversed().drop { $0 == " " }.reversed()))
    }

    private var format: ExportFormat? { ExportFormat(fileName: path) }

    var title: String { "Export \(exported.count.of("book"))" }

    /// Returns the lines below the file name, at most `width` columns wide.
    func lines(_ width: Int) -> [String] {
        guard let format else {
            return ["End the name with"] + endings(of: formats, after: "", width) + [""]
        }
        let others = formats.filter { $0 != format }
        let userData: String
        if !format.hasUserData {
            userData = "Your data: left out, as this format cannot keep it"
        } else if format.isOnlyForUserData {
            userData = "Your data: included, and only books that have any"
        } else {
            userData =
                includesUserData ? "Your data: included. Tab leaves it out" : "Your data: left out. Tab includes it"
        }
        return ["Format: \(format.label)"] + endings(of: others, after: "Or:", width)
            + LineWrapper(userData, width: width).map { $0.map(\.text).joined() }
    }

    /// Returns the usual extensions of formats, on as many lines as they need.
    private func endings(of formats: [ExportFormat], after start: String, _ width: Int) -> [String] {
        formats.map { $0.endings[0] }.reduce(into: [start]) { lines, ending in
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = ending
            } else if line.count + 1 + ending.count <= width {
                lines[lines.count - 1] += " " + ending
            } else {
                lines.append(ending)
            }
        }
    }

    /// Whether user data is optional in a format.
    private func hasChoice(_ format: ExportFormat) -> Bool { format.hasUserData && !format.isOnlyForUserData }

    func keyHints(_ app: App) -> [KeyHint]? {
        var hints: [KeyHint] = []
        if let format {
            hints.append(KeyHint(.enter, "export"))
            if hasChoice(format) {
                hints.append(KeyHint(.tab, includesUserData ? "leave out your data" : "include your data"))
            }
        }
        return hints + [KeyHint(.escape, "cancel")]
    }

    func draw(_ lines: [String], in rect: Rect, on canvas: inout Canvas) -> Position {
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

    /// Includes or excludes user data.
    func complete(_ app: App) {
        if format.map(hasChoice) != false { includesUserData.toggle() }
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
        if app.session.services.sample?.isFile(at: path) == true {
            app.session.status.say(.sampleNotReplaced, abbreviatedPath(path))
            return .none
        }
        if format.needsConnector, app.session.services.connector() == nil {
            app.session.status.say(.exportNeedsConnector, format.label)
            return .none
        }
        switch ReplacementFile.occupant(of: path) {
        case nil: export(to: path, as: format, overwriting: false, app)
        case .other: app.session.status.say(.exportNotToFile, abbreviatedPath(path))
        case .file where format.keepsExisting && !app.session.library.store.isWhole:
            app.session.status.say(.exportNeedsWholeCatalog, abbreviatedPath(path))
        case .file:
            let question = (format.keepsExisting ? Message.updateDatabase : .overwrite).text(abbreviatedPath(path))
            app.push(
                ConfirmDialog(
                    question, below: self, app, verbs: (format.keepsExisting ? "update" : "overwrite", "keep")
                ) { [weak self] isConfirmed, app in
                    if isConfirmed { self?.export(to: path, as: format, overwriting: true, app) }
                    return .none
                })
        }
        return .none
    }

    func cancelled(_ app: App) { app.close(self) }

    private func export(to path: String, as format: ExportFormat, overwriting overwrites: Bool, _ app: App) {
        let library = app.session.library
        let form = format.formatter(includesUserData: includesUserData, title: exported.title)
        let export = BookExport(
            exported.books, missing: exported.missing, of: library.store, as: form,
            userDataOf: format.hasUserData && includesUserData || format.isOnlyForUserData ? library : nil,
            coversBeside: app.session.catalogPath)
        do throws(FileError) {
            var target = ExportTarget(
                path: path, label: format.label, file: try ReplacementFile(path: path), overwrites: overwrites)
            if format.needsConnector, let connector = app.session.services.connector() {
                target.made = try DatabaseExport(by: connector)
            }
            let progress = ExportProgress(export, to: target)
            app.close(self)
            progress.begin(app)
        } catch {
            app.session.status.say(.notExported, error.savingSentence)
        }
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: .prompt, heading: title, typed: (prompt + editor.text).sanitized,
            content: .text(lines(Self.width).filter { !$0.isEmpty }, topLine: "", speaksChangesOnly: true))
    }
}

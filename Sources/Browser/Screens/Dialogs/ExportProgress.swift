internal import Catalog
internal import Formats
internal import Graphemes
internal import Library
internal import Remote
internal import Storage
internal import TerminalUI

/// The file that books are exported to.
struct ExportTarget {
    /// The path.
    let path: String
    /// The name of the format.
    let label: String
    /// The new file, which replaces any file at the path.
    let file: ReplacementFile
    /// Whether the file may replace another one.
    let overwrites: Bool
    /// The database that the connector makes; nil if stacks writes the file itself.
    var made: DatabaseExport?

    /// Appends text of the file, or rows for the connector.
    func append(_ text: [UInt8]) throws(FileError) {
        if let made { try made.append(text) } else { try file.append(text) }
    }
}

/// The progress of an export that takes longer than a moment and runs between keys; the key that cancels stops it.
final class ExportProgress: PopupDialog {
    static let width = 66
    let inputRowCount = 0
    private var export: BookExport
    private let target: ExportTarget
    private var text: [UInt8] = []

    /// The time of an export before its progress is shown, and the time that the keyboard may wait, in milliseconds.
    private static let progressDelay = 100
    private static let timeSlice = 20
    private static let pieceSize = 1 << 16

    /// Whether all rows are written and the connector is making the file.
    private var isMaking = false

    /// Creates the progress of an export to `target`.
    init(_ export: BookExport, to target: ExportTarget) { (self.export, self.target) = (export, target) }

    /// Exports as much as possible before progress must be shown, then opens the popup.
    func begin(_ app: App) {
        if advance(milliseconds: app.session.settings.timeBudget ?? Self.progressDelay, app.session) { return }
        app.push(self)
        app.session.wake()
    }

    /// Exports the next books.
    ///
    /// - Returns: Whether the export has ended; the status line shows the result.
    private func advance(milliseconds: Int, _ session: Session) -> Bool {
        if isMaking { return hasMade(session) }
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
                    try target.append(text)
                    text = []
                    guard let made = target.made else {
                        try target.file.complete(overwriting: target.overwrites)
                        session.status.say(summary)
                        return true
                    }
                    isMaking = true
                    made.make(replacing: resolvedPath(target.path), notifying: session.wake)
                    return false
                }
                if text.count >= Self.pieceSize {
                    try target.append(text)
                    text.removeAll(keepingCapacity: true)
                }
            } while ContinuousClock.now < end
        } catch {
            session.status.say(.notExported, error.savingSentence)
            return true
        }
        return false
    }

    /// Moves the file into place once the connector has made it.
    ///
    /// - Returns: Whether the export has ended; the status line shows the result.
    private func hasMade(_ session: Session) -> Bool {
        guard let made = target.made, made.isMade else { return false }
        let place = abbreviatedPath(absolutePath(target.path))
        if let failure = made.failure {
            session.status.say(Message.notExported.text(failure.sentence(writing: place)))
            return true
        }
        do throws(FileError) {
            try made.complete(target.file, overwriting: target.overwrites)
            session.status.say(summary)
        } catch {
            session.status.say(.notExported, error.savingSentence)
        }
        return true
    }

    private var summary: String {
        let place = abbreviatedPath(absolutePath(target.path))
        let left = export.count - export.writtenCount
        let rest = left > 0 ? "; \(left.grouped) \(left == 1 ? "has" : "have") no data of yours" : ""
        let losses = export.sentenceOfLosses(in: target.label).map { ". " + $0 } ?? ""
        return "Exported \(export.writtenCount.of("book")) to \(place)\(rest)\(losses)"
    }

    var title: String { "Exporting to \(fileName(of: target.path))" }

    private var progressText: String {
        if isMaking, let made = target.made {
            return "\(made.rows.grouped) of \(export.count.grouped) written"
        }
        return
            "\(export.position.grouped) of \(export.count.of("book")), \(export.position.percentage(of: export.count))"
    }

    func lines(_ width: Int) -> [String] { [progressText, "\(Key.escape.label) stops"] }

    func draw(_ lines: [String], in rect: Rect, on canvas: inout Canvas) -> Position {
        for (number, line) in lines.enumerated() where number < rect.height {
            canvas.write(
                line, row: rect.row + number, column: rect.column, width: rect.width,
                style: Style(number == 0 ? .plain : .secondary, on: .popup))
        }
        return Position(row: rect.row, column: rect.column)
    }

    func type(_ key: Key, _ app: App) -> Effect? {
        if let command = app.singleKeyRequest(by: key)?.command, command == .cancel || command == .interrupt {
            app.close(self)
            app.session.status.say(.exportStopped)
        }
        return Effect.none
    }

    func spoken(_ app: App) -> Spoken { Spoken(place: .prompt, heading: title, content: .row(progressText)) }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.reloaded) {
            app.close(self)
            app.session.status.say(.exportStoppedByReload)
        } else if changes.contains(.background) {
            if advance(milliseconds: Self.timeSlice, app.session) {
                app.close(self)
            } else if !isMaking {
                app.session.wake()
            }
        }
    }
}

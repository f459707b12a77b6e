internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// The way back: undo, redo, and the history of all changes.
extension Browser {
    /// Takes the last change back.
    func undo() {
        step("Taken back", orElse: "There is nothing to take back") { () throws(FileError) in
            try library.shelves.undo()
        }
    }

    /// Makes the change again that was taken back last.
    func redo() {
        step("Made again", orElse: "There is nothing to make again") { () throws(FileError) in
            try library.shelves.redo()
        }
    }

    private func step(_ text: String, orElse none: String, _ body: () throws(FileError) -> UndoStep?) {
        do throws(FileError) {
            message = try body().map { "\(text): \($0.sentence)" } ?? none
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }

    /// Shows all changes.
    func openHistory() {
        do throws(FileError) {
            historySource.steps = try library.shelves.history(limit: Self.historyLimit)
        } catch {
            message = "The history cannot be read: \(error.savingSentence)"
            return
        }
        historyTable.placeholder = "Nothing was changed yet."
        historyTable.reloadData()
        historyTable.select(0, top: 0)
        overlays.append(.history)
    }

    /// The most changes that are shown.
    private static let historyLimit = 10_000

    /// What a command does among the changes.
    func performInHistory(_ request: KeyInterpreter.Request) {
        switch request.command {
        case .open: goBackInHistory()
        case .history: closeOverlay()
        case .undo, .redo:
            request.command == .undo ? undo() : redo()
            let row = historyTable.selectedRow
            historySource.steps = (try? library.shelves.history(limit: Self.historyLimit)) ?? []
            historyTable.reloadData()
            if let row { historyTable.select(row) }
        default: move(in: historyTable, request)
        }
    }

    private func goBackInHistory() {
        guard let row = historyTable.selectedRow else { return }
        let step = historySource.steps[row]
        closeOverlay()
        message = "Nothing was changed since: \(step.sentence)"
        do throws(FileError) {
            try offeringUndo { () throws(FileError) in try library.shelves.goBack(to: step) }
            if offersUndo {
                message = "Back to where this was done: \(step.sentence); \(keyLabel(of: .undo)) takes that back"
            }
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }
}

internal import Books
internal import Catalog
internal import Glibc
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves
internal import Storage

/// A change of a catalog by a command: makes the change in an editor, writes the file or prints the difference, and
/// moves user data along.
struct CatalogChange {
    /// The catalog.
    var options: CatalogOptions
    /// Whether to print the difference instead of writing the file.
    let isDryRun: Bool

    /// The result of a command's changes in the editor.
    struct Result {
        /// The kind of edit.
        var kind: CatalogEditStep.Kind
        /// The message when the change is made, without a full stop.
        var sentence: String
        /// The title of the first book.
        var title = ""
        /// The number of affected books, if not all of their records change.
        var bookCount: Int?
        /// The moves of user data, with the books as they are after the change.
        var moves: [UserDataMove] = []
        /// The names for which there is no book.
        var unknown: [BookArgument] = []
    }

    /// The maximum number of attempts if the file keeps changing.
    private static let attemptCount = 20

    /// Makes the change with `body`; tries again if the file has changed meanwhile.
    ///
    /// - Returns: The exit status.
    func run(_ body: (OpenedLibrary, CatalogEditor) throws(CommandError) -> Result) -> Int32 {
        // Before there are other threads.
        let termination = TerminationCleanup()
        useUTF8Locale()
        do throws(CommandError) {
            for _ in 1...Self.attemptCount {
                if options.catalog == "-" {
                    throw CommandError(sentence: Message.catalogIsPipe.text(), exitStatus: ExitStatus.usage)
                }
                var request = options.request
                // What a server has is changed as it is now.
                if request.refreshes == .whenChanged { request.refreshes = .whenChangedNow }
                var opened = try OpenedLibrary(request, edits: .ignored)
                if opened.catalog.store.serverEditable?.wasReadWhileCopied == true {
                    request.refreshes = .never
                    opened = try OpenedLibrary(request, edits: .ignored)
                }
                do throws(CommandError) {
                    if let code = try attempt(opened, termination, body) { return code }
                } catch {
                    // A record that is gone is either in the new file or reported as missing.
                    if error.exitStatus != ExitStatus.changed || error.isFinal { throw error }
                }
            }
            let name = options.catalog ?? "catalog"
            throw CommandError(sentence: Message.catalogChangedMeanwhile.text(name), exitStatus: ExitStatus.changed)
        } catch {
            return error.report()
        }
    }

    /// Checks that the catalog keeps its books in an order that can be changed.
    ///
    /// - Throws: `CommandError` for a server.
    static func requireOrder(of opened: OpenedLibrary) throws(CommandError) {
        if opened.catalog.store.serverEditable == nil { return }
        throw CatalogEditError.unordered.commandError(changing: opened.catalog.shownPath)
    }

    /// - Returns: The exit status; nil if the file has changed meanwhile.
    private func attempt(
        _ opened: OpenedLibrary, _ termination: TerminationCleanup,
        _ body: (OpenedLibrary, CatalogEditor) throws(CommandError) -> Result
    ) throws(CommandError) -> Int32? {
        let path = opened.catalog.shownPath
        let refusal = BundledCatalog.refusal(ofChanging: opened.catalog.path)
        let hasUnsavedEdits = opened.catalog.hasUnsavedEdits
        let editor: CatalogEditor
        do throws(CatalogEditError) {
            if let server = opened.catalog.store.serverEditable {
                editor = try server.editorOfCopy()
            } else {
                guard let editable = opened.catalog.store.editable else {
                    throw opened.catalog.store.obstacleToEditing
                }
                editor = try editable.editor()
            }
        } catch {
            // An installed catalog is write-protected, but the user needs a copy of it anyway.
            throw refusal ?? error.commandError(changing: path)
        }
        let result = try body(opened, editor)
        if let refusal, !isDryRun { throw refusal }
        for name in result.unknown { printError(name.sentenceOfAbsence(in: path)) }
        if isDryRun {
            if hasUnsavedEdits { printError(Message.unsavedNotCompared.text(path)) }
            var text: [UInt8]
            do throws(CatalogEditError) {
                text = try UnifiedDiff(of: editor, path: path).bytes()
            } catch {
                throw error.commandError(changing: path)
            }
            if let code = PlainList.write(&text), code != 0 { return code }
        } else {
            if opened.catalog.store.serverEditable != nil {
                guard let code = try ServerEdit(opened, termination).send(result, of: editor) else { return nil }
                if code != 0 { return code }
            } else {
                guard try save(result, with: editor, in: opened) else { return nil }
            }
            let code = PlainList.write(result.sentence + ".\n")
            if code != 0 { return code }
            if hasUnsavedEdits { printError(Message.unsavedNotWritten.text(path)) }
        }
        return result.unknown.isEmpty ? 0 : ExitStatus.nothingFound
    }

    /// Writes the file and adds the change to the history, so that it can be undone.
    ///
    /// - Returns: False if the file has changed meanwhile.
    private func save(
        _ result: Result, with editor: CatalogEditor, in opened: OpenedLibrary
    ) throws(CommandError) -> Bool {
        let path = opened.catalog.shownPath
        let userData = opened.library.userData
        let saved: CatalogEditor.SaveResult
        do throws(CatalogEditError) {
            saved = try editor.save(journalPath: userData.isSaved ? opened.catalog.editJournalPath : nil)
        } catch {
            throw error.commandError(changing: path)
        }
        switch saved {
        case .outdated: return false
        case .saved(let obstacle):
            if !result.moves.isEmpty {
                try opened.save { () throws(FileError) in try userData.move(result.moves) }
            }
            switch obstacle {
            case .tooLong?: printError(Message.tooLongToUndo.text(path))
            case .journal(let error)?:
                printError(Message.editNotUndoable.text("\(path) was changed", error.savingSentence))
            case nil: break
            }
        case .undoable(let outcome):
            let step = CatalogEditStep(
                result.kind, number: outcome.number, catalog: opened.library.catalogPath ?? path, title: result.title,
                bookCount: result.bookCount ?? outcome.bookCount)
            do throws(FileError) {
                try userData.record(step, moving: result.moves)
            } catch {
                throw CommandError(
                    sentence: Message.editNotUndoable.text("\(path) was changed", error.savingSentence),
                    exitStatus: error.isForbidden ? ExitStatus.noPermission : ExitStatus.inputOutput, isFinal: true)
            }
        }
        return true
    }
}

extension CatalogEditError {
    /// This error for a command that changes the catalog at `path`.
    func commandError(changing path: String) -> CommandError {
        CommandError(sentence: sentence(changing: path), exitStatus: exitStatus, isFinal: isFinal)
    }

    /// Whether an immediate new attempt would fail too.
    private var isFinal: Bool { if case .busy = self { true } else { false } }

    private var exitStatus: Int32 {
        switch self {
        case .pipe, .foreign, .obstacle(.notAFile), .unordered, .tooManyAtOnce: ExitStatus.usage
        case .obstacle, .notKept: ExitStatus.noPermission
        case .recordGone, .busy, .loading, .saving, .changedSince: ExitStatus.changed
        case .cannotHold, .typeDiffers, .notAList, .endless, .unreadableAfterwards, .notARecord, .stepGone:
            ExitStatus.badData
        case .notSynchronized: ExitStatus.inputOutput
        case .file(let error), .journal(let error): error.isForbidden ? ExitStatus.noPermission : ExitStatus.inputOutput
        case .unreadable(let error): error.exitStatus
        case .server(let failure): failure.exitStatus
        case .offline: ExitStatus.noNetwork
        }
    }
}

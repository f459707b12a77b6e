internal import Books
internal import Catalog
internal import Editing
internal import Glibc
internal import Library
internal import Remote
internal import Shelves
internal import Storage
internal import Text

/// A change of a catalog by a command: opens it, makes the edit, and saves it or prints the difference.
struct CatalogChange {
    /// The catalog.
    var options: CatalogOptions
    /// Whether to print the difference instead of saving.
    let isDryRun: Bool

    /// The edit that a command makes.
    struct Request {
        /// The edit.
        var edit: BookEdit
        /// The names for which there is no book.
        var unknown: [BookArgument] = []
        /// Returns the message when the edit is made, without a full stop; there is no outcome if nothing had to be
        /// changed.
        var sentence: (EditOutcome?) -> String
    }

    /// The maximum number of attempts if the catalog keeps changing.
    private static let attemptCount = 20

    /// Makes the edit that `body` returns; tries again if the catalog has changed meanwhile.
    ///
    /// - Parameter known: What ends the program on a signal, if the command has it already.
    /// - Returns: The exit status.
    func run(
        endingBy known: TerminationCleanup? = nil, _ body: (OpenedLibrary) throws(CommandError) -> Request
    ) -> Int32 {
        // Before there are other threads.
        let termination = known ?? TerminationCleanup()
        do throws(CommandError) {
            for _ in 1...Self.attemptCount {
                if options.catalog == "-" {
                    throw CommandError(sentence: Message.catalogIsPipe.text(), exitStatus: ExitStatus.usage)
                }
                var request = options.request
                // What a server has is changed as it is now.
                if request.copying.refreshes == .whenChanged { request.copying.refreshes = .whenChangedNow }
                let opened = try OpenedLibrary(request, edits: .direct)
                do throws(CommandError) {
                    if let code = try attempt(opened, termination, body) { return code }
                } catch {
                    // A record that is gone is either in the new file or reported as missing.
                    if error.exitStatus != ExitStatus.changed || error.isFinal { throw error }
                }
            }
            let name = options.catalog ?? "catalog"
            throw CommandError(
                sentence: CommandMessage.catalogChangedMeanwhile.text(name), exitStatus: ExitStatus.changed)
        } catch {
            return error.report()
        }
    }

    /// - Returns: The exit status; nil if the catalog has changed meanwhile.
    private func attempt(
        _ opened: OpenedLibrary, _ termination: TerminationCleanup,
        _ body: (OpenedLibrary) throws(CommandError) -> Request
    ) throws(CommandError) -> Int32? {
        let path = opened.catalog.shownPath
        let refusal = BundledCatalog.refusal(ofChanging: opened.catalog.path)
        let hasUnsavedEdits = opened.catalog.hasUnsavedEdits
        let store = opened.catalog.store
        guard let catalog = store.edited else { throw refusal ?? store.obstacleToEditing.commandError(changing: path) }
        do throws(CatalogEditError) {
            try catalog.checkEditable()
        } catch {
            // An installed catalog is write-protected, but the user needs a copy of it anyway.
            throw refusal ?? error.commandError(changing: path)
        }
        if catalog.isOnServer, options.request.copying.refreshes == .never, !isDryRun {
            throw CatalogEditError.offline.commandError(changing: path)
        }
        let request = try body(opened)
        let made: MadeEdit?
        var difference: [UInt8] = []
        do throws(CatalogEditError) {
            made = try opened.library.make(request.edit)
            if isDryRun { difference = try UnifiedDiff(of: try catalog.arrangement(), path: path).bytes() }
        } catch {
            throw error.commandError(changing: path)
        }
        if let refusal, !isDryRun { throw refusal }
        for name in request.unknown { printError(name.sentenceOfAbsence(in: path)) }
        if isDryRun {
            if hasUnsavedEdits { printError(CommandMessage.unsavedNotCompared.text(path)) }
            if let code = PlainList.write(&difference), code != 0 { return code }
        } else {
            if let made {
                guard let code = try save(made, in: catalog, of: opened, termination) else { return nil }
                if code != 0 { return code }
            }
            let code = PlainList.write(request.sentence(made?.outcome) + ".\n")
            if code != 0 { return code }
            if hasUnsavedEdits { printError(CommandMessage.unsavedNotWritten.text(path)) }
        }
        return request.unknown.isEmpty ? 0 : ExitStatus.nothingFound
    }

    /// Saves an edit and adds it to the history, so that it can be undone.
    ///
    /// - Returns: The exit status; nil if others have changed the books meanwhile.
    private func save(
        _ made: MadeEdit, in catalog: EditedCatalog, of opened: OpenedLibrary, _ termination: TerminationCleanup
    ) throws(CommandError) -> Int32? {
        let path = opened.catalog.shownPath
        let userData = opened.library.userData
        var line = ProgressLine("publishing")
        defer { termination.set(nil) }
        let saved: DirectSave?
        do throws(CatalogEditError) {
            saved = try catalog.saveDirectly(isUndoable: userData.isSaved) { progress, cleanUp in
                termination.set(cleanUp)
                let fraction = Double(progress.count) / Double(max(1, progress.total))
                line.show(progress.count, fraction: fraction, rate: progress.rate?.words)
            }
        } catch {
            line.clear()
            throw error.commandError(changing: path)
        }
        line.clear()
        guard let saved else { return nil }
        var made = made
        made.moves.removeAll { move in saved.refusals.contains { $0.title == move.book.title } }
        do throws(FileError) {
            if let number = saved.number {
                try made.record(in: userData, number: number, catalog: opened.library.catalogPath ?? path)
            }
        } catch {
            throw CommandError(
                sentence: Message.editNotUndoable.text("\(path) was changed", error.savingSentence),
                exitStatus: error.exitStatus(else: ExitStatus.inputOutput), isFinal: true)
        }
        if saved.number == nil, !made.moves.isEmpty {
            try opened.save { () throws(FileError) in try userData.move(made.moves) }
        }
        if saved.refusals.contains(where: \.isConflict) { return nil }
        switch saved.obstacle {
        case .tooLarge?: printError(CommandMessage.tooLongToUndo.text(path))
        case .journal(let error)?:
            printError(Message.editNotUndoable.text("\(path) was changed", error.savingSentence))
        case nil: break
        }
        saved.refusals.report()
        return saved.refusals.exitStatus
    }
}

extension CatalogEditError {
    /// This error for a command that changes the catalog at `path`.
    func commandError(changing path: String) -> CommandError {
        CommandError(sentence: sentence(changing: path), exitStatus: exitStatus, isFinal: isFinal)
    }

    /// Whether an immediate new attempt would fail too.
    private var isFinal: Bool { if case .busy = self { true } else { false } }
}

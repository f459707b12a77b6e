internal import Catalog
internal import Library
internal import Shelves
internal import Storage
internal import Text

/// A catalog with the user data, opened for a command.
struct OpenedLibrary {
    /// The catalog.
    let catalog: OpenedCatalog
    /// The books of the catalog with the user data.
    let library: Library

    /// Opens the named catalog, or the one that the browser would open, reads it completely and prints the notices.
    ///
    /// - Parameter edits: The treatment of unsaved edits.
    init(_ request: CatalogRequest, edits: UnsavedEdits = .included) throws(CommandError) {
        let directories = Directories.ofEnvironment()
        var notices: [String] = []
        catalog = try request.open(in: directories, edits: edits) {
            let preferences = PreferencesFile(directory: directories.state)
            if let notice = preferences.notice { notices.append(notice) }
            return preferences.lastCatalog
        }
        notices += catalog.notices
        if catalog.paged != nil {
            throw CommandError(
                sentence: CommandMessage.needsWholeCatalog.text(catalog.path), exitStatus: ExitStatus.usage)
        }
        let shelves = UserData.saved(in: directories, notices: &notices)
        notices.forEach(printError)
        catalog.readRest()
        library = Library(
            store: catalog.store, userData: shelves, catalogPath: resolvedPath(catalog.path) ?? catalog.path)
    }

    /// Prints the defects of the catalog and saves its index.
    ///
    /// - Returns: The exit status for these defects.
    func finish() -> Int32 {
        catalog.file?.finishKeepingIndex()
        if let defects = catalog.defects { printError(defects) }
        return catalog.store.exitStatus
    }

    /// Saves changes of user data with `body`.
    ///
    /// - Throws: `CommandError` if they cannot be saved.
    func save(_ body: () throws(FileError) -> Void) throws(CommandError) {
        guard library.userData.isSaved else {
            let cause =
                library.userData.path.map { "a newer stacks wrote \(abbreviatedPath($0))" }
                ?? "HOME is not set"
            throw CommandError(sentence: CommandMessage.nothingChanged.text(cause), exitStatus: ExitStatus.inputOutput)
        }
        do throws(FileError) {
            try body()
        } catch {
            throw CommandError(
                sentence: Message.nothingWritten.text(abbreviatedPath(error.path), error.cause),
                exitStatus: error.exitStatus(else: ExitStatus.inputOutput))
        }
        // The changes are in the journal already; the snapshot only speeds up the next start.
        try? library.userData.saveSnapshot()
    }
}

internal import Browser
internal import Catalog
internal import Library
internal import Shelves
internal import Storage

/// A catalog with what is the reader's own, opened for a command.
struct OpenedLibrary {
    /// The catalog.
    let catalog: OpenedCatalog
    /// Its books with the reader's marks.
    let library: Library

    /// The catalog that was named, or that would be browsed, read to its end; what the reader must know is told.
    init(catalog name: String?, profile: String? = nil) throws(CommandError) {
        let directories = Directories.ofEnvironment()
        var notices: [String] = []
        catalog = try OpenedCatalog(named: name, profile: profile, in: directories) {
            let preferences = PreferencesFile(directory: directories.state)
            if let notice = preferences.notice { notices.append(notice) }
            return preferences.lastCatalog
        }
        notices += catalog.notices
        let shelves = UserData.saved(in: directories, notices: &notices)
        notices.forEach(printError)
        catalog.source.readRestTellingProgress()
        library = Library(
            store: catalog.store, shelves: shelves, catalogPath: resolvedPath(catalog.path) ?? catalog.path)
    }

    /// Tells what of the catalog could not be read, and keeps its index.
    ///
    /// - Returns: The exit code that this asks for.
    func finish() -> Int32 {
        catalog.source.finishKeepingIndex()
        if let defects = catalog.defects { printError(defects) }
        return catalog.store.defects.exitStatus
    }

    /// Saves the changes of the reader's own with `body`.
    ///
    /// - Throws: `CommandError`, where they cannot be saved.
    func save(_ body: () throws(FileError) -> Void) throws(CommandError) {
        guard library.shelves.isSaved else {
            let cause =
                library.shelves.path.map { "\(abbreviatedPath($0)) is from a later version of stacks" }
                ?? "HOME is not set"
            throw CommandError(sentence: "nothing is changed, as \(cause)", exitStatus: ExitStatus.inputOutput)
        }
        do throws(FileError) {
            try body()
        } catch {
            throw CommandError(
                sentence: "nothing is changed, as \(abbreviatedPath(error.path)) cannot be written, \(error.cause)",
                exitStatus: error.isForbidden ? ExitStatus.noPermission : ExitStatus.inputOutput)
        }
        // The journal has it all: this only has the next start read less of it.
        try? library.shelves.saveSnapshot()
    }
}

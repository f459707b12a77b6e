internal import Books
internal import Catalog
internal import Library
internal import Shelves
internal import Storage

/// Sends the changes of a command to a library on calibre's content server.
struct ServerEdit {
    private let opened: OpenedLibrary
    private let termination: TerminationCleanup

    /// Creates the edit of an open library.
    init(_ opened: OpenedLibrary, _ termination: TerminationCleanup) {
        (self.opened, self.termination) = (opened, termination)
    }

    /// Sends the changes that `editor` made in the copy, updates the copy, and moves the user data of changed books.
    ///
    /// - Returns: The exit status; nil if others changed the books on the server, so that the command must start from
    ///   the new values.
    /// - Throws: `CommandError` if the server cannot be reached or refuses.
    func send(_ result: CatalogChange.Result, of editor: CatalogEditor) throws(CommandError) -> Int32? {
        let edits: [ServerChange]
        do throws(CatalogEditError) {
            edits = try editor.serverChanges
        } catch {
            throw error.commandError(changing: opened.catalog.shownPath)
        }
        var refusals: [ServerRefusal] = []
        if !edits.isEmpty {
            let name = CatalogName(path: opened.catalog.path, passwords: opened.catalog.passwords)
            let copy = try TargetCopy(of: name, in: Directories.ofEnvironment())
            let changes = ServerChanges(try copy.publication(termination), of: copy)
            defer { termination.set(nil) }
            for edit in edits { try changes.add(edit, title: edit.title) }
            (_, refusals) = try changes.send(isDryRun: false, omittingUnsupported: false)
            // If this fails, the next start updates the copy.
            _ = try? copy.bringUpToDate()
            if refusals.contains(where: \.isConflict) { return nil }
            changes.say(refusals)
        }
        let moves = result.moves.filter { move in !refusals.contains { $0.title == move.book.title } }
        if !moves.isEmpty { try opened.save { () throws(FileError) in try opened.library.userData.move(moves) } }
        return refusals.exitStatus
    }
}

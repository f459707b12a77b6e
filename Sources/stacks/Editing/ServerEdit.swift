internal import Books
internal import Catalog
internal import Library
internal import Shelves
internal import Storage

/// The changes of a command in a library on calibre's content server, which are sent there.
struct ServerEdit {
    private let opened: OpenedLibrary
    private let termination: TerminationCleanup

    /// Prepares to change the library that is open.
    init(_ opened: OpenedLibrary, _ termination: TerminationCleanup) {
        (self.opened, self.termination) = (opened, termination)
    }

    /// Sends the changes that `editor` has made in the copy, copies what is there then, and lets the user data follow.
    ///
    /// - Returns: The exit status; nil if the server has other values meanwhile, of which the change is to be made again.
    /// - Throws: `CommandError` if the server cannot be reached or refuses.
    func send(_ result: CatalogChange.Result, of editor: CatalogEditor) throws(CommandError) -> Int32? {
        let edits: [ServerChange]
        do throws(CatalogEditError) {
            edits = try editor.serverChanges
        } catch {
            throw error.commandError(changing: opened.catalog.shownPath)
        }
        var refusals: [ServerChanges.Refusal] = []
        if !edits.isEmpty {
            let name = CatalogName(path: opened.catalog.path, passwords: opened.catalog.passwords)
            let copy = try TargetCopy(of: name, in: Directories.ofEnvironment())
            let changes = ServerChanges(try copy.publication(termination), of: copy)
            defer { termination.set(nil) }
            for edit in edits { try changes.add(old: edit.old, new: edit.new, title: edit.title) }
            (_, refusals) = try changes.send(isDryRun: false, omittingMisfits: false)
            // If that fails, the next start copies it.
            _ = try? copy.bringUpToDate()
            if refusals.contains(where: \.isOfOthers) { return nil }
            changes.say(refusals)
        }
        let moves = result.moves.filter { move in !refusals.contains { $0.title == move.book.title } }
        if !moves.isEmpty { try opened.save { () throws(FileError) in try opened.library.userData.move(moves) } }
        return refusals.exitStatus
    }
}

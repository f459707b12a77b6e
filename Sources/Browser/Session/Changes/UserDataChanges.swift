internal import Catalog
internal import Library
internal import Search
internal import Shelves
internal import Storage

/// Changing the user data, and showing changes made here or in another instance.
extension Session {
    /// Changes the user data, shows `text` or the reason why the change was not saved, and updates the lists.
    func change(saying text: String, _ body: () throws(FileError) -> Void) {
        status.say(text)
        do throws(FileError) {
            try offeringUndo(body)
            if !library.userData.isSaved { status.say(.keptUntilQuit, text) }
        } catch {
            status.say(error.retrySentence)
        }
        showChanges()
    }

    /// Runs a body that may change the user data, and offers to undo the change if there is one.
    func offeringUndo<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
        changing.datedStatus = nil
        // Earlier changes of other instances are not part of it.
        try? library.userData.load()
        let before = library.version(of: .userData)
        defer { if library.version(of: .userData) != before { status.offer = .undo } }
        try body()
    }

    /// Undoes the last change, and shows its book.
    ///
    /// - Returns: The change; nil if there is none, or if it is undone in the background.
    @discardableResult
    func undo() -> UndoStep? {
        if reversesInBackground(.undo) { return nil }
        return step(.undone, orElse: .nothingToUndo, offering: .redo) { () throws(FileError) in
            try library.userData.undo()
        }
    }

    /// Redoes the change that was undone last, and shows its book.
    ///
    /// - Returns: The change; nil if there is none, or if it is redone in the background.
    @discardableResult
    func redo() -> UndoStep? {
        if reversesInBackground(.redo) { return nil }
        return step(.redone, orElse: .nothingToRedo, offering: .undo) { () throws(FileError) in
            try library.userData.redo()
        }
    }

    private func step(
        _ message: Message, orElse none: Message, offering offer: Command, _ body: () throws(FileError) -> UndoStep?
    ) -> UndoStep? {
        var step: UndoStep?
        changing.datedStatus = nil
        do throws(FileError) {
            step = try body()
            status.say(step.map { message.text(of: $0) } ?? none.text())
            if step != nil { status.offer = offer }
        } catch {
            status.say(error.retrySentence)
        }
        showChanges()
        if let book = step?.book { books.show(book) }
        return step
    }

    /// Undoes all changes after `step`.
    func goBack(to step: UndoStep) {
        status.say(.nothingChangedSince, step.phrase)
        if reversesInBackground(.goBack(step)) { return }
        do throws(FileError) {
            try offeringUndo { () throws(FileError) in try library.userData.goBack(to: step) }
            if status.offer == .undo {
                status.say(.wentBack, step.phrase, keyLabel(of: .undo))
            }
        } catch {
            status.say(error.retrySentence)
        }
        showChanges()
    }

    // MARK: - Showing changes

    /// Updates the lists and the rows after a change of the user data.
    func showChanges() {
        note(.lists)
        if !books.updateListName() {
            note(.listGone)
        } else if books.list == .all && !books.request.needsUserData {
            books.reloadRows()
        } else {
            books.refillKeepingCurrentBook()
        }
        library.startLocatingUserData(notifying: wake)
        library.countQueries(notifying: wake)
    }

    /// Shows the user data, if it was read in the background.
    func receiveUserData() {
        do throws(FileError) {
            guard try library.receiveUserData(notifying: wake) else { return }
            if let notice = library.userData.notice { status.add(notice) }
            setUserDataProblem(nil)
        } catch {
            let problem = Message.userDataUnreadable.text(error.savingSentence)
            setUserDataProblem(problem)
            status.add(problem)
        }
        let pendingJump = books.pendingJump
        showChanges()
        if let pendingJump { books.jump(to: pendingJump) }
    }

    /// Shows changes of other instances, if any.
    func receiveChangesOfOthers() {
        guard library.userData.isRead else { return }
        let before = library.version(of: .userData)
        // Data that cannot be read now is read next time.
        try? library.userData.load()
        if library.version(of: .userData) != before { showChanges() }
    }
}

extension FileError {
    /// The message that a change could not be saved, and that saving is retried.
    var retrySentence: String { Message.notSavedYet.text(savingSentence) }
}

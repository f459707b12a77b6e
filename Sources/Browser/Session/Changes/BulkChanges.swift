internal import Editing
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage

/// A change of many books that runs in the background.
struct PendingBulkChange {
    /// The change.
    let change: BulkChange
    /// The start time.
    let start = ContinuousClock.now
    /// The activity in words: "Changing 78,766 books".
    let activity: String
    /// Whether the first edited book becomes the current one.
    var showsFirst = false
    /// Whether the catalog is saved once the change is made.
    var isSaved = false
    /// What is undone or redone, if the change reverses others.
    var reversal: BulkChange.Reversal?
    /// Returns the message for the outcome.
    let message: (BulkChange.Outcome) -> String

    /// Whether it has run long enough for the progress to be shown.
    var isSlow: Bool { start.duration(to: .now) > .milliseconds(100) }
}

extension BulkChange.Reversal {
    /// The message while it runs.
    fileprivate var activity: Message { if case .redo = self { .redoing } else { .undoing } }
    /// Whether it goes back to a step, which is a change of its own.
    fileprivate var isGoingBack: Bool { if case .goBack = self { true } else { false } }
    /// The command that reverses it.
    fileprivate var offer: Command { if case .undo = self { .redo } else { .undo } }
}

extension EditReversal {
    /// Whether the first book becomes the current one: it is there again, or elsewhere, or the only one.
    fileprivate var showsFirst: Bool {
        switch edit.kind {
        case .moved: true
        case .deleted: !isRedo
        case .changed: isRedo || edit.bookCount == 1
        case .added, .merged, .sorted: isRedo
        }
    }
}

extension BulkChange.Outcome {
    /// The outcome of the edit of the catalog, if there was one.
    fileprivate var edit: EditOutcome? {
        switch self {
        case .edited(let edit), .reversed(_, let edit): edit
        case .changed, .unsaved, .notEdited, .editedWithoutHistory, .passedOver, .hadNoEffect: nil
        }
    }

    /// The only book whose user data was changed by the step that was undone or redone.
    fileprivate var book: UndoStep.ChangedBook? { if case .reversed(let step, _) = self { step?.book } else { nil } }
}

/// Changing the user data of many books in the background, while the keyboard responds.
extension Session {
    /// Shows `pending` as the change in progress; no other change is made until it ends.
    func begin(_ pending: PendingBulkChange) {
        changing.bulkChange = pending
        changing.datedStatus = nil
        status.say(pending.activity + " …")
    }

    /// Undoes or redoes changes on another thread if they edited the catalog, or changed many books; waits for them
    /// within a frame.
    ///
    /// - Returns: Whether it does.
    func reversesInBackground(_ reversal: BulkChange.Reversal) -> Bool {
        // If the journal cannot be read, the undo itself reports it.
        let edits = (try? library.userData.edits(of: reversal)) ?? []
        guard !edits.isEmpty || library.userData.isLarge(reversal) else { return false }
        guard awaitSavedUserData() else { return true }
        let before = library.version(of: .edits)
        do throws(CatalogEditError) {
            let change = try library.start(reversal, of: edits, notifying: wake)
            begin(
                PendingBulkChange(
                    change: change, activity: reversal.activity.text(), showsFirst: edits.last?.showsFirst ?? false,
                    reversal: reversal
                ) { [self] outcome in sentence(of: reversal, outcome) })
        } catch {
            status.say(sentence(of: error))
        }
        // The file may have been read again.
        if library.version(of: .edits) != before { showEdits() }
        if let pending = changing.bulkChange, pending.change.wait(milliseconds: settings.timeBudget ?? Self.frame) {
            finishBulkChange()
        }
        return true
    }

    /// The time that the keyboard waits for an edit, in milliseconds: most values that do not fit are detected in the
    /// first books, while the form is still open.
    static let frame = 16

    private func sentence(of reversal: BulkChange.Reversal, _ outcome: BulkChange.Outcome) -> String {
        switch (outcome, reversal) {
        case (.reversed(let step?, _), .undo): Message.undone.text(of: step)
        case (.reversed(let step?, _), .redo): Message.redone.text(of: step)
        case (.reversed(let step?, _), .goBack): Message.wentBack.text(step.phrase, keyLabel(of: .undo))
        case (.reversed(nil, _), .undo): Message.nothingToUndo.text()
        case (.reversed(nil, _), .redo): Message.nothingToRedo.text()
        case (.reversed(nil, _), .goBack(let step)): Message.nothingChangedSince.text(step.phrase)
        case (.unsaved(let error), _): error.retrySentence
        case (.hadNoEffect(let step), .redo): Message.hasStepAlready.text(abbreviatedPath(catalogPath), step.phrase)
        case (.hadNoEffect(let step), _): Message.hadNoEffect.text(abbreviatedPath(catalogPath), step.phrase)
        case (.notEdited(let error), _), (.passedOver(let error), _): sentence(of: error)
        case (.changed, _), (.edited, _), (.editedWithoutHistory, _): ""
        }
    }

    /// Shows the progress of a change of many books, or its result.
    func receiveBulkChange() {
        guard let pending = changing.bulkChange else { return }
        if pending.change.isMade {
            finishBulkChange()
        } else if pending.isSlow {
            let percent = Int(pending.change.fraction * 100)
            status.say(.progress, pending.activity, String(percent), keyLabel(of: .cancel))
        }
    }

    /// Waits for the end of a change of many books and shows the result.
    ///
    /// - Returns: The reason why the books were not edited; nil if they were.
    @discardableResult
    func finishBulkChange() -> EditRefusal? {
        guard let pending = changing.bulkChange else { return nil }
        changing.bulkChange = nil
        let before = library.version(of: .edits)
        guard let outcome = library.receive(pending.change) else {
            status.say(.stopped)
            return nil
        }
        if library.version(of: .edits) == before {
            showChanges()
            // After going back, the step is one that was not changed.
            if pending.reversal?.isGoingBack != true, let book = outcome.book { books.show(book) }
        } else if pending.showsFirst, let edit = outcome.edit {
            showEdits(current: BookID(edit.position))
        } else {
            showEdits()
        }
        status.say(pending.message(outcome))
        switch outcome {
        case .edited where pending.isSaved: saveCatalog()
        case .changed, .edited(_?): status.offer = .undo
        case .reversed(_?, _): status.offer = pending.reversal?.offer
        case .passedOver: if pending.reversal?.isGoingBack == true { status.offer = .undo }
        case .notEdited(let error): return refusal(for: error)
        case .edited(nil), .reversed(nil, _), .unsaved, .editedWithoutHistory, .hadNoEffect: break
        }
        return nil
    }

    /// The time that the keyboard waits for a change to stop, in milliseconds.
    private static let stopTimeLimit = 30

    /// Waits a little for a change of many books, so that a change that is typed right behind it is made after it.
    ///
    /// - Returns: Whether no change is in progress.
    func awaitBulkChange() -> Bool {
        guard let pending = changing.bulkChange else { return true }
        guard pending.change.wait(milliseconds: settings.timeBudget ?? Self.waitTimeLimit) else { return false }
        finishBulkChange()
        return true
    }

    /// The time that a change waits for another one to end, in milliseconds; a longer one shows its progress.
    static let waitTimeLimit = 150

    /// Stops a change of many books; nothing is changed, unless the change had already completed.
    ///
    /// - Returns: False if no change is in progress.
    func stopBulkChange() -> Bool {
        guard let pending = changing.bulkChange else { return false }
        pending.change.stop()
        if pending.change.wait(milliseconds: Self.stopTimeLimit) { finishBulkChange() }
        return true
    }

    /// Shows the message that another change is in progress.
    func sayBusy() {
        guard let pending = changing.bulkChange else { return }
        status.say(.busy, pending.activity, keyLabel(of: .cancel))
    }
}

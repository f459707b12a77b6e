internal import Catalog
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
    /// Returns the message for the outcome.
    let message: (BulkChange.Outcome) -> String

    /// Whether it has run long enough for the progress to be shown.
    var isSlow: Bool { start.duration(to: .now) > .milliseconds(100) }
}

/// Changing the user data of many books in the background, while the keyboard responds.
extension Session {
    /// Shows `pending` as the change in progress; no other change is made until it ends.
    func begin(_ pending: PendingBulkChange) {
        bulkChange = pending
        status.say(pending.activity + " …")
    }

    /// Undoes or redoes the last step, which changed many books.
    ///
    /// - Parameter edits: The edits of the catalog that are reversed with it.
    func startReversal(of edits: [EditReversal] = [], redoing isRedo: Bool) {
        let (done, none): (Message, Message) =
            isRedo ? (.redone, .nothingToRedo) : (.undone, .nothingToUndo)
        do throws(CatalogEditError) {
            let change = try library.startReversal(of: edits, redoing: isRedo, notifying: wake)
            let activity = (isRedo ? Message.redoing : .undoing).text()
            begin(
                PendingBulkChange(change: change, activity: activity) { [self] outcome in
                    switch outcome {
                    case .reversed(let step): step.map { done.text(of: $0) } ?? none.text()
                    case .unsaved(let error): error.retrySentence
                    case .hadNoEffect(let step): sentence(ofNoEffectOf: step, redoing: isRedo)
                    case .notEdited(let error), .passedOver(let error): sentence(of: error)
                    case .changed, .edited, .editedWithoutHistory: ""
                    }
                })
        } catch {
            status.say(sentence(of: error))
        }
    }

    /// Shows the progress of a change of many books, or its result.
    func receiveBulkChange() {
        guard let pending = bulkChange else { return }
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
        guard let pending = bulkChange else { return nil }
        bulkChange = nil
        let revision = library.store.edited?.revision
        guard let outcome = library.receive(pending.change) else {
            status.say(.stopped)
            return nil
        }
        if library.store.edited?.revision == revision {
            showChanges()
        } else if pending.showsFirst, case .edited(let edit?) = outcome {
            showEdits(current: BookID(edit.position))
        } else {
            showEdits()
        }
        status.say(pending.message(outcome))
        switch outcome {
        case .changed, .edited(_?): status.offersUndo = true
        case .notEdited(let error): return refusal(for: error)
        case .edited(nil), .reversed, .unsaved, .editedWithoutHistory, .passedOver, .hadNoEffect: break
        }
        return nil
    }

    /// The time that the keyboard waits for a change to stop, in milliseconds.
    private static let stopTimeLimit = 30

    /// Waits a little for a change of many books, so that a change that is typed right behind it is made after it.
    ///
    /// - Returns: Whether no change is in progress.
    func awaitBulkChange() -> Bool {
        guard let pending = bulkChange else { return true }
        guard pending.change.wait(milliseconds: settings.timeBudget ?? Self.waitTimeLimit) else { return false }
        finishBulkChange()
        return true
    }

    /// The time that a change waits for another one to end, in milliseconds; a longer one shows its progress.
    private static let waitTimeLimit = 150

    /// Stops a change of many books; nothing is changed, unless the change had already completed.
    ///
    /// - Returns: False if no change is in progress.
    func stopBulkChange() -> Bool {
        guard let pending = bulkChange else { return false }
        pending.change.stop()
        if pending.change.wait(milliseconds: Self.stopTimeLimit) { finishBulkChange() }
        return true
    }

    /// Shows the message that another change is in progress.
    func sayBusy() {
        guard let pending = bulkChange else { return }
        status.say(.busy, pending.activity, keyLabel(of: .cancel))
    }
}

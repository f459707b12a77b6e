internal import Library
internal import Search
internal import Shelves
internal import Storage

/// A change of many books that is being made in the background.
struct PendingBulkChange {
    /// The change.
    let change: BulkChange
    /// When it was begun.
    let start = ContinuousClock.now
    /// What is being done, as "Changing 78,766 books".
    let activity: String
    /// What is said when it is done.
    let message: (BulkChange.Outcome) -> String

    /// Whether it takes so long that the progress is shown.
    var isSlow: Bool { start.duration(to: .now) > .milliseconds(100) }
}

/// Changing the user data of many books while the keyboard answers.
extension Session {
    /// Shows that nothing else is changed until `pending` ended.
    func begin(_ pending: PendingBulkChange) {
        bulkChange = pending
        status.say(pending.activity + " …")
    }

    /// Undoes or redoes the last step, which is a change of many books.
    func startReversal(redoing isRedo: Bool) {
        let (done, none): (Message, Message) =
            isRedo ? (.redone, .nothingToRedo) : (.undone, .nothingToUndo)
        let pending = PendingBulkChange(
            change: library.startReversal(redoing: isRedo, notifying: wake),
            activity: (isRedo ? Message.redoing : .undoing).text()
        ) { outcome in
            switch outcome {
            case .reversed(let step): step.map { done.text(of: $0) } ?? none.text()
            case .changed: ""
            case .unsaved(let error): error.retrySentence
            }
        }
        begin(pending)
    }

    /// Shows how far a change of many books has come, or that it is made.
    func receiveBulkChange() {
        guard let pending = bulkChange else { return }
        if pending.change.isMade {
            finishBulkChange()
        } else if pending.isSlow {
            let percent = Int(pending.change.fraction * 100)
            status.say(.progress, pending.activity, String(percent), keyLabel(of: .cancel))
        }
    }

    /// Waits for the end of a change of many books and shows it.
    func finishBulkChange() {
        guard let pending = bulkChange else { return }
        bulkChange = nil
        guard let outcome = library.receive(pending.change) else { return }
        status.say(pending.message(outcome))
        if case .changed = outcome { status.offersUndo = true }
        showChanges()
    }

    /// Stops a change of many books; nothing is changed then.
    ///
    /// - Returns: False if none is being made.
    func stopBulkChange() -> Bool {
        guard let pending = bulkChange else { return false }
        pending.change.stop()
        // It may have been too late.
        if let outcome = library.receive(pending.change) {
            bulkChange = nil
            status.say(pending.message(outcome))
            showChanges()
        } else {
            bulkChange = nil
            status.say(.stopped)
        }
        return true
    }

    /// Says that a change has to wait for the one that is being made.
    func sayBusy() {
        guard let pending = bulkChange else { return }
        status.say(.busy, pending.activity, keyLabel(of: .cancel))
    }
}

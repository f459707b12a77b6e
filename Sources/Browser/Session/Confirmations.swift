internal import Catalog
internal import Editing
internal import Library
internal import Shelves
internal import Storage

/// The message that confirms changes of the user data once they are on disk.
struct Confirmation {
    /// The message.
    let text: String
    /// The command that reverses the changes.
    let offer: Command?
}

/// Saving the user data in the background, while the keyboard responds.
extension Session {
    /// Runs a body that may change the user data, and waits within a frame until the change is on disk. If that takes
    /// longer, the message of the body is shown afterwards.
    func confirming<Result>(_ body: () -> Result) -> Result {
        let before = library.userData.changeCount
        let result = body()
        guard library.userData.changeCount != before, library.userData.isSaving else { return result }
        let confirmation = Confirmation(text: status.text, offer: status.offer)
        if receiveSavedUserData(waiting: settings.timeBudget ?? Self.frame) { return result }
        status.unconfirmed = confirmation
        status.say(.savingChanges)
        status.offer = nil
        return result
    }

    /// Takes over what was saved in the background, and confirms it or says why it could not be saved.
    ///
    /// - Parameter milliseconds: How long to wait for the end.
    /// - Returns: Whether nothing is being saved any more.
    @discardableResult
    func receiveSavedUserData(waiting milliseconds: Int = 0) -> Bool {
        let before = library.userData.changeCount
        defer { if library.userData.changeCount != before { showChanges() } }
        do throws(FileError) {
            guard try library.userData.receiveSaved(waiting: milliseconds) else { return false }
            if let unconfirmed = status.unconfirmed {
                status.say(unconfirmed.text)
                status.offer = unconfirmed.offer
            }
        } catch {
            status.say(error.retrySentence)
        }
        status.unconfirmed = nil
        return true
    }

    /// Waits a little for changes that are being saved, as a change in the background begins with a copy of the user
    /// data.
    ///
    /// - Returns: Whether nothing is being saved; a message says so if not.
    func awaitSavedUserData() -> Bool {
        if receiveSavedUserData(waiting: settings.timeBudget ?? Self.waitTimeLimit) { return true }
        status.say(.stillSaving)
        return false
    }

    /// Whether all changes in progress have ended; waits for them at most `milliseconds`.
    func hasEndedChanges(within milliseconds: Int) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        func rest() -> Int { max(0, Int(ContinuousClock.now.duration(to: end) / .milliseconds(1))) }
        if let bulkChange = changing.bulkChange, !bulkChange.change.wait(milliseconds: rest()) { return false }
        return library.store.edited?.isSaving != true && receiveSavedUserData(waiting: rest())
    }

    /// Waits until the changes of the user data are on disk, or cannot be saved.
    func finishSavingUserData() {
        while !receiveSavedUserData(waiting: 1000) {}
    }
}

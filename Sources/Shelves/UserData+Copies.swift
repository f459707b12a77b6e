public import Storage
internal import Threading

/// Changes on another thread.
extension UserData {
    /// All of the user data, for another thread to change and hand back.
    public struct Copy: Sendable {
        fileprivate let directory: String?
        fileprivate let now: @Sendable () -> Timestamp
        fileprivate let isLoaded: Bool
        fileprivate let openCatalog: String?
        fileprivate let rereading: Rereading?
        fileprivate let content: Content
        fileprivate let unsaved: [JournalEntry]
    }

    /// A copy. Its data is shared until one of both is changed.
    ///
    /// Waits for changes that are being saved, because the copy would write them, too.
    public var copy: Copy {
        finishSaving()
        return Copy(
            directory: directory, now: now, isLoaded: isLoaded, openCatalog: openCatalog, rereading: rereading(),
            content: content, unsaved: unsaved)
    }

    /// Creates the user data of a copy, which reads and writes the same files.
    public convenience init(_ copy: Copy) {
        self.init(directory: copy.directory, now: copy.now)
        openCatalog = copy.openCatalog
        rereading = { [rereading = copy.rereading] in rereading }
        isLoaded = copy.isLoaded
        take(copy.content, of: copy.directory)
        unsaved = copy.unsaved
    }

    /// Replaces all user data by a copy that was changed on another thread. Nothing may have been changed here since
    /// the copy was made; changes of other instances may have been loaded, since the copy contains them or will load
    /// them.
    public func receive(_ copy: Copy) {
        isLoaded = copy.isLoaded
        take(copy.content, of: directory)
        unsaved = copy.unsaved
        changeCount += 1
    }
}

// MARK: - Saving in the background

/// Changes that another thread saves in a copy of the user data.
struct PendingUserData {
    /// The outcome of saving.
    struct Outcome: Sendable {
        fileprivate let copy: UserData.Copy
        /// Whether the files had a surprise, such as a snapshot of a later version.
        fileprivate let hasChanged: Bool
        /// Whether nothing was written, because others have changed the user data in the meantime.
        fileprivate let isRefused: Bool
        fileprivate let failure: FileError?
    }

    /// The outcome.
    let task: BackgroundTask<Outcome>
    /// The number of lines, which are the first ones that are not written.
    let lineCount: Int

    /// Starts saving the changes in `copy` on `thread`.
    init(_ copy: UserData.Copy, on thread: SerialThread, notifying notify: @escaping @Sendable () -> Void) {
        lineCount = copy.unsaved.count
        task = BackgroundTask(on: thread, notifying: notify) { _ in
            let userData = UserData(copy)
            var isWritten = true
            var failure: FileError?
            do throws(FileError) {
                isWritten = try userData.write(besidesOthers: false)
            } catch {
                failure = error
            }
            return Outcome(
                copy: userData.copy, hasChanged: userData.changeCount > 0, isRefused: !isWritten, failure: failure)
        }
    }
}

extension UserData {
    /// Whether changes are being saved in the background.
    public var isSaving: Bool { saving != nil }

    /// Starts saving the added lines, after those that are being saved.
    func startSaving() throws(FileError) {
        guard let notifySaved, saving == nil, isSaved, !unsaved.isEmpty else { return }
        if !isLoaded { try load() }
        saving = PendingUserData(copy, on: savingThread, notifying: notifySaved)
    }

    /// Adopts what was saved in the background, and goes on with later changes.
    ///
    /// - Parameter milliseconds: How long to wait for the end.
    /// - Returns: Whether nothing is being saved any more.
    /// - Throws: `FileError` if changes could not be saved; they are kept in memory and saved with the next change that
    ///   succeeds.
    public func receiveSaved(waiting milliseconds: Int) throws(FileError) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while let saving {
            saving.task.wait(milliseconds: max(0, Int(ContinuousClock.now.duration(to: end) / .milliseconds(1))))
            guard let outcome = saving.task.value else { return false }
            self.saving = nil
            if let failure = outcome.failure { throw failure }
            if outcome.isRefused {
                // Adopting changes of others gives the lines other numbers, also to the later ones.
                try load()
            } else {
                take(outcome, lineCount: saving.lineCount)
            }
            try startSaving()
        }
        return true
    }

    private func take(_ outcome: PendingUserData.Outcome, lineCount: Int) {
        let later = unsaved[lineCount...]
        take(outcome.copy.content, of: directory)
        for line in later { replay.state.apply(line) }
        unsaved = outcome.copy.unsaved + later
        if outcome.hasChanged { changeCount += 1 }
    }

    /// Writes the snapshot on another thread like `saveSnapshot()`, and waits for it.
    ///
    /// - Parameter notice: Called if that takes so long that the user notices.
    public func saveSnapshot(noticing notice: () -> Void) {
        let copy = copy
        let task = BackgroundTask<Copy> { _ in
            let userData = UserData(copy)
            // Without the snapshot, only the next start takes longer.
            try? userData.saveSnapshot()
            return userData.copy
        }
        if let saved = task.wait(noticing: notice) { receive(saved) }
    }

    /// Waits until nothing is being saved in the background.
    func finishSaving() {
        // What could not be saved is kept, and the next change reports it.
        while saving != nil { _ = try? receiveSaved(waiting: 1000) }
    }
}

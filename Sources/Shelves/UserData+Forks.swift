public import Storage
internal import Threading

/// Changes on another thread.
extension UserData {
    /// All of the user data, for another thread to change and hand back.
    public struct Fork: Sendable {
        fileprivate let directory: String?
        fileprivate let now: @Sendable () -> Timestamp
        fileprivate let isLoaded: Bool
        fileprivate let openCatalog: String?
        fileprivate let rereading: Rereading?
        fileprivate let content: Content
        fileprivate let unsaved: [JournalEntry]
    }

    /// A fork. Its data is shared until one of both is changed.
    ///
    /// Waits for changes that are being saved, because the fork would write them, too.
    public var fork: Fork {
        finishSaving()
        return Fork(
            directory: directory, now: now, isLoaded: isLoaded, openCatalog: openCatalog, rereading: rereading(),
            content: content, unsaved: unsaved)
    }

    /// Creates the user data of a fork, which reads and writes the same files.
    public convenience init(_ fork: Fork) {
        self.init(directory: fork.directory, now: fork.now)
        openCatalog = fork.openCatalog
        rereading = { [rereading = fork.rereading] in rereading }
        isLoaded = fork.isLoaded
        take(fork.content, of: fork.directory)
        unsaved = fork.unsaved
    }

    /// Replaces all user data by a fork that was changed on another thread. Nothing may have been changed here since
    /// the fork was made; changes of other instances may have been loaded, since the fork contains them or will load
    /// them.
    public func receive(_ fork: Fork) {
        isLoaded = fork.isLoaded
        take(fork.content, of: directory)
        unsaved = fork.unsaved
        changeCount += 1
    }
}

// MARK: - Saving in the background

/// Changes that another thread saves.
struct PendingUserData {
    /// The outcome of saving.
    enum Outcome: Sendable {
        /// The lines are in the journal, which ends here.
        case written(Journal.Position)
        /// The lines are in the journal, after a new snapshot; `hasChanged` says whether the files had a surprise, such as
        /// a snapshot of a later version.
        case writtenWithSnapshot(UserData.Fork, hasChanged: Bool)
        /// Nothing was written, because others have changed the user data in the meantime.
        case refused
        /// The lines could not be saved.
        case failed(FileError)
    }

    /// The outcome.
    let task: BackgroundTask<Outcome>
    /// The number of lines, which are the first ones that are not written.
    let lineCount: Int

    /// Starts saving lines on `thread`, in the journal at `path` after `position`. The user data is not forked: the next
    /// change of it would take long if there is much.
    init(
        _ lines: [JournalEntry], at path: String, after position: Journal.Position, on thread: SerialThread,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        lineCount = lines.count
        task = BackgroundTask(on: thread, notifying: notify) { _ in
            let journal = Journal(path: path, from: position)
            var isRefused = false
            do throws(FileError) {
                try journal.append { others in
                    isRefused = !others.isEmpty
                    return isRefused ? [] : JournalEntry.lines(of: lines)
                }
            } catch {
                return .failed(error)
            }
            return isRefused ? .refused : .written(journal.position)
        }
    }

    /// Starts saving the changes in `fork` on `thread`, after a new snapshot.
    init(_ fork: UserData.Fork, on thread: SerialThread, notifying notify: @escaping @Sendable () -> Void) {
        lineCount = fork.unsaved.count
        task = BackgroundTask(on: thread, notifying: notify) { _ in
            let userData = UserData(fork)
            do throws(FileError) {
                guard try userData.write(besidesOthers: false) else { return .refused }
            } catch {
                return .failed(error)
            }
            return .writtenWithSnapshot(userData.fork, hasChanged: userData.changeCount > 0)
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
        if !needsSnapshot, let place = journalPlace {
            saving = PendingUserData(
                unsaved, at: place.path, after: place.position, on: savingThread, notifying: notifySaved)
        } else {
            saving = PendingUserData(fork, on: savingThread, notifying: notifySaved)
        }
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
            switch outcome {
            case .failed(let failure): throw failure
            // Adopting changes of others gives the lines other numbers, also to the later ones.
            case .refused: try load()
            case .written(let position): noteWritten(saving.lineCount, upTo: position)
            case .writtenWithSnapshot(let fork, let hasChanged):
                take(fork, lineCount: saving.lineCount)
                if hasChanged { changeCount += 1 }
            }
            try startSaving()
        }
        return true
    }

    private func take(_ fork: Fork, lineCount: Int) {
        let later = unsaved[lineCount...]
        take(fork.content, of: directory)
        for line in later { replay.state.apply(line) }
        unsaved = fork.unsaved + later
    }

    /// Writes the snapshot on another thread like `saveSnapshot()`, and waits for it.
    ///
    /// - Parameter notice: Called if that takes so long that the user notices.
    public func saveSnapshot(noticing notice: () -> Void) {
        let fork = fork
        let task = BackgroundTask<Fork> { _ in
            let userData = UserData(fork)
            // Without the snapshot, only the next start takes longer.
            try? userData.saveSnapshot()
            return userData.fork
        }
        if let saved = task.wait(noticing: notice) { receive(saved) }
    }

    /// Waits until nothing is being saved in the background.
    func finishSaving() {
        // What could not be saved is kept, and the next change reports it.
        while saving != nil { _ = try? receiveSaved(waiting: 1000) }
    }
}

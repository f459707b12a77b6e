internal import Catalog
internal import Glibc
internal import Indexing
public import JSON
internal import Storage
internal import Threading

/// A save in the background.
enum PendingSave {
    /// In the file.
    case file(FileSave)
    /// On the server.
    case server(ServerSave)
}

/// A save of a file in the background.
final class FileSave: Sendable {
    /// The result of the save.
    enum Result: Sendable {
        /// The file has the edits and this fingerprint.
        case saved(RandomAccessInput.Fingerprint)
        /// Others have changed the file or the journal in the meantime.
        case outdated
        /// Nothing was written.
        case failed(CatalogEditError)
    }

    let task: BackgroundTask<Result>
    /// The index of the saved file; nil if the file must be read.
    let segments: [IndexSegment]?

    init(_ task: BackgroundTask<Result>, _ segments: [IndexSegment]?) { (self.task, self.segments) = (task, segments) }
}

/// The progress of a save.
public enum SaveProgress: Sendable {
    /// There is nothing to save.
    case nothing
    /// The save runs in the background.
    case running
    /// The file now has the edits of this many books.
    case saved(bookCount: Int)
    /// Some edits conflict with changes by others in the file: see `EditedCatalog.clashes`. Nothing was written.
    case clashing
    /// The server now has the edits of this many books, and has refused these; they are kept.
    case refused([ServerRefusal], bookCount: Int)
}

/// Saving the edits in the file.
extension EditedCatalog {
    /// The maximum number of attempts if others change the file or the journal during the save.
    private static let attemptCount = 20

    /// Whether the edits are being saved.
    public var isSaving: Bool { saving != nil }

    /// Starts saving the edits in the background.
    ///
    /// - Parameter notify: Called on any thread when `receiveSave` has a result.
    /// - Throws: `CatalogEditError`; the file is unchanged, and the edits are kept.
    public func save(notifying notify: @escaping @Sendable () -> Void) throws(CatalogEditError) -> SaveProgress {
        guard saving == nil else { return .running }
        guard isComplete else { throw .loading }
        guard journal != nil else { throw .notKept }
        readJournalNow()
        _ = receiveEdits()
        savedFields = changedFields(limit: Self.comparedCount)
        areAllSavedFieldsKnown = unsavedCount <= Self.comparedCount
        return try target.startSaving(self, notifying: notify)
    }

    /// The maximum number of books that are compared for the fields that a save changes.
    private static let comparedCount = 1000

    /// Starts writing the file with the edits.
    func startWriting(notifying notify: @escaping @Sendable () -> Void) throws(CatalogEditError) -> SaveProgress {
        guard let journal else { throw .notKept }
        if base.isOutdated {
            do throws(CatalogError) {
                try reloadCompletely()
            } catch {
                throw .unreadable(error)
            }
        }
        if !clashes.isEmpty { return .clashing }
        if unsavedCount == 0 {
            try forgetSaved()
            return .nothing
        }
        let arrangement = try arrangement()
        if arrangement.isEmpty {
            // The text between the records is that of the file again, or equal records have changed places.
            sequence = RecordSequence(allOf: base.index.count)
            missing = [:]
            noteChangedRecords()
            try forgetSaved()
            return .nothing
        }
        let writer = JournalledReplacement(replacement: arrangement.replacement, journal: journal.place)
        saving = .file(
            FileSave(
                BackgroundTask(notifying: notify) { isCancelled in writer.write(unless: isCancelled) },
                arrangement.segments()?.map(\.segment)))
        return .running
    }

    /// Returns the changes of the file with which it has the edited books; for a server, those that its copy would have.
    ///
    /// - Throws: `CatalogEditError` if the file cannot have them.
    public func arrangement() throws(CatalogEditError) -> CatalogArrangement { try target.arrangement(of: self) }

    func arrangementOfFile() throws(CatalogEditError) -> CatalogArrangement {
        // The file may have become writable since its format was needed.
        let format = try RecordFormat(of: base)
        // A file without lines is a catalog only by its name, and only if it has no other content.
        if sequence.count == 0, base.index.count > 0, format.hasLines {
            guard JSONFileCatalog.hasLines(inFileNamed: path), base.defects.isEmpty else {
                throw .unreadableAfterwards
            }
        }
        return try CatalogArrangement(
            of: sequence, in: format, order: isOnlyReordered ? sequence.order(of: base.index.count) : nil)
    }

    /// Whether nothing but the order of all books is changed.
    var isOnlyReordered: Bool {
        (direct?.isOnlyOrder ?? history.isOnlyOrder) && !sequence.isAll(of: base.index.count)
    }

    /// The edits that turn the books of the file or of the server into those of the edited catalog.
    var unsavedEdits: [CatalogEdit] { target.unsavedEdits(of: self) }

    /// Records that nothing is pending any more, if edits and their undo have cancelled each other out.
    func forgetSaved() throws(CatalogEditError) {
        guard let journal, !history.pending.isEmpty else { return }
        do throws(FileError) {
            try journal.append { others in
                take(others)
                if unsavedCount > 0 { return [] }
                history.take(.rebased([]))
                return [.rebased([])]
            }
        } catch {
            throw .journal(error)
        }
    }

    /// Adopts the result of a save, waiting for at most `milliseconds`.
    ///
    /// - Returns: Nil if no save was started.
    /// - Throws: `CatalogEditError`; the file is unchanged, and the edits are kept.
    public func receiveSave(
        waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> SaveProgress? {
        for _ in 1...Self.attemptCount {
            let saving: FileSave
            switch self.saving {
            case nil: return nil
            case .server(let save)?: return try receiveSending(save, waiting: milliseconds)
            case .file(let save)?: saving = save
            }
            _ = saving.task.wait(milliseconds: milliseconds)
            guard saving.task.isMade else { return .running }
            let bookCount = unsavedCount
            self.saving = nil
            switch saving.task.value {
            case .saved(let fingerprint)?:
                try finishSave(saving, fingerprint)
                return .saved(bookCount: bookCount)
            case .failed(let error)?: throw error
            case .outdated?, nil:
                let progress = try save(notifying: notify)
                guard case .running = progress else { return progress }
            }
        }
        throw .busy
    }

    private func finishSave(
        _ saving: FileSave, _ fingerprint: RandomAccessInput.Fingerprint
    ) throws(CatalogEditError) {
        // The line that announced the save, and later edits of others.
        let entries = (try? journal?.newEntries()) ?? []
        history.take(.saving(fingerprint, over: nil))
        history.complete(fingerprint)
        adoptSaved(saving.segments, fingerprint)
        let isShortened = journal?.isShortened == true
        take(isShortened ? entries : entries.filter { if case .saving = $0 { false } else { true } })
        do throws(FileError) {
            try journal?.append { others in
                take(others)
                return [.saved(fingerprint)]
            }
        } catch {
            // The next start recognizes the save by the fingerprint.
        }
        journal?.shortenInBackground()
    }

    // MARK: - Clashes

    /// Resolves the conflicts.
    ///
    /// - Parameter choose: Returns the side that wins at these keys of the conflict with this number; without keys, for
    ///   the whole book.
    /// - Throws: `CatalogEditError`; the conflicts are still unresolved then.
    public func resolveClashes(
        _ choose: @escaping (_ clash: Int, _ keys: [String]) -> JSONMerge.Side
    ) throws(CatalogEditError) {
        guard let journal else { throw .notKept }
        let before = (sequence, missing, clashes)
        let decided = clashes
        clashes = []
        var outcomes: [ClashOutcome] = []
        for (number, clash) in decided.enumerated() {
            let edit = try edit(for: clash) { choose(number, $0) }
            outcomes.append(ClashOutcome(old: clash.records.old, edit: edit.flatMap { apply($0) }))
        }
        noteChangedRecords()
        let edits = unsavedEdits
        let steps = history.steps(after: outcomes)
        do throws(FileError) {
            try journal.append { others in
                // Concurrent edits of others come after it.
                history.take(.rebased(edits, steps: steps))
                take(others)
                return [.rebased(edits, steps: steps)]
            }
        } catch {
            (sequence, missing, clashes) = before
            noteChangedRecords()
            throw .journal(error)
        }
    }

    private func edit(
        for clash: EditClash, _ choose: @escaping ([String]) -> JSONMerge.Side
    ) throws(CatalogEditError) -> CatalogEdit? {
        let (old, mine, theirs) = clash.records
        switch clash.kind {
        case .changed:
            guard let mine = mine.flatMap({ JSONValue(parsing: $0) }), let base = JSONValue(parsing: old), let theirs,
                let other = JSONValue(parsing: theirs)
            else { return nil }
            let (value, _) = target.merge(base, mine, other, choosing: choose)
            let new = try recordFormat().changes(of: theirs, to: value).applied(to: theirs)
            return .replace([.init(position: clash.position, old: theirs, new: new)])
        case .deletedThere:
            guard choose([]) == .mine, let mine else { return nil }
            return .insert([.init(position: clash.position, bytes: mine)])
        case .deletedHere:
            guard choose([]) == .mine, let theirs else { return nil }
            return .remove([.init(position: clash.position, bytes: theirs)])
        }
    }
}

/// Writes a file, and records that in the journal before the replacement; on any thread.
private struct JournalledReplacement: Sendable {
    let replacement: CatalogReplacement
    let journal: EditJournal.Place

    func write(unless isStopped: () -> Bool) -> FileSave.Result {
        var saved: RandomAccessInput.Fingerprint?
        var hasNews = false
        do throws(CatalogEditError) {
            let isWritten = try replacement.write(unless: isStopped) { fingerprint throws(FileError) in
                saved = fingerprint
                try EditJournal(journal).append { others in
                    hasNews = !others.isEmpty
                    return hasNews ? [] : [.saving(fingerprint, over: replacement.fingerprint)]
                }
                // Concurrent edits of others would count as saved.
                if hasNews { throw FileError(path: replacement.file.path, operation: .write, code: ESTALE) }
            }
            return isWritten ? saved.map(FileSave.Result.saved) ?? .outdated : .outdated
        } catch {
            return hasNews ? .outdated : .failed(error)
        }
    }
}

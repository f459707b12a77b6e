internal import Glibc
internal import Indexing
public import JSON
internal import Storage
internal import Threading

/// A save in the background.
final class PendingSave: Sendable {
    /// What came of it.
    enum Result: Sendable {
        /// The file has the edits and this fingerprint.
        case saved(RandomAccessInput.Fingerprint)
        /// The file, or the journal, was changed by others meanwhile.
        case outdated
        /// Nothing was written.
        case failed(CatalogEditError)
    }

    let task: BackgroundTask<Result>
    /// The index of the file when it is saved; nil if it must be read.
    let segments: [IndexSegment]?

    init(_ task: BackgroundTask<Result>, _ segments: [IndexSegment]?) { (self.task, self.segments) = (task, segments) }
}

/// What became of a wish to save.
public enum SaveProgress: Sendable {
    /// There is nothing to be saved.
    case nothing
    /// It is being saved in the background.
    case running
    /// The file has the edits of this many books now.
    case saved(bookCount: Int)
    /// Some edits clash with what others changed in the file: see `EditedCatalog.clashes`. Nothing was written.
    case clashing
}

/// Saving the edits in the file.
extension EditedCatalog {
    /// How often a save is begun anew because others changed the file or the journal meanwhile.
    private static let attemptCount = 20

    /// Whether the edits are being saved.
    public var isSaving: Bool { saving != nil }

    /// Begins to save the edits in the background.
    ///
    /// - Parameter notify: Called on any thread when `receiveSave` has something to tell.
    /// - Throws: `CatalogEditError`; the file is as it was, and the edits are kept.
    public func save(notifying notify: @escaping @Sendable () -> Void) throws(CatalogEditError) -> SaveProgress {
        guard saving == nil else { return .running }
        guard isComplete else { throw .loading }
        guard let journal else { throw .notKept }
        readJournalNow()
        _ = receiveEdits()
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
        let editor = try base.editor()
        // A file without a line is a catalog only by its name, and only if nothing else is in it.
        if sequence.count == 0, base.index.count > 0, editor.hasLines {
            guard CatalogEditor.isLines(path), base.defects.isEmpty else { throw .unreadableAfterwards }
        }
        var arrangement: CatalogEditor.Arrangement?
        if history.isOnlyOrder, let order = sequence.order(of: base.index.count) {
            try editor.sort(into: order.map { BookID($0) })
        } else {
            arrangement = try editor.arrange(sequence)
        }
        let writer = JournalledReplacement(replacement: editor.replacement, journal: journal.place)
        saving = PendingSave(
            BackgroundTask(notifying: notify) { _ in writer.write() },
            arrangement.map { editor.index(of: sequence, arranged: $0) })
        return .running
    }

    /// Notes that nothing is pending any more, if edits and their undoing have cancelled each other out.
    private func forgetSaved() throws(CatalogEditError) {
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

    /// Takes over what came of a save, waiting at most so long for it.
    ///
    /// - Returns: Nil if none was begun.
    /// - Throws: `CatalogEditError`; the file is as it was, and the edits are kept.
    public func receiveSave(
        waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> SaveProgress? {
        for _ in 1...Self.attemptCount {
            guard let saving else { return nil }
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
        _ saving: PendingSave, _ fingerprint: RandomAccessInput.Fingerprint
    ) throws(CatalogEditError) {
        // The line that said what was about to be saved, and what others edited since.
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
            // The next start sees by the fingerprint that it was saved.
        }
        journal?.shortenInBackground()
    }

    // MARK: - Clashes

    /// Ends the clashes as the reader decided.
    ///
    /// - Parameter choose: Returns whose value is taken for the clash with this number, at these keys; none for the whole
    ///   book.
    /// - Throws: `CatalogEditError`; the clashes are still there then.
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
        rebuildIndex()
        let edits = netEdits
        let steps = history.steps(after: outcomes)
        do throws(FileError) {
            try journal.append { others in
                // What others edit meanwhile comes behind.
                history.take(.rebased(edits, steps: steps))
                take(others)
                return [.rebased(edits, steps: steps)]
            }
        } catch {
            (sequence, missing, clashes) = before
            rebuildIndex()
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
            let merge = JSONMerge(base: base, mine: mine, theirs: other, choosing: choose)
            let new = try shapes().changes(of: theirs, to: merge.value).applied(to: theirs)
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

/// Writes a file, and journals that before it takes its place; on any thread.
private struct JournalledReplacement: Sendable {
    let replacement: CatalogReplacement
    let journal: EditJournal.Place

    func write() -> PendingSave.Result {
        var saved: RandomAccessInput.Fingerprint?
        var hasNews = false
        do throws(CatalogEditError) {
            let isWritten = try replacement.write { fingerprint throws(FileError) in
                saved = fingerprint
                try EditJournal(journal).append { others in
                    hasNews = !others.isEmpty
                    return hasNews ? [] : [.saving(fingerprint, over: replacement.fingerprint)]
                }
                // What others edited meanwhile would count as saved.
                if hasNews { throw FileError(path: replacement.file.path, operation: .write, code: ESTALE) }
            }
            return isWritten ? saved.map(PendingSave.Result.saved) ?? .outdated : .outdated
        } catch {
            return hasNews ? .outdated : .failed(error)
        }
    }
}

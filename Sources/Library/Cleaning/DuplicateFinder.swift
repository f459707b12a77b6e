internal import Books
internal import Indexing
internal import Threading

/// A search for duplicates on another thread: the certain groups are there soon, the others at the end.
public final class DuplicateFinder: Sendable {
    /// What was found so far.
    private struct Found {
        var groups: [DuplicateGroup]?
        var isRecordMissing = false
    }

    private let found: Locked<Found>
    private let progress: BulkChange.Progress
    private let task: BackgroundTask<Bool>

    /// Starts a search in the books of `index`.
    ///
    /// - Parameters:
    ///   - notify: Called on any thread when groups were found, and ten times a second until the end.
    ///   - record: Returns a book without the key that its catalog gives it; called on any thread.
    init(
        in index: BookIndex, notifying notify: @escaping @Sendable () -> Void,
        record: @escaping @Sendable (BookID) -> Book?
    ) {
        let found = Locked(Found())
        let progress = BulkChange.Progress(totalCount: 1000, notifying: notify)
        (self.found, self.progress) = (found, progress)
        task = BackgroundTask(notifying: notify) { isCancelled in
            var search = DuplicateSearch(in: index, record: record)
            let certain = search.findCertain()
            found.withLock { $0.groups = certain }
            notify()
            var done = 0
            let others = search.findLikely(
                reporting: { fraction in
                    progress.add(Int(1000 * fraction) - done)
                    done = Int(1000 * fraction)
                }, unless: isCancelled)
            found.withLock { $0 = Found(groups: certain + others, isRecordMissing: search.isRecordMissing) }
            return !search.isStopped
        }
    }

    /// The groups that were found so far; nil before the certain ones are.
    public var groups: [DuplicateGroup]? { found.withLock { $0.groups } }

    /// The part that is done, from 0 to 1.
    public var fraction: Double { progress.fraction }

    /// Whether the search has ended.
    public var isDone: Bool { task.isMade }

    /// Whether the search has ended without being stopped.
    public var isComplete: Bool { task.value == true }

    /// Waits for the end, at most `milliseconds`.
    public func wait(milliseconds: Int) { task.wait(milliseconds: milliseconds) }

    /// Stops the search. What was found by then is kept.
    public func stop() { task.cancel() }
}

public import Books
internal import Catalog
public import Editing
public import Indexing
public import Shelves
public import Storage
internal import Synchronization
internal import Threading

/// A change of the user data of many books, or of the books themselves, on another thread. It works on forks of the
/// user data and the catalog, so that it can be stopped before anything is written; until it ends, no other change may
/// be made.
public final class BulkChange: Sendable {
    /// The result of a change.
    public enum Outcome: Sendable {
        /// The change was made.
        case changed(UserDataChange)
        /// The step was undone or redone, or it was gone back to; nil if there was nothing to reverse. The outcome is
        /// that of the last edit, if there was one.
        case reversed(UndoStep?, EditOutcome?)
        /// The change was made, but could not be saved yet.
        case unsaved(FileError)
        /// The books were edited; nil if they had these values already.
        case edited(EditOutcome?)
        /// The books could not be edited, and nothing was changed.
        case notEdited(CatalogEditError)
        /// The books were edited, but the history of changes could not be written.
        case editedWithoutHistory(FileError)
        /// The edits of the step could not be reversed, and never can be, but the step does not block earlier ones.
        case passedOver(CatalogEditError)
        /// The step was undone or redone, but its edits had no effect: the file already was in that state.
        case hadNoEffect(UndoStep)
    }

    /// What is undone or redone.
    public enum Reversal: Sendable {
        /// The last change.
        case undo
        /// The change that was undone last.
        case redo
        /// All changes after a step.
        case goBack(UndoStep)

        /// Whether only one step is undone or redone.
        var isOfOneStep: Bool { if case .goBack = self { false } else { true } }
    }

    /// The changed forks, the located user data, and the outcome.
    struct Product: Sendable {
        var fork: UserData.Fork
        var resolver: UserDataResolver
        var outcome: Outcome
        /// The catalog before and after its books were edited; nil if they were not.
        var catalog: (before: EditedCatalog.Fork, after: EditedCatalog.Fork)?
    }

    /// The progress of a change.
    final class Progress: Sendable {
        private let doneCount = Atomic(0)
        private let totalCount: Int
        private let notify: @Sendable () -> Void
        private let lastNotice: Locked<ContinuousClock.Instant>

        init(totalCount: Int, notifying notify: @escaping @Sendable () -> Void) {
            self.totalCount = max(1, totalCount)
            self.notify = notify
            lastNotice = Locked(.now)
        }

        /// The completed fraction, from 0 to 1.
        var fraction: Double { Double(min(totalCount, doneCount.load(ordering: .relaxed))) / Double(totalCount) }

        /// Adds `count` completed books; notifies at most ten times a second.
        func add(_ count: Int) {
            doneCount.wrappingAdd(count, ordering: .relaxed)
            let isDue = lastNotice.withLock { last in
                guard last.duration(to: .now) > .milliseconds(100) else { return false }
                last = .now
                return true
            }
            if isDue { notify() }
        }
    }

    private let task: BackgroundTask<Product>
    private let progress: Progress

    init(
        _ totalCount: Int, notifying notify: @escaping @Sendable () -> Void,
        _ make: @escaping @Sendable (Progress, @escaping @Sendable () -> Bool) -> Product?
    ) {
        let progress = Progress(totalCount: totalCount, notifying: notify)
        self.progress = progress
        task = BackgroundTask(notifying: notify) { isCancelled in make(progress, isCancelled) }
    }

    /// The completed fraction, from 0 to 1.
    public var fraction: Double { progress.fraction }

    /// Whether the change has ended.
    public var isMade: Bool { task.isMade }

    /// Waits for the end, at most `milliseconds`.
    ///
    /// - Returns: Whether the change has ended.
    public func wait(milliseconds: Int) -> Bool {
        task.wait(milliseconds: milliseconds)
        return task.isMade
    }

    /// Stops the change, unless it is being written already.
    public func stop() { task.cancel() }

    /// Waits for the end and returns the product; nil if the change was stopped.
    func taken() -> Product? { task.taken() ?? nil }
}

extension Library {
    /// Starts changing the user data of the books `ids`, and of `missing`, which are not in the catalog.
    ///
    /// - Parameters:
    ///   - notify: Called on any thread at the end, and ten times a second until then.
    ///   - make: Returns the change for the current user data of the books, in order; called on another thread.
    /// - Returns: The running change, for `receive(_:)` when it has ended; nil if the source cannot be read on another
    ///   thread.
    public func startChange(
        of ids: [BookID], missing: [BookIdentity], notifying notify: @escaping @Sendable () -> Void,
        making make: @escaping @Sendable ([UserBookData?]) -> UserDataChange
    ) -> BulkChange? {
        guard let reader = store.concurrent?.concurrentReader else { return nil }
        let (fork, index, resolver, catalog) = (userData.fork, store.index, located.currentResolver, catalogPath)
        return BulkChange(2 * ids.count, notifying: notify) { progress, isCancelled in
            let userData = UserData(fork)
            var located = UserDataIndex(userData, at: resolver ?? userData.resolver(in: index))
            let change = make(ids.map(located.userData(of:)) + missing.map { userData.books[$0] })
            let builder = TargetBuilder(
                located.resolver, userData.books, reader, of: ids, in: index, catalog: catalog)
            guard let targets = builder.targets(progress, unless: isCancelled) else { return nil }
            var outcome = BulkChange.Outcome.changed(change)
            var doneCount = 0
            do throws(FileError) {
                let all = targets.map(\.target) + missing.map(UserDataTarget.init(absent:))
                let identities = try userData.apply(change, to: all) { count in
                    progress.add(count - doneCount)
                    doneCount = count
                    return !isCancelled()
                }
                guard let identities else { return nil }
                located.reserveCapacity(targets.count)
                for (book, identities) in zip(targets, identities) { located.setIdentities(identities, of: book.id) }
            } catch {
                outcome = .unsaved(error)
                located = UserDataIndex(userData, in: index)
            }
            return BulkChange.Product(fork: userData.fork, resolver: located.resolver, outcome: outcome)
        }
    }
}

/// Creates the targets of a change of many books; those without user data are read from the catalog.
private struct TargetBuilder: Sendable {
    typealias Target = (id: BookID, target: UserDataTarget)

    private let resolver: UserDataResolver
    private let books: UserDataTable
    private let reader: any ConcurrentBookReader
    private let ids: [BookID]
    private let index: BookIndex
    private let identities: IdentityTable
    private let catalog: String?

    /// The number of books that a thread reads at a time.
    private static let chunkCount = 1000

    init(
        _ resolver: UserDataResolver, _ books: UserDataTable, _ reader: any ConcurrentBookReader, of ids: [BookID],
        in index: BookIndex, catalog: String?
    ) {
        (self.resolver, self.books, self.reader) = (resolver, books, reader)
        (self.ids, self.index, self.catalog) = (ids, index, catalog)
        // For a few books, finding their keys is faster than a table of all.
        identities = ids.count > index.count / 8 ? IdentityTable(of: index) : IdentityTable(of: ids, in: index)
    }

    /// Returns the targets in the order of the books, without books that are gone; nil if cancelled.
    func targets(_ progress: BulkChange.Progress, unless isCancelled: @escaping @Sendable () -> Bool) -> [Target]? {
        let chunks = ThreadPool.shared.map(ids.count, by: Self.chunkCount) { chunk in
            if isCancelled() { return [Target]() }
            defer { progress.add(chunk.count) }
            return targets(of: ids[chunk])
        }
        return isCancelled() ? nil : Array(chunks.joined())
    }

    private func targets(of chunk: ArraySlice<BookID>) -> [Target] {
        var targets: [Target] = []
        targets.reserveCapacity(chunk.count)
        var new: [BookID] = []
        for id in chunk {
            let known = resolver.identities(of: id).filter { books[$0] != nil }
            if known.isEmpty {
                new.append(id)
            } else {
                targets.append((id, UserDataTarget(identities: known, identity: identities[id])))
            }
        }
        reader.forEachSummary(of: new[...]) { id, summary in
            guard let summary else { return }
            let target = UserDataTarget(
                title: summary.title, authors: summary.authors, keys: index.keys(of: id), identity: identities[id],
                catalog: catalog)
            targets.append((id, target))
        }
        return targets
    }
}

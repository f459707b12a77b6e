internal import Catalog
internal import Indexing
public import Search
internal import Threading

/// The distinct names of the authors, series and subjects of a catalog, collected in the background when they are first
/// needed.
final class CollectedNames {
    private var known: DistinctNames?
    private var making: (task: BackgroundTask<DistinctNames>, bookCount: Int)?

    /// The maximum number of books whose names are collected without a background task; this takes a few milliseconds.
    private static let fewBooks = 5000

    /// Returns the names of the books of `index`; nil while they are being collected.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    func names(of index: BookIndex, notifying notify: @escaping @Sendable () -> Void) -> DistinctNames? {
        if let making, making.task.isMade {
            known = making.task.value
            self.making = nil
        }
        if let known, known.bookCount == index.count { return known }
        if let making, making.bookCount == index.count { return nil }
        forget()
        if index.count <= Self.fewBooks {
            known = index.distinctNames(on: ThreadPool(threadCount: 0)).taken()
            return known
        }
        making = (index.distinctNames(notifying: notify), index.count)
        return nil
    }

    /// Discards the names, because the books changed.
    func forget() {
        making?.task.cancel()
        (known, making) = (nil, nil)
    }
}

extension Library {
    /// Returns the distinct names of the authors, series and subjects; nil while the catalog is loading or they are being
    /// collected in the background.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    public func distinctNames(notifying notify: @escaping @Sendable () -> Void) -> DistinctNames? {
        guard store.local != nil, !store.state.isLoading else { return nil }
        return names.names(of: store.index, notifying: notify)
    }
}

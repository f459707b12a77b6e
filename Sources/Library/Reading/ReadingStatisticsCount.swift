internal import Books
internal import Catalog
internal import Indexing
internal import Shelves
internal import Threading

/// Counts the reading statistics of all user data, and keeps them until it changes.
public final class ReadingStatisticsCount {
    /// What the statistics depend on.
    private struct Basis: Hashable {
        var changeCount: Int
        /// The number of books of the catalog, which gives the page counts; -1 while it loads.
        var bookCount: Int
        var today: CalendarDay
    }

    private var known: (basis: Basis, statistics: ReadingStatistics)?
    private var counting: (basis: Basis, task: BackgroundTask<ReadingStatistics>)?

    /// Discards everything, because the books changed.
    func forget() {
        counting?.task.cancel()
        (known, counting) = (nil, nil)
    }

    /// Returns the statistics as of `today`; those before the last change while the new ones are being counted, and nil
    /// while there are none yet.
    fileprivate func statistics(
        of library: Library, today: CalendarDay, notifying notify: @escaping @Sendable () -> Void
    ) -> ReadingStatistics? {
        let basis = Basis(
            changeCount: library.userData.changeCount,
            bookCount: library.store.state.isLoading ? -1 : library.store.index.count, today: today)
        receive()
        if let known, known.basis == basis { return known.statistics }
        if counting?.basis == basis { return known?.statistics }
        counting?.task.cancel()
        counting = nil
        let index = library.store.index
        let logs = library.readingLogs
        if library.located.isAtHand && library.located.hasFewRecords {
            known = ReadingStatistics(logs, in: index, today: today).map { (basis, $0) }
        } else {
            let task = BackgroundTask(notifying: notify) { isCancelled in
                ReadingStatistics(logs, in: index, today: today, unless: isCancelled)
            }
            counting = (basis, task)
        }
        return known?.statistics
    }

    private func receive() {
        guard let (basis, task) = counting, task.isMade else { return }
        counting = nil
        if let statistics = task.value { known = (basis, statistics) }
    }
}

extension ReadingStatistics {
    /// Counts `logs`, with the page counts of the books in `index`; fails if it is cancelled.
    fileprivate init?(
        _ logs: ReadingLogs, in index: BookIndex, today: CalendarDay, unless isCancelled: () -> Bool = { false }
    ) {
        self.init(today: today)
        var isStopped = false
        logs.forEach(in: index) { book, log, status in
            isStopped = isStopped || isCancelled()
            if !isStopped { add(log, pageCount: book.flatMap(index.pageCount), status: status) }
        }
        if isStopped { return nil }
        finish()
    }
}

extension Library {
    /// Returns the reading statistics of all user data as of `today`, also of books that are not in the catalog, whose
    /// page counts are unknown, as are those of a server's books. Returns nil while they are counted in the background,
    /// or the statistics before the last change.
    ///
    /// - Parameter notify: Called on any thread when they are counted.
    public func readingStatistics(
        today: CalendarDay, notifying notify: @escaping @Sendable () -> Void
    ) -> ReadingStatistics? {
        guard userData.isRead else { return nil }
        return readings.statistics(of: self, today: today, notifying: notify)
    }

    /// Returns the reading statistics of all user data as of `today`, after counting them.
    public func readingStatistics(today: CalendarDay) -> ReadingStatistics {
        ReadingStatistics(readingLogs, in: store.index, today: today) ?? ReadingStatistics(today: today)
    }

    fileprivate var readingLogs: ReadingLogs { ReadingLogs(userData, at: located.currentResolver) }
}

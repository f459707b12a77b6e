internal import Books
internal import Catalog
internal import Indexing
internal import Shelves
internal import Threading

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
        var version = version(of: [.allBooks, .userData])
        version.day = today
        let known = readings.value(for: version) {
            let (logs, index) = (readingLogs, store.index)
            if located.isAtHand && located.hasFewRecords {
                return BackgroundTask(made: ReadingStatistics(logs, in: index, today: today))
            }
            return BackgroundTask(notifying: notify) { isCancelled in
                ReadingStatistics(logs, in: index, today: today, unless: isCancelled)
            }
        }
        return known ?? readings.latest
    }

    /// Returns the reading statistics of all user data as of `today`, after counting them.
    public func readingStatistics(today: CalendarDay) -> ReadingStatistics {
        ReadingStatistics(readingLogs, in: store.index, today: today) ?? ReadingStatistics(today: today)
    }

    fileprivate var readingLogs: ReadingLogs { ReadingLogs(userData, at: located.currentResolver) }
}

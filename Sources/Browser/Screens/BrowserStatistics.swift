internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// The statistics of what is listed, over the list.
extension Browser {
    /// The statistics that are shown.
    final class StatisticsScreen {
        /// How they look, scrolled.
        let view = DrawingView()
        /// The charts; nil while they are counted for the first time.
        var charts: StatisticsCharts?
        /// The count, while it goes on.
        var count: StatisticsCount?
        /// How many books were counted, or are.
        var bookCount = 0
    }

    /// Shows them.
    func openStatistics() {
        statistics = StatisticsScreen()
        overlays.append(.statistics)
        countStatistics()
        _ = statistics?.count?.wait(milliseconds: timeBudget)
        takeInStatistics()
    }

    /// Begins to count what is listed now.
    func countStatistics() {
        guard let statistics else { return }
        statistics.count?.stop()
        statistics.bookCount = bookSource.list.count
        statistics.count = StatisticsCount(
            of: bookSource.list, in: library.store.index, marks: library.searchMarks, by: listing.counters,
            notifying: notify)
        showStatistics()
    }

    /// What a command does among them.
    func performAmongStatistics(_ request: KeyInterpreter.Request) {
        guard let statistics else { return }
        if request.command == .statistics { closeOverlay() } else { scroll(statistics.view, request) }
    }

    /// Shows what was counted in the background, or how far that is; counts anew where the list has other books since.
    func takeInStatistics() {
        guard let statistics else { return }
        if let counted = statistics.count?.statistics {
            statistics.count = nil
            statistics.charts = StatisticsCharts(counted, in: library.store)
        }
        // While a catalog is read or searched each batch would begin it again.
        let isSettled = library.store.progress == nil && listing.progress == nil
        if statistics.count == nil && isSettled && statistics.bookCount != bookSource.list.count {
            countStatistics()
        } else {
            showStatistics()
        }
    }

    /// Closes them, and stops counting where that goes on.
    func closeStatistics() {
        statistics?.count?.stop()
        statistics = nil
    }

    /// What is told of them where there is no screen.
    var spokenStatistics: [String] { statistics?.charts?.spoken ?? [statisticsInTheMaking] }

    private var statisticsInTheMaking: String {
        "Counting ... \(Int((statistics?.count?.fraction ?? 0) * 100)) %"
    }

    private func showStatistics() {
        guard let statistics else { return }
        if let charts = statistics.charts {
            statistics.view.drawing = { StatisticsPage(charts, width: $0).drawn() }
            return
        }
        let text = statisticsInTheMaking
        statistics.view.drawing = { width in
            var canvas = Canvas(size: Size(rows: 1, columns: width))
            canvas.write(text, row: 0, column: 0)
            return canvas
        }
    }
}

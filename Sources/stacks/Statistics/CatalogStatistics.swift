internal import Books
internal import Browser
internal import Catalog
internal import Glibc
internal import Library
internal import Search
internal import Storage
internal import Text
internal import Threading

/// Computes statistics of the requested books of a catalog and shows them as charts.
struct CatalogStatistics {
    /// The output formats.
    enum Format: String, CaseIterable {
        case text, json
    }

    /// The catalog to open.
    var catalog: CatalogRequest
    /// The name of the list to count; nil counts the whole catalog.
    var list: String?
    /// The query; nil matches all books.
    var query: String?
    /// The output format; nil prints text, or nothing if a picture is written.
    var format: Format?
    /// The path of the picture to write; "-" is standard output.
    var picture: String?

    /// The counted books and their statistics.
    private struct Counted {
        var found: BookSelection
        var statistics: Statistics
        var reading: ReadingStatistics
    }

    /// Computes and outputs the statistics.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        let opened: OpenedLibrary
        let request: BookRequest
        let counted: Counted
        do throws(CommandError) {
            request = BookRequest(query: query, sort: nil)
            opened = try OpenedLibrary(catalog)
            try checkPicturePath(opened.catalog)
            counted = try count(request, of: opened.library)
        } catch {
            return error.report()
        }
        let code = show(counted, of: opened)
        if code != 0 { return code }
        let isMissed = counted.found.count == 0 && !request.asksForAll
        if isMissed { printError(CommandMessage.nothingMatches.text(query ?? "", opened.catalog.shownPath)) }
        let status = opened.finish()
        return status == 0 && isMissed ? ExitStatus.nothingFound : status
    }

    private func count(_ request: BookRequest, of library: Library) throws(CommandError) -> Counted {
        let found = try BookSelection(request, inListNamed: list, of: library.store) { library }
        let columns = library.store.columnsNow(of: Set(library.store.schema.described))
        let count = library.store.index.countStatistics(
            of: found.books, userData: library.userDataFilter, columns: columns)
        var progress = ProgressLine("counting")
        while true {
            if let statistics = count.wait(milliseconds: 200) {
                progress.clear()
                return Counted(
                    found: found, statistics: statistics, reading: library.readingStatistics(today: library.today))
            }
            progress.show(found.count, fraction: count.fraction)
        }
    }

    // MARK: - Output

    /// - Returns: The exit status.
    private func show(_ counted: Counted, of opened: OpenedLibrary) -> Int32 {
        let store = opened.library.store
        let goal = opened.library.readingGoal(
            of: opened.library.today.year, else: ConfigFile(in: Directories.ofEnvironment()).read().readingGoal)
        let report = StatisticsReport(
            counted.statistics, in: store, list: list, query: query, missingCount: counted.found.missing.count,
            reading: counted.reading, goal: goal)
        let charts = StatisticsCharts(counted.statistics, in: store)
        let reading = ReadingCharts(counted.reading, target: goal)
        if let picture {
            let bytes = Array(StatisticsPicture(charts, reading: reading, title: title(of: store)).text.utf8)
            let code = write(bytes, to: picture)
            if code != 0 { return code }
        }
        switch format {
        case nil where picture != nil: return 0
        case .json: return PlainList.write(report.json)
        case .text, nil:
            let page = StatisticsPage(charts, reading: reading, width: outputSize().columns)
                .drawn(heading: [title(of: store)])
            let text = ANSIText.text(of: page, isColoured: ANSIText.isWanted)
            return PlainList.write(text + (report.remark.map(\.harmlessLine) ?? ""))
        }
    }

    /// Returns the title of the page, such as "books.json · Favourites / garden".
    private func title(of store: BookStore) -> String {
        [store.name, list].compactMap(\.self).joined(separator: " · ") + (query.map { " / " + $0 } ?? "")
    }

    private func write(_ bytes: [UInt8], to path: String) -> Int32 {
        if path == "-" {
            var bytes = bytes
            return PlainList.write(&bytes) ?? 0
        }
        do throws(FileError) {
            try AtomicFile(path: path).write(bytes)
            return 0
        } catch {
            printError(CommandMessage.pictureNotWritten.text(error.path, error.cause))
            return error.exitStatus(else: ExitStatus.inputOutput)
        }
    }

    /// - Throws: `CommandError` if the picture would overwrite the catalog, or the bundled one.
    private func checkPicturePath(_ catalog: OpenedCatalog) throws(CommandError) {
        guard let picture, picture != "-" else { return }
        try BundledCatalog.checkOutput(picture)
        guard let path = resolvedPath(picture), path == resolvedPath(catalog.path) else { return }
        throw CommandError(
            sentence: CommandMessage.pictureIsCatalog.text(picture),
            exitStatus: ExitStatus.usage)
    }
}

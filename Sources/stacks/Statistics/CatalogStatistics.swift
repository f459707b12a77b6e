internal import Browser
internal import Catalog
internal import Glibc
internal import Graphemes
internal import Library
internal import Search
internal import Storage
internal import Threading

/// Counts the books of a catalog that were asked for, and shows them as charts.
struct CatalogStatistics {
    /// The forms in which the statistics are printed.
    enum Format: String, CaseIterable {
        case text, json
    }

    /// The path of the catalog, where the reader named one.
    var catalog: String?
    /// The profile that the catalog is read by, where the reader chose one.
    var profile: String?
    /// The list whose books are counted; nil for all of the catalog.
    var list: String?
    /// The query; nil for all books.
    var query: String?
    /// The form; nil for text, or nothing where there is a picture.
    var format: Format?
    /// The file to which the picture is written; "-" is standard output.
    var picture: String?

    /// What was counted.
    private struct Counted {
        var found: BookSelection
        var statistics: Statistics
    }

    /// Counts, and prints or writes it.
    ///
    /// - Returns: The exit code.
    func run() -> Int32 {
        useUTF8Locale()
        let opened: OpenedLibrary
        let request: BookRequest
        let counted: Counted
        do throws(CommandError) {
            request = try BookRequest(query: query, sort: nil)
            opened = try OpenedLibrary(catalog: catalog, profile: profile)
            try refuseToReplace(opened.catalog)
            counted = try count(request, of: opened.library)
        } catch {
            return error.report()
        }
        let code = show(counted, of: opened)
        if code != 0 { return code }
        let isMissed = counted.found.count == 0 && !request.asksForAll
        if isMissed { printError("nothing in \(opened.catalog.shownPath) matches \(query ?? "")") }
        let status = opened.finish()
        return status == 0 && isMissed ? ExitStatus.nothingFound : status
    }

    private func count(_ request: BookRequest, of library: Library) throws(CommandError) -> Counted {
        let found = try BookSelection(request, inListNamed: list, of: library.store) { library }
        let count = StatisticsCount(
            of: found.books, in: library.store.index, marks: library.searchMarks, by: ThreadPool())
        var progress = ProgressLine("counting")
        while true {
            let isComplete = count.wait(milliseconds: 200)
            if isComplete, let statistics = count.statistics {
                progress.clear()
                return Counted(found: found, statistics: statistics)
            }
            progress.show(found.count, fraction: count.fraction)
        }
    }

    // MARK: - Output

    /// - Returns: The exit code.
    private func show(_ counted: Counted, of opened: OpenedLibrary) -> Int32 {
        let store = opened.library.store
        let report = StatisticsReport(
            counted.statistics, in: store, list: list, query: query, missingCount: counted.found.missing.count)
        let charts = StatisticsCharts(counted.statistics, in: store)
        if let picture {
            let bytes = Array(StatisticsPicture(charts, title: title(of: store)).text.utf8)
            let code = write(bytes, to: picture)
            if code != 0 { return code }
        }
        switch format {
        case nil where picture != nil: return 0
        case .json: return PlainList.write(report.json)
        case .text, nil:
            let page = StatisticsPage(charts, width: outputSize().columns).drawn(heading: [title(of: store)])
            let text = ANSIText.text(of: page, isColoured: ANSIText.isWanted)
            return PlainList.write(text + (report.remark.map(\.harmlessLine) ?? ""))
        }
    }

    /// What the books are: "books.json · Favourites / garden".
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
            printError("the picture cannot be written to \(error.path), \(error.cause): name another file")
            return error.isForbidden ? ExitStatus.noPermission : ExitStatus.inputOutput
        }
    }

    /// - Throws: `CommandError`, where the picture would be written over the catalog.
    private func refuseToReplace(_ catalog: OpenedCatalog) throws(CommandError) {
        guard let picture, picture != "-", let path = resolvedPath(picture), path == resolvedPath(catalog.path) else {
            return
        }
        throw CommandError(
            sentence: "\(picture) is the catalog itself: name another file for the picture",
            exitStatus: ExitStatus.usage)
    }
}

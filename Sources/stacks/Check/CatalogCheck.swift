internal import Books
internal import Catalog
internal import Glibc
internal import Indexing
internal import Library
internal import Storage

/// Reads a whole catalog and reports its contents and its errors.
struct CatalogCheck {
    /// The path of the catalog.
    let path: String
    /// The passwords for the server, if the catalog is on one.
    var passwords: ServerPasswords?
    /// The profile given by the user, if any.
    var profile: String?
    /// The condition for copying a catalog that is not JSON again.
    var refreshes = MirrorRefresh.whenChanged
    /// Whether to report in JSON.
    let isJSON: Bool

    /// Prints the report on standard output, or an error message on standard error if the catalog cannot be read at
    /// all.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        var choice: ProfileChoice
        do throws(CommandError) {
            choice = try ProfileChoice(
                named: profile, forCatalog: path, in: ProfileLibrary(in: Directories.ofEnvironment()))
        } catch {
            return error.report()
        }
        let catalog: JSONFileCatalog
        do throws(CatalogError) {
            catalog = try choice.catalog(at: path)
        } catch {
            choice.notices.forEach(printError)
            do throws(CommandError) {
                if let (copy, problem) = try foreignCatalog(choice, refusedFor: error) {
                    return report(on: copy, isIncomplete: problem != nil)
                }
            } catch {
                return error.report()
            }
            if case .unreadable = error { return error.commandError(opening: path).report() }
            let report = CheckReport(error)
            let code = PlainList.write(isJSON ? report.json : error.sentence.harmlessLine)
            return code == 0 ? ExitStatus.badData : code
        }
        choice.notices.forEach(printError)
        return report(on: catalog)
    }

    /// Opens the copy of a source that is not JSON, with the reason if it is incomplete; returns nil if the source is
    /// a damaged JSON file.
    private func foreignCatalog(
        _ choice: ProfileChoice, refusedFor refusal: CatalogError
    ) throws(CommandError) -> (JSONFileCatalog, problem: MirrorNews?)? {
        let source = ForeignSource(
            path: path, choice: choice, directories: Directories.ofEnvironment(), refreshes: refreshes,
            waits: true, passwords: passwords)
        guard let (base, mirror) = try source?.open(refusedFor: refusal) else { return nil }
        mirror.waitForCopy()
        if let news = mirror.takeNews() { printError(news.sentence(of: path)) }
        return (base, mirror.problem)
    }

    /// Prints the report on an open catalog.
    private func report(on catalog: JSONFileCatalog, isIncomplete: Bool = false) -> Int32 {
        var (report, isWhole) = validated(catalog)
        report.isIncomplete = isIncomplete
        if catalog.isOutdated {
            printError(Message.changedWhileReading.text(catalog.name))
            return ExitStatus.changed
        }
        let text = CheckText(
            report: report, name: RandomAccessInput.shownPath(path), columns: outputSize().columns,
            isWrapped: isatty(STDOUT_FILENO) == 1)
        let code = PlainList.write(isJSON ? report.json : text.text)
        if code != 0 { return code }
        if catalog.defects.failure != nil { return ExitStatus.inputOutput }
        if !isWhole {
            printError(Message.notReadToEnd.text(RandomAccessInput.shownPath(path)))
            return ExitStatus.inputOutput
        }
        return report.isFlawless ? 0 : ExitStatus.badData
    }

    /// Validates all records, up to the first one that cannot be read again.
    private func validated(_ catalog: JSONFileCatalog) -> (report: CheckReport, isWhole: Bool) {
        var report = CatalogValidator(catalog.format?.mapping ?? FieldMapping(rules: [:]))
        var progress = ProgressLine("checking")
        var index = 0
        while index < catalog.index.count || catalog.readMore() {
            // The loaded part may contain no book.
            if index >= catalog.index.count { continue }
            guard let record = catalog.record(BookID(index)) else { break }
            report.add(record)
            index += 1
            if index.isMultiple(of: 1024) { progress.show(index, fraction: catalog.fractionRead) }
        }
        // After an unreadable record there may be further errors.
        while catalog.readMore() {}
        progress.clear()
        return (CheckReport(of: catalog, report), index == catalog.index.count)
    }
}

internal import Books
internal import Browser
internal import Catalog
internal import Glibc
internal import Indexing
internal import Library
internal import Remote
internal import Shelves
internal import Storage
internal import Text

/// Reads a whole catalog and reports its contents and its errors.
struct CatalogCheck {
    /// The catalog.
    let name: CatalogName
    /// The profile given by the user, if any.
    var profile: String?
    /// How a catalog that is not JSON is copied.
    var copying = CopyChoice()
    /// Whether to report in JSON.
    let isJSON: Bool

    private var path: String { name.path }

    /// Prints the report on standard output, or an error message on standard error if the catalog cannot be read at
    /// all.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            return try reportOnContent()
        } catch {
            guard let refusal = error.refusal else {
                // Programs that ask for JSON get it whatever happens.
                let code = isJSON ? PlainList.write(CheckReport(valid: false, error: error.sentence).json) : 0
                return code == 0 ? error.report() : code
            }
            let report = CheckReport(refusal)
            let code = PlainList.write(isJSON ? report.json : refusal.sentence.harmlessLine)
            return code == 0 ? ExitStatus.badData : code
        }
    }

    private func reportOnContent() throws(CommandError) -> Int32 {
        let directories = Directories.ofEnvironment()
        var opener = CatalogOpener(
            name: name,
            choice: try ProfileChoice(named: profile, forCatalog: path, in: ProfileLibrary(in: directories)),
            directories: directories, cache: nil, copying: copying, waits: true)
        let content = try opener.open(titled: path)
        opener.notices.forEach(printError)
        switch content {
        case .file(let file): return report(on: file)
        case .copy(let copy):
            copy.mirror.waitForCopy()
            if let news = copy.mirror.takeNews() { printError(news.sentence(of: path)) }
            return report(
                on: copy.file, of: CheckedSource(of: copy.mirror, in: directories),
                isIncomplete: copy.mirror.problem != nil)
        case .server:
            throw CommandError(sentence: CommandMessage.needsWholeCatalog.text(path), exitStatus: ExitStatus.usage)
        }
    }

    /// Prints the report on an open catalog.
    private func report(
        on catalog: JSONFileCatalog, of source: CheckedSource? = nil, isIncomplete: Bool = false
    ) -> Int32 {
        var (report, isWhole) = validated(catalog, of: source)
        report.isIncomplete = isIncomplete
        if catalog.isOutdated {
            printError(CommandMessage.changedWhileReading.text(catalog.name))
            return ExitStatus.changed
        }
        let text = CheckText(
            report: report, name: RandomAccessInput.shownPath(path), columns: outputSize().columns,
            keys: ConfigFile(in: Directories.ofEnvironment()).read().settings.keys ?? .standard,
            isWrapped: isatty(STDOUT_FILENO) == 1)
        let code = PlainList.write(isJSON ? report.json : text.text)
        if code != 0 { return code }
        if catalog.defects.failure != nil { return ExitStatus.inputOutput }
        if !isWhole {
            printError(CommandMessage.notReadToEnd.text(RandomAccessInput.shownPath(path)))
            return ExitStatus.inputOutput
        }
        return report.isFlawless ? 0 : ExitStatus.badData
    }

    /// Validates all records, up to the first one that cannot be read again.
    private func validated(
        _ catalog: JSONFileCatalog, of source: CheckedSource?
    ) -> (report: CheckReport, isWhole: Bool) {
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
        var found = CheckReport(of: catalog, report, copiedFrom: source)
        var notices: [String] = []
        let library = Library(
            store: BookStore(source: catalog),
            // What is said not to be the same is no duplicate.
            userData: UserData.saved(in: Directories.ofEnvironment(), notices: &notices),
            catalogPath: resolvedPath(path) ?? path)
        found.cleaning = CheckReport.Cleaning(of: library)
        progress.clear()
        return (found, index == catalog.index.count)
    }
}

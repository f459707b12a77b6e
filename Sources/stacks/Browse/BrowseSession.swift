internal import Books
internal import Browser
internal import Catalog
internal import Editing
internal import Glibc
internal import Library
internal import NcursesTerminal
internal import Remote
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Text

/// One run of the browser; creates everything that it needs and cleans up afterwards.
struct BrowseSession {
    /// The catalog to open.
    var catalog: CatalogRequest
    /// Whether to start where the user left off.
    var resumes: Bool
    /// Whether to reload the catalog when it changes.
    var follows: Bool

    /// The query given by the user, if any.
    var query: String?
    /// The sort order given by the user, if any.
    var sort: String?

    /// The theme given by the user, if any.
    var theme: Theme? = nil
    /// Whether to use the mouse, if the user has chosen; otherwise the config decides.
    var usesMouse: Bool? = nil
    /// Whether to show covers, if the user has chosen; otherwise the config decides.
    var showsCovers: Bool? = nil
    /// Whether to print lines instead of screens.
    var isLinear = false
    /// The name of the list to open given by the user, if any.
    var list: String? = nil
    /// The columns of the list given by the user, if any.
    var columns: ListColumns? = nil

    /// Whether standard input has the data of a catalog: a pipe or a file, and not a terminal, a device or a socket, with
    /// which other programs start this one.
    private static var hasInput: Bool {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0 && [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    /// Runs the browser until the user quits.
    ///
    /// - Returns: The exit status; if a signal ended the browser, the process dies of that signal and this method does
    ///   not return.
    func run() -> Int32 {
        let directories = Directories.ofEnvironment()
        let config = ConfigFile(in: directories).read()
        var request = BookRequest(query: query, sort: sort)
        var requested = self.catalog
        if requested.name == nil, environmentValue("STACKS_CATALOG") == nil, Self.hasInput { requested.name = "-" }
        let isOnScreen = isatty(STDOUT_FILENO) == 1
        var offered: [String] = []
        let catalog: OpenedCatalog
        let preferences: PreferencesFile
        do throws(CommandError) {
            // Input from a pipe cannot be read again, so it is not remembered.
            let path = CatalogName.path(named: requested.name, in: config)
            let isPipe = requested.name != nil && path.map(RandomAccessInput.isPipe(_:)) ?? false
            let file = PreferencesFile(directory: isPipe ? nil : directories.state)
            preferences = file
            let notice = OpeningNotice(path ?? file.lastCatalog, cachedIn: directories)
            defer { notice.end() }
            if isOnScreen, let paths = path.flatMap(DirectoryCatalogs.offered(in:)) {
                (requested.name, offered) = (paths[0], Array(paths.dropFirst()))
            }
            catalog = try requested.open(in: directories, edits: isOnScreen ? .kept : .included) {
                file.lastCatalog
            }
            request = try known(request, in: catalog)
        } catch {
            return error.report()
        }
        var notices = catalog.notices
        if let notice = preferences.notice { notices.insert(notice, at: 0) }
        config.notices.forEach(printError)
        guard isOnScreen else {
            notices.forEach(printError)
            return printList(of: catalog, request)
        }
        let defects = catalog.store.defects.sentence
        if let defects { printError("\(catalog.shownPath): \(defects)") }
        let obstacle = Self.obstacleToKeepingChanges(in: directories)
        if let obstacle { notices.append(obstacle) }
        let shown = CatalogOnScreen(catalog)
        let shelves = UserData.saved(
            in: directories, waits: list != nil || query != nil || resumes && preferences.isLeftInUserList(shown.place),
            notices: &notices)
        let library = Library(
            store: catalog.store, userData: shelves, catalogPath: shown.place)
        var list: NamedList?
        do throws(CommandError) {
            if let name = self.list { list = try library.requiredList(named: name) }
        } catch {
            return error.report()
        }
        // Also print the notices on the normal screen, where they can be read after the status line has moved on.
        notices.forEach(printError)
        if let defects { notices.insert(defects, at: 0) }
        if !offered.isEmpty { notices.insert(CommandMessage.newestCatalog.text(fileName(of: catalog.path)), at: 0) }
        let start = Start(
            resumes: resumes, query: request.query, order: request.order, list: list, columns: columns,
            offering: offered)
        return browse(
            Visit(shown: shown, library: library, start: start, notices: notices + config.shortNotices),
            preferences: preferences, config: config, directories: directories, obstacle: obstacle)
    }

    /// Returns the request for a catalog, of which only the beginning is read; all of it is, if there is a name in the request
    /// or among the columns that the beginning does not have.
    private func known(_ request: BookRequest, in catalog: OpenedCatalog) throws(CommandError) -> BookRequest {
        do throws(CommandError) {
            return try known(request, in: catalog.store.schema)
        } catch {
            guard catalog.store.state.isLoading, catalog.store.remote == nil else { throw error }
            catalog.readRest()
            return try known(request, in: catalog.store.schema)
        }
    }

    private func known(_ request: BookRequest, in schema: Schema) throws(CommandError) -> BookRequest {
        if let unknown = columns?.unknownNames(in: schema).first {
            let names = BrowseCommand.columnNames(of: schema)
            throw CommandError(
                sentence: CommandMessage.unknownColumn.text(unknown, names), exitStatus: ExitStatus.usage)
        }
        return try request.resolved(in: schema)
    }

    /// Prints the list: while it is read if all of it is requested, otherwise the requested books.
    private func printList(of catalog: OpenedCatalog, _ request: BookRequest) -> Int32 {
        if let paged = catalog.paged {
            return PagedPrinter(catalog, paged, request, form: PlainList.Formatter(), listName: list).run()
        }
        guard list == nil, request.isPlain, catalog.store.edited == nil, let file = catalog.file else {
            return BookPrinter(catalog: catalog, request: request, form: PlainList.Formatter(), listName: list).run()
        }
        let code = PlainList.print(file)
        guard code == 0 else { return code }
        // The books are complete, but the result of copying has not been reported yet.
        catalog.readRest()
        if let defects = catalog.defects { printError(defects) }
        return catalog.store.exitStatus
    }

    /// Returns the reason why changes cannot be saved, so that the user is told only once; nil if they can be.
    private static func obstacleToKeepingChanges(in directories: Directories) -> String? {
        guard let data = directories.data, let state = directories.state else {
            return CommandMessage.changesNotKept.text("HOME is not set")
        }
        return [data, state].first { !canWrite(inDirectory: $0) }.map {
            CommandMessage.changesNotKept.text("cannot write \(abbreviatedPath($0))")
        }
    }

    // MARK: - Browsing

    /// A catalog on the screen.
    private struct Visit {
        /// The catalog with its path.
        let shown: CatalogOnScreen
        /// Its books with the user data.
        let library: Library
        /// Where the browser starts in it.
        let start: Start
        /// The messages for the first status line.
        let notices: [String]

        /// The catalog.
        var catalog: OpenedCatalog { shown.catalog }

        /// The failure of a server of which nothing was ever shown.
        var failureToRead: (sentence: String, exitStatus: Int32)? {
            guard let mirrored = library.store.mirrored, let failure = mirrored.failure,
                library.store.count == .exactly(0), let problem = mirrored.problem
            else { return nil }
            return (problem.sentence(of: catalog.path), failure.exitStatus)
        }
    }

    /// Browses one catalog after another, until the user quits.
    private func browse(
        _ first: Visit, preferences: PreferencesFile, config: Config, directories: Directories, obstacle: String?
    ) -> Int32 {
        var settings = config.settings
        settings.follows = follows
        if let theme { settings.theme = theme }
        if let usesMouse { settings.usesMouse = usesMouse }
        if let showsCovers { settings.covers.shows = showsCovers }
        let terminal: NcursesTerminal
        do {
            // NO_COLOR disables colours if it is set and not empty (https://no-color.org).
            terminal = try NcursesTerminal(
                theme: settings.theme, usesColour: environmentValue("NO_COLOR") == nil, usesMouse: settings.usesMouse,
                printsLines: isLinear, pictures: settings.covers.shows ? .wanted(known: nil) : .none)
        } catch {
            printError(error.sentence)
            return ExitStatus.usage
        }
        var visit = first
        let opener = NextCatalogOpener()
        let catalogs = OtherCatalogs(known: { Self.knownCatalogs(in: config, opened: $0) }) { next, notify in
            opener.open(request(for: next), in: directories, notifying: notify)
        }
        while true {
            let session = session(
                for: visit, settings, catalogs, preferences: preferences, config: config, directories: directories,
                obstacle: obstacle)
            let app = App(session, start: visit.start)
            let ending = isLinear ? app.run(on: terminal as any LineTerminal) : app.run(on: terminal as any Terminal)
            if case .open(let next) = ending, let opened = opener.take() {
                let notices =
                    next.isCopy
                    ? [] : [session.noticeAtTheEnd(), session.problemAtTheEnd(), visit.failureToRead?.sentence]
                settings = session.settings
                visit = self.visit(
                    opened, Start(in: next, events: app.unhandledEvents), after: visit,
                    [next.notice] + notices.compactMap(\.self))
                continue
            }
            terminal.close()
            if let answer = terminal.pictureProbe, answer.saysAnything, obstacle == nil,
                let type = environmentValue("TERM")
            {
                preferences.remember(pictures: answer.text, in: type)
                preferences.finish {}
            }
            return finish(session, of: visit, ending, keepsChanges: obstacle == nil)
        }
    }

    /// Returns the request for the catalog that replaces the one on the screen.
    private func request(for next: NextCatalog) -> CatalogRequest {
        CatalogRequest(
            name: next.path, profile: next.isCopy ? catalog.profile : nil,
            copying: CopyChoice(refreshes: catalog.copying.refreshes))
    }

    /// Shows the catalog that replaces the one of `last`. The user data stays in memory, because it may not be saved.
    private func visit(_ opened: CatalogOnScreen, _ start: Start, after last: Visit, _ notices: [String]) -> Visit {
        let library = Library(
            store: opened.catalog.store, userData: last.library.userData, catalogPath: opened.place)
        let defects = [opened.catalog.store.defects.sentence].compactMap(\.self)
        return Visit(
            shown: opened, library: library, start: start,
            notices: (notices + defects + opened.catalog.notices).filter { !$0.isEmpty })
    }

    private func session(
        for visit: Visit, _ settings: Settings, _ catalogs: OtherCatalogs, preferences: PreferencesFile, config: Config,
        directories: Directories, obstacle: String?
    ) -> Session {
        let warnings =
            obstacle.map { [Session.notKept($0)] } ?? []
            + visit.catalog.profileNotices.map { Warning("profile skipped", $0) }
            + config.notices.prefix(1).map { _ in
                Warning("config has errors", config.shortNotices.joined(separator: ". "))
            }
        // Without a directory for edits, a copy could not be changed either.
        let sample = directories.state == nil ? nil : BundledCatalog.sample(in: directories)
        return Session(
            library: visit.library, catalogPath: visit.shown.place,
            preferences: preferences, settings: settings,
            services: Services(
                opener: LinkOpener(WebBrowser.open), copies: CopiedText(directory: directories.state),
                noteEditor: NoteEditor(NoteFile.edit), recordEditor: RecordEditor(RecordFile.edit),
                lookup: config.lookup(besides: visit.catalog, directories),
                connector: { ConnectorProgram(in: Directories.ofEnvironment()) }, sample: sample,
                catalogs: catalogs,
                guide: { BundledCatalog.path(of: "guide") }),
            notices: visit.notices, warnings: warnings)
    }

    /// Returns the catalogs opened before, the latest first, with the names that the config file gives them, and then the
    /// others of the config file.
    private static func knownCatalogs(in config: Config, opened recent: [String]) -> [KnownCatalog] {
        var names = Dictionary(
            config.catalogNames.compactMap { name in
                config.catalogs[name].map { (CatalogName($0, in: config).source, name) }
            }, uniquingKeysWith: { first, _ in first })
        let opened = recent.map { KnownCatalog(name: names.removeValue(forKey: $0), path: $0) }
        let others = config.catalogNames.compactMap { name in
            names.first { $0.value == name }.map { KnownCatalog(name: name, path: $0.key) }
        }
        return opened + others
    }

    /// Saves what is left after the terminal was closed, and prints what the user should know.
    ///
    /// - Returns: The exit status.
    private func finish(_ session: Session, of visit: Visit, _ ending: App.Ending, keepsChanges: Bool) -> Int32 {
        let problem = session.problemAtTheEnd()
        if let problem, keepsChanges { printError(problem) }
        if let notice = session.noticeAtTheEnd() { printError(notice) }
        let failure = visit.failureToRead
        if let failure { printError(failure.sentence) }
        switch ending {
        case .quit, .open:
            if problem != nil && keepsChanges { return ExitStatus.inputOutput }
            return failure?.exitStatus ?? 0
        case .terminalGone: return 0
        case .signal(let number):
            signal(number, SIG_DFL)
            raise(number)
            return 128 + number
        }
    }
}

extension Config {
    /// Returns the lookup of books in the sources that the file names, or else in its catalogs other than the open one and in
    /// library servers; nil if it names none.
    fileprivate func lookup(besides catalog: OpenedCatalog, _ directories: Directories) -> LookupService? {
        if lookupSources == [] { return nil }
        return LookupService(isConfigured: lookupSources != nil) {
            [path = catalog.path] () throws(LookupSource.Failure) in
            if lookupSources == nil { return LookupSource.ofBrowser(besides: path, in: self, directories) }
            do throws(CommandError) {
                return try LookupSource.all(named: nil, besides: path, in: self, directories, isQuiet: true)
            } catch {
                throw LookupSource.Failure(sentence: error.sentence, exitStatus: error.exitStatus)
            }
        }
    }
}

extension TerminalError {
    /// The error message, with the next step.
    fileprivate var sentence: String {
        switch self {
        case .noKeyboard: CommandMessage.noTerminal.text()
        case .unsuitableType(""):
            CommandMessage.noTerminalType.text()
        case .unsuitableType(let type):
            CommandMessage.unsuitableTerminal.text(type)
        case .system(let code): CommandMessage.unusableTerminal.text(String(cString: strerror(code)))
        }
    }
}

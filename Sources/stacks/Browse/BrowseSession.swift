internal import Browser
internal import Catalog
internal import Glibc
internal import Graphemes
internal import Library
internal import NcursesTerminal
internal import Shelves
internal import Storage
internal import TerminalUI

/// One run of the browser: what it needs is made here, handed to who needs it, and put away.
struct BrowseSession {
    /// The path of the catalog, where the reader named one.
    var catalog: String?
    /// The profile that the catalog is read by, where the reader chose one.
    var profile: String?
    /// Whether to start where the reader left off.
    var resumes: Bool
    /// Whether the catalog is read again when it changes.
    var follows: Bool

    /// What is looked for, where the reader says so.
    var query: String?
    /// How the books are ordered, where the reader says so.
    var sort: String?

    /// How the browser looks, where the reader says so.
    var theme: Theme? = nil
    /// Whether the mouse is the browser's, where the reader says so; else the terminal selects text with it.
    var usesMouse: Bool? = nil
    /// Whether lines are printed in place of screens.
    var isLinear = false
    /// The name of the list that is opened, where the reader says so.
    var list: String? = nil
    /// The columns of the list, where the reader says so.
    var columns: ListColumns? = nil

    /// Browses until the reader leaves.
    ///
    /// - Returns: The exit code. Where a signal ended it, it does not return: the process dies of the signal.
    func run() -> Int32 {
        useUTF8Locale()
        let directories = Directories.ofEnvironment()
        let config = ConfigFile(in: directories).read()
        let request: BookRequest
        let catalog: OpenedCatalog
        let preferences: PreferencesFile
        do throws(CommandError) {
            request = try BookRequest(query: query, sort: sort)
            // What comes through a pipe does not come again.
            let name = OpenedCatalog.path(named: self.catalog, in: config)
            let isPipe = self.catalog != nil && name.map(RandomAccessInput.isPipe(_:)) ?? false
            let file = PreferencesFile(directory: isPipe ? nil : directories.state)
            preferences = file
            catalog = try OpenedCatalog(named: name, profile: profile, in: directories) { file.lastCatalog }
        } catch {
            return error.report()
        }
        var notices = catalog.notices
        if let notice = preferences.notice { notices.insert(notice, at: 0) }
        config.notices.forEach(printError)
        guard isatty(STDOUT_FILENO) == 1 else {
            notices.forEach(printError)
            return printList(of: catalog, request)
        }
        let defects = catalog.store.defects.sentence
        if let defects { printError("\(catalog.shownPath): \(defects)") }
        let keepsChanges = Self.canKeepChanges(in: directories, notices: &notices)
        let path = resolvedPath(catalog.path) ?? catalog.path
        let shelves = UserData.saved(
            in: directories, waits: list != nil || query != nil || resumes && preferences.isLeftInOwnList(path),
            notices: &notices)
        let library = Library(
            store: catalog.store, shelves: shelves, catalogPath: path)
        var list: NamedList?
        do throws(CommandError) {
            if let name = self.list { list = try library.requiredList(named: name) }
        } catch {
            return error.report()
        }
        // On the screen before ours they can still be read afterwards, where the status line has gone on.
        notices.forEach(printError)
        if let defects { notices.insert(defects, at: 0) }
        return browse(
            library, path: catalog.path, request, in: list,
            preferences: preferences, notices: notices + config.shortNotices,
            config: config, keepsChanges: keepsChanges)
    }

    /// Prints the list: as it is being read where it is whole, and else what was asked for.
    private func printList(of catalog: OpenedCatalog, _ request: BookRequest) -> Int32 {
        if list != nil || !request.isPlain {
            return BookPrinting(catalog: catalog, request: request, form: PlainList.Form(), listName: list).run()
        }
        let code = PlainList.print(catalog.source)
        guard code == 0 else { return code }
        if let defects = catalog.defects { printError(defects) }
        return catalog.store.defects.exitStatus
    }

    /// Whether what the reader does can be saved; where it cannot, that is said now, and not again with every change.
    private static func canKeepChanges(in directories: Directories, notices: inout [String]) -> Bool {
        guard let data = directories.data, let state = directories.state else {
            notices.append("changes will not be kept, as HOME is not set")
            return false
        }
        guard let obstacle = [data, state].first(where: { !canWrite(inDirectory: $0) }) else { return true }
        notices.append("changes will not be kept, as \(abbreviatedPath(obstacle)) cannot be written")
        return false
    }

    private func browse(
        _ library: Library, path: String, _ request: BookRequest, in list: NamedList?, preferences: PreferencesFile,
        notices: [String],
        config: Config, keepsChanges: Bool
    ) -> Int32 {
        let terminal: NcursesTerminal
        do {
            // Of colours see https://no-color.org: the variable is set, and not empty.
            terminal = try NcursesTerminal(
                theme: theme ?? config.theme.flatMap(Theme.init(named:)) ?? .terminal,
                usesColour: environmentValue("NO_COLOR") == nil, usesMouse: usesMouse ?? config.mouse ?? true,
                printsLines: isLinear)
        } catch {
            printError(error.sentence)
            return ExitStatus.usage
        }
        let session = Session(
            library: library, catalogPath: resolvedPath(path) ?? path, preferences: preferences,
            settings: config.settings,
            services: Services(
                opener: LinkOpener(WebBrowser.open), copies: CopiedText(directory: Directories.ofEnvironment().state),
                noteEditor: NoteEditor(NoteEditing.edit)),
            follows: follows, notices: notices)
        let app = App(
            session,
            start: Start(resumes: resumes, query: request.query, order: request.order, list: list, columns: columns))
        let ending = isLinear ? app.run(on: terminal as any LineTerminal) : app.run(on: terminal as any Terminal)
        terminal.close()
        let problem = session.problemAtTheEnd()
        if let problem, keepsChanges { printError(problem) }
        switch ending {
        case .quit: return problem != nil && keepsChanges ? ExitStatus.inputOutput : 0
        case .terminalGone: return 0
        case .signal(let number):
            signal(number, SIG_DFL)
            raise(number)
            return 128 + number
        }
    }
}

extension TerminalError {
    /// What is wrong, and what to do.
    fileprivate var sentence: String {
        switch self {
        case .noKeyboard: "there is no terminal to read keys from: start stacks in one"
        case .unsuitableType(""):
            "the variable TERM is not set: set it to the terminal's type, as in TERM=xterm-256color"
        case .unsuitableType(let type):
            "a terminal of the type TERM=\(type) cannot be drawn on: set TERM to what it is, or write the list to a "
                + "file or pipe"
        case .system(let code): "the terminal cannot be used, \(String(cString: strerror(code))): try another one"
        }
    }
}

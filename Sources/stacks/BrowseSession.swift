internal import Browser
internal import Catalog
internal import Glibc
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

    /// Browses until the reader leaves.
    ///
    /// - Returns: The exit code. Where a signal ended it, it does not return: the process dies of the signal.
    func run() -> Int32 {
        if catalog == "" {
            complain("the catalog's name is empty: name a file, or leave it out")
            return ExitStatus.usage
        }
        useUTF8Locale()
        let directories = Directories.ofEnvironment()
        // What comes through a pipe does not come again.
        let isPipe = catalog.map(InputFile.isPipe(_:)) ?? false
        let preferences = PreferencesFile(directory: isPipe ? nil : directories.state)
        var notices = [preferences.notice].compactMap(\.self)

        guard let path = chooseCatalog(lastOpened: preferences.lastCatalog, notices: &notices) else {
            complain("the catalog that comes with stacks is missing: name a catalog file")
            return ExitStatus.noInput
        }
        var choice: ProfileChoice
        do throws(ProfileChoice.Refusal) {
            choice = try ProfileChoice(named: profile, forCatalog: path, in: ProfileLibrary(in: directories))
        } catch {
            complain(error.sentence)
            return error.exitStatus
        }
        let store: BookStore
        do throws(CatalogError) {
            let cache = directories.cache.map { IndexCache(directory: $0 + "/index") }
            store = try choice.store(of: path, cache: cache)
        } catch {
            choice.notices.forEach(complain)
            complain(error.sentence)
            return error.exitStatus
        }
        notices += choice.notices
        guard isatty(STDOUT_FILENO) == 1 else {
            notices.forEach(complain)
            return printList(of: store, path: path)
        }
        let defects = store.defects.sentence
        if let defects { complain("\(InputFile.shownPath(path)): \(defects)") }
        let keepsChanges = Self.canKeepChanges(in: directories, notices: &notices)
        let favourites = loadFavourites(in: directories, notices: &notices)
        // On the screen before ours they can still be read afterwards, where the status line has gone on.
        notices.forEach(complain)
        return browse(
            Library(store: store, favourites: favourites), path: path, preferences: preferences,
            notices: [defects].compactMap(\.self) + notices, keepsChanges: keepsChanges)
    }

    private func printList(of store: BookStore, path: String) -> Int32 {
        let code = PlainList.print(store)
        guard code == 0 else { return code }
        if let defects = store.defects.sentence { complain("\(InputFile.shownPath(path)): \(defects)") }
        if store.defects.failure != nil { return ExitStatus.inputOutput }
        return store.defects.fault == nil ? 0 : ExitStatus.badData
    }

    /// The catalog that was named, else `$STACKS_CATALOG`, else the one opened last, else the one that comes with
    /// stacks.
    private func chooseCatalog(lastOpened: String?, notices: inout [String]) -> String? {
        if let named = catalog ?? environmentValue("STACKS_CATALOG") { return named }
        if let lastOpened {
            if access(lastOpened, R_OK) == 0 { return lastOpened }
            notices.append("this is the catalog that comes with stacks, as the last one, \(lastOpened), is gone")
        }
        return BundledCatalog.path
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

    private func loadFavourites(in directories: Directories, notices: inout [String]) -> Favourites {
        let favourites = Favourites(directory: directories.data)
        do throws(FileError) {
            try favourites.load()
        } catch {
            if !error.isMissing {
                notices.append(
                    "favourites are missing, as \(abbreviatedPath(error.path)) cannot be read, \(error.cause)")
            }
        }
        // One may be torn by a crash, which is no reason to worry anybody.
        if favourites.unreadableLineCount > 1, let path = favourites.path {
            notices.append(
                "favourites may be missing, as \(favourites.unreadableLineCount.grouped) lines of "
                    + "\(abbreviatedPath(path)) cannot be read")
        }
        return favourites
    }

    private func browse(
        _ library: Library, path: String, preferences: PreferencesFile, notices: [String], keepsChanges: Bool
    ) -> Int32 {
        let terminal: NcursesTerminal
        do {
            terminal = try NcursesTerminal(usesColour: environmentValue("NO_COLOR") == nil)
        } catch {
            complain(error.sentence)
            return ExitStatus.usage
        }
        let browser = Browser(
            library: library, catalogPath: resolvedPath(path) ?? path, preferences: preferences, notices: notices,
            resumes: resumes, follows: follows)
        let ending = browser.run(on: terminal)
        terminal.close()
        let problem = browser.problemAtTheEnd()
        if let problem, keepsChanges { complain(problem) }
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

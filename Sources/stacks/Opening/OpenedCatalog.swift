internal import Catalog
internal import Editing
internal import Glibc
internal import Library
internal import Storage

/// The treatment of unsaved edits that the browser keeps.
enum UnsavedEdits {
    /// The books are those of the file.
    case ignored
    /// The books include the edits, if there are any, and the user is told.
    case included
    /// The books include the edits and can be edited.
    case kept
    /// The books are those of the file and can be edited there, without becoming unsaved edits.
    case direct
}

/// An open catalog with notices about opening it.
struct OpenedCatalog {
    /// The path as given by the user; "-" is standard input.
    let path: String
    /// The file, read as far as needed for a screen; nil if the books stay on a server.
    let file: JSONFileCatalog?
    /// The catalog whose books stay on a server, if it is one.
    let paged: PagedCatalog?
    /// The books of the file.
    private(set) var store: BookStore
    /// The path of the journal of the edits; nil if there is no directory for it, or the catalog is a pipe.
    let editJournalPath: String?
    /// The passwords for the server of the catalog, if it has one.
    let passwords: ServerPasswords?
    /// Whether to tell the user about unsaved edits.
    private let reportsEdits: Bool
    /// The profiles that were available.
    let profiles: ProfileLibrary
    /// The notices for the user.
    private(set) var notices: [String] = []
    /// The notices about profiles that were skipped.
    private(set) var profileNotices: [String] = []

    /// Opens the named catalog, otherwise `$STACKS_CATALOG`, otherwise the one opened last, otherwise the bundled one.
    ///
    /// - Parameters:
    ///   - edits: The treatment of unsaved edits.
    ///   - lastOpened: Returns the path of the catalog opened last; called only if no catalog is named.
    init(
        _ request: CatalogRequest, in directories: Directories, edits: UnsavedEdits = .included,
        lastOpened: () -> String?
    ) throws(CommandError) {
        if request.name == "" {
            throw CommandError(
                sentence: Message.catalogNameIsEmpty.text(), exitStatus: ExitStatus.usage)
        }
        // The config is read only if needed.
        var distrust: String?
        func config() -> Config {
            let config = ConfigFile(in: directories).read()
            distrust = config.distrust
            return config
        }
        let named = Self.path(named: request.name, in: config())
        guard let given = named ?? Self.unnamedPath(lastOpened, &notices) else {
            throw CommandError(
                sentence: Message.noBundledCatalog.text(),
                exitStatus: ExitStatus.noInput)
        }
        let name = CatalogName(given, in: config())
        if let distrust { throw CommandError(sentence: distrust, exitStatus: ExitStatus.configuration) }
        if let sentence = directories.cacheDistrustSentence { notices.append(sentence) }
        (path, passwords) = (name.path, name.passwords)
        // The browser has a dialog for them.
        if edits == .kept { passwords?.stopPrompting() }
        profiles = ProfileLibrary(in: directories)
        var choice = try ProfileChoice(named: request.profile, forCatalog: path, in: profiles)
        if SourceAddress.isPaged(path) {
            // A name of the config file is shorter than an address.
            let names = config().catalogs.filter { $0.value == given }.keys
            let title = request.name.flatMap { $0 == given ? nil : $0 } ?? names.min() ?? path
            let paged = try PagedOpening(path, titled: title, choice, directories, passwords, waits: edits != .kept)
                .open()
            (self.paged, file, editJournalPath, reportsEdits) = (paged, nil, nil, false)
            store = BookStore(source: paged)
            profileNotices = choice.notices
            notices += profileNotices
            return
        }
        let source: JSONFileCatalog
        var mirror: MirroredCatalog?
        do throws(CatalogError) {
            source = try choice.catalog(at: path, cache: IndexCache(in: directories))
        } catch {
            choice.notices.forEach(printError)
            if let sentence = directories.cacheDistrustSentence,
                error.mayBeForeign(path) || SourceAddress.isAddress(path)
            {
                throw CommandError(sentence: sentence, exitStatus: ExitStatus.noPermission)
            }
            let foreign = ForeignSource(
                path: path, choice: choice, directories: directories.withSomeCache, refreshes: request.refreshes,
                waits: edits != .kept, passwords: passwords)
            guard let opened = try foreign?.open(refusedFor: error) else { throw error.commandError(opening: path) }
            if !directories.canWriteCache {
                notices.append(Message.readUncached.text(RandomAccessInput.shownPath(path)))
            }
            (source, mirror) = opened
        }
        (file, paged) = (source, nil)
        let isAddress = SourceAddress.isAddress(path)
        editJournalPath =
            RandomAccessInput.isPipe(source.path)
            ? nil : EditedCatalog.journalPath(of: isAddress ? path : source.path, in: directories.state)
        if let mirror, isAddress {
            let journal = editJournalPath
            store = BookStore(
                source: Self.included(
                    EditedCatalog(mirror, journalPath: journal, isDirect: edits == .direct), edits, journal) ?? mirror)
        } else if let mirror {
            store = BookStore(source: mirror)
        } else {
            let journal = editJournalPath
            store = BookStore(
                source: Self.included(
                    EditedCatalog(source, journalPath: journal, isDirect: edits == .direct), edits, journal) ?? source)
        }
        reportsEdits = edits == .included
        profileNotices = choice.notices
        notices += profileNotices
    }

    /// Returns the catalog with its unsaved edits; nil if there are none to include or keep.
    private static func included(
        _ edited: @autoclosure () -> EditedCatalog, _ edits: UnsavedEdits, _ journal: String?
    ) -> EditedCatalog? {
        if edits == .ignored { return nil }
        if edits == .included && journal.map({ access($0, F_OK) != 0 }) ?? true { return nil }
        let edited = edited()
        if edits == .included && !edited.hasPendingEdits { return nil }
        // A small file is fully loaded already.
        edited.receiveFile()
        return edited
    }

    /// Reads all remaining books and shows the progress; applies the unsaved edits and reports them.
    func readRest() {
        file?.readRestShowingProgress()
        store.mirrored?.waitForCopy()
        if let news = store.mirrored?.takeNews() { printError(news.sentence(of: shownPath)) }
        guard let edited = store.edited else { return }
        edited.receiveFile()
        store.forgetBooks()
        guard reportsEdits else { return }
        // Edits that clash are not applied.
        let includedCount = edited.unsavedCount - edited.clashes.count
        if includedCount > 0 {
            printError(Message.unsavedIncluded.text(includedCount.of("unsaved change"), shownPath))
        }
        if !edited.clashes.isEmpty {
            printError(
                Message.unsavedClash.text(
                    edited.clashes.count.of("unsaved change"), shownPath,
                    edited.isOnServer ? "on the server" : "on disk"))
        }
    }

    /// Replaces the books of a server by those that were read from it.
    mutating func show(_ books: InMemoryCatalog) { store = BookStore(source: books) }

    /// Whether the browser keeps unsaved edits of the file.
    var hasUnsavedEdits: Bool {
        guard let file, let editJournalPath, access(editJournalPath, F_OK) == 0 else { return false }
        return EditedCatalog(file, journalPath: editJournalPath).hasPendingEdits
    }

    /// The name of the catalog in messages.
    var shownPath: String { RandomAccessInput.shownPath(path) }

    /// The name of the catalog with a summary of its defects; nil if there are none.
    var defects: String? { store.defects.sentence.map { "\(shownPath): \($0)" } }

    /// Returns the path of the catalog that the user or `$STACKS_CATALOG` names; nil if neither does.
    ///
    /// A name is a path, a name from `config`, which is read only if the file does not exist, or the name of a library
    /// server that comes with stacks.
    static func path(named name: String?, in config: @autoclosure () -> Config) -> String? {
        guard let name = name ?? environmentValue("STACKS_CATALOG") else { return nil }
        if name.isEmpty || name == "-" || name.contains("/") || access(name, F_OK) == 0 { return name }
        return config().catalogs[name] ?? LibraryTargets().address(named: name) ?? name
    }

    private static func unnamedPath(_ lastOpened: () -> String?, _ notices: inout [String]) -> String? {
        if let last = lastOpened() {
            if SourceAddress.isAddress(last) || access(last, R_OK) == 0 { return last }
            notices.append(Message.lastCatalogGone.text(last))
        }
        return BundledCatalog.path
    }
}

extension Directories {
    /// The sentence that says why the cache is not used, if another user could have written its files.
    var cacheDistrustSentence: String? {
        cacheDistrust.map { Message.cacheDistrusted.text(abbreviatedPath($0.path), $0.cause) }
    }

    /// The sentence that says why there is no cache directory.
    var noCacheSentence: String { cacheDistrustSentence ?? Message.noCacheDirectory.text() }

    /// The exit status of a command that needs a cache directory, if there is none.
    var noCacheExitStatus: Int32 { cacheDistrust == nil ? ExitStatus.usage : ExitStatus.noPermission }
}

extension IndexCache {
    /// Creates the cache in `directories`; fails without a cache directory.
    init?(in directories: Directories) {
        guard let directory = directories.cache else { return nil }
        self.init(directory: directory + "/index")
    }
}

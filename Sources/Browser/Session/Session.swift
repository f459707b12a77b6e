internal import Books
internal import Catalog
internal import Editing
internal import Glibc
internal import Indexing
public import Library
internal import Remote
internal import Shelves
internal import Storage
internal import TerminalUI

/// The changes of the session that screens may have to show.
struct SessionChanges: OptionSet {
    let rawValue: Int
    /// The rows of the open list or their contents changed.
    static let books = SessionChanges(rawValue: 1)
    /// The current book left the open list, and another one became current.
    static let bookLeft = SessionChanges(rawValue: 2)
    /// The lists, their names or counts changed.
    static let lists = SessionChanges(rawValue: 4)
    /// The open list was deleted.
    static let listGone = SessionChanges(rawValue: 8)
    /// The catalog was reloaded, and its books have other ids.
    static let reloaded = SessionChanges(rawValue: 16)
    /// Background work made progress.
    static let background = SessionChanges(rawValue: 32)
}

/// The state that the screens share: the catalog, the user data, the open list and the navigation history.
public final class Session {
    /// The catalog and the user data.
    let library: Library
    /// The absolute path of the catalog; its place is remembered under it.
    let catalogPath: String
    /// The file of remembered places.
    let preferences: PreferencesFile
    /// The settings of the user, and those chosen since.
    public internal(set) var settings: Settings
    /// Links, copied text, editors and the clipboard.
    var services: Services
    /// The status line.
    let status = Status()
    /// The list that is open.
    let books: BookListModel
    /// The current and last search.
    var search = SearchState()
    /// The navigation history, and the bookmarks.
    var history = NavigationHistory()
    /// The links that are being opened.
    var openingLinks = PendingLinks()
    /// The change of many books in progress, and the last marking.
    var changing = ChangeState()
    /// Wakes the event loop, from any thread.
    private(set) var wake: @Sendable () -> Void = {}
    /// The warnings that are kept until their cause is gone.
    var lasting: LastingWarnings
    /// The questions of saves and servers that wait for the main screen.
    var questions = QuestionQueue()
    private var changes: SessionChanges = []

    /// Creates a session with `library`.
    ///
    /// - Parameters:
    ///   - catalogPath: The path under which the catalog's place is remembered.
    ///   - preferences: The file of remembered places.
    ///   - settings: The settings of the user.
    ///   - services: Links, copied text and editors.
    ///   - notices: Messages for the first status line.
    ///   - warnings: The warnings that apply until the browser ends.
    public init(
        library: Library, catalogPath: String, preferences: PreferencesFile, settings: Settings = Settings(),
        services: Services = Services(), notices: [String] = [], warnings: [Warning] = []
    ) {
        self.library = library
        self.catalogPath = catalogPath
        self.preferences = preferences
        self.settings = settings
        self.services = services
        books = BookListModel(library, settings: settings, status: status)
        lasting = LastingWarnings(ofStart: warnings)
        status.say(notices.joined(separator: ". "))
        library.hasTidyUp = settings.hasTidyUp
    }

    /// The key bindings.
    var bindings: KeyBindings { settings.keys ?? .standard }

    /// The first key of a command, as the user has bound it.
    func keyLabel(of command: Command) -> String { bindings.firstLabel(of: command) }

    // MARK: - Background work

    /// Makes background work wake `source`, and copies text to its clipboard.
    func connect(to source: any EventSource) {
        wake = source.wakeUp
        covers.makeLoader = { [services, library, catalogPath, wake] in
            var servers = CoverLoader.Servers(catalog: catalogPath)
            if let source = library.store.passwordProtected { servers.credentials = source.credentials }
            return services.connector().map { CoverLoader(by: $0, servers: servers, notifying: wake) }
        }
        // The pipeline was created before there was an event source to wake.
        books.pipeline.notify = wake
        library.userData.saveInBackground(notifying: wake)
        library.store.fetch(waiting: settings.timeBudget ?? Self.fetchTimeLimit, notifying: wake)
        // So are columns that are being made already.
        if books.progress == .readingFields { wake() }
        services.clipboard = { [weak source] in source?.copy($0) ?? false }
        // The edits of a catalog that is still loading are reported when it is loaded.
        sayUnsavedEdits()
    }

    /// The time that a screen waits for books that are not in memory, in milliseconds.
    private static let fetchTimeLimit = 50

    /// Starts the work that the first screen does not wait for.
    func startBackgroundWork() {
        makeDirectoriesAhead(library.directoriesOfChanges)
        library.store.start(waking: wake)
        library.loadUserData(notifying: wake)
        library.startLocatingUserData(notifying: wake)
        library.countQueries(notifying: wake)
    }

    /// Takes over the results of background work.
    func receive() {
        changes.insert(.background)
        if library.store.isReloadPrepared { reload() }
        receiveBooks()
        receiveSavedUserData()
        receiveBulkChange()
        receiveSave()
        books.advance()
        if let direction = search.matches.pending { goToMatch(direction) }
        receiveUserData()
        library.receiveRelatedBooks()
        receiveOpenedLinks()
        receiveCovers()
        sayNews()
        sayFailure()
        if library.isWaitingToCountQueries { library.countQueries(notifying: wake) }
        if library.receiveUpNext() || library.countsQueries { changes.insert(.lists) }
        noticeChange()
    }

    /// Counts the books of what is to be tidied up, from now on.
    func countTidyUp() {
        if library.countsTidyUp { return }
        library.countsTidyUp = true
        library.countQueries(notifying: wake)
    }

    /// Says what became of the copy of a source.
    private func sayNews() {
        guard let news = library.store.mirrored?.takeNews() else { return }
        status.say(news.sentence(of: library.store.name, reload: keyLabel(of: .reload)))
        if case .passwordNeeded(_, copied: nil) = news { questions.add(.passwordToRead) }
        // The text in place of rows says it, too.
        if books.table.rowCount == 0 { books.refill() }
    }

    /// Says why the server of a paged catalog did not answer.
    private func sayFailure() {
        guard let failure = library.store.remote?.takeFailure() else { return }
        status.say(failure.sentence(of: library.store.name))
        if library.store.passwordProtected?.passwordQuestion != nil { questions.add(.passwordToRead) }
    }

    /// The time until a server is to be asked again, in milliseconds; nil if none is.
    var timeToCheck: Int? {
        library.store.mirrored?.nextCheck.map { min(max(1, $0 - time(nil)), 24 * 3600) * 1000 }
    }

    private func receiveBooks() {
        let wasLoading = library.store.state.isLoading
        let hadEdits = library.store.edited?.isUnchanged == false
        guard library.receive(notifying: wake) else { return }
        let hasNewEdits = !hadEdits && library.store.edited?.isUnchanged == false
        if wasLoading && !library.store.state.isLoading {
            if let defects = library.store.defects.sentence { status.say(defects) }
            returnFreeMemory()
            library.countQueries(notifying: wake)
        }
        changes.insert(.lists)
        if hasNewEdits {
            library.forgetBooks()
            showEdits()
            sayUnsavedEdits()
        } else {
            books.refill(isGrown: true)
        }
    }

    /// Returns the current book; shows a message and returns nil if it is not available.
    var currentWholeBook: (id: BookID, book: Book)? {
        guard let id = books.currentBook else { return nil }
        let slot = library.store.book(id)
        if let book = slot.value { return (id, book) }
        sayUnavailable(slot)
        return nil
    }

    /// Says why a book is not available.
    func sayUnavailable(_ slot: Slot<Book>) {
        status.say(slot == .pending ? Message.bookStillLoading.text() : slot.placeholder)
    }

    /// Shows the message that the source does not have an ability.
    func sayMissing(_ ability: SourceAbility) {
        // A file may have been replaced by a pipe or a device since it was opened.
        if ability != .localIndex, catalogPath != "-", RandomAccessInput.isPipe(catalogPath) {
            status.say(.catalogNotAFile, abbreviatedPath(catalogPath))
        } else if ability == .editing {
            status.say(ability.missingMessage, keyLabel(of: .export))
        } else {
            status.say(ability.missingMessage)
        }
    }

    /// Shows changes that another instance made, and if the catalog changed on disk, reloads it or shows a message.
    func noticeChange() {
        receiveChangesOfOthers()
        receiveEditsOfOthers()
        let wasChanged = lasting.isChangedOnDisk
        lasting.isChangedOnDisk = library.store.reloadable?.isOutdated ?? false
        guard lasting.isChangedOnDisk, !library.store.isPreparingReload else { return }
        if settings.follows || library.store.reloadable?.reloadsUnasked == true {
            reload()
        } else if !wasChanged {
            status.say(changedOnDiskText)
        }
    }

    /// Returns the changes since the last call.
    func takeChanges() -> SessionChanges {
        defer { changes = [] }
        return changes.union(books.takeChanges())
    }

    /// Sets the reason why the user data could not be read; nil if it was read.
    func setUserDataProblem(_ problem: String?) { lasting.userDataProblem = problem }

    /// Records a change.
    func note(_ change: SessionChanges) { changes.insert(change) }

    // MARK: - Catalog

    /// Whether the source has the ability that a command needs.
    func has(_ ability: SourceAbility?) -> Bool {
        switch ability {
        case .reloading: library.store.canReload
        case .localIndex: library.store.local != nil
        case .editing: library.store.edited != nil && library.store.canReload
        case nil: true
        }
    }

    /// Reloads the catalog; the current book stays current.
    func reload() {
        guard library.store.canReload else {
            sayMissing(.reloading)
            return
        }
        guard library.store.prepareReload(waiting: settings.timeBudget ?? Self.reloadTimeLimit, notifying: wake) else {
            status.say(.reloading)
            return
        }
        let place = currentPlace
        let row = books.table.currentRow
        let selected = books.keysOfSelectedBooks()
        do {
            try library.reload()
        } catch {
            status.say(error.sentence)
            return
        }
        lasting.isChangedOnDisk = false
        covers.retry()
        books.forget()
        // The same numbers may be other books now.
        changing.datedStatus = nil
        takeShift()
        note([.lists, .reloaded])
        // Of a server, nothing has arrived yet.
        let isLoaded = !library.store.state.isLoading && library.store.remote == nil
        let news = library.store.mirrored?.takeNews()?.sentence(
            of: library.store.name, reload: keyLabel(of: .reload))
        status.say(
            library.store.defects.sentence ?? news
                ?? (isLoaded ? Message.reloaded.text(library.store.count.of("book")) : ""))
        library.store.start(waking: wake)
        library.startLocatingUserData(notifying: wake)
        books.refill()
        books.selectBooks(with: selected)
        if let place {
            books.jump(to: .place(place))
        } else if let row, library.store.remote != nil {
            // A row of a server that could not be loaded has no book.
            books.jump(to: .row(row))
        }
        if isLoaded { returnFreeMemory() }
    }

    /// The time that reloading waits for the disk, in milliseconds.
    private static let reloadTimeLimit = 50

    /// The place of the current book, for finding it again.
    var currentPlace: Preferences.Place? {
        guard let id = books.currentBook, let keys = library.store.keys(of: id) else { return nil }
        return Preferences.Place(
            lastViewedListIndex: 0, row: books.table.currentRow ?? 0, scrollOffset: books.table.topRow, keys: keys,
            sourceID: library.store.remote?.sourceID(of: id))
    }

    // MARK: - End of the session

    /// Saves the position, in this catalog unless another one is given; if that fails, a message says so in the status
    /// line and at the end.
    ///
    /// - Parameter isInPause: Whether this does not wait for the disk, and says nothing until the next time or the end.
    func remember(
        _ place: Preferences.Place, arranged arrangement: Preferences.Arrangement, in catalog: String? = nil,
        isInPause: Bool = false
    ) {
        let path = catalog.map { resolvedPath($0) ?? $0 } ?? catalogPath
        preferences.remember(place, arranged: arrangement, for: path, isInPause: isInPause)
        if !isInPause, let problem = preferences.problem { status.say(problem) }
    }

    /// Saves what makes the next start faster, and waits for the remembered places.
    ///
    /// - Parameter notice: Called if that takes so long that the user notices.
    func finishFiles(noticing notice: () -> Void) {
        let isLarge = library.userData.books.count > 10_000
        if library.userData.newLineCount > (isLarge ? 1000 : 0) { library.userData.saveSnapshot(noticing: notice) }
        preferences.finish(noticing: notice)
    }

    /// The message for changes that could not be saved when the browser ended, with the reason; other changes are
    /// still saved.
    public func problemAtTheEnd() -> String? {
        do {
            try library.userData.save()
            finishFiles {}
            return preferences.problem
        } catch {
            let changes = Message.lastChangesLost.text(error.savingSentence)
            return preferences.problem.map { changes + ". " + $0 } ?? changes
        }
    }
}

internal import Catalog
internal import Glibc
internal import Indexing
public import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// What became of the session that screens may show.
struct SessionChanges: OptionSet {
    let rawValue: Int
    /// The rows of the open list, or what they show.
    static let books = SessionChanges(rawValue: 1)
    /// The current book is not in the open list any more, and another took its place.
    static let bookLeft = SessionChanges(rawValue: 2)
    /// The lists, their names or counts.
    static let lists = SessionChanges(rawValue: 4)
    /// The list that was open is gone.
    static let listGone = SessionChanges(rawValue: 8)
    /// The catalog was read again: the ids of its books are others now.
    static let reloaded = SessionChanges(rawValue: 16)
    /// Work in the background has something to tell.
    static let background = SessionChanges(rawValue: 32)
    /// A server of which nothing is shown yet asks for a user and password.
    static let passwordNeeded = SessionChanges(rawValue: 64)
}

/// What the screens share: the catalog with what is the reader's own, the list that is open, and the way there.
public final class Session {
    /// The books and what is the reader's own.
    let library: Library
    /// What the catalog's place is remembered by: its absolute path.
    let catalogPath: String
    /// Where places are remembered.
    let preferences: PreferencesFile
    /// How the reader wants it to be.
    let settings: Settings
    /// Links, copies, notes and the clipboard.
    var services: Services
    /// What the status line says.
    let status = Status()
    /// The list that is open.
    let books: BookListModel
    /// What was searched for.
    var search = SearchState()
    /// The way back.
    var history = NavigationHistory()
    /// The links that are being opened.
    var openingLinks = OpeningLinks()
    /// The places that the reader gave letters.
    var bookmarks: [Bookmark] = []
    /// The change of many books that is being made, if any.
    var bulkChange: PendingBulkChange?
    /// Wakes the event loop up, from any thread.
    private(set) var wake: @Sendable () -> Void = {}
    /// The warnings that are kept until their cause is gone.
    var lasting: LastingWarnings
    private var changes: SessionChanges = []

    /// A session with `library`.
    ///
    /// - Parameters:
    ///   - catalogPath: What the catalog's place is remembered by.
    ///   - preferences: Where places are remembered.
    ///   - settings: How the reader wants it to be.
    ///   - services: Links, copies and notes.
    ///   - notices: What the reader must know, for the first status line.
    ///   - warnings: The warnings that hold until the browser ends.
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
        status.say(notices.joined(separator: "; "))
    }

    /// Which keys give which commands.
    var bindings: KeyBindings { settings.keys ?? .standard }

    /// The first key of a command, as the reader has it.
    func keyLabel(of command: Command) -> String { bindings.firstLabel(of: command) }

    // MARK: - In the background

    /// Has what is done in the background wake `source` up, and copies to its clipboard.
    func connect(to source: any EventSource) {
        wake = source.wakeUp
        // The list was made before there was anybody to tell.
        books.pipeline.notify = wake
        services.clipboard = { [weak source] in source?.copy($0) ?? false }
        // Those of a catalog that is still being read come with the rest of it.
        sayUnsavedEdits()
    }

    /// Starts what the first screen does not wait for.
    func startBackgroundWork() {
        library.store.start(waking: wake)
        library.loadUserData(notifying: wake)
        library.startLocatingUserData(notifying: wake)
        library.countQueries(notifying: wake)
    }

    /// Takes over what was done in the background.
    func receive() {
        changes.insert(.background)
        receiveBooks()
        receiveBulkChange()
        receiveSave()
        books.advance()
        if let direction = search.matches.pending { goToMatch(direction) }
        receiveUserData()
        receiveOpenedLinks()
        sayNews()
        if !library.userData.queries.isEmpty { changes.insert(.lists) }
        noticeChange()
    }

    /// Says what became of the copy of a source.
    private func sayNews() {
        guard let news = library.store.mirrored?.takeNews() else { return }
        status.say(news.sentence(of: library.store.name, reload: keyLabel(of: .reload)))
        if case .passwordNeeded(_, copied: nil) = news { note(.passwordNeeded) }
        // The text in place of rows says it, too.
        if books.table.rowCount == 0 { books.refill() }
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

    /// Says that the catalog was changed on the disk, or reads it again; shows what another stacks changed.
    func noticeChange() {
        receiveChangesOfOthers()
        receiveEditsOfOthers()
        let wasChanged = lasting.isChangedOnDisk
        lasting.isChangedOnDisk = library.store.reloadable?.isOutdated ?? false
        guard lasting.isChangedOnDisk else { return }
        if settings.follows || library.store.reloadable?.reloadsUnasked == true {
            reload()
        } else if !wasChanged {
            status.say(changedOnDiskText)
        }
    }

    /// What became of it since this was asked last.
    func takeChanges() -> SessionChanges {
        defer { changes = [] }
        return changes.union(books.takeChanges())
    }

    /// Keeps the reason why the user data could not be read, or forgets it if it was read.
    func setUserDataProblem(_ problem: String?) { lasting.userDataProblem = problem }

    /// Notes what became of it.
    func note(_ change: SessionChanges) { changes.insert(change) }

    // MARK: - The catalog

    /// Whether the source of the books can do what a command needs.
    func has(_ ability: SourceAbility?) -> Bool {
        switch ability {
        case .reloading: library.store.canReload
        case .localIndex: library.store.local != nil
        case .editing: library.store.edited != nil && library.store.canReload
        case nil: true
        }
    }

    /// Reads the catalog again; the current book stays current.
    func reload() {
        guard library.store.canReload else {
            status.say(SourceAbility.reloading.missingMessage)
            return
        }
        let place = currentPlace
        let chosen = books.keysOfChosenBooks()
        do {
            try library.reload()
        } catch {
            status.say(error.sentence)
            return
        }
        lasting.isChangedOnDisk = false
        books.forget()
        takeShift()
        note([.lists, .reloaded])
        let isLoaded = !library.store.state.isLoading
        let news = library.store.mirrored?.takeNews()?.sentence(
            of: library.store.name, reload: keyLabel(of: .reload))
        status.say(
            library.store.defects.sentence ?? news
                ?? (isLoaded ? Message.reloaded.text(library.store.count.of("book")) : ""))
        library.store.start(waking: wake)
        library.startLocatingUserData(notifying: wake)
        books.refill()
        books.chooseBooks(with: chosen)
        if let place { books.jump(to: .place(place)) }
        if isLoaded { returnFreeMemory() }
    }

    /// The current book and where it stands, to be found again.
    var currentPlace: Preferences.Place? {
        books.currentBook.flatMap(library.store.keys).map { keys in
            Preferences.Place(
                lastViewedListIndex: 0, row: books.table.currentRow ?? 0, scrollOffset: books.table.topRow,
                keys: keys)
        }
    }

    // MARK: - The end

    /// Remembers where the reader is; where that fails, it is said in the status line and at the end.
    func remember(_ place: Preferences.Place, arranged arrangement: Preferences.Arrangement) {
        preferences.remember(place, arranged: arrangement, for: catalogPath)
        if let problem = preferences.problem { status.say(problem) }
    }

    /// What could not be saved, and why, after the browser ended; what can be saved still is. Nil where all is.
    public func problemAtTheEnd() -> String? {
        do {
            try library.userData.save()
            let isLarge = library.userData.books.count > 10_000
            // Without it the next start only takes longer.
            if library.userData.newLineCount > (isLarge ? 1000 : 0) { try? library.userData.saveSnapshot() }
            return preferences.problem
        } catch {
            let changes = Message.lastChangesLost.text(error.savingSentence)
            return preferences.problem.map { changes + "; " + $0 } ?? changes
        }
    }
}

public import Storage
internal import Threading

/// The file of remembered positions.
public final class PreferencesFile {
    private let file: AtomicFile?
    private var preferences = Preferences()
    /// False if a newer program wrote the file, which must not be overwritten.
    private var isWritable = true
    /// The message that the last position could not be saved; nil if it was.
    public private(set) var problem: String?
    /// The message about a problem with the file, if any.
    public private(set) var notice: String?

    /// Reads the file `preferences.json` in `directory`; without a directory, nothing is saved.
    public init(directory: String?) {
        file = directory.map { AtomicFile(path: $0 + "/preferences.json") }
        guard let file else { return }
        do throws(FileError) {
            guard let bytes = try file.read() else { return }
            switch Preferences.content(of: bytes) {
            case .readable(let read): preferences = read
            case .newer:
                isWritable = false
                notice = Message.preferencesNewer.text(abbreviatedPath(file.path))
            case .unreadable:
                notice =
                    Message.preferencesDamaged.text(abbreviatedPath(file.path), abbreviatedPath(try file.moveAside()))
            }
        } catch {
            isWritable = false
            notice = Message.preferencesUnreadable.text(abbreviatedPath(file.path), error.cause)
        }
    }

    /// The path of the catalog that was opened last.
    public var lastCatalog: String? { preferences.lastCatalog }

    /// The paths of the catalogs that were opened, the latest first.
    public var recentCatalogs: [String] { preferences.recentCatalogs }

    /// Returns the last position in `catalog`; nil if it was never opened.
    public func place(in catalog: String) -> Preferences.Place? { preferences.catalogs[catalog]?.place }

    /// Returns whether the last position in `catalog` is in a list other than all books or in a search; its first
    /// screen then needs the user data.
    public func isLeftInUserList(_ catalog: String) -> Bool {
        guard let place = preferences.catalogs[catalog]?.place else { return false }
        return place.list.map { $0 != NamedList.all.id } ?? false || place.query != nil
    }

    /// Returns the arrangement of `catalog`; nil if it was never opened.
    public func arrangement(of catalog: String) -> Preferences.Arrangement? {
        preferences.catalogs[catalog]?.arrangement
    }

    /// Returns the queries that were kept, each once: those in `catalog` first, then the others, the latest first.
    public func queries(for catalog: String) -> [String] {
        let latest = preferences.searches.reversed()
        var known: Set<String> = []
        return (latest.filter { $0.catalog == catalog } + latest.filter { $0.catalog != catalog }).map(\.text)
            .filter { known.insert($0).inserted }
    }

    /// Saves a query that was kept in `catalog`, in the background.
    public func remember(query: String, in catalog: String) { save(.search(.init(text: query, catalog: catalog))) }

    /// What the person has said about looking books up in servers; nil if that was not asked.
    public var lookup: Preferences.LookupChoice? { preferences.lookup }

    /// Saves what the person has said about looking books up in servers, in the background.
    public func remember(_ choice: Preferences.LookupChoice) { save(.lookup(choice)) }

    /// Returns what the terminal of a type said about pictures when it last showed a catalog, according to the file in
    /// `directory`, which stays as it is; nil if that is unknown.
    public static func pictures(in terminal: String, keptIn directory: String?) -> String? {
        guard let directory, let bytes = try? AtomicFile(path: directory + "/preferences.json").read(),
            case .readable(let preferences) = Preferences.content(of: bytes)
        else { return nil }
        return preferences.terminals[terminal]
    }

    /// Saves what the terminal of a type said about pictures, in the background, unless that is known.
    public func remember(pictures answer: String, in terminal: String) {
        if preferences.terminals[terminal] != answer { save(.pictures(answer, terminal: terminal)) }
    }

    private func save(_ change: Change) {
        preferences.take(change)
        waiting.append(change)
        receive(within: 0)
        startWriting()
    }

    /// What is to be saved.
    fileprivate enum Change: Sendable {
        /// A position and an arrangement in a catalog.
        case state(Preferences.CatalogState, catalog: String)
        /// A search that was kept.
        case search(Preferences.Search)
        /// What the person has said about looking books up in servers.
        case lookup(Preferences.LookupChoice)
        /// What the terminal of a type said about pictures.
        case pictures(String, terminal: String)
    }

    /// The changes that are being written, and those that are written after them.
    private var writing: BackgroundTask<Result<Preferences?, FileError>>?
    private var waiting: [Change] = []

    /// The time that a position may take to be saved before that goes on in the background, in milliseconds.
    private static let timeLimit = 100

    /// Saves a position and an arrangement, in the background if it takes long; if that fails, sets `problem`.
    ///
    /// - Parameter isInPause: Whether this does not wait for the disk at all.
    public func remember(
        _ place: Preferences.Place, arranged arrangement: Preferences.Arrangement, for catalog: String,
        isInPause: Bool = false
    ) {
        // The last position of a catalog is the one that counts.
        waiting.removeAll { change in
            if case .state(_, catalog) = change { true } else { false }
        }
        waiting.append(note(place, arrangement, in: catalog))
        receive(within: 0)
        startWriting()
        if !isInPause { receive(within: Self.timeLimit) }
    }

    /// Waits until all positions are saved.
    ///
    /// - Parameter notice: Called if that takes so long that the user notices.
    public func finish(noticing notice: () -> Void) {
        while let writing {
            _ = writing.wait(noticing: notice)
            receive(within: 0)
        }
    }

    private func startWriting() {
        guard writing == nil, !waiting.isEmpty, let file, isWritable else { return }
        let changes = waiting
        waiting = []
        writing = BackgroundTask { _ in
            do throws(FileError) {
                return .success(try Self.write(changes, to: file))
            } catch {
                return .failure(error)
            }
        }
    }

    private func receive(within milliseconds: Int) {
        guard let task = writing, let result = task.wait(milliseconds: milliseconds) else { return }
        writing = nil
        switch result {
        case .success(let written):
            problem = nil
            take(written)
        case .failure(let error): problem = Message.positionNotSaved.text(error.savingSentence)
        }
        startWriting()
    }

    /// Saves a position and an arrangement, and `catalog` as the last one opened; keeps the changes of other
    /// processes.
    ///
    /// - Throws: `FileError` if the file cannot be written.
    public func remember(
        _ place: Preferences.Place, arranged arrangement: Preferences.Arrangement = .init(), in catalog: String
    ) throws(FileError) {
        let change = note(place, arrangement, in: catalog)
        guard let file, isWritable else { return }
        take(try Self.write([change], to: file))
    }

    private func note(
        _ place: Preferences.Place, _ arrangement: Preferences.Arrangement, in catalog: String
    ) -> Change {
        let change = Change.state(.init(place: place, arrangement: arrangement), catalog: catalog)
        preferences.take(change)
        return change
    }

    /// Adopts what was written, with the changes of other processes.
    private func take(_ written: Preferences?) {
        guard let written else { return }
        preferences = written
        for change in waiting { preferences.take(change) }
    }

    /// - Returns: The preferences that were written; nil if the file must not be overwritten.
    private static func write(_ changes: [Change], to file: AtomicFile) throws(FileError) -> Preferences? {
        var written: Preferences?
        try file.update { bytes in
            var current = Preferences()
            switch bytes.map(Preferences.content(of:)) {
            case .readable(let read): current = read
            // Another process has replaced the file meanwhile: a newer stacks, or another program, whose file must not
            // be overwritten.
            case .newer, .unreadable: return nil
            case nil: break
            }
            for change in changes { current.take(change) }
            written = current
            return current.bytes
        }
        return written
    }
}

extension Preferences {
    fileprivate mutating func take(_ change: PreferencesFile.Change) {
        switch change {
        case .state(let state, let catalog):
            lastCatalog = catalog
            remember(state, in: catalog)
        case .search(let search): remember(search)
        case .lookup(let choice): lookup = choice
        case .pictures(let answer, let terminal): remember(answer, of: terminal)
        }
    }
}

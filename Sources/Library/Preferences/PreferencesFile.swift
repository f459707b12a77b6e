public import Storage

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

    /// Saves a position and an arrangement; if that fails, sets `problem`.
    public func remember(_ place: Preferences.Place, arranged arrangement: Preferences.Arrangement, for catalog: String)
    {
        do {
            try remember(place, arranged: arrangement, in: catalog)
            problem = nil
        } catch {
            problem = Message.positionNotSaved.text(error.savingSentence)
        }
    }

    /// Saves a position and an arrangement, and `catalog` as the last one opened; keeps the changes of other
    /// processes.
    ///
    /// - Throws: `FileError` if the file cannot be written.
    public func remember(
        _ place: Preferences.Place, arranged arrangement: Preferences.Arrangement = .init(), in catalog: String
    ) throws(FileError) {
        let entry = Preferences.CatalogState(place: place, arrangement: arrangement)
        preferences.lastCatalog = catalog
        preferences.remember(entry, in: catalog)
        guard let file, isWritable else { return }
        try file.update { bytes in
            var current = Preferences()
            switch bytes.map(Preferences.content(of:)) {
            case .readable(let read): current = read
            // Another process has replaced the file meanwhile: a newer stacks, or another program, whose file must not
            // be overwritten.
            case .newer, .unreadable: return nil
            case nil: break
            }
            current.lastCatalog = catalog
            current.remember(entry, in: catalog)
            preferences = current
            return current.bytes
        }
    }
}

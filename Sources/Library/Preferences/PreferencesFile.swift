public import Storage

/// The small file in which places are remembered from one start to the next.
public final class PreferencesFile {
    private let file: AtomicFile?
    private var preferences = Preferences()
    /// False where a newer program wrote the file: it must not be harmed.
    private var isWritable = true
    /// Why a place could not be remembered, the last time it was tried; nil where it was.
    public private(set) var problem: String?
    /// What the reader must know about the file; nil where all is well.
    public private(set) var notice: String?

    /// The file `preferences.json` in `directory`, read now; with nil nothing is remembered.
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

    /// Where the reader was in `catalog`; nil where it was never left.
    public func place(in catalog: String) -> Preferences.Place? { preferences.catalogs[catalog]?.place }

    /// Whether the reader left `catalog` in a list of their own or in a search: then its first screen needs their marks.
    public func isLeftInUserList(_ catalog: String) -> Bool {
        guard let place = preferences.catalogs[catalog]?.place else { return false }
        return place.list.map { $0 != NamedList.all.id } ?? false || place.query != nil
    }

    /// How the reader arranged `catalog`; nil where it was never left.
    public func arrangement(of catalog: String) -> Preferences.Arrangement? {
        preferences.catalogs[catalog]?.arrangement
    }

    /// Remembers a place and an arrangement; where that fails, `problem` says why.
    public func remember(_ place: Preferences.Place, arranged arrangement: Preferences.Arrangement, for catalog: String)
    {
        do {
            try remember(place, arranged: arrangement, in: catalog)
            problem = nil
        } catch {
            problem = Message.positionNotSaved.text(error.savingSentence)
        }
    }

    /// Remembers a place and an arrangement, and that `catalog` is the one opened last; what other processes remembered stays.
    ///
    /// - Throws: `FileError`, where it could not be written.
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
            // Another process wrote it meanwhile: a newer stacks, or something else, whose file is not ours to replace.
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

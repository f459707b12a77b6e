internal import Catalog
internal import Library
internal import Remote
internal import Storage
internal import Text

/// Opens what the name of a catalog leads to, whatever its kind.
struct CatalogOpener {
    /// The path or address, with its passwords.
    let name: CatalogName
    /// The profile.
    var choice: ProfileChoice
    /// The directories of the user.
    let directories: Directories
    /// The cache of the index of a JSON file; nil to read the file without one.
    var cache: IndexCache?
    /// How a catalog that is not JSON is copied.
    var copying: CopyChoice
    /// Whether to wait until the source is read completely, or a server answers.
    let waits: Bool
    /// The notices for the user, with those about profiles.
    private(set) var notices: [String] = []

    private var path: String { name.path }

    /// The books of a catalog, read as far as needed for a screen.
    enum Content {
        /// A JSON file.
        case file(JSONFileCatalog)
        /// The copy of a catalog that is not JSON.
        case copy(CopiedCatalog)
        /// A server that keeps its books.
        case server(PagedCatalog)
    }

    /// Prepares to open a catalog.
    init(
        name: CatalogName, choice: ProfileChoice, directories: Directories, cache: IndexCache?,
        copying: CopyChoice, waits: Bool
    ) {
        (self.name, self.choice, self.directories) = (name, choice, directories)
        (self.cache, self.copying, self.waits) = (cache, copying, waits)
    }

    /// Opens the catalog; the notices are complete then.
    ///
    /// - Parameter title: The display name of a server.
    /// - Throws: `CommandError` if it cannot be opened, after the notices about profiles were printed.
    mutating func open(titled title: @autoclosure () -> String) throws(CommandError) -> Content {
        do throws(CommandError) {
            let content = try content(titled: title)
            notices += choice.notices
            if let notice = UnconfinedNotice.text(in: directories) { notices.append(notice) }
            return content
        } catch {
            choice.notices.forEach(printError)
            throw error
        }
    }

    private mutating func content(titled title: () -> String) throws(CommandError) -> Content {
        switch CatalogKind(of: path) {
        case .json, .empty, .pipe: return .file(try file())
        case .foreign, .address: return .copy(try copy())
        case .pagedAddress:
            return .server(
                try PagedOpening(path, titled: title(), choice, directories, name.passwords, waits: waits).open())
        case .unreadable(let error):
            // A source that is gone may have left a copy.
            guard let source = ForeignSource(of: self), source.isGone, source.hasCopy else {
                throw CatalogError.unreadable(error).commandError(opening: path)
            }
            return .copy(try source.open())
        }
    }

    private mutating func file() throws(CommandError) -> JSONFileCatalog {
        do throws(CatalogError) {
            return try choice.catalog(at: path, cache: cache)
        } catch {
            throw CommandError(refusing: path, error)
        }
    }

    private mutating func copy() throws(CommandError) -> CopiedCatalog {
        if let sentence = directories.cacheDistrustSentence {
            throw CommandError(sentence: sentence, exitStatus: ExitStatus.noPermission)
        }
        guard let source = ForeignSource(of: self) else {
            // Without any directory for a copy, only its own reader can say what is wrong with the file.
            _ = try file()
            throw CommandError(sentence: directories.noCacheSentence, exitStatus: directories.noCacheExitStatus)
        }
        let copy = try source.open()
        if !directories.canWriteCache {
            notices.append(CommandMessage.readUncached.text(RandomAccessInput.shownPath(path)))
        }
        return copy
    }
}

extension ForeignSource {
    /// Creates the source that an opener found; fails if there is no directory for its copy.
    fileprivate init?(of opener: CatalogOpener) {
        self.init(
            name: opener.name, choice: opener.choice, directories: opener.directories.withSomeCache,
            copying: opener.copying, waits: opener.waits)
    }
}

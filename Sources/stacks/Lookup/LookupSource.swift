internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Indexing
internal import Library
internal import Remote
internal import Search
internal import Storage
internal import Text

extension LookupSource {
    /// Creates the source for a catalog of the config file or a library server.
    ///
    /// - Parameters:
    ///   - copying: How a catalog that is not JSON is copied.
    ///   - isQuiet: Whether nothing is printed and no password asked for, because the browser has the screen.
    fileprivate init(
        _ name: String, _ path: String, _ config: Config, _ directories: Directories,
        copying: CopyChoice = CopyChoice(),
        isQuiet: Bool = false
    ) {
        // The last copy of a server's catalog is searched on this machine.
        let isServer = SourceAddress.isAddress(path) && copying.refreshes != .never
        self.init(name: name, path: path, isServer: isServer) {
            let lookup = SourceLookup(name, path, config, directories, copying, isQuiet: isQuiet)
            return { query throws(Failure) in
                do throws(CommandError) {
                    return try lookup.books(matching: query)
                } catch {
                    let isOfQuery = error.exitStatus == ExitStatus.usage
                    throw Failure(sentence: error.sentence, exitStatus: error.exitStatus, isOfQuery: isOfQuery)
                }
            }
        }
    }

    /// Returns the sources with these names.
    ///
    /// - Parameters:
    ///   - names: Names of the config file and of library servers, paths and addresses; nil for those of the config file: its
    ///     `lookup.sources`, or else its catalogs on this machine.
    ///   - other: The path of a catalog that is none.
    ///   - isQuiet: Whether nothing is printed and no password asked for, because the browser has the screen.
    /// - Throws: `CommandError` for an unknown name, or if there is no source.
    static func all(
        named names: [String]?, besides other: String? = nil, in config: Config, _ directories: Directories,
        isQuiet: Bool = false
    ) throws(CommandError) -> [LookupSource] {
        let servers = LibraryTargets()
        let chosen = names ?? config.lookupSources
        var sources: [LookupSource] = []
        let excluded = names == nil ? other.map { resolvedPath($0) ?? $0 } : nil
        for name in chosen ?? config.catalogNames {
            guard let path = CatalogName.path(named: name, in: config), !sources.contains(where: { $0.path == path })
            else { continue }
            let source = LookupSource(name, path, config, directories, isQuiet: isQuiet)
            if (resolvedPath(path) ?? path) == excluded || chosen == nil && source.isServer { continue }
            if path == name, !source.isServer, access(path, F_OK) != 0 {
                let known = config.catalogNames + servers.targets.map(\.name).filter { config.catalogs[$0] == nil }
                throw CommandError(
                    sentence: CommandMessage.noLookupSource.text(name, known.nearest(to: name).asChoice),
                    exitStatus: ExitStatus.usage)
            }
            sources.append(source)
        }
        if sources.isEmpty {
            throw CommandError(sentence: CommandMessage.noLookupSources.text(), exitStatus: ExitStatus.usage)
        }
        return sources
    }

    /// Returns the sources for the browser if the config file names none: its catalogs, and the library servers that come with
    /// stacks. Catalogs that are copied from a server are searched in the last copy.
    ///
    /// - Parameter other: The path of a catalog that is none.
    static func ofBrowser(
        besides other: String, in config: Config, _ directories: Directories
    ) -> [LookupSource] {
        let excluded = resolvedPath(other) ?? other
        var paths: Set<String> = [excluded]
        let catalogs = config.catalogNames.compactMap { name in config.catalogs[name].map { (name, $0) } }
        let servers = LibraryTargets().targets.filter { $0.isForLookup && config.catalogs[$0.name] == nil }
        return (catalogs + servers.map { ($0.name, $0.address) }).compactMap { name, path in
            guard paths.insert(resolvedPath(path) ?? path).inserted else { return nil }
            guard SourceAddress.isAddress(path), !SourceAddress.isPaged(path) else {
                return LookupSource(name, path, config, directories, isQuiet: true)
            }
            if ForeignSource.lastCopy(of: path, in: directories) == nil { return nil }
            return LookupSource(
                name, path, config, directories, copying: CopyChoice(refreshes: .never), isQuiet: true)
        }
    }
}

/// Looks books up in one source, which is opened by the first lookup and stays open. For one thread.
final class SourceLookup {
    private let name: String
    private let path: String
    private let config: Config
    private let directories: Directories
    private let copying: CopyChoice
    private let isQuiet: Bool
    private var content: CatalogOpener.Content?

    /// The maximum number of records of a source for a book.
    private static let maximumCount = 5
    /// The number of records of a server that are read, some of which may be of other books.
    private static let sampleCount = 50

    /// Prepares to look books up in the source at `path`.
    init(
        _ name: String, _ path: String, _ config: Config, _ directories: Directories, _ copying: CopyChoice,
        isQuiet: Bool
    ) {
        (self.name, self.path, self.config, self.directories) = (name, path, config, directories)
        (self.copying, self.isQuiet) = (copying, isQuiet)
    }

    /// Returns the books of the source that match, without what holds in that catalog only; at most `maximumCount`.
    ///
    /// - Throws: `CommandError` if the source cannot be opened or read.
    func books(matching query: LookupQuery) throws(CommandError) -> [Book] {
        let found: [Book]
        switch try opened() {
        case .file(let file): found = Self.books(matching: Query(query.text), in: file)
        case .copy(let copy): found = Self.books(matching: Query(query.text), in: copy.file)
        case .server(let server):
            let rows = server.rows(for: ListRequest(query: Query(query.text), order: .list))
            let read = server.books(of: rows, limit: Self.sampleCount) { _ in }
            if read.isIncomplete {
                content = nil
                guard case .failed(let failure, _) = server.connection else {
                    throw ConnectorFailure(.server, .incomplete).commandError(opening: name)
                }
                throw failure.commandError(opening: name)
            }
            // It has answered with all books.
            if !rows.ignoredTerms.isEmpty {
                throw CommandError(
                    sentence: CommandMessage.cannotSearchFor.text(
                        name, rows.ignoredTerms.joined(separator: " ")),
                    exitStatus: ExitStatus.usage)
            }
            found = read.books
        }
        return found.filter(query.matches).prefix(Self.maximumCount).map { book in
            var book = book.withoutSourceID
            (book.status, book.dateAdded, book.rating) = (nil, nil, nil)
            // A file beside the other catalog.
            if let cover = book.cover, !cover.contains("://"), !cover.hasPrefix("data:") { book.cover = nil }
            return book
        }
    }

    private static func books(matching query: Query, in file: JSONFileCatalog) -> [Book] {
        let scope = BookSearch.Scope(BookList(allOf: file.index.count), of: file.index)
        guard let list = BookSearch(query, in: scope).wait(unless: { false })?.list else { return [] }
        return (0..<min(list.count, maximumCount)).compactMap { file.book(list[$0]).value }
    }

    private func opened() throws(CommandError) -> CatalogOpener.Content {
        if let content, !content.isOutdated { return content }
        content = nil
        let catalog = CatalogName(named: path, in: config)
        // Opening a named pipe would wait for a writer, possibly for ever.
        if RandomAccessInput.isPipe(catalog.path) {
            throw CatalogError.unreadable(FileError(path: catalog.path, operation: .open, code: ENOTSUP))
                .commandError(opening: catalog.path)
        }
        var choice = try ProfileChoice(
            named: nil, forCatalog: catalog.path, in: ProfileLibrary(in: directories))
        if isQuiet {
            choice.notices = []
            catalog.passwords?.stopPrompting()
        }
        let content: CatalogOpener.Content
        if SourceAddress.isPaged(catalog.path) {
            let opening = PagedOpening(
                catalog.path, titled: name, choice, directories, catalog.passwords, waits: true)
            content = .server(try opening.prepared())
        } else {
            var opener = CatalogOpener(
                name: catalog, choice: choice, directories: directories, cache: IndexCache(in: directories),
                copying: copying, waits: true)
            content = try opener.open(titled: name)
        }
        switch content {
        case .file(let file):
            file.readRest()
            if !isQuiet, let sentence = file.defects.sentence { printError("\(name): \(sentence)") }
        case .copy(let copy):
            copy.mirror.waitForCopy()
            copy.file.readRest()
        case .server: break
        }
        self.content = content
        return content
    }
}

extension CatalogOpener.Content {
    /// Whether the file has changed on disk since it was read.
    fileprivate var isOutdated: Bool { if case .file(let file) = self { file.isOutdated } else { false } }
}

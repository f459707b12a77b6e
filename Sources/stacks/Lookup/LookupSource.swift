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

/// A catalog or library server in which books are looked up.
struct LookupSource: Hashable, Sendable {
    /// The name of the config file, or of a library server that comes with stacks.
    let name: String
    /// The path or address.
    let path: String

    /// Whether others would see what is looked up.
    var isRemote: Bool { SourceAddress.isAddress(path) }

    /// Returns the sources with these names.
    ///
    /// - Parameters:
    ///   - names: Names of the config file or of library servers, paths and addresses; nil for the catalogs of the config file
    ///     on this machine.
    ///   - other: The path of a catalog that is none.
    /// - Throws: `CommandError` for an unknown name, or if there is no source.
    static func all(
        named names: [String]?, besides other: String? = nil, in config: Config
    ) throws(CommandError) -> [LookupSource] {
        let servers = LibraryTargets()
        var sources: [LookupSource] = []
        let excluded = other.map { resolvedPath($0) ?? $0 }
        for name in names ?? config.catalogNames {
            guard let path = CatalogName.path(named: name, in: config), !sources.contains(where: { $0.path == path })
            else { continue }
            let source = LookupSource(name: name, path: path)
            if names == nil, source.isRemote || (resolvedPath(path) ?? path) == excluded { continue }
            if path == name, !source.isRemote, access(path, F_OK) != 0 {
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
}

/// Looks books up in one source, which is opened by the first lookup and stays open. For one thread.
final class SourceLookup {
    private let source: LookupSource
    private let config: Config
    private let directories: Directories
    private var content: CatalogOpener.Content?

    /// The maximum number of records of a source for a book.
    private static let maximumCount = 5
    /// The number of records of a server that are read, some of which may be of other books.
    private static let sampleCount = 50

    /// Prepares to look books up in `source`.
    init(in source: LookupSource, _ config: Config, _ directories: Directories) {
        (self.source, self.config, self.directories) = (source, config, directories)
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
                    throw ConnectorFailure(.server, .incomplete).commandError(opening: source.name)
                }
                throw failure.commandError(opening: source.name)
            }
            // It has answered with all books.
            if !rows.ignoredTerms.isEmpty {
                throw CommandError(
                    sentence: CommandMessage.cannotSearchFor.text(
                        source.name, rows.ignoredTerms.joined(separator: " ")),
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
        if let content { return content }
        let name = CatalogName(named: source.path, in: config)
        let choice = try ProfileChoice(
            named: nil, forCatalog: name.path, in: ProfileLibrary(in: directories))
        let content: CatalogOpener.Content
        if SourceAddress.isPaged(name.path) {
            let opening = PagedOpening(
                name.path, titled: source.name, choice, directories, name.passwords, waits: true)
            content = .server(try opening.prepared())
        } else {
            var opener = CatalogOpener(
                name: name, choice: choice, directories: directories, cache: IndexCache(in: directories),
                copying: CopyChoice(), waits: true)
            content = try opener.open(titled: source.name)
        }
        switch content {
        case .file(let file):
            file.readRest()
            if let sentence = file.defects.sentence { printError("\(source.name): \(sentence)") }
        case .copy(let copy):
            copy.mirror.waitForCopy()
            copy.file.readRest()
        case .server: break
        }
        self.content = content
        return content
    }
}

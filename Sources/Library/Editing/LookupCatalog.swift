internal import Books
internal import Catalog
internal import Glibc
internal import Indexing
internal import Storage
internal import Threading

/// A catalog that is opened by the first ISBN lookup in it.
final class LookupCatalog: Sendable {
    /// The name in the config.
    let name: String
    /// The path of the file.
    let path: String
    private let cache: IndexCache?
    private let profiles: ProfileLibrary
    private let copies: ISBNLookup.Copies
    /// The open catalog, read completely. Lookups wait while another one reads it.
    private let opened = Locked<JSONFileCatalog?>(nil)

    /// Creates a catalog that is not open yet.
    init(
        _ catalog: ISBNLookup.NamedCatalog, cache: IndexCache?, profiles: ProfileLibrary,
        copies: @escaping ISBNLookup.Copies
    ) {
        (name, path) = (catalog.name, catalog.path)
        self.cache = cache
        (self.profiles, self.copies) = (profiles, copies)
    }

    /// Returns the books with the ISBN `key`, without the ids of the catalog, in catalog order.
    ///
    /// Opens the catalog if it is not open or has changed on disk; this blocks until it is read.
    func books(with key: BookIdentity.Key, atMost limit: Int) -> Result<[Book], CatalogError> {
        opened.withLock { opened in
            if opened?.isOutdated ?? true {
                opened = nil
                do throws(CatalogError) {
                    opened = try readCatalog()
                } catch {
                    return .failure(error)
                }
            }
            guard let catalog = opened else { return .success([]) }
            let ids = BookLookup(of: [key], in: catalog.index).ids(with: key).prefix(limit)
            return .success(
                ids.compactMap { catalog.book($0).value }.map { book in
                    var book = book
                    // An id of the other catalog is meaningless elsewhere.
                    book.sourceID = nil
                    return book
                })
        }
    }

    /// Opens the catalog and reads all its books.
    private func readCatalog() throws(CatalogError) -> JSONFileCatalog {
        // Opening a named pipe would wait for a writer, possibly forever.
        if RandomAccessInput.isPipe(path) {
            throw .unreadable(FileError(path: path, operation: .open, code: ENOTSUP))
        }
        if let copy = copies(path) { return try readCopy(copy.path, profile: copy.profile) }
        let profile = resolvedPath(path).flatMap(profiles.profile(forCatalog:)) ?? profiles.profile(forCatalog: path)
        let catalog = JSONFileCatalog(
            path: path, cache: cache, profile: profile, library: profiles, firstBookCount: 1)
        do throws(CatalogError) {
            try catalog.open()
        } catch {
            // Like the browsed catalog: if the profile finds no records, the format is detected.
            guard profile != nil, case .notACatalog = error else { throw error }
            return try readDetectedCatalog()
        }
        catalog.readRest()
        return catalog
    }

    private func readCopy(_ path: String, profile: String?) throws(CatalogError) -> JSONFileCatalog {
        let profile = profile.flatMap(profiles.profile(named:))
        let catalog = JSONFileCatalog(
            path: path, cache: cache, profile: profile, library: profiles, firstBookCount: 1,
            known: profile == nil ? .nothing : .books)
        try catalog.open()
        catalog.readRest()
        return catalog
    }

    private func readDetectedCatalog() throws(CatalogError) -> JSONFileCatalog {
        let catalog = JSONFileCatalog(path: path, cache: cache, library: profiles, firstBookCount: 1)
        try catalog.open()
        catalog.readRest()
        return catalog
    }
}

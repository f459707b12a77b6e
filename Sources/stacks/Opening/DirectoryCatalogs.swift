internal import Catalog
internal import Glibc
internal import Library
internal import Storage

/// The catalogs in a directory, for users who name the directory instead of one of them.
struct DirectoryCatalogs {
    /// The paths of the newest catalogs, the newest first.
    let paths: [String]
    /// Whether there may be more catalogs.
    let hasMore: Bool

    /// The greatest number of catalogs that a message names.
    private static let greatestCount = 10
    /// The greatest number of files that are looked into.
    private static let greatestFileCount = 100
    private static let endings = [".json", ".jsonl", ".ndjson"]

    /// Finds the catalogs in the directory at `path`, not in those below it.
    ///
    /// - Parameter isCatalog: Returns whether the file at a path contains books.
    init(in path: String, isCatalog: (String) -> Bool = Self.isCatalog) {
        let directory = path.hasSuffix("/") ? path : path + "/"
        let files = ((try? fileNames(inDirectory: path)) ?? []).compactMap { name -> (path: String, time: timespec)? in
            guard Self.endings.contains(where: name.lowercased().hasSuffix) else { return nil }
            var status = stat()
            guard stat(directory + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (directory + name, status.st_mtim)
        }
        let newest = files.sorted { left, right in
            (left.time.tv_sec, left.time.tv_nsec) == (right.time.tv_sec, right.time.tv_nsec)
                ? left.path < right.path
                : (left.time.tv_sec, left.time.tv_nsec) > (right.time.tv_sec, right.time.tv_nsec)
        }
        let found = newest.prefix(Self.greatestFileCount).lazy.map(\.path).filter(isCatalog)
            .prefix(Self.greatestCount + 1)
        let catalogs = Array(found)
        paths = Array(catalogs.prefix(Self.greatestCount))
        hasMore = catalogs.count > paths.count
    }

    /// Returns whether the file at `path` can be opened as a catalog, of which only the beginning is read.
    private static func isCatalog(_ path: String) -> Bool {
        (try? JSONFileCatalog(path: path, library: ProfileLibrary(directory: nil), firstBookCount: 1).open()) != nil
    }

    /// Returns the error message for the directory at `path`.
    func sentence(ofDirectory path: String) -> String {
        if paths.isEmpty { return Message.directoryWithoutCatalogs.text(path) }
        let more = hasMore ? ", and older ones" : ""
        return Message.directoryOfCatalogs.text(path, paths.joined(separator: ", "), more)
    }
}

extension CatalogError {
    /// The error as the end of a command that was to open the catalog at `path`; for a directory, its catalogs are named.
    func commandError(opening path: String) -> CommandError {
        if case .unreadable(let error) = self, error.isDirectory {
            return CommandError(
                sentence: DirectoryCatalogs(in: path).sentence(ofDirectory: path), exitStatus: exitStatus)
        }
        return CommandError(sentence: sentence, exitStatus: exitStatus)
    }
}

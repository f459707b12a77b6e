internal import CSystem
internal import Catalog
internal import Glibc
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The catalogs in a directory, for users who name the directory instead of one of them.
struct DirectoryCatalogs {
    /// The paths of the newest catalogs, newest first.
    let paths: [String]
    /// Whether there may be more catalogs.
    let hasMore: Bool

    /// The maximum number of catalogs that a message names.
    private static let maximumCount = 10
    /// The maximum number of files that are opened.
    private static let maximumFileCount = 100
    private static let endings = [".json", ".jsonl", ".ndjson"]
    /// The usual extensions of catalogs that the connector program reads; ".xml" is missing because most XML files are
    /// not catalogs.
    private static let foreignEndings =
        [
            ".csv", ".tsv", ".bib", ".ris", ".enw", ".mrc", ".marc", ".marcxml", ".mods", ".opds", ".db", ".sqlite",
            ".sqlite3",
        ].flatMap { [$0, $0 + ".gz", $0 + ".zst"] } + [".json.gz", ".json.zst", ".jsonl.gz", ".jsonl.zst"]

    /// Finds the catalogs in the directory at `path`, without subdirectories.
    ///
    /// - Parameters:
    ///   - hasConnector: Whether catalogs that are not JSON can be opened; they are recognized by their names.
    ///   - isCatalog: Returns whether the JSON file at a path contains books.
    init(
        in path: String, hasConnector: Bool = ConnectorProgram.installedPath != nil,
        isCatalog: (String) -> Bool = Self.isCatalog
    ) {
        let endings = Self.endings + (hasConnector ? Self.foreignEndings : [])
        let directory = path.hasSuffix("/") ? path : path + "/"
        let files = ((try? fileNames(inDirectory: path)) ?? []).compactMap { name -> (path: String, time: timespec)? in
            guard endings.contains(where: name.lowercased().hasSuffix) else { return nil }
            var status = stat()
            guard stat(directory + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (directory + name, status.st_mtim)
        }
        let newest = files.sorted { left, right in
            (left.time.tv_sec, left.time.tv_nsec) == (right.time.tv_sec, right.time.tv_nsec)
                ? left.path < right.path
                : (left.time.tv_sec, left.time.tv_nsec) > (right.time.tv_sec, right.time.tv_nsec)
        }
        var catalogs: [String] = []
        for file in newest.prefix(Self.maximumFileCount) where catalogs.count <= Self.maximumCount {
            if Self.isForeign(file.path) || isCatalog(file.path) { catalogs.append(file.path) }
        }
        paths = Array(catalogs.prefix(Self.maximumCount))
        hasMore = catalogs.count > paths.count
    }

    /// Finds the catalogs in the directory at `path`, newest first; nil if it has none, is no directory or is a catalog
    /// itself, such as a library of calibre.
    static func offered(in path: String) -> [String]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path + "/metadata.db", F_OK) != 0
        else { return nil }
        let paths = DirectoryCatalogs(in: path).paths
        return paths.isEmpty ? nil : paths
    }

    private static func isForeign(_ path: String) -> Bool {
        foreignEndings.contains(where: path.lowercased().hasSuffix)
    }

    /// Returns whether the file at `path` can be opened as a catalog; reads only its start.
    private static func isCatalog(_ path: String) -> Bool {
        (try? JSONFileCatalog(path: path, library: ProfileLibrary(directory: nil), firstBookCount: 1).open()) != nil
    }

    /// Returns the error message for the directory at `path`.
    func sentence(ofDirectory path: String) -> String {
        if paths.isEmpty { return CommandMessage.directoryWithoutCatalogs.text(path) }
        let more = hasMore ? ", and older ones" : ""
        return CommandMessage.directoryOfCatalogs.text(path, paths.joined(separator: ", "), more)
    }
}

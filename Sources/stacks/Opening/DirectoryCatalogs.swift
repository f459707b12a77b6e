internal import CSystem
internal import Catalog
internal import Glibc
internal import JSON
internal import Library
internal import Storage

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
        in path: String, hasConnector: Bool = ForeignSource.program != nil, isCatalog: (String) -> Bool = Self.isCatalog
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

    private static func isForeign(_ path: String) -> Bool {
        foreignEndings.contains(where: path.lowercased().hasSuffix)
    }

    /// Returns whether the file at `path` can be opened as a catalog; reads only its start.
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
    /// Returns this error for a command that opens the catalog at `path`; for a directory, the message names its
    /// catalogs.
    func commandError(opening path: String) -> CommandError {
        if case .unreadable(let error) = self, error.isDirectory {
            return CommandError(
                sentence: DirectoryCatalogs(in: path).sentence(ofDirectory: path), exitStatus: exitStatus)
        }
        if case .unreadable(let error) = self, error.isMissing, let parameter = Self.parameter(in: path) {
            return CommandError(
                sentence: Message.unknownParameter.text(parameter.path, parameter.name), exitStatus: ExitStatus.usage)
        }
        if isForeignPipe(path) {
            return CommandError(
                sentence: Message.pipeIsForeign.text(RandomAccessInput.shownPath(path)), exitStatus: exitStatus)
        }
        return CommandError(sentence: sentence, exitStatus: exitStatus)
    }

    /// Returns the path before "?" and the parameter after it, if a file with this path exists: "tabel" in
    /// "books.db?tabel=novels".
    private static func parameter(in path: String) -> (path: String, name: String)? {
        guard let mark = path.lastIndex(of: "?"), access(String(path[..<mark]), F_OK) == 0 else { return nil }
        let name = path[path.index(after: mark)...].prefix { $0 != "=" }
        return name.isEmpty || name == "table" ? nil : (String(path[..<mark]), String(name))
    }

    /// Whether `path` is a pipe that does not contain JSON; the connector program reads only files.
    private func isForeignPipe(_ path: String) -> Bool {
        guard RandomAccessInput.isPipe(path) else { return false }
        switch self {
        case .wrongFormat(_, .utf16): return false
        case .wrongFormat: return true
        case .malformed(_, let fault): return fault.position.byteOffset == 0
        case .notACatalog, .empty, .unreadable: return false
        }
    }
}

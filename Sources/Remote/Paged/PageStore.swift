internal import ConnectorProtocol
internal import Glibc
internal import JSON
internal import Storage
internal import Threading

/// The pages of a paged source that were loaded before, in the cache, for times without a network.
final class PageStore: Sendable {
    /// A page as it was loaded.
    struct Page: Sendable {
        /// When it was loaded, in seconds since 1970.
        var time: Int
        /// The name of the profile for its records, if the source named one.
        var profile: String?
        /// The records.
        var rows: [JSONValue]
        /// The number of books in its list, if the source told.
        var total: BookTotal?
    }

    private let path: String
    private let source: String
    private let directory: MirrorDirectory
    private let state: Locked<State>

    private struct State {
        var writtenCount = 0
        /// The use of the directory, once there is one.
        var use: DirectoryUse?
    }

    /// The maximum number of pages, and the number after which a page more may be one too many.
    private static let limit = 1000
    private static let checkInterval = 200

    /// Creates a reference to the pages below the directory of a source.
    init(in directory: MirrorDirectory) {
        (self.directory, path, source) = (directory, directory.path + "/pages", directory.source)
        state = Locked(State(use: DirectoryUse(of: directory)))
    }

    /// Keeps a page of a source of this kind in the background; if that fails, it is not there without a network.
    func keep(_ page: Page, of request: PageRequest, kind: String) {
        BackgroundThread.start { [self] in
            let count = state.withLock { state in
                let isFirst = state.writtenCount == 0
                // No other source has the same name: its pages can only have been put here by hand.
                if isFirst, CachedPages.source(in: path) ?? source != source { try? deleteDirectory(path) }
                try? makeDirectory(path)
                if isFirst { try? CachedPages.describe(source, kind: kind, in: path) }
                if state.use == nil { state.use = DirectoryUse(of: directory) }
                state.writtenCount += 1
                return state.writtenCount
            }
            try? AtomicFile(path: file(of: request)).writePrivately(page.bytes)
            if count % Self.checkInterval == 1 { deleteOldest() }
        }
    }

    /// Returns the page that answered the same request last, if it was kept.
    func page(of request: PageRequest) -> Page? {
        guard CachedPages.source(in: path) == source,
            let bytes = try? ReadOnlyFile.bytes(at: file(of: request), if: .own), let json = JSONValue(parsing: bytes)
        else { return nil }
        return Page(json)
    }

    private func file(of request: PageRequest) -> String {
        let sort = request.sort.map { ($0.isDescending ? "-" : "") + $0.field }.joined(separator: ",")
        let text = "\(request.query ?? "")\n\(sort)\n\(request.position)\n\(request.limit)"
        let file = "\(path)/\(hashedName(of: text)).json"
        // A page that an earlier version has kept for the same source.
        if access(file, F_OK) != 0 { rename("\(path)/\(earlierName(of: text)).json", file) }
        return file
    }

    private func deleteOldest() {
        guard let names = try? CachedPages.fileNames(in: path), names.count > Self.limit else { return }
        let files = names.map { name in
            (name: name, time: RandomAccessInput.Fingerprint(ofFileAt: "\(path)/\(name)")?.modified ?? 0)
        }
        for file in files.sorted(by: { $0.time < $1.time }).prefix(names.count - Self.limit) {
            unlink("\(path)/\(file.name)")
        }
    }
}

extension PageStore.Page {
    fileprivate init?(_ json: JSONValue) {
        guard let time = json["time"]?.integer, let rows = json["rows"]?.elements else { return nil }
        (self.time, self.rows, profile) = (time.clampedTime, rows, json["profile"]?.string)
        if let value = json["count"]?.integer, let kind = json["kind"]?.string.flatMap(BookTotal.Kind.init(rawValue:)) {
            total = BookTotal(value.clampedCount, kind)
        }
    }

    /// The page as the text of a file.
    fileprivate var bytes: [UInt8] {
        var writer = ObjectWriter()
        writer.add("time", JSONValue(time))
        writer.add("profile", profile)
        writer.add("count", total.map { JSONValue($0.value) })
        writer.add("kind", total?.kind.rawValue)
        writer.add("rows", .array(rows))
        return writer.ended()
    }
}

public import ConnectorProtocol
internal import Glibc
internal import JSON
public import Storage

/// The directory in the cache with the copy of a source.
public struct MirrorDirectory: Sendable {
    /// The name of the source: an absolute path, with "?table=NAME" for a table of a database, or an address.
    public let source: String
    /// The path of the directory.
    public let path: String

    /// The cache directory.
    var cache: String { path.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() }

    /// Creates a reference to the directory of a source below `cache`.
    public init(of source: String, in cache: String) {
        self.source = source
        let remote = cache + "/remote"
        let (path, earlier) = ("\(remote)/\(hashedName(of: source))", "\(remote)/\(earlierName(of: source))")
        self.path = path
        // The directory of an earlier version is taken over. If another process does so at the same time, this fails.
        if access(path, F_OK) != 0, Self.source(ofDirectoryAt: earlier) == source { rename(earlier, path) }
    }

    /// Returns the source whose copy or pages are in the directory at `path`; nil if there are none.
    static func source(ofDirectoryAt path: String) -> String? {
        MirrorState(at: path + "/state.json")?.source ?? CachedPages(in: path + "/pages")?.source
    }

    /// Returns all directories with copies or pages below `cache`, the most recently read source first.
    public static func all(in cache: String) -> [MirrorDirectory] {
        let names = (try? fileNames(inDirectory: cache + "/remote")) ?? []
        let sources = names.compactMap { source(ofDirectoryAt: "\(cache)/remote/\($0)") }
        let directories = Dictionary(sources.map { MirrorDirectory(of: $0, in: cache) }.map { ($0.path, $0) }) { $1 }
        let found = directories.values.filter { $0.state != nil || $0.keptPages != nil }
        let dated = found.map { (time: $0.state?.fetched ?? $0.keptPages?.time ?? 0, directory: $0) }
        return dated.sorted { ($0.time, $1.directory.source) > ($1.time, $0.directory.source) }.map(\.directory)
    }

    /// The pages of a source that stays on its server, if any were kept.
    public var keptPages: CachedPages? {
        CachedPages(in: path + "/pages").flatMap { $0.source == source ? $0 : nil }
    }

    /// Whether the source is on a server.
    public var isRemote: Bool { SourceAddress.isAddress(source) }

    /// The path of the last complete copy, in JSON Lines.
    public var dataPath: String { path + "/data.jsonl" }

    private var statePath: String { path + "/state.json" }

    /// The stored state of the copy, if there is one of this source.
    public var state: MirrorState? {
        guard access(dataPath, R_OK) == 0, isOwnFile(dataPath), let state = MirrorState(at: statePath) else {
            return nil
        }
        return state.source == source ? state : nil
    }

    /// Replaces the last copy by a complete one.
    ///
    /// - Throws: `FileError`; then the last copy is unchanged.
    func keep(_ copy: String, with state: MirrorState) throws(FileError) {
        try replaceFile(dataPath, by: copy)
        try AtomicFile(path: statePath).writePrivately(state.bytes)
    }

    /// Records that the copy is up to date.
    func touch(_ state: MirrorState) { try? AtomicFile(path: statePath).writePrivately(state.bytes) }

    /// Deletes the copy.
    ///
    /// - Throws: `FileError`.
    public func delete() throws(FileError) { try deleteDirectory(path) }
}

/// The state of the copy of a source.
public struct MirrorState: Hashable, Sendable {
    /// The source.
    public var source: String
    /// The kind of the source, such as `csv`.
    public var kind: String
    /// The number of the reader that made the copy; 0 for copies of the first versions.
    public var reader = 0
    /// The name of the profile for its records, if it cannot be detected from them.
    public var profile: String?
    /// The copied table of a database.
    public var table: String?
    /// Other tables that seem to contain books, if the user has named no table.
    public var otherTables: [String] = []
    /// Whether the server has its own search, which "#search=WORDS" after the address uses.
    public var hasSearch = false
    /// The encoding of its text that the user has named; nil if it is detected.
    public private(set) var encoding: String?
    /// The encoding of its text, if it was detected and is not UTF-8.
    public private(set) var detectedEncoding: String?
    /// The number of its rows.
    public var rows: Int
    /// The time of the copy, in seconds since 1970.
    public var fetched: Int
    /// The time at which the copy was last known to be up to date, in seconds since 1970.
    public var checked: Int
    /// The fingerprint of the copied files; nil if the source is not a file.
    public var fingerprint: String?
    /// The server's name for this version of the source; nil for a file.
    public var version: SourceVersion?
    /// The defects of its rows.
    public var defects: [SourceDefectCount]

    /// A kind of defect with its number of rows.
    public struct SourceDefectCount: Hashable, Sendable {
        /// The kind: `SourceDefect.Kind`.
        public var kind: String
        /// The number of rows.
        public var count: Int
        /// The line, record or byte of the first one as text, if known.
        public var place: String?
    }

    /// What stands for the detection of an encoding, in place of its name.
    public static let detection = "auto"

    /// Whether the copy is in the encoding that the user names; nil for any.
    public func isIn(_ encoding: String?) -> Bool {
        guard let encoding else { return true }
        return encoding == Self.detection ? self.encoding == nil : encoding.lowercased() == self.encoding?.lowercased()
    }

    /// Returns the number of the reader of a kind of source, which goes up when it reads the same source otherwise:
    /// since 1, the first row of a table has all columns, BibTeX and RIS have all fields, and a row of MARC has the classes
    /// and the original script; since 2, lists in the CSV of stacks are arrays; since 3, encodings are told apart by
    /// the letters of a language, and columns of authors or subjects with the same name are one. Since 1, databases of a
    /// Kobo and of KOReader have books alone, and feeds have the addresses of their links; since 2, names of MARC have no
    /// dates and no full stop.
    static func currentReader(of kind: String) -> Int {
        switch kind {
        case "csv", "tsv": 3
        case "bibtex", "biblatex", "ris", "endnote", "isi", "marc", "marcxml": 2
        case "opds", "sqlite": 1
        default: 0
        }
    }

    /// Whether an older reader made the copy, so that it is made again.
    public var isOfOlderReader: Bool { reader < Self.currentReader(of: kind) }

    /// The time in seconds for which a copy from a server counts as up to date.
    static let trustedTime = 15 * 60

    /// Whether to ask the server if the copy is up to date.
    public var isDue: Bool {
        if isOfOlderReader { return true }
        let age = time(nil) - checked
        // A negative age means that the clock was set back.
        return age < 0 || age >= Self.trustedTime
    }

    init?(at path: String) {
        guard let bytes = try? ReadOnlyFile.bytes(at: path, if: .own), let json = JSONValue(parsing: bytes),
            let source = json["source"]?.string, let kind = json["kind"]?.string, let rows = json["rows"]?.integer,
            let fetched = json["fetched"]?.integer
        else { return nil }
        (self.source, self.kind) = (source, kind)
        (self.rows, self.fetched) = (rows.clampedCount, fetched.clampedTime)
        reader = json["reader"]?.integer ?? 0
        profile = json["profile"]?.string
        table = json["table"]?.string
        otherTables = json["otherTables"]?.elements?.compactMap(\.string) ?? []
        hasSearch = json["hasSearch"]?.boolean ?? false
        (encoding, detectedEncoding) = (json["encoding"]?.string, json["detectedEncoding"]?.string)
        checked = json["checked"]?.integer?.clampedTime ?? self.fetched
        fingerprint = json["fingerprint"]?.string
        version = SourceVersion(etag: json["etag"]?.string, modified: json["modified"]?.string)
        defects = (json["defects"]?.elements ?? []).compactMap { defect in
            guard let kind = defect["kind"]?.string, let count = defect["count"]?.integer else { return nil }
            return SourceDefectCount(kind: kind, count: count.clampedCount, place: defect["place"]?.string)
        }
    }

    init(
        _ opened: OpenedSource, _ copy: MirroredCopy, of source: String, in encoding: String?, fingerprint: String?
    ) {
        (self.source, kind, profile, rows) = (source, opened.kind, opened.profile, copy.rows)
        (self.fingerprint, table, otherTables) = (fingerprint, opened.table, opened.alternatives)
        reader = Self.currentReader(of: opened.kind)
        hasSearch = opened.facts["search"] != nil && !source.contains("#search=")
        self.encoding = encoding
        if encoding == nil, let detected = opened.facts["encoding"], !detected.hasPrefix("UTF-") {
            detectedEncoding = detected
        }
        fetched = time(nil)
        checked = fetched
        version = SourceAddress.isAddress(source) ? copy.version : nil
        defects = copy.defects.map {
            SourceDefectCount(kind: $0.kind.rawValue, count: $0.count, place: $0.first?.description)
        }
    }

    /// The state as the text of a file.
    var bytes: [UInt8] {
        var writer = ObjectWriter()
        writer.add("source", source)
        writer.add("kind", kind)
        if reader > 0 { writer.add("reader", JSONValue(reader)) }
        writer.add("profile", profile)
        writer.add("table", table)
        if !otherTables.isEmpty { writer.add("otherTables", JSONValue(otherTables)) }
        if hasSearch { writer.add("hasSearch", .boolean(true)) }
        writer.add("encoding", encoding)
        writer.add("detectedEncoding", detectedEncoding)
        writer.add("rows", JSONValue(rows))
        writer.add("fetched", JSONValue(fetched))
        if checked != fetched { writer.add("checked", JSONValue(checked)) }
        writer.add("fingerprint", fingerprint)
        writer.add("etag", version?.etag)
        writer.add("modified", version?.modified)
        if !defects.isEmpty {
            writer.add(
                "defects",
                .array(
                    defects.map { defect in
                        .object(
                            [
                                JSONValue.Member(key: "kind", value: .string(defect.kind)),
                                .init(key: "count", value: JSONValue(defect.count)),
                            ] + (defect.place.map { [.init(key: "place", value: .string($0))] } ?? []))
                    }))
        }
        return writer.ended()
    }
}

extension SourcePlace {
    /// The position as text.
    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .record(let number): "record \(number)"
        case .offset(let number): "byte \(number)"
        }
    }
}

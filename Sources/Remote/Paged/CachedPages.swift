internal import JSON
internal import Storage

/// The pages of a paged source in the cache, as a user sees them in the list of sources.
public struct CachedPages: Hashable, Sendable {
    /// The address of the source.
    public var source: String
    /// The kind of the source, such as `clickhouse`.
    public var kind: String
    /// The number of pages.
    public var count: Int
    /// The time of the latest page, in seconds since 1970.
    public var time: Int

    /// The file in the directory of the pages that names their source.
    private static let description = "source.json"

    /// Reads the description of the pages in a directory; fails if there are none.
    init?(in path: String) {
        guard let (source, kind) = Self.description(in: path), let names = try? Self.fileNames(in: path), !names.isEmpty
        else { return nil }
        (self.source, self.kind, count) = (source, kind, names.count)
        let nanoseconds = names.compactMap { RandomAccessInput.Fingerprint(ofFileAt: "\(path)/\($0)")?.modified }.max()
        time = Int((nanoseconds ?? 0) / 1_000_000_000)
    }

    /// Returns the source of the pages in a directory; nil if it is unknown.
    static func source(in path: String) -> String? { description(in: path)?.source }

    private static func description(in path: String) -> (source: String, kind: String)? {
        guard let bytes = try? ReadOnlyFile.bytes(at: "\(path)/\(description)", if: .own),
            let json = JSONValue(parsing: bytes), let source = json["source"]?.string, let kind = json["kind"]?.string
        else { return nil }
        return (source, kind)
    }

    /// Writes the description of the pages of a source.
    static func describe(_ source: String, kind: String, in path: String) throws(FileError) {
        var writer = ObjectWriter()
        writer.add("source", source)
        writer.add("kind", kind)
        try AtomicFile(path: "\(path)/\(description)").writePrivately(writer.ended())
    }

    /// Returns the names of the files with pages.
    static func fileNames(in path: String) throws(FileError) -> [String] {
        try Storage.fileNames(inDirectory: path).filter { $0 != description && $0.hasSuffix(".json") }
    }
}

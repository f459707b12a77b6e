internal import Glibc
public import Storage

/// A private folder in the cache in which the connector program makes a file of rows. It is deleted with this object.
public final class ExportFolder {
    /// The path of the folder.
    public let path: String
    private let rows: ReplacementFile

    /// Creates a folder below `cache`, and deletes folders of killed processes that are at least an hour old.
    ///
    /// - Throws: `FileError`.
    public init(in cache: String) throws(FileError) {
        let parent = cache + "/exports"
        for name in (try? fileNames(inDirectory: parent)) ?? [] { Self.deleteLeftOver(parent + "/" + name) }
        path = "\(parent)/\(getpid())-\(UInt64.random(in: .min ... .max).hexadecimal)"
        try makeDirectory(path)
        do throws(FileError) {
            rows = try ReplacementFile(path: path + "/rows.jsonl")
        } catch {
            try? deleteDirectory(path)
            throw error
        }
    }

    deinit { try? deleteDirectory(path) }

    private static func deleteLeftOver(_ folder: String) {
        let process = fileName(of: folder).split(separator: "-").first.flatMap { Int32($0) }
        let modified = RandomAccessInput.Fingerprint(ofFileAt: folder)?.modified ?? .max
        guard let process, kill(process, 0) != 0, modified < (time(nil) - 3600) * 1_000_000_000 else { return }
        try? deleteDirectory(folder)
    }

    /// The path of the rows, as JSON Lines.
    public var rowsPath: String { rows.temporaryPath }

    /// The path of the file made of the rows.
    public var filePath: String { path + "/export.tmp" }

    /// Appends rows.
    ///
    /// - Throws: `FileError`.
    public func append(_ bytes: [UInt8]) throws(FileError) { try rows.append(bytes) }
}

internal import Glibc
public import Storage

/// A private folder in the cache in which the connector program makes a file of rows. It is deleted with this object.
public final class ExportFolder {
    private let folder: PrivateFolder
    private let rows: ReplacementFile

    /// Creates a folder below `cache`.
    ///
    /// - Throws: `FileError`.
    public init(in cache: String) throws(FileError) {
        folder = try PrivateFolder(in: cache + "/exports")
        rows = try ReplacementFile(path: folder.path + "/rows.jsonl")
    }

    /// The path of the folder.
    public var path: String { folder.path }

    /// The path of the rows, as JSON Lines.
    public var rowsPath: String { rows.temporaryPath }

    /// The path of the file made of the rows.
    public var filePath: String { path + "/export.tmp" }

    /// Appends rows.
    ///
    /// - Throws: `FileError`.
    public func append(_ bytes: [UInt8]) throws(FileError) { try rows.append(bytes) }
}

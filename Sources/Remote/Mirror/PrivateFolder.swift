internal import Glibc
internal import Storage

/// A folder in the cache in which the connector program works for this process. It is deleted with this object.
final class PrivateFolder: Sendable {
    /// The path of the folder.
    let path: String

    /// Creates a folder below `parent`, and deletes folders of killed processes that are at least an hour old.
    ///
    /// - Throws: `FileError`.
    init(in parent: String) throws(FileError) {
        for name in (try? fileNames(inDirectory: parent)) ?? [] { Self.deleteLeftOver(parent + "/" + name) }
        path = "\(parent)/\(getpid())-\(UInt64.random(in: .min ... .max).hexadecimal)"
        try makeDirectory(path)
    }

    deinit { try? deleteDirectory(path) }

    private static func deleteLeftOver(_ folder: String) {
        let process = fileName(of: folder).split(separator: "-").first.flatMap { Int32($0) }
        let modified = RandomAccessInput.Fingerprint(ofFileAt: folder)?.modified ?? .max
        guard let process, kill(process, 0) != 0, modified < (time(nil) - 3600) * 1_000_000_000 else { return }
        try? deleteDirectory(folder)
    }
}

internal import CSystem
internal import Glibc
internal import Storage

/// The file into which a source is copied. It is locked until the copy has ended, so that files which killed processes
/// have left are told apart from those that are being written. It is deleted with this, unless it was put in its place.
final class NewCopyFile: Sendable {
    /// The path of the file.
    let path: String
    private let descriptor: Int32
    /// A path at which this process can open the file, also when it has another name already, as a copy that is complete.
    var pathForReading: String { "/proc/self/fd/\(descriptor)" }

    private static let prefix = "new."

    /// Makes a file in `directory`, and deletes what killed processes have left there.
    ///
    /// - Throws: `FileError`.
    init(in directory: String) throws(FileError) {
        try makeDirectory(directory)
        // Between the creation of a file and its lock, nobody else may look at it.
        let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        Self.deleteLeftOvers(in: directory)
        path = "\(directory)/\(Self.prefix)\(UInt64.random(in: .min ... .max).hexadecimal).jsonl"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: path, operation: .write, code: errno) }
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    private static func deleteLeftOvers(in directory: String) {
        let names = (try? fileNames(inDirectory: directory)) ?? []
        var isInUse = false
        for name in names where name.hasPrefix(prefix) {
            let file = "\(directory)/\(name)"
            let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file) } else { isInUse = true }
            if descriptor >= 0 { close(descriptor) }
        }
        // Databases that the connector program copies before it reads them, and a state that is being written.
        for name in names where !isInUse && (name.hasPrefix("database-") || name.hasSuffix(".tmp")) {
            unlink("\(directory)/\(name)")
        }
    }
}

internal import CSystem
internal import Glibc
internal import Storage

/// The file to which a source is copied. It is locked until the copy ends, which distinguishes it from leftovers of
/// killed processes. It is deleted with this object, unless it has replaced the last copy.
final class DownloadFile: Sendable {
    /// The path of the file.
    let path: String
    private let descriptor: Int32
    /// The file as it was created.
    let identity: Identity
    /// A path at which this process can open the file even after it was renamed or deleted.
    var pathForReading: String { "/proc/self/fd/\(descriptor)" }

    /// A file by its path and number, which tells whether the connector program wrote to it, as it should, or replaced
    /// it by a link to another one.
    struct Identity: Sendable {
        /// The path of the file.
        let path: String
        fileprivate let device: dev_t
        fileprivate let inode: ino_t

        /// Whether the path still refers to the file, and no other path does.
        var isIntact: Bool {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
                && status.st_nlink == 1
        }
    }

    private static let prefix = "new."

    /// Creates a file in `directory`, and deletes leftovers of killed processes there.
    ///
    /// - Throws: `FileError`.
    init(in directory: String) throws(FileError) {
        try makeDirectory(directory)
        // Other processes must not examine a file between its creation and its lock.
        let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        Self.deleteLeftOvers(in: directory)
        path = "\(directory)/\(Self.prefix)\(UInt64.random(in: .min ... .max).hexadecimal).jsonl"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw FileError(path: path, operation: .write, code: errno)
        }
        identity = Identity(path: path, device: status.st_dev, inode: status.st_ino)
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Deletes the leftovers of killed processes.
    ///
    /// - Returns: Whether a copy is being made in the directory.
    @discardableResult
    static func deleteLeftOvers(in directory: String) -> Bool {
        let names = (try? fileNames(inDirectory: directory)) ?? []
        var isInUse = false
        for name in names where name.hasPrefix(prefix) {
            let file = "\(directory)/\(name)"
            let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
            if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file) } else { isInUse = true }
            if descriptor >= 0 { close(descriptor) }
        }
        // Databases that the connector program copied before reading them, and an unfinished state file.
        for name in names where !isInUse && (name.hasPrefix("database-") || name.hasSuffix(".tmp")) {
            unlink("\(directory)/\(name)")
        }
        return isInUse
    }
}

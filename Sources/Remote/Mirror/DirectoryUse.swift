internal import CSystem
internal import Glibc
internal import Storage

/// The use of a copy or of kept pages: as long as this object exists, no process deletes their directory to make room.
final class DirectoryUse: Sendable {
    private let descriptor: Int32

    /// The file whose modification time is that of the last use, and which is locked during a use.
    private static let name = "in-use"

    /// Records that the directory is used now; fails if it does not exist or is being deleted.
    init?(of directory: MirrorDirectory) {
        descriptor = Self.opened(directory.path)
        // What is open is closed by deinit.
        guard descriptor >= 0, flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return nil }
        futimens(descriptor, nil)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func opened(_ path: String) -> Int32 {
        open("\(path)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Calls `body` unless the directory at `path` is used, and keeps others from using it meanwhile.
    static func whileUnused(_ path: String, _ body: () -> Void) {
        let descriptor = opened(path)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { body() }
    }

    /// Returns the time of the last use of the directory at `path`, in nanoseconds since 1970; that of its last copy if
    /// an earlier version used it.
    static func lastTime(of path: String) -> Int {
        let files = [name, "state.json", "pages"].map { "\(path)/\($0)" }
        return files.lazy.compactMap { RandomAccessInput.Fingerprint(ofFileAt: $0)?.modified }.first ?? 0
    }
}

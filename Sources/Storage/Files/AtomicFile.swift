internal import CSystem
internal import Glibc

/// A small file that is replaced atomically: a crash, a full disk or another process leaves either the old or the new
/// content.
public struct AtomicFile: Sendable {
    /// The path as given by the caller.
    public let path: String

    /// Creates a reference to the file at `path`, which need not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// Returns the content, or nil if the file does not exist, and removes a temporary file left by a crash.
    public func read() throws(FileError) -> [UInt8]? {
        removeLeftOver()
        return try content(of: path)
    }

    /// Replaces the content with the result of `change` for the current content; nil leaves the file unchanged.
    ///
    /// The file is locked against other processes during the change, and the new content is on disk when this method
    /// returns. The file keeps its mode (a new one is 0600), and a symbolic link stays a link.
    /// - Throws: `FileError`; the old content is still there, or the new one if only the directory could not be
    ///   synchronized.
    public func update(_ change: ([UInt8]?) -> [UInt8]?) throws(FileError) {
        let target = try linkTarget()
        try makeDirectories(directory(of: target))
        let lock = try FileDescriptor(target + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        try lock.lock()
        guard let bytes = change(try content(of: target)) else { return }
        try replace(target, by: bytes)
        _ = consume lock
    }

    /// Replaces the content with `bytes` in a file that no other process writes to: no lock file is left beside it, and
    /// a new file gets its mode from the umask. A device or a pipe is written to directly.
    ///
    /// - Throws: `FileError`; the old content is still there, or the new one if only the directory could not be
    ///   synchronized.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        let target = try linkTarget()
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return try FileDescriptor(target, O_WRONLY).write(bytes)
        }
        let file = try ReplacementFile(path: target)
        try file.append(bytes)
        try file.complete(overwriting: true)
    }

    /// Replaces the file by one with the content `bytes` and the mode 0600, without a lock. A symbolic link is replaced,
    /// not followed, so that the connector program cannot redirect what is written where it may write, too.
    ///
    /// - Throws: `FileError`, as `write(_:)` does.
    public func writePrivately(_ bytes: [UInt8]) throws(FileError) {
        let file = try ReplacementFile(path: path, followsLink: false)
        try file.append(bytes)
        try file.complete(overwriting: true, privately: true)
    }

    /// Renames a damaged file, so that it is never overwritten.
    ///
    /// - Returns: The new path: the old one with ".bad-1" or the next free number up to 999.
    public func moveAside() throws(FileError) -> String {
        for number in 1...999 {
            let aside = "\(path).bad-\(number)"
            if cs_rename_to_new(path, aside) == 0 { return aside }
            if errno != EEXIST { throw FileError(path: path, operation: .rename, code: errno) }
        }
        throw FileError(path: path, operation: .rename, code: EEXIST)
    }

    private func content(of path: String) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try ReadOnlyFile.bytes(at: path)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    private func replace(_ target: String, by bytes: [UInt8]) throws(FileError) {
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o600
        let temporary = target + ".tmp"
        do throws(FileError) {
            let file = try Self.newFile(at: temporary)
            // open() applies the umask to its mode, but an existing file must keep its mode.
            if fchmod(file.number, mode) != 0 { throw FileError(path: temporary, operation: .write, code: errno) }
            try file.write(bytes)
            try file.sync()
            if rename(temporary, target) != 0 { throw FileError(path: target, operation: .rename, code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncDirectory(directory(of: target))
    }

    /// Creates the temporary file, and replaces one that was left by a crash. Nobody else may have it open.
    private static func newFile(at path: String) throws(FileError) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        do throws(FileError) {
            return try FileDescriptor(path, flags)
        } catch {
            guard error.code == EEXIST else { throw error }
            if unlink(path) != 0 { throw FileError(path: path, operation: .open, code: errno) }
            return try FileDescriptor(path, flags)
        }
    }

    /// Returns the path of the file itself, with symbolic links resolved.
    private func linkTarget() throws(FileError) -> String {
        if let resolved = resolvedPath(path) { return resolved }
        // The links may lead to a file that does not exist yet; Linux follows at most 40 links.
        var target = path
        for _ in 0...40 {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(target, &buffer, buffer.count)
            guard count > 0 else { return target }
            let next = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            target = next.hasPrefix("/") ? next : directory(of: target) + "/" + next
        }
        throw FileError(path: path, operation: .open, code: ELOOP)
    }

    private func removeLeftOver() {
        guard let target = try? linkTarget() else { return }
        guard access(target + ".tmp", F_OK) == 0,
            let lock = try? FileDescriptor(target + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW), lock.lockIfFree()
        else { return }
        unlink(target + ".tmp")
    }
}

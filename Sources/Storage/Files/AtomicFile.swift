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
        let lock = try FileDescriptor(target + ".lock", O_RDWR | O_CREAT)
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
        let mask = umask(0)
        umask(mask)
        try replace(target, by: bytes, newMode: 0o666 & ~mask, suffix: ".\(getpid()).tmp")
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

    private func replace(
        _ target: String, by bytes: [UInt8], newMode: mode_t = 0o600, suffix: String = ".tmp"
    ) throws(FileError) {
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : newMode
        let temporary = target + suffix
        do throws(FileError) {
            let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
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
            let lock = try? FileDescriptor(target + ".lock", O_RDWR | O_CREAT), lock.lockIfFree()
        else { return }
        unlink(target + ".tmp")
    }
}

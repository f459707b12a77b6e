internal import CSystem
internal import Glibc

/// A small file that is always whole: a crash, a full disk or another process leaves the old content or the new one.
public struct AtomicFile: Sendable {
    /// Its path, as it was given.
    public let path: String

    /// The file at `path`, which need not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// The content, or nil where there is no such file. A temporary file that a crash left behind is removed.
    public func read() throws(FileError) -> [UInt8]? {
        removeLeftOver()
        return try content(of: path)
    }

    /// Replaces the content by what `change` makes of the content that is there now; with nil it stays.
    ///
    /// Held against other processes meanwhile. The new content is on the disk when this returns. The file keeps its
    /// mode (a new one is for its owner only), and a symbolic link stays one.
    /// - Throws: `FileError`; the old content is there then, or, where only the directory could not be synchronised, the
    ///   new one.
    public func update(_ change: ([UInt8]?) -> [UInt8]?) throws(FileError) {
        let target = try linkTarget()
        try makeDirectories(directory(of: target))
        let lock = try FileDescriptor(target + ".lock", O_RDWR | O_CREAT)
        try lock.lock()
        guard let bytes = change(try content(of: target)) else { return }
        try replace(target, by: bytes)
        _ = consume lock
    }

    /// Replaces the content by `bytes`, where no other process has a part in the file: no lock is left beside it, and a new
    /// file may be read by whom the process lets read. A device or a pipe is written to as it is.
    ///
    /// - Throws: `FileError`; the old content is there then, or, where only the directory could not be synchronised, the
    ///   new one.
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

    /// Moves a file that is not what it should be aside, so that it is never overwritten.
    ///
    /// - Returns: The path it has now: the old one with ".bad-1", or the next number that is free.
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
            // The mode given to open() is narrowed by the umask, and an old file's must not be.
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

    /// Where the file's bytes are: the end of the links that `path` may be.
    private func linkTarget() throws(FileError) -> String {
        if let resolved = resolvedPath(path) { return resolved }
        // Links to a file that does not exist yet; Linux follows no more than forty.
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

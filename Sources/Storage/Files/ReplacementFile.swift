internal import CSystem
internal import Glibc

/// A file that is written piece by piece and takes its place only when it is complete.
///
/// Until then the bytes are in a temporary file beside it, which is deleted if the file is not completed.
public final class ReplacementFile {
    /// The kind of what is at a path already.
    public enum Occupant: Hashable, Sendable {
        /// A file, which can be replaced.
        case file
        /// A directory, device or pipe, which cannot.
        case other
    }

    private let path: String
    private let target: String
    private let temporary: String
    private let file: FileDescriptor
    private var isCompleted = false

    /// Creates an empty file for the place of `path`.
    public init(path: String) throws(FileError) {
        self.path = path
        target = resolvedPath(path) ?? path
        temporary = "\(target).\(getpid()).tmp"
        file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o666)
    }

    deinit { if !isCompleted { unlink(temporary) } }

    /// Returns what is at `path`; nil if there is nothing.
    public static func occupant(of path: String) -> Occupant? {
        var status = stat()
        if stat(path, &status) != 0 {
            // A link that leads nowhere is occupied, too.
            return lstat(path, &status) == 0 ? .other : nil
        }
        return status.st_mode & S_IFMT == S_IFREG ? .file : .other
    }

    /// Appends bytes.
    public func append(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

    /// Appends the bytes of `input` in `range`, without reading them if the file system can copy by itself.
    public func append(_ range: Range<Int>, of input: RandomAccessInput) throws(FileError) {
        let code = cs_copy_bytes(input.descriptor, Int64(range.lowerBound), Int64(range.count), file.number)
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
    }

    /// Puts the file in the place of `input`, of which it is a changed copy: it gets its owner, mode and extended
    /// attributes, and a symbolic link to `input` stays one.
    ///
    /// - Parameter fingerprint: The state of `input` when it was read.
    /// - Returns: False if the file at its path has changed since; it is still there then.
    /// - Throws: `FileError`; `input` is still there, or the new file if only the directory could not be synchronized.
    public func complete(
        replacing input: RandomAccessInput, of fingerprint: RandomAccessInput.Fingerprint
    ) throws(FileError) -> Bool {
        let code = cs_copy_attributes(input.descriptor, file.number)
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
        try file.sync()
        guard RandomAccessInput.Fingerprint(ofFileAt: target) == fingerprint else { return false }
        if rename(temporary, target) != 0 { throw FileError(path: path, operation: .rename, code: errno) }
        isCompleted = true
        try syncDirectory(directory(of: target))
        return true
    }

    /// Why the file at `path` cannot be replaced by a changed copy.
    public enum Obstacle: Hashable, Sendable {
        /// It may not be written.
        case writeProtected
        /// No file may be created in its directory.
        case directoryWriteProtected
        /// It has other names, which would keep the old content.
        case hardLinks
        /// It is a pipe, a device or a directory.
        case notAFile
    }

    /// Returns why the file at `path` cannot be replaced by a changed copy; nil if it can, as far as can be known
    /// before.
    public static func obstacle(toReplacing path: String) -> Obstacle? {
        let target = resolvedPath(path) ?? path
        var status = stat()
        guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
        if access(target, W_OK) != 0 { return .writeProtected }
        if status.st_nlink > 1 { return .hardLinks }
        return access(directory(of: target), W_OK | X_OK) == 0 ? nil : .directoryWriteProtected
    }

    /// Puts the file in its place, with the mode of the file that it replaces.
    ///
    /// - Parameter overwrites: Whether an existing file may be replaced.
    /// - Throws: `FileError`; an existing file is still there, or the new one if only the directory could not be
    ///   synchronized.
    public func complete(overwriting overwrites: Bool) throws(FileError) {
        try file.sync()
        if overwrites {
            var status = stat()
            if stat(target, &status) == 0, fchmod(file.number, status.st_mode & 0o7777) != 0 {
                throw FileError(path: path, operation: .write, code: errno)
            }
            if rename(temporary, target) != 0 { throw FileError(path: path, operation: .rename, code: errno) }
        } else if cs_rename_to_new(temporary, target) != 0 {
            throw FileError(path: path, operation: .rename, code: errno)
        }
        isCompleted = true
        try syncDirectory(directory(of: target))
    }
}

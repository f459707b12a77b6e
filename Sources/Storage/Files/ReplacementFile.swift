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

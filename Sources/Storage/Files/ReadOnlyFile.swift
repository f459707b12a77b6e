internal import CSystem
internal import Glibc

/// Reading of whole files.
public enum ReadOnlyFile {
    /// Returns the bytes of the regular file at `path`, if it meets a condition.
    ///
    /// The file is read, not mapped: truncating a mapped file kills its readers with SIGBUS.
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: `FileError` with EISDIR for a directory, ENOTSUP for a pipe, a socket or a device, and EFBIG for a larger
    ///   file.
    public static func bytes(
        at path: String, if condition: FileCondition = .none, upTo limit: Int = .max
    ) throws(FileError) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer forever.
        let file: FileDescriptor
        do throws(FileError) {
            file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK | condition.flags)
        } catch {
            // Linux reports ENXIO when a socket is opened.
            throw error.code == ENXIO ? FileError(path: path, operation: .read, code: ENOTSUP) : error
        }
        let status = try file.status
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            try condition.check(status, at: path)
            if status.st_size > limit { throw FileError(path: path, operation: .read, code: EFBIG) }
            return try file.readToEnd()
        case S_IFDIR: throw FileError(path: path, operation: .read, code: EISDIR)
        default: throw FileError(path: path, operation: .read, code: ENOTSUP)
        }
    }
}

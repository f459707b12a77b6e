internal import CSystem
internal import Glibc

/// A file that is only ever read.
public enum ReadOnlyFile {
    /// The bytes of the regular file at `path`.
    ///
    /// Read, not mapped: a mapped file that somebody truncates kills the reader with SIGBUS.
    /// - Throws: `FileError`; with EISDIR for a directory, and ENOTSUP for a pipe, a socket or a device.
    public static func bytes(at path: String) throws(FileError) -> [UInt8] {
        // Without O_NONBLOCK a FIFO would wait for a writer, for ever.
        let file: FileDescriptor
        do throws(FileError) {
            file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        } catch {
            // What Linux says of a socket that is opened.
            throw error.code == ENXIO ? FileError(path: path, operation: .read, code: ENOTSUP) : error
        }
        switch try file.status.st_mode & S_IFMT {
        case S_IFREG: return try file.readToEnd()
        case S_IFDIR: throw FileError(path: path, operation: .read, code: EISDIR)
        default: throw FileError(path: path, operation: .read, code: ENOTSUP)
        }
    }
}

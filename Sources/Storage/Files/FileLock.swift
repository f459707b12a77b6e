internal import Glibc

/// A lock that one instance of the program holds until the object is released.
public final class FileLock {
    private let file: FileDescriptor

    /// Takes the lock at `path`, which is created with its directories if necessary; waits at most two seconds.
    public init(path: String) throws(FileError) {
        try makeDirectories(directory(of: path))
        file = try FileDescriptor(path, O_RDWR | O_CREAT)
        try file.lock()
    }
}

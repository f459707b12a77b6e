internal import CSystem
internal import Glibc

/// A lock that other processes respect, held as long as the object lives. The kernel releases it when the process ends.
public final class FileLock {
    let file: FileDescriptor

    /// Locks the file at `path`, which is created with its directories if necessary; fails if another process has
    /// locked it.
    ///
    /// - Throws: `FileError` if the file cannot be opened.
    public init?(path: String) throws(FileError) {
        try makeDirectories(directory(of: path))
        file = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        if !file.lockIfFree() { return nil }
    }

    // Closing the file is not enough: a program that is just being started has a copy of the descriptor for a moment, and
    // would keep the file locked.
    deinit { file.unlock() }
}

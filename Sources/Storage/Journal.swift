internal import CSystem
internal import Glibc

/// A file of lines that is only ever added to, by any number of processes.
///
/// A line is on the disk when `append` returns. A line that was torn by a crash is left where it is, and stands alone:
/// who reads the lines passes over what is none of theirs.
public final class Journal {
    /// Its path, as it was given.
    public let path: String
    /// How many bytes were read or written already.
    private var offset = 0

    /// The journal at `path`, which need not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// The whole lines that came since the last call, without their newlines; the last one may still be in the making.
    public func newLines() throws(FileError) -> [ArraySlice<UInt8>] {
        do throws(FileError) {
            return try takeLines(from: open(O_RDONLY))
        } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
    }

    /// Adds the lines that `make` returns, which is given the lines that others added meanwhile. Held against other
    /// processes. An empty result adds nothing.
    ///
    /// - Throws: `FileError`; none of the lines is in the journal then.
    public func append(_ make: ([ArraySlice<UInt8>]) -> [[UInt8]]) throws(FileError) {
        try makeDirectories(directory(of: path))
        let lock = try FileDescriptor(path + ".lock", O_RDWR | O_CREAT)
        try lock.lock()
        let file = try open(O_RDWR | O_APPEND | O_CREAT)
        let others = try takeLines(from: file)
        let lines = make(others)
        if lines.isEmpty { return }
        let size = try Int(file.status.st_size)
        // What follows the last newline is a torn line: it is ended, so that it spoils no other.
        var bytes: [UInt8] = size > offset ? [UInt8(ascii: "\n")] : []
        for line in lines { bytes += line + [UInt8(ascii: "\n")] }
        do throws(FileError) {
            try file.write(bytes)
            try file.sync()
            // A new file, or one that somebody made and did not live to synchronise.
            if size == 0 { try syncDirectory(directory(of: path)) }
        } catch {
            _ = ftruncate(file.number, off_t(size))
            throw error
        }
        offset = size + bytes.count
        _ = consume lock
    }

    /// Opens the file, and refuses what is none: a pipe would wait for ever, a device never end.
    private func open(_ flags: Int32) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags | O_NONBLOCK)
        let kind = try file.status.st_mode & S_IFMT
        if kind == S_IFREG { return file }
        throw FileError(path: path, operation: .open, code: kind == S_IFDIR ? EISDIR : ENOTSUP)
    }

    private func takeLines(from file: borrowing FileDescriptor) throws(FileError) -> [ArraySlice<UInt8>] {
        // Somebody put a shorter file in its place: all of it is new.
        if try Int(file.status.st_size) < offset { offset = 0 }
        let bytes = try file.readToEnd(from: offset)
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        offset += last + 1
        return bytes[..<last].split(separator: UInt8(ascii: "\n"))
    }
}

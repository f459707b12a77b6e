internal import CSystem
internal import Glibc
internal import Synchronization
internal import Threading

/// A file that is only ever read, at any place and from any thread.
///
/// Read, not mapped: a mapped file that somebody truncates kills the reader with SIGBUS. What comes through a pipe is
/// kept in a file without a name while it is read, so that it too can be read at any place.
public final class RandomAccessInput: Sendable {
    /// Its path, as it was given, or `standardInput`.
    public let path: String
    /// What standard input is called.
    public static let standardInput = "standard input"

    /// A path for messages: "-" is standard input.
    public static func shownPath(_ path: String) -> String { path == "-" ? standardInput : path }

    private let file: FileDescriptor
    /// What comes through a pipe; nil for a regular file.
    private let pipe: Spool?

    /// Opens the regular file or the pipe at `path`; "-" is standard input.
    ///
    /// - Throws: `FileError`; with EISDIR for a directory, and ENOTSUP for a socket or a device.
    public init(_ path: String) throws(FileError) {
        self.path = Self.shownPath(path)
        // Without O_NONBLOCK a FIFO would wait for a writer here.
        let opened: FileDescriptor
        do throws(FileError) {
            opened =
                path == "-"
                ? try FileDescriptor(duplicating: STDIN_FILENO, path: Self.standardInput)
                : try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        } catch {
            // What Linux says of a socket that is opened.
            throw error.code == ENXIO ? FileError(path: self.path, operation: .read, code: ENOTSUP) : error
        }
        switch try opened.status.st_mode & S_IFMT {
        case S_IFREG:
            file = opened
            pipe = nil
        case S_IFIFO:
            file = try FileDescriptor(temporaryIn: environmentValue("TMPDIR") ?? "/tmp")
            pipe = Spool(opened)
        case S_IFDIR: throw FileError(path: self.path, operation: .read, code: EISDIR)
        default: throw FileError(path: self.path, operation: .read, code: ENOTSUP)
        }
    }

    /// Whether what is at `path` comes through a pipe; "-" is standard input.
    public static func isPipe(_ path: String) -> Bool {
        var status = stat()
        let code = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
        return path == "-" || code == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether its length is known only at its end.
    public var isPipe: Bool { pipe != nil }

    /// Whether reading need not wait.
    public var hasInput: Bool { pipe?.hasInput ?? true }

    /// Reads bytes from `offset` on into `buffer`. Of a pipe it waits for at least one byte, where it has to.
    ///
    /// - Returns: How many were read: fewer than the buffer holds only at the end of a file, and whatever a pipe gives;
    ///   zero only at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        if let pipe { try pipe.receive(upTo: offset + buffer.count, from: offset, into: file) }
        return try file.read(into: buffer, at: offset)
    }

    /// What tells this state of the file from another; nil for a pipe.
    public func fingerprint() throws(FileError) -> Fingerprint? {
        pipe == nil ? Fingerprint(try file.status) : nil
    }

    /// What changes where a file is written or replaced.
    public struct Fingerprint: Hashable, Sendable {
        /// The length in bytes.
        public var size: Int
        /// When the content was changed last, in nanoseconds since 1970.
        public var modified: Int
        /// The number of the file on its device.
        public var inode: UInt64
        /// The number of the device.
        public var device: UInt64

        init(_ status: stat) {
            size = Int(status.st_size)
            modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
            inode = UInt64(status.st_ino)
            device = UInt64(status.st_dev)
        }

        /// The fingerprint of the file that has this path now; nil where there is none.
        public init?(ofFileAt path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }
}

/// The way from a pipe into a file.
private final class Spool: Sendable {
    private let pipe: FileDescriptor
    private let state = Locked((count: 0, isAtEnd: false))
    /// How much there is already: who reads of that need not wait for who waits for more.
    private let received = Atomic(0)
    private static let chunk = 1 << 16

    init(_ pipe: consuming FileDescriptor) {
        self.pipe = pipe
        // Only opening must not wait; reading may.
        let flags = fcntl(self.pipe.number, F_GETFL)
        _ = fcntl(self.pipe.number, F_SETFL, flags & ~O_NONBLOCK)
    }

    var hasInput: Bool {
        var descriptor = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) != 0
    }

    /// Appends to `file` what the pipe has, until there is something behind `start`, and at most up to `end`.
    func receive(upTo end: Int, from start: Int, into file: borrowing FileDescriptor) throws(FileError) {
        if received.load(ordering: .acquiring) > start { return }
        try state.withLock { state throws(FileError) in
            while state.count <= start && !state.isAtEnd {
                let bytes = try pipe.readAvailable(upTo: Self.chunk)
                state.isAtEnd = bytes.isEmpty
                try file.write(bytes)
                state.count += bytes.count
                received.store(state.count, ordering: .releasing)
            }
        }
    }
}

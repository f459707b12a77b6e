internal import CSystem
internal import Glibc
internal import Synchronization
internal import Threading

/// A read-only file with random access from any thread.
///
/// The file is read, not mapped: truncating a mapped file kills its readers with SIGBUS. Input from a pipe is copied to
/// an unnamed temporary file while it is read, so that it allows random access too.
public final class RandomAccessInput: Sendable {
    /// The path as given by the caller, or `standardInput`.
    public let path: String
    /// The name of standard input in messages.
    public static let standardInput = "standard input"

    /// Returns the path as shown in messages; "-" is standard input.
    public static func shownPath(_ path: String) -> String { path == "-" ? standardInput : path }

    private let file: FileDescriptor
    /// The pipe that is copied to `file`; nil for a regular file.
    private let pipe: Spool?
    /// The length written so far; nil for a complete file.
    private let growth: GrowingFile?
    /// The offset after the last requested byte.
    private let asked = Atomic(0)

    /// Opens the regular file or pipe at `path`, if it meets a condition; "-" is standard input.
    ///
    /// - Throws: `FileError` with EISDIR for a directory and ENOTSUP for a socket or a device.
    public init(_ path: String, if condition: FileCondition = .none) throws(FileError) {
        self.path = Self.shownPath(path)
        growth = nil
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        let opened: FileDescriptor
        do throws(FileError) {
            opened =
                path == "-"
                ? try FileDescriptor(duplicating: STDIN_FILENO, path: Self.standardInput)
                : try FileDescriptor(path, O_RDONLY | O_NONBLOCK | condition.flags)
        } catch {
            // Linux reports ENXIO when a socket is opened.
            throw error.code == ENXIO ? FileError(path: self.path, operation: .read, code: ENOTSUP) : error
        }
        let status = try opened.status
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            try condition.check(status, at: self.path)
            file = opened
            pipe = nil
        case S_IFIFO:
            file = try FileDescriptor(temporaryIn: environmentValue("TMPDIR") ?? "/tmp")
            pipe = Spool(opened)
        case S_IFDIR: throw FileError(path: self.path, operation: .read, code: EISDIR)
        default: throw FileError(path: self.path, operation: .read, code: ENOTSUP)
        }
    }

    /// Opens the file at `temporaryPath`, which is still being written and will be at `path` when it is complete.
    public init(_ path: String, growingAt temporaryPath: String, _ growth: GrowingFile) throws(FileError) {
        self.path = path
        self.growth = growth
        file = try FileDescriptor(temporaryPath, O_RDONLY)
        pipe = nil
    }

    /// Returns whether `path` is a pipe; "-", standard input, counts as one.
    public static func isPipe(_ path: String) -> Bool {
        var status = stat()
        let code = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
        return path == "-" || code == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether the input is a pipe or still being written, so that its length is known only at its end.
    public var isPipe: Bool { pipe != nil || growth != nil }

    /// Whether reading on does not have to wait.
    public var hasInput: Bool {
        pipe?.hasInput ?? growth?.hasInput(beyond: asked.load(ordering: .relaxed)) ?? true
    }

    /// Reads bytes at `offset` into `buffer`; waits for at least one byte of a pipe.
    ///
    /// - Returns: The number of bytes read: zero only at the end, and less than `buffer.count` only at the end of a
    ///   file or on a pipe.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        if let pipe { try pipe.receive(upTo: offset + buffer.count, from: offset, into: file) }
        if let growth {
            let known = growth.wait(beyond: offset)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(0, known - offset)))
            let count = try file.read(into: part, at: offset)
            asked.store(max(asked.load(ordering: .relaxed), offset + count), ordering: .relaxed)
            return count
        }
        return try file.read(into: buffer, at: offset)
    }

    /// Reads bytes at `offset` if they are in memory, without waiting for a disk or a server.
    ///
    /// - Returns: The number of bytes read, less than `buffer.count` only at the end of the file; nil if they are not
    ///   in memory, or if the file system cannot tell.
    func readAtHand(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
        let count = cs_read_at_hand(descriptor, buffer.baseAddress, buffer.count, Int64(offset))
        return count < 0 ? nil : Int(count)
    }

    /// Returns whether the first bytes of the file at `path` are in memory, as those of a file that cannot be opened are not.
    public static func isBeginningAtHand(_ path: String) -> Bool {
        guard !isPipe(path), let input = try? RandomAccessInput(path) else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { input.readAtHand(into: $0, at: 0) != nil }
    }

    /// The number of the descriptor, for other files to copy from.
    var descriptor: Int32 { file.number }

    /// Locks the file for other instances of the program, as long as it is open.
    ///
    /// A replaced file keeps the lock; an instance that waited for it then finds another file at the path.
    /// - Returns: False if another instance holds the lock for half a minute.
    public func lock() throws(FileError) -> Bool {
        for _ in 1...15 {
            do throws(FileError) {
                try file.lock()
                return true
            } catch {
                if error.code != EWOULDBLOCK { throw error }
            }
        }
        return false
    }

    /// Returns the bytes in `range`, fewer only at the end of the file.
    public func bytes(in range: Range<Int>) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            do throws(FileError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Returns the fingerprint of the file's current state; nil for a pipe, and while it is being written.
    public func fingerprint() throws(FileError) -> Fingerprint? {
        pipe == nil && growth == nil ? Fingerprint(try file.status) : nil
    }

    /// The fingerprint of the complete file that has replaced this partial one; nil if none has.
    public var fingerprintAtEnd: Fingerprint? {
        guard growth != nil, let status = try? file.status else { return nil }
        let fingerprint = Fingerprint(status)
        return Fingerprint(ofFileAt: path) == fingerprint ? fingerprint : nil
    }

    /// File attributes that change when the file is written or replaced.
    public struct Fingerprint: Hashable, Sendable {
        /// The size in bytes.
        public var size: Int
        /// The modification time in nanoseconds since 1970.
        public var modified: Int
        /// The inode number.
        public var inode: UInt64
        /// The device number.
        public var device: UInt64

        init(_ status: stat) {
            size = Int(status.st_size)
            modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
            inode = UInt64(status.st_ino)
            device = UInt64(status.st_dev)
        }

        /// Reads the fingerprint of the file at `path`; fails if the file does not exist.
        public init?(ofFileAt path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }
}

extension RandomAccessInput.Fingerprint: LosslessStringConvertible {
    /// The attributes as numbers: "size:modified:inode:device".
    public var description: String { "\(size):\(modified):\(inode):\(device)" }

    /// Parses a `description`.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let size = Int(parts[0]), let modified = Int(parts[1]), let inode = UInt64(parts[2]),
            let device = UInt64(parts[3])
        else { return nil }
        (self.size, self.modified, self.inode, self.device) = (size, modified, inode, device)
    }
}

/// Copies a pipe to a file.
private final class Spool: Sendable {
    private let pipe: FileDescriptor
    private let state = Locked((count: 0, isAtEnd: false))
    /// The number of bytes copied so far; reads below it do not wait for the thread that copies more.
    private let received = Atomic(0)
    private static let chunk = 1 << 16

    init(_ pipe: consuming FileDescriptor) {
        self.pipe = pipe
        // Only opening must not block; reading may.
        let flags = fcntl(self.pipe.number, F_GETFL)
        _ = fcntl(self.pipe.number, F_SETFL, flags & ~O_NONBLOCK)
    }

    var hasInput: Bool {
        var descriptor = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) != 0
    }

    /// Copies bytes from the pipe to `file`, at most up to offset `end`, until the file extends beyond `start` or the
    /// pipe ends.
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

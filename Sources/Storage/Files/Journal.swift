internal import CSystem
internal import Glibc

/// An append-only file of lines that any number of processes write to.
///
/// A line is on disk when `append` returns. A line torn by a crash stays in the file on a line of its own, and readers
/// skip lines that they do not understand.
public final class Journal {
    /// The path as given by the caller.
    public let path: String
    /// The directory of the file.
    public var directoryPath: String { directory(of: path) }
    /// The position up to which this object has read or written the file.
    public private(set) var position: Position
    /// How the file was replaced or damaged, if the most recent lines are all lines of the file because earlier ones
    /// are gone.
    public private(set) var replacement: Replacement?

    /// The state of the file when it was last read to its end; an unchanged state means no new lines.
    private var exhausted: FileState?

    /// A position in a journal with checksums of the bytes before it, which detect that the file was replaced.
    public struct Position: Hashable, Sendable {
        /// The number of bytes before the position.
        public var offset: Int
        /// A checksum of the first bytes of the file, at most `headCount` and all before the position.
        public var head: UInt64
        /// A checksum of the last bytes before the position, at most `tailCount`.
        public var tail: UInt64

        /// The start of a journal.
        public static let start = Position(offset: 0, head: checksum(of: []), tail: checksum(of: []))

        /// Creates the position after `offset` bytes with these checksums.
        public init(offset: Int, head: UInt64, tail: UInt64) {
            self.offset = offset
            self.head = head
            self.tail = tail
        }

        /// Creates the position at the end of the journal at `path`, which is not read.
        ///
        /// - Throws: `FileError` if there is no such file.
        public init(atEndOf path: String) throws(FileError) {
            let file = try RandomAccessInput(path)
            let size = try file.fingerprint()?.size ?? 0
            self.init(
                offset: size, head: checksum(of: try file.bytes(in: 0..<min(size, Self.headCount))),
                tail: checksum(of: try file.bytes(in: max(0, size - Self.tailCount)..<size)))
        }

        // Shorter than the shortest line, so that a journal that was truncated after its first line is still
        // recognized.
        fileprivate static let headCount = 64
        fileprivate static let tailCount = 256
    }

    /// The difference between the file and the one that was read before.
    public enum Replacement: Hashable, Sendable {
        /// The file has the same beginning: it was truncated or damaged later on.
        case damaged
        /// The file is a different one.
        case foreign
    }

    /// Creates a reference to the journal at `path`, which need not exist yet and was read up to `position`.
    public init(path: String, from position: Position = .start) {
        self.path = path
        self.position = position
    }

    /// Returns the complete lines added since the last call, without their newlines; an incomplete last line is left
    /// for later. If `replacement` is set, they are all lines of the file.
    public func newLines() throws(FileError) -> [ArraySlice<UInt8>] {
        // Called for each key press, almost always without new lines.
        if let exhausted, FileState(of: path) == exhausted {
            replacement = nil
            return []
        }
        exhausted = nil
        do throws(FileError) {
            let file = try open(O_RDONLY)
            let state = try FileState(file.status)
            let lines = try takeLines(from: file).lines
            exhausted = lines.isEmpty ? state : nil
            return lines
        } catch {
            replacement = nil
            if error.isMissing { return [] }
            throw error
        }
    }

    /// Returns the last complete lines before the current position, in at most `count` bytes, and whether these are all
    /// lines. Returns no lines if the file was replaced.
    public func lastLines(inBytes count: Int) throws(FileError) -> (lines: [ArraySlice<UInt8>], areAll: Bool) {
        let start = max(0, position.offset - max(count, Position.tailCount))
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try open(O_RDONLY).readToEnd(from: start)
        } catch {
            if error.isMissing { return ([], true) }
            throw error
        }
        let known = bytes.prefix(position.offset - start)
        guard known.count == position.offset - start, isTail(known) else { return ([], true) }
        if start == 0 { return (lines(of: known), true) }
        // The first line probably starts before these bytes.
        guard let first = known.firstIndex(of: UInt8(ascii: "\n")) else { return ([], false) }
        return (lines(of: known[first...]), false)
    }

    /// Appends the lines that `make` returns; `make` receives the lines that other processes have added since the last
    /// read, including a torn one at the end. The file is locked against other processes. An empty result appends
    /// nothing.
    ///
    /// - Throws: `FileError`; none of the lines is in the journal then.
    public func append(_ make: ([ArraySlice<UInt8>]) -> [[UInt8]]) throws(FileError) {
        try makeDirectories(directory(of: path))
        let lock = try FileDescriptor(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        try lock.lock()
        let file = try open(O_RDWR | O_APPEND | O_CREAT)
        let (known, read, start) = try takeLines(from: file)
        var others = known
        let size = start + read.count
        // The file is locked, so bytes after the last newline are a torn line, which may lack only its newline.
        if size > position.offset {
            others.append(read[(position.offset - start)...])
            advance(to: size, in: read, from: start)
        }
        let lines = make(others)
        if lines.isEmpty { return }
        // End the torn line, so that the next one starts on a line of its own.
        var bytes: [UInt8] = [nil, UInt8(ascii: "\n")].contains(read.last) ? [] : [UInt8(ascii: "\n")]
        // Lines can be long, and a buffer that grows takes twice their memory.
        bytes.reserveCapacity(lines.reduce(bytes.count) { $0 + $1.count + 1 })
        for line in lines {
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        do throws(FileError) {
            try file.write(bytes)
            try file.sync()
            // The file is new, or its creator crashed before synchronizing the directory.
            if size == 0 { try syncDirectory(directory(of: path)) }
        } catch {
            _ = ftruncate(file.number, off_t(size))
            throw error
        }
        // In two steps, as the lines can be too long to copy them behind what was read.
        let beginning = bytes.prefix(Position.tailCount)
        advance(to: size + beginning.count, in: read + beginning, from: start)
        if beginning.count < bytes.count { advance(to: size + bytes.count, in: bytes, from: size) }
        _ = consume lock
    }

    /// Replaces the journal with a file of other lines. The file is locked against other processes; these detect the
    /// replacement at their next read.
    ///
    /// A crash leaves the old file or the new one, and perhaps a temporary file beside it, which the next call deletes.
    /// - Parameters:
    ///   - size: The size in bytes that the journal must exceed.
    ///   - make: Returns the new lines for the old ones; nil leaves the file unchanged.
    /// - Throws: `FileError`; the old file is still there, or the new one if only the directory could not be
    ///   synchronized.
    public func rewrite(above size: Int, _ make: ([ArraySlice<UInt8>]) -> [[UInt8]]?) throws(FileError) {
        let temporary = path + ".tmp"
        var status = stat()
        let isLong = stat(path, &status) == 0 && Int(status.st_size) > size
        if !isLong && access(temporary, F_OK) != 0 { return }
        let lock = try FileDescriptor(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        try lock.lock()
        unlink(temporary)
        if isLong {
            // Another process may have replaced the journal in the meantime.
            let old = try open(O_RDONLY)
            let bytes = Int(try old.status.st_size) > size ? try old.readToEnd() : []
            if !bytes.isEmpty, let lines = make(lines(of: bytes[...])) {
                try replace(old, by: lines, through: temporary)
            }
        }
        _ = consume lock
    }

    private func replace(
        _ old: borrowing FileDescriptor, by lines: [[UInt8]], through temporary: String
    ) throws(FileError) {
        do throws(FileError) {
            let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            if fchmod(file.number, try old.status.st_mode & 0o7777) != 0 {
                throw FileError(path: temporary, operation: .write, code: errno)
            }
            for line in lines {
                try file.write(line)
                try file.write([UInt8(ascii: "\n")])
            }
            try file.sync()
            if rename(temporary, path) != 0 { throw FileError(path: path, operation: .rename, code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncDirectory(directory(of: path))
    }

    /// Opens the file and rejects anything but a regular file: reading from a pipe can block forever, and a device may
    /// never end.
    private func open(_ flags: Int32) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags | O_NONBLOCK)
        let kind = try file.status.st_mode & S_IFMT
        if kind == S_IFREG { return file }
        throw FileError(path: path, operation: .open, code: kind == S_IFDIR ? EISDIR : ENOTSUP)
    }

    /// - Returns: The new lines, and the bytes read to the end of the file with their start offset.
    private func takeLines(
        from file: borrowing FileDescriptor
    ) throws(FileError) -> (lines: [ArraySlice<UInt8>], bytes: [UInt8], start: Int) {
        // Read the tail before the position again to detect a replaced file.
        var start = max(0, position.offset - Position.tailCount)
        var bytes = try file.readToEnd(from: start)
        replacement = nil
        if bytes.count < position.offset - start || !isTail(bytes.prefix(position.offset - start)) {
            start = 0
            bytes = try file.readToEnd()
            let head = bytes.prefix(min(Position.headCount, position.offset))
            replacement = checksum(of: head) == position.head ? .damaged : .foreign
            position = .start
        }
        let new = bytes[(position.offset - start)...]
        guard let last = new.lastIndex(of: UInt8(ascii: "\n")) else { return ([], bytes, start) }
        advance(to: start + last + 1, in: bytes, from: start)
        return (lines(of: new[...last]), bytes, start)
    }

    /// Returns whether `bytes`, which end at the position, match the checksum of the tail.
    private func isTail(_ bytes: ArraySlice<UInt8>) -> Bool {
        checksum(of: bytes.suffix(Position.tailCount)) == position.tail
    }

    /// Moves the position to `offset`; `bytes` start at offset `start` of the file.
    private func advance(to offset: Int, in bytes: [UInt8], from start: Int) {
        // While the head is incomplete, `bytes` contain the whole file.
        if position.offset < Position.headCount {
            position.head = checksum(of: bytes.prefix(min(offset, Position.headCount)))
        }
        position.tail = checksum(of: bytes[..<(offset - start)].suffix(Position.tailCount))
        position.offset = offset
    }
}

/// Returns a checksum of `bytes` that is the same on every computer: eight bytes at a time, multiplied and XORed (after
/// FNV-1a and the finalizer of MurmurHash3). It detects damage, not tampering.
public func checksum(of bytes: some Collection<UInt8>) -> UInt64 {
    let sum = bytes.withContiguousStorageIfAvailable { sumOfWords(UnsafeRawBufferPointer($0)) }
    return sum ?? Array(bytes).withUnsafeBytes(sumOfWords)
}

private func sumOfWords(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        sum = (sum ^ word) &* 0x9FB2_1C65_1E98_DF25
        sum ^= sum >> 32
        offset += 8
    }
    while offset < bytes.count {
        sum = (sum ^ UInt64(bytes[offset])) &* 0x0000_0100_0000_01B3
        sum ^= sum >> 32
        offset += 1
    }
    sum ^= sum >> 33
    sum &*= 0xFF51_AFD7_ED55_8CCD
    return sum ^ sum >> 33
}

/// The attributes that change when a file is appended to or replaced.
private struct FileState: Hashable {
    let device: dev_t
    let inode: ino_t
    let size: off_t
    let modified: Int
    let modifiedNanoseconds: Int

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        modified = status.st_mtim.tv_sec
        modifiedNanoseconds = status.st_mtim.tv_nsec
    }

    /// Fails if the file does not exist.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

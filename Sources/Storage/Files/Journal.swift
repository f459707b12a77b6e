internal import CSystem
internal import Glibc

/// A file of lines that is only ever added to, by any number of processes.
///
/// A line is on the disk when `append` returns. A line that was torn by a crash is left where it is, and stands alone:
/// who reads the lines passes over what is none of theirs.
public final class Journal {
    /// Its path, as it was given.
    public let path: String
    /// How far it was read or written already.
    public private(set) var position: Position
    /// Whether the lines that were given last are all that the file has, as what was read before is no longer in it.
    public private(set) var replacement: Replacement?

    /// The file as it was when there was nothing more to read in it: while it is so still, there is nothing new.
    private var exhausted: FileState?

    /// A place in a journal, and what is before it, so that another file in its place is known as one.
    public struct Position: Hashable, Sendable {
        /// How many bytes are before it.
        public var offset: Int
        /// A checksum of the file's first bytes, at most `headCount` of those before the place.
        public var head: UInt64
        /// A checksum of the last bytes before the place, at most `tailCount`.
        public var tail: UInt64

        /// Where a journal begins.
        public static let start = Position(offset: 0, head: checksum(of: []), tail: checksum(of: []))

        /// The place behind `offset` bytes with these checksums.
        public init(offset: Int, head: UInt64, tail: UInt64) {
            self.offset = offset
            self.head = head
            self.tail = tail
        }

        // Less than the shortest line, so that a journal that was cut off behind its first line is still known.
        fileprivate static let headCount = 64
        fileprivate static let tailCount = 256
    }

    /// How a file differs from the one that was read before.
    public enum Replacement: Hashable, Sendable {
        /// It begins alike: it was cut off, or damaged where it had ended.
        case damaged
        /// It is another one.
        case foreign
    }

    /// The journal at `path`, which need not exist yet; what is before `position` was read already.
    public init(path: String, from position: Position = .start) {
        self.path = path
        self.position = position
    }

    /// The whole lines that came since the last call, without their newlines; the last one may still be in the making.
    /// Where `replacement` says so, they are all lines that there are.
    public func newLines() throws(FileError) -> [ArraySlice<UInt8>] {
        // Asked with every key, and nearly never for anything.
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

    /// The last whole lines of those that were read or written already, in at most so many bytes, and whether these are
    /// all. There are none where another file is in the journal's place.
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
        // The first one has most likely begun before.
        guard let first = known.firstIndex(of: UInt8(ascii: "\n")) else { return ([], false) }
        return (lines(of: known[first...]), false)
    }

    /// Adds the lines that `make` returns, which is given the lines that others added meanwhile, a torn one at the end with
    /// them. Held against other processes. An empty result adds nothing.
    ///
    /// - Throws: `FileError`; none of the lines is in the journal then.
    public func append(_ make: ([ArraySlice<UInt8>]) -> [[UInt8]]) throws(FileError) {
        try makeDirectories(directory(of: path))
        let lock = try FileDescriptor(path + ".lock", O_RDWR | O_CREAT)
        try lock.lock()
        let file = try open(O_RDWR | O_APPEND | O_CREAT)
        var (others, read, start) = try takeLines(from: file)
        let size = start + read.count
        // What follows the last newline is a torn line, as nobody else writes now. It may lack nothing but the newline.
        if size > position.offset {
            others.append(read[(position.offset - start)...])
            advance(to: size, in: read, from: start)
        }
        let lines = make(others)
        if lines.isEmpty { return }
        // It is ended, so that it spoils no other.
        var bytes: [UInt8] = [nil, UInt8(ascii: "\n")].contains(read.last) ? [] : [UInt8(ascii: "\n")]
        for line in lines {
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        do throws(FileError) {
            try file.write(bytes)
            try file.sync()
            // A new file, or one that somebody made and did not live to synchronise.
            if size == 0 { try syncDirectory(directory(of: path)) }
        } catch {
            _ = ftruncate(file.number, off_t(size))
            throw error
        }
        read += bytes
        advance(to: size + bytes.count, in: read, from: start)
        _ = consume lock
    }

    /// Opens the file, and refuses what is none: a pipe would wait for ever, a device never end.
    private func open(_ flags: Int32) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags | O_NONBLOCK)
        let kind = try file.status.st_mode & S_IFMT
        if kind == S_IFREG { return file }
        throw FileError(path: path, operation: .open, code: kind == S_IFDIR ? EISDIR : ENOTSUP)
    }

    /// - Returns: The new lines, and the bytes that were read to the file's end, with where they begin.
    private func takeLines(
        from file: borrowing FileDescriptor
    ) throws(FileError) -> (lines: [ArraySlice<UInt8>], bytes: [UInt8], start: Int) {
        // What was read last is read again, as the file may be another one.
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

    /// Whether `bytes`, which end at the position, end as those did that were there.
    private func isTail(_ bytes: ArraySlice<UInt8>) -> Bool {
        checksum(of: bytes.suffix(Position.tailCount)) == position.tail
    }

    /// Moves the position to `offset`; `bytes` are the file's from `start` on.
    private func advance(to offset: Int, in bytes: [UInt8], from start: Int) {
        // Where the head is not whole yet, all of the file is at hand.
        if position.offset < Position.headCount {
            position.head = checksum(of: bytes.prefix(min(offset, Position.headCount)))
        }
        position.tail = checksum(of: bytes[..<(offset - start)].suffix(Position.tailCount))
        position.offset = offset
    }
}

/// A checksum of `bytes`, the same on every computer: eight bytes at a time, each multiplied and folded in (after FNV-1a and
/// the finaliser of MurmurHash3). Against damage, not against malice.
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

/// What changes when anybody adds to a file, or puts another one in its place.
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

    /// Nil where there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

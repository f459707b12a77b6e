internal import CSystem
internal import Glibc

/// An open file that closes itself. Every call is repeated when a signal interrupts it.
struct FileDescriptor: ~Copyable {
    /// What system calls know it by.
    let number: Int32
    /// The path it was opened by.
    let path: String

    /// Opens the file at `path`; a new one is for its owner only, unless `mode` says otherwise.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
        self.path = path
        number = retrying { open(path, flags | O_CLOEXEC, mode) }
        if number < 0 { throw FileError(path: path, operation: .open, code: errno) }
    }

    /// A descriptor of its own for what `other` is open on.
    init(duplicating other: Int32, path: String) throws(FileError) {
        self.path = path
        number = fcntl(other, F_DUPFD_CLOEXEC, 3)
        if number < 0 { throw FileError(path: path, operation: .open, code: errno) }
    }

    /// A new file without a name in `directory`, gone when it is closed.
    init(temporaryIn directory: String) throws(FileError) {
        path = directory
        let withoutName = cs_open_temporary(directory)
        if withoutName < 0 { throw FileError(path: directory, operation: .write, code: errno) }
        number = withoutName
    }

    deinit { _ = close(number) }

    /// Reads bytes from `offset` on; fewer than `buffer` holds only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        var count = 0
        while count < buffer.count {
            let read = retrying {
                pread(number, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(offset + count))
            }
            if read < 0 { throw FileError(path: path, operation: .read, code: errno) }
            if read == 0 { break }
            count += read
        }
        return count
    }

    /// Reads what is there, and waits where nothing is; empty at the end.
    func readAvailable(upTo limit: Int) throws(FileError) -> [UInt8] {
        // A FIFO that nobody has opened for writing yet is at its end to read(), but not to poll().
        var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = retrying { poll(&descriptor, 1, -1) }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let read = retrying { Glibc.read(number, buffer.baseAddress, buffer.count) }
            failed = read < 0
            count = max(0, read)
        }
        if failed { throw FileError(path: path, operation: .read, code: errno) }
        return bytes
    }

    /// What fstat() says of it.
    var status: stat {
        get throws(FileError) {
            var status = stat()
            if fstat(number, &status) != 0 { throw FileError(path: path, operation: .open, code: errno) }
            return status
        }
    }

    /// The bytes from `offset` to the end.
    func readToEnd(from offset: Int = 0) throws(FileError) -> [UInt8] {
        let size = try Int(status.st_size)
        var failure: FileError?
        // One byte more than the file is said to have: its end is then seen without another call.
        var bytes = [UInt8](unsafeUninitializedCapacity: max(0, size - offset) + 1) { buffer, count in
            preferLargePages(in: UnsafeMutableRawBufferPointer(buffer))
            failure = fill(buffer, count: &count, from: offset)
        }
        if let failure { throw failure }
        // The file grew while it was read.
        while bytes.count > size - offset {
            let more = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                failure = fill(buffer, count: &count, from: offset + bytes.count)
            }
            if let failure { throw failure }
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int, from offset: Int) -> FileError? {
        while count < buffer.count, let base = buffer.baseAddress {
            let position = offset + count
            let read = retrying { pread(number, base + count, buffer.count - count, off_t(position)) }
            if read < 0 { return FileError(path: path, operation: .read, code: errno) }
            if read == 0 { return nil }
            count += read
        }
        return nil
    }

    /// Writes all of `bytes` where the file stands, or at its end when it was opened so.
    func write(_ bytes: [UInt8]) throws(FileError) {
        let code = bytes.withUnsafeBytes { writeAll($0) }
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
    }

    /// The same of bytes that are no array's.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let code = writeAll(bytes)
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
    }

    /// - Returns: Why not all could be written; zero where it was.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = retrying {
                Glibc.write(number, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0 { return errno }
            written += count
        }
        return 0
    }

    /// Waits until what was written is on the disk.
    func sync() throws(FileError) {
        if retrying({ fsync(number) }) != 0 { throw FileError(path: path, operation: .sync, code: errno) }
    }

    /// Holds the file until it is closed. Where another process does, waits for it, but not for ever: one that was
    /// stopped must not stop us.
    func lock() throws(FileError) {
        for _ in 0..<Self.lockAttempts {
            if lockIfFree() { return }
            if errno != EWOULDBLOCK && errno != EINTR { break }
            usleep(Self.lockPause)
        }
        throw FileError(path: path, operation: .lock, code: errno)
    }

    /// Two seconds in all.
    private static let lockAttempts = 1000
    private static let lockPause: useconds_t = 2000

    /// Holds the file until it is closed, where no other process does.
    func lockIfFree() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0
    }
}

/// The result of a system call that is made again as long as signals interrupt it.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

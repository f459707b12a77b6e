internal import CSystem
internal import Glibc

/// A file descriptor that closes itself and repeats system calls interrupted by a signal.
struct FileDescriptor: ~Copyable {
    /// The descriptor's number for system calls.
    let number: Int32
    /// The path that was opened.
    let path: String

    /// Opens the file at `path`; a new file has the permissions `mode`, 0600 by default.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
        self.path = path
        number = retrying { open(path, flags | O_CLOEXEC, mode) }
        if number < 0 { throw FileError(path: path, operation: .open, code: errno) }
    }

    /// Takes over an open descriptor.
    init(owning number: Int32, path: String) { (self.number, self.path) = (number, path) }

    /// Duplicates the descriptor `other`.
    init(duplicating other: Int32, path: String) throws(FileError) {
        self.path = path
        number = fcntl(other, F_DUPFD_CLOEXEC, 3)
        if number < 0 { throw FileError(path: path, operation: .open, code: errno) }
    }

    /// Creates a file without a name in `directory`, which is deleted when it is closed.
    init(temporaryIn directory: String) throws(FileError) {
        path = directory
        let withoutName = cs_open_temporary(directory)
        if withoutName < 0 { throw FileError(path: directory, operation: .write, code: errno) }
        number = withoutName
    }

    deinit { _ = close(number) }

    /// Reads bytes at `offset` and returns their number, which is less than `buffer.count` only at the end of the file.
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

    /// Reads the available bytes, or waits if there are none; an empty result means the end.
    func readAvailable(upTo limit: Int) throws(FileError) -> [UInt8] {
        // For read() a FIFO that has no writer yet is at its end, but poll() waits for the writer.
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

    /// The result of fstat().
    var status: stat {
        get throws(FileError) {
            var status = stat()
            if fstat(number, &status) != 0 { throw FileError(path: path, operation: .open, code: errno) }
            return status
        }
    }

    /// Returns the bytes from `offset` to the end.
    func readToEnd(from offset: Int = 0) throws(FileError) -> [UInt8] {
        let size = try Int(status.st_size)
        var failure: FileError?
        // One byte more than the expected size detects the end of the file without another call.
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

    /// Writes all of `bytes` at the current position, or at the end if the file was opened with O_APPEND.
    func write(_ bytes: [UInt8]) throws(FileError) {
        let code = bytes.withUnsafeBytes { writeAll($0) }
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
    }

    /// Writes all of `bytes` like `write(_:)` for arrays.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let code = writeAll(bytes)
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
    }

    /// - Returns: The `errno` of a failed write, or zero.
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

    /// Waits until the written bytes are on disk.
    func sync() throws(FileError) {
        if retrying({ fsync(number) }) != 0 { throw FileError(path: path, operation: .sync, code: errno) }
    }

    /// Locks the file until it is closed; waits at most two seconds for another process, since that process may be
    /// stopped.
    func lock() throws(FileError) {
        for _ in 0..<Self.lockAttempts {
            if lockIfFree() { return }
            if errno != EWOULDBLOCK && errno != EINTR { break }
            usleep(Self.lockPause)
        }
        throw FileError(path: path, operation: .lock, code: errno)
    }

    /// Two seconds in total.
    private static let lockAttempts = 1000
    private static let lockPause: useconds_t = 2000

    /// Locks the file until it is closed, unless another process holds the lock.
    func lockIfFree() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0
    }

    /// Unlocks the file, also for copies of the descriptor.
    func unlock() { _ = flock(number, LOCK_UN) }
}

/// Returns the result of a system call, repeated as long as signals interrupt it.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

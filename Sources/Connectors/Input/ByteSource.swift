internal import ConnectorProtocol
internal import Glibc

/// A stream of bytes.
protocol ByteSource: AnyObject {
    /// Fills the start of a buffer with the next bytes.
    ///
    /// - Returns: The number of bytes; zero at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int

    /// Whether the stream was cut off according to its format.
    var isCut: Bool { get }
}

extension ByteSource {
    /// Returns the next bytes, up to `limit`, and fewer only at the end.
    func read(upTo limit: Int) throws(ConnectorFailure) -> [UInt8] { try read(upTo: limit, fills: true) }

    /// Returns the next available bytes, up to `limit`; empty only at the end.
    func readSome(upTo limit: Int) throws(ConnectorFailure) -> [UInt8] { try read(upTo: limit, fills: false) }

    private func read(upTo limit: Int, fills: Bool) throws(ConnectorFailure) -> [UInt8] {
        // The limit is often a thousand times the available data. Clearing a buffer of that size takes longer than
        // reading.
        var bytes = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        var count = 0
        while count < limit {
            if count == bytes.count {
                bytes += [UInt8](repeating: 0, count: min(limit - count, count))
            }
            var failure: ConnectorFailure?
            let added = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(ConnectorFailure) {
                    return try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if added == 0 { break }
            count += added
            if !fills { break }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// The bytes of a file.
final class FileBytes: ByteSource {
    /// The file's descriptor.
    let descriptor: Int32
    private let path: String
    let isCut = false

    /// Opens a regular file.
    init(_ path: String) throws(ConnectorFailure) {
        self.path = path
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path) }
        guard FileState(descriptor: descriptor)?.isRegular == true else {
            throw ConnectorFailure(.unsupported, .notAFile, subject: path)
        }
    }

    /// Takes over an open descriptor, such as a pipe from a program.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw .cannotRead(path) }
        }
    }
}

/// Bytes that were already read, followed by the rest of a stream.
final class PrefixedBytes: ByteSource {
    private var prefix: ArraySlice<UInt8>
    private let rest: (any ByteSource)?

    var isCut: Bool { rest?.isCut ?? false }

    /// Creates a stream of `prefix` followed by `rest`.
    init(_ prefix: [UInt8], before rest: (any ByteSource)? = nil) {
        self.prefix = prefix[...]
        self.rest = rest
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        if prefix.isEmpty { return try rest?.read(into: buffer) ?? 0 }
        let count = min(prefix.count, buffer.count)
        buffer.copyBytes(from: prefix.prefix(count))
        prefix = prefix.dropFirst(count)
        return count
    }
}

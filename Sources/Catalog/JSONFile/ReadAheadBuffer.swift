internal import JSON
internal import Storage

/// A part of a file, read at once for the records in it.
package struct ReadAheadBuffer: ~Copyable {
    private var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private var offset = 0
    private var count = 0

    /// The number of bytes to read, about a screenful of records.
    private static let length = 1 << 14

    /// Creates an empty buffer.
    package init() {}

    deinit { bytes.deallocate() }

    /// Reads the bytes from `offset`; the buffer is empty if that fails.
    ///
    /// - Returns: False if the bytes are being fetched.
    mutating func read(_ input: any ByteInput, from offset: Int) -> Bool {
        if bytes.isEmpty { bytes = .allocate(capacity: Self.length + JSONReader.paddingCount) }
        self.offset = offset
        let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[..<Self.length]))
        let read = input.fetch(into: room, at: offset)
        count = read ?? 0
        bytes[count..<count + JSONReader.paddingCount].update(repeating: 0)
        return read != nil
    }

    /// Returns a reader that starts at the given file offset, or nil if the buffer does not contain it; valid until the
    /// next `read`.
    func reader(at place: Int) -> JSONReader? {
        guard place >= offset, place < offset + count, let base = bytes.baseAddress else { return nil }
        return JSONReader(base + (place - offset), count: count - (place - offset))
    }
}

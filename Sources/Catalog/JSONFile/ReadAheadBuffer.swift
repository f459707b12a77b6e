internal import JSON
internal import Storage

/// A stretch of a file that was read at once, for the records in it.
struct ReadAheadBuffer: ~Copyable {
    private var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private var offset = 0
    private var count = 0

    /// As many bytes as a screen of records has.
    private static let length = 1 << 14

    deinit { bytes.deallocate() }

    /// Reads the stretch from `offset` on; there is nothing in it where that fails.
    mutating func read(_ file: RandomAccessInput, from offset: Int) {
        if bytes.isEmpty { bytes = .allocate(capacity: Self.length + JSONReader.paddingCount) }
        self.offset = offset
        let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[..<Self.length]))
        count = (try? file.read(into: room, at: offset)) ?? 0
        bytes[count..<count + JSONReader.paddingCount].update(repeating: 0)
    }

    /// A reader of the stretch from this byte of the file on; nil where it is not in it. It is good until the next `read`.
    func reader(at place: Int) -> JSONReader? {
        guard place >= offset, place < offset + count, let base = bytes.baseAddress else { return nil }
        return JSONReader(base + (place - offset), count: count - (place - offset))
    }
}

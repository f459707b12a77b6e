/// Many small texts in few blocks of memory, at addresses that do not change.
struct ByteArena: ~Copyable {
    private var blocks: [UnsafeMutableRawBufferPointer] = []
    private var used = 0

    private static let blockSize = 1 << 18

    deinit { for block in blocks { block.deallocate() } }

    /// Returns room for `count` bytes, which are not initialized.
    mutating func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if blocks.isEmpty || used + count > blocks[blocks.count - 1].count {
            blocks.append(.allocate(byteCount: max(Self.blockSize, count), alignment: 8))
            used = 0
        }
        defer { used += count }
        let block = blocks[blocks.count - 1]
        return block.bindMemory(to: UInt8.self).baseAddress.map { $0 + used } ?? .allocate(capacity: count)
    }

    /// Returns a copy of `bytes`.
    mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let room = room(bytes.count)
        if let base = bytes.baseAddress { room.update(from: base, count: bytes.count) }
        return UnsafeBufferPointer(start: room, count: bytes.count)
    }
}

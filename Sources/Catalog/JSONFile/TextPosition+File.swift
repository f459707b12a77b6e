internal import JSON
internal import Storage

extension TextPosition {
    /// Finds the position of a byte in a file by reading up to it; if the file ends earlier, the result is the position
    /// of its end.
    init(of offset: Int, in file: RandomAccessInput) {
        self = Self.positions(of: [offset], in: file)[0]
    }

    /// Returns the positions of the bytes at `offsets`, in the same order, as far as the file can be read. The file is
    /// read once.
    static func positions(of offsets: [Int], in file: RandomAccessInput) -> [TextPosition] {
        var positions = offsets.map { _ in TextPosition(line: 1, column: 1, byteOffset: 0) }
        var position = TextPosition(line: 1, column: 1, byteOffset: 0)
        for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            position.advance(to: offsets[index], in: file)
            positions[index] = position
            positions[index].column = max(1, position.column)
        }
        return positions
    }

    private mutating func advance(to offset: Int, in file: RandomAccessInput) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while byteOffset < offset {
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(offset - byteOffset))
            guard let count = try? file.read(into: wanted, at: byteOffset), count > 0 else { return }
            if byteOffset == 0, wanted.starts(with: [0xEF, 0xBB, 0xBF]) { column = 0 }
            for byte in wanted.prefix(count) { advance(over: byte) }
        }
    }
}

internal import Glibc

/// The byte ranges of the non-empty lines of a buffer, without newlines. Runs at memory speed, whereas `split` takes
/// nanoseconds per byte.
public struct LineRanges: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offset after the newline of the most recent line.
    public private(set) var offset: Int

    /// Creates the ranges of the lines from `offset` on.
    public init(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Returns the range of the next line.
    public mutating func next() -> Range<Int>? {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
        while offset < bytes.count {
            let start = offset
            let newline = memchr(base + start, 0x0A, bytes.count - start)
            let end = newline.map { base.distance(to: UnsafeRawPointer($0)) } ?? bytes.count
            offset = Swift.min(end + 1, bytes.count)
            if end > start { return start..<end }
        }
        return nil
    }
}

/// Returns the non-empty lines of `bytes` without newlines.
public func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.withUnsafeBufferPointer { buffer in
        LineRanges(buffer).map { bytes[bytes.startIndex + $0.lowerBound..<bytes.startIndex + $0.upperBound] }
    }
}

/// A growable buffer for appending single bytes millions of times without an array's checks for uniqueness and bounds.
public struct ByteBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// The number of bytes; lowering it drops the last ones.
    public var count = 0

    /// Creates an empty buffer with this capacity.
    public init(capacity: Int = 256) {
        base = .allocate(capacity: max(1, capacity))
        self.capacity = max(1, capacity)
    }

    deinit { base.deallocate() }

    /// The bytes, valid until the next change.
    @inlinable
    public var bytes: UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(start: base, count: count) }

    /// The address of the next byte to append.
    var end: UnsafeMutablePointer<UInt8> { base + count }

    /// Reserves capacity for `additional` bytes. Amortized O(1) per byte.
    @inlinable @inline(__always)
    mutating func reserve(_ additional: Int) {
        if count + additional > capacity { grow(to: count + additional) }
    }

    @usableFromInline @inline(never)
    mutating func grow(to minimum: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: max(minimum, 2 * capacity))
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = max(minimum, 2 * capacity)
    }

    /// Appends a byte without checking the capacity.
    @inlinable @inline(__always)
    mutating func appendWithinCapacity(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// Appends a byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        appendWithinCapacity(byte)
    }

    /// Appends the last `digitCount` decimal digits of a number.
    public mutating func append(_ number: Int, digitCount: Int) {
        reserve(digitCount)
        var rest = number.magnitude
        var position = digitCount
        // Two digits at a time: each division depends on the previous one.
        while position > 0 {
            let pair = UInt8(truncatingIfNeeded: rest % 100)
            rest /= 100
            position -= 1
            base[count + position] = UInt8(ascii: "0") + pair % 10
            if position > 0 {
                position -= 1
                base[count + position] = UInt8(ascii: "0") + pair / 10
            }
        }
        count += digitCount
    }
}

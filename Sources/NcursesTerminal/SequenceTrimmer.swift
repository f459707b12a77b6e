/// Takes out of what ncurses writes what changes nothing: of the bytes of a key one in ten.
///
/// With each change of emphasis ncurses chooses the usual character set, as the descriptions of most terminals have it
/// ("ESC ( B", or the control character SI), though no other is ever chosen; and it turns off all emphasis where none is
/// on ("ESC [ 0 ; 1 m" after "ESC [ m"). The text of cells has no controls, so that none of these bytes is text.
struct SequenceTrimmer {
    /// Whether emphasis and colours are off.
    private var isPlain = false

    /// Takes it out of the first `count` bytes of `bytes`.
    ///
    /// - Returns: How many bytes are left.
    mutating func trim(_ bytes: inout [UInt8], count: Int) -> Int {
        bytes.withUnsafeMutableBufferPointer { bytes in
            var (read, written) = (0, 0)
            while read < count {
                let byte = bytes[read]
                if byte == 0x0F {
                    read += 1
                    continue
                }
                if byte == 0x1B, read + 2 < count {
                    if bytes[read + 1] == UInt8(ascii: "("), bytes[read + 2] == UInt8(ascii: "B") {
                        read += 3
                        continue
                    }
                    if bytes[read + 1] == UInt8(ascii: "[") {
                        let end = endOfSequence(in: bytes, from: read + 2, count: count)
                        let isLook = end < count && bytes[end] == UInt8(ascii: "m")
                        var parameters = read + 2
                        if isLook {
                            let resets = bytes[parameters] == UInt8(ascii: "0")
                            if isPlain && resets && parameters + 1 < end && bytes[parameters + 1] == UInt8(ascii: ";") {
                                parameters += 2
                            }
                            isPlain = end == read + 2 || resets && end == read + 3
                        }
                        bytes[written] = 0x1B
                        bytes[written + 1] = UInt8(ascii: "[")
                        written += 2
                        for index in parameters..<min(end + 1, count) {
                            bytes[written] = bytes[index]
                            written += 1
                        }
                        read = min(end + 1, count)
                        continue
                    }
                }
                bytes[written] = byte
                written += 1
                read += 1
            }
            return written
        }
    }

    /// Where the final byte of a control sequence is (ECMA-48, section 5.4); `count` where it is missing.
    private func endOfSequence(in bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int, count: Int) -> Int {
        var index = start
        while index < count, !(0x40...0x7E).contains(bytes[index]) { index += 1 }
        return index
    }
}

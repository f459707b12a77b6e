internal import TerminalUI

/// A parser of replies that are control sequences (ECMA-48, section 5.4): the bytes after "ESC [".
struct ControlReply {
    /// The meaning of a byte for a reply.
    enum Part: Equatable {
        case isPart
        /// The byte completes a reply; nil means one that the program does not use.
        case isEnd(ProbeAnswer?)
        /// The byte completes a sequence that is no reply, but a key.
        case isKey
    }

    /// The bytes so far.
    private(set) var bytes: [UInt8] = []

    /// Longer than any reply, in bytes.
    private static let longest = 128

    /// Parses the next byte.
    mutating func take(_ byte: UInt8) -> Part {
        if !(0x40...0x7E).contains(byte) {
            if bytes.count < Self.longest { bytes.append(byte) }
            return .isPart
        }
        let numbers = String(decoding: bytes.drop { $0 == UInt8(ascii: "?") }, as: UTF8.self)
            .split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch (byte, bytes.first) {
        case (UInt8(ascii: "c"), UInt8(ascii: "?")): return .isEnd(.attributes(numbers))
        // Other attributes of the device, and modes.
        case (UInt8(ascii: "c"), UInt8(ascii: ">")), (UInt8(ascii: "c"), UInt8(ascii: "=")),
            (UInt8(ascii: "y"), UInt8(ascii: "?")):
            return .isEnd(nil)
        case (UInt8(ascii: "t"), _) where numbers.count == 3:
            if numbers[0] == 6 { return .isEnd(CellPixels(width: numbers[2], height: numbers[1]).map { .cell($0) }) }
            return .isEnd(numbers[0] == 4 ? .window(height: numbers[1], width: numbers[2]) : nil)
        default: return .isKey
        }
    }

    /// Whether the bytes can begin a reply, and hardly a key.
    var isReply: Bool {
        bytes.first == UInt8(ascii: "?") || bytes.starts(with: [0x34, 0x3B]) || bytes.starts(with: [0x36, 0x3B])
    }
}

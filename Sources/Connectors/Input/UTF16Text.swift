internal import ConnectorProtocol

/// Converts UTF-16 to UTF-8.
final class UTF16Text: ByteSource {
    private let source: any ByteSource
    private let isBigEndian: Bool
    private var rest: [UInt8] = []
    private var converted: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var endsWithinUnit = false

    var isCut: Bool { source.isCut || endsWithinUnit }

    /// Creates a stream of the text in `source`, which starts after the byte order mark.
    init(_ source: any ByteSource, isBigEndian: Bool) {
        self.source = source
        self.isBigEndian = isBigEndian
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        while converted.isEmpty {
            if isAtEnd { return 0 }
            try convert()
        }
        let count = min(converted.count, buffer.count)
        buffer.copyBytes(from: converted.prefix(count))
        converted = converted.dropFirst(count)
        return count
    }

    private func convert() throws(ConnectorFailure) {
        let added = try source.read(upTo: 1 << 16)
        isAtEnd = added.isEmpty
        let bytes = rest + added
        var units = utf16Units(bytes[...], isBigEndian: isBigEndian)
        rest = Array(bytes.suffix(bytes.count % 2))
        if isAtEnd {
            endsWithinUnit = !rest.isEmpty
        } else if let last = units.last, UTF16.isLeadSurrogate(last) {
            // The second half of the surrogate pair is in the next part.
            units.removeLast()
            rest = Array(bytes.suffix(bytes.count % 2 + 2))
        }
        converted = Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }
}

/// Returns the UTF-16 code units of pairs of bytes; an odd byte at the end is ignored.
func utf16Units(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
        let first = UInt16(bytes[index])
        let second = UInt16(bytes[index + 1])
        units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        index += 2
    }
    return units
}

/// A table that is written in the program and looked up where it stands: nothing is made of it when the program starts.
///
/// Its text is "key=value|key=value", sorted by the bytes of the keys.
struct StaticTable: Sendable, CustomStringConvertible {
    private let text: StaticString

    /// The table that `text` is.
    init(_ text: StaticString) {
        self.text = text
    }

    /// The table as it is written.
    var description: String { text.description }

    /// The value of `key`, in UTF-8; nil where there is none. Takes the logarithm of the table's size.
    func value(of key: some Collection<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var (low, high) = (0, bytes.count)
        while low < high {
            // The entry around the middle.
            var start = low + (high - low) / 2
            while start > low && bytes[start - 1] != UInt8(ascii: "|") { start -= 1 }
            var middle = start
            while bytes[middle] != UInt8(ascii: "=") { middle += 1 }
            var end = middle
            while end < high && bytes[end] != UInt8(ascii: "|") { end += 1 }
            let entry = bytes[start..<middle]
            if entry.elementsEqual(key) { return UnsafeBufferPointer(rebasing: bytes[middle + 1..<end]) }
            if entry.lexicographicallyPrecedes(key) { low = min(end + 1, high) } else { high = max(start - 1, low) }
        }
        return nil
    }

    /// Whether `key` has a value.
    func has(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { value(of: $0) } != nil
    }

    /// The value of `key`; nil where there is none.
    subscript(key: some StringProtocol) -> String? {
        value(of: key.utf8).map { String(decoding: $0, as: UTF8.self) }
    }
}

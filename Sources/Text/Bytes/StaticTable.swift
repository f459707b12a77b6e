/// A table stored as text in the program and searched in place, so that it costs nothing at start-up.
///
/// The text is "key=value|key=value", sorted by the bytes of the keys.
struct StaticTable: Sendable, CustomStringConvertible {
    private let text: StaticString

    /// Creates a table of `text`.
    init(_ text: StaticString) {
        self.text = text
    }

    /// The text of the table.
    var description: String { text.description }

    /// Returns the value of `key` in UTF-8. O(log n).
    func value(of key: some Collection<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var (low, high) = (0, bytes.count)
        while low < high {
            // Find the entry that contains the middle.
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

    /// Returns whether the table contains `key`.
    func has(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { value(of: $0) } != nil
    }

    /// The value of `key`.
    subscript(key: some StringProtocol) -> String? {
        value(of: key.utf8).map { String(decoding: $0, as: UTF8.self) }
    }
}

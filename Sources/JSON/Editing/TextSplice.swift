/// A replacement of a byte range in a text.
public struct TextSplice: Hashable, Sendable {
    /// The range in the text before the change; empty for an insertion.
    public var range: Range<Int>
    /// The new bytes; empty for a deletion.
    public var bytes: [UInt8]

    /// Creates a change of the bytes in `range`.
    public init(_ range: Range<Int>, _ bytes: [UInt8] = []) {
        (self.range, self.bytes) = (range, bytes)
    }

    /// Returns this change for a text in which `offset` bytes precede.
    public func moved(by offset: Int) -> TextSplice {
        TextSplice(range.lowerBound + offset..<range.upperBound + offset, bytes)
    }
}

extension [TextSplice] {
    /// The changes in text order; insertions at the same offset keep their order and come before a replacement there.
    public var inOrder: [TextSplice] { order.map { self[$0] } }

    /// The indices of these changes in the order of the text.
    public var order: [Int] {
        indices.sorted { left, right in
            let (one, other) = (self[left].range, self[right].range)
            if one.lowerBound != other.lowerBound { return one.lowerBound < other.lowerBound }
            if one.isEmpty != other.isEmpty { return one.isEmpty }
            return left < right
        }
    }

    /// Returns `text` with these changes, which must not overlap.
    public func applied(to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var end = 0
        for splice in inOrder {
            result += text[end..<splice.range.lowerBound]
            result += splice.bytes
            end = splice.range.upperBound
        }
        return result + text[end...]
    }
}

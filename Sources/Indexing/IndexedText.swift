public import Glibc

/// An iterator over the lines of a book's text in an index.
public struct IndexedText: Sequence, IteratorProtocol {
    /// One line of the text.
    public struct Line {
        /// The field that the line belongs to.
        public var kind: IndexedTextField
        /// The normalized text.
        public var content: UnsafeBufferPointer<UInt8>

        /// Creates a line of this field.
        @inlinable @inline(__always)
        public init(kind: IndexedTextField, content: UnsafeBufferPointer<UInt8>) {
            (self.kind, self.content) = (kind, content)
        }
    }

    @usableFromInline let text: UnsafeBufferPointer<UInt8>
    @usableFromInline var offset = 0
    @usableFromInline var isFirst = true

    /// Creates an iterator over `text`.
    @inlinable @inline(__always)
    public init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Returns the next line.
    @inlinable @inline(__always)
    public mutating func next() -> Line? {
        guard offset < text.count, let base = text.baseAddress else { return nil }
        let rest = base + offset
        guard let newline = memchr(rest, 0x0A, text.count - offset) else {
            defer { offset = text.count }
            return Line(kind: .isbn, content: UnsafeBufferPointer(rebasing: text[offset...]))
        }
        let count = UnsafeRawPointer(rest).distance(to: UnsafeRawPointer(newline))
        offset += count + 1
        if isFirst {
            isFirst = false
            return Line(kind: .title, content: UnsafeBufferPointer(start: rest, count: count))
        }
        if count > 0, rest.pointee < 0x20, let kind = IndexedTextField(rawValue: rest.pointee) {
            return Line(kind: kind, content: UnsafeBufferPointer(start: rest + 1, count: count - 1))
        }
        return Line(kind: .author, content: UnsafeBufferPointer(start: rest, count: count))
    }
}

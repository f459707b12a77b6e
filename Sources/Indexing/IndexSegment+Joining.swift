internal import Text

extension IndexSegment {
    /// Consecutive books of a segment whose records have moved in the file.
    public struct Part: Sendable {
        /// The segment.
        public var segment: IndexSegment
        /// The range of books in the segment.
        public var books: Range<Int>
        /// The number of bytes by which their records have moved.
        public var shift: Int

        /// Creates a part with the books in `books`, or all of the segment.
        public init(_ segment: IndexSegment, _ books: Range<Int>? = nil, shift: Int = 0) {
            (self.segment, self.books, self.shift) = (segment, books ?? 0..<segment.count, shift)
        }

        /// The number of bytes of text.
        fileprivate var textCount: Int { (books.last.map(segment.textEnd(at:)) ?? 0) - textStart }

        /// The start of the text of the first book.
        fileprivate var textStart: Int { books.lowerBound == 0 ? 0 : segment.textEnd(at: books.lowerBound - 1) }

        fileprivate func offset(at index: Int) -> Int { segment.offset(at: index) + shift }
    }

    /// The end of the text of the book at `index`; never outside the text, whatever a damaged index contains.
    fileprivate func textEnd(at index: Int) -> Int { min(Int(textEnds[index]), text.count) }

    /// The layout of a segment with the books of `parts`, whose record offsets are relative to the first of them.
    static func layout(joining parts: [Part]) -> Layout {
        Layout(
            count: parts.reduce(0) { $0 + $1.books.count },
            base: UInt64(bitPattern: Int64(parts.first.map { $0.offset(at: $0.books.lowerBound) } ?? 0)),
            columns: parts.reduce(into: Columns()) { $0.formUnion($1.segment.layout.columns) })
    }

    /// The number of bytes of memory of a segment with the books of `parts`.
    static func byteCount(joining parts: [Part]) -> Int {
        let layout = layout(joining: parts)
        return size(
            count: layout.count, columns: layout.columns, textCount: parts.reduce(0) { $0 + max(0, $1.textCount) })
    }

    /// Creates a segment from the books of `parts`, in this order. Linear in their memory.
    ///
    /// The records must ascend in the file and span at most `maximumLength` bytes, and the texts at most
    /// `maximumTextCount`.
    ///
    /// - Parameter base: What the record offsets are relative to; the first of them if nil.
    public convenience init(joining parts: [Part], base: Int? = nil) {
        let layout = Self.layout(joining: parts)
        let (count, columns, base) = (layout.count, layout.columns, base ?? Int(bitPattern: UInt(layout.base)))
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.byteCount(joining: parts), alignment: 8)
        var writer = MemoryWriter(rest: memory)
        writer.write(CollectionOfOne(UInt64(base)))
        writer.write(CollectionOfOne(columns.rawValue))
        for part in parts { writer.write(part.segment.hashes[part.books]) }
        for part in parts {
            writer.write(part.books.lazy.map { UInt32(truncatingIfNeeded: part.offset(at: $0) - base) })
        }
        var textEnd = 0
        for part in parts {
            let start = part.textStart
            writer.write(
                part.books.lazy.map { [textEnd] in
                    UInt32(truncatingIfNeeded: textEnd + max(0, part.segment.textEnd(at: $0) - start))
                })
            textEnd += max(0, part.textCount)
        }
        func write<Element>(
            _ column: Columns, _ values: (IndexSegment) -> UnsafeBufferPointer<Element>, orElse none: Element
        ) {
            if !columns.contains(column) { return }
            for part in parts {
                let known = values(part.segment)
                if known.isEmpty {
                    writer.write(repeatElement(none, count: part.books.count))
                } else {
                    writer.write(known[part.books])
                }
            }
        }
        let unknown = NumericFields()
        write(.added, { $0.added }, orElse: unknown.added)
        write(.positions, { $0.positions }, orElse: unknown.position)
        write(.years, { $0.years }, orElse: unknown.year)
        write(.pages, { $0.pages }, orElse: unknown.pages)
        write(.languages, { $0.languages }, orElse: unknown.language.bits)
        write(.ratings, { $0.ratings }, orElse: unknown.rating)
        write(.traits, { $0.traits }, orElse: unknown.traits.rawValue)
        for part in parts {
            // The ends may have changed since the memory was allocated, if the file with them was truncated.
            let start = part.textStart
            let count = min(max(0, part.textCount), part.segment.text.count - start, writer.rest.count)
            writer.write(part.segment.text[start..<start + count])
        }
        self.init(count: count, memory: UnsafeRawBufferPointer(memory), owner: nil)
    }

    /// Returns this segment for a file whose records have moved by `shift` bytes; it shares the memory.
    public func shifted(by shift: Int) -> IndexSegment {
        shift == 0 ? self : IndexSegment(of: self, 0..<count, shift: shift)
    }

    /// Returns the segment with some of its books, which shares the memory if that is sound. Linear in the books, four bytes
    /// for each.
    public func part(_ books: Range<Int>) -> IndexSegment {
        if books == 0..<count { return self }
        return hasSoundText ? IndexSegment(of: self, books, shift: 0) : IndexSegment(joining: [Part(self, books)])
    }

    /// The number of bytes of its memory in one piece.
    public var byteCount: Int {
        memory?.count ?? Self.size(count: count, columns: layout.columns, textCount: textCount)
    }

    /// Calls `body` with its memory in one piece, which is made if it is a part of another segment.
    public func withMemory<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        if let memory { return try body(memory) }
        let copy = IndexSegment(joining: [Part(self)], base: Int(bitPattern: UInt(layout.base)))
        if let memory = copy.memory { try body(memory) }
        withExtendedLifetime(copy) {}
    }

    /// The number of bytes of text.
    public var textCount: Int { text.count }
}

/// Writes values to consecutive memory.
private struct MemoryWriter {
    var rest: UnsafeMutableRawBufferPointer

    mutating func write<Values: Collection>(_ values: Values) {
        let size = values.count * MemoryLayout<Values.Element>.stride
        let room = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(size))
        rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(size))
        _ = room.bindMemory(to: Values.Element.self).initialize(fromContentsOf: values)
    }
}

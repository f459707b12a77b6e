public import Books
internal import Storage

/// The index of a catalog's books in catalog order, which answers queries without decoding records.
public struct BookIndex: Sendable {
    /// The segments, in catalog order.
    public private(set) var segments: [IndexSegment] = []
    /// The index of the first book of each segment.
    public private(set) var starts: [Int] = []
    /// The number of books.
    public private(set) var count = 0

    /// Creates an empty index.
    public init() {}

    /// Creates an index of decoded books.
    public init(of books: [Book]) {
        var builder = SegmentWriter()
        for book in books { builder.add(book, offset: 0) }
        for segment in builder.take() { append(segment) }
    }

    /// Appends the books of a segment.
    public mutating func append(_ segment: IndexSegment) {
        if segment.count == 0 { return }
        segments.append(segment)
        starts.append(count)
        count += segment.count
    }

    /// Returns the segments of the books in `books`; a segment that is only partly in the range is copied in part.
    public func segments(of books: Range<Int>) -> [IndexSegment] {
        var found: [IndexSegment] = []
        var number = books.isEmpty ? segments.count : segmentNumber(of: books.lowerBound)
        while number < segments.count, starts[number] < books.upperBound {
            let segment = segments[number]
            let range = books.clamped(to: starts[number]..<starts[number] + segment.count)
            found.append(segment.part(range.lowerBound - starts[number]..<range.upperBound - starts[number]))
            number += 1
        }
        return found
    }

    /// Loads the text of a memory-mapped index from its file, so that the first search does not wait for pages.
    ///
    /// Takes a few milliseconds per million books.
    public func prepareToSearch() {
        for segment in segments {
            populatePages(of: UnsafeRawBufferPointer(segment.text))
            populatePages(of: UnsafeRawBufferPointer(segment.textEnds))
        }
    }

    /// Returns the segment of the book at `index`, and its index there. Logarithmic in the number of segments.
    private func location(of index: Int) -> (segment: IndexSegment, index: Int) {
        let number = segmentNumber(of: index)
        return (segments[number], index - starts[number])
    }

    /// Returns the number of the segment that contains the book at `index`. Logarithmic in the number of segments.
    public func segmentNumber(of index: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the file offset of the record of the book at `index`.
    public func offset(at index: Int) -> Int {
        let location = location(of: index)
        return location.segment.offset(at: location.index)
    }

    /// Returns the text of the book at `index`, valid as long as the index.
    public func text(at index: Int) -> IndexedText {
        let location = location(of: index)
        return IndexedText(location.segment.text(at: location.index))
    }

    /// Returns the numeric fields of the book at `index`.
    public func facts(at index: Int) -> NumericFields {
        let location = location(of: index)
        return location.segment.facts(at: location.index)
    }

    /// Returns the publication year of a book, if known. Logarithmic in the number of segments.
    public func year(of id: BookID) -> Int? {
        let year = facts(at: id.index).year
        return year == NumericFields.unknownYear ? nil : Int(year)
    }

    /// Returns the page count of a book, if it is known and within the range of the index. Logarithmic in the number of
    /// segments.
    public func pageCount(of id: BookID) -> Int? {
        let pages = facts(at: id.index).pages
        return pages == 0 || pages == .max ? nil : Int(pages)
    }

    /// Whether the year of any book is known. At most linear in the number of segments.
    public var hasYears: Bool { segments.contains { !$0.years.isEmpty } }

    /// Whether the page count of any book is known. At most linear in the number of segments.
    public var hasPages: Bool { segments.contains { !$0.pages.isEmpty } }

    /// Whether the rating of any book is known. At most linear in the number of segments.
    public var hasRatings: Bool { segments.contains { !$0.ratings.isEmpty } }

    /// Whether the day when any book was added is known. At most linear in the number of segments.
    public var hasDatesAdded: Bool { segments.contains { !$0.added.isEmpty } }

    /// Whether the language of any book is known. At most linear in the number of segments.
    public var hasLanguages: Bool { segments.contains { !$0.languages.isEmpty } }

    /// Whether the series position of any book is known. At most linear in the number of segments.
    public var hasSeriesPositions: Bool { segments.contains { !$0.positions.isEmpty } }

    /// Returns the keys of a book. Logarithmic in the number of segments.
    public func keys(of id: BookID) -> MatchKeys {
        let location = location(of: id.index)
        return location.segment.keys(at: location.index)
    }

    /// A checksum of the hashes of all books in their order. Linear in the books.
    public var checksum: UInt64 {
        var sum = OrderChecksum(count: count)
        for segment in segments { segment.hashes.forEach { sum.add($0) } }
        return sum.value
    }

    /// Returns the checksum that these books have in this order. Linear in the books, times the logarithm of the
    /// segments.
    public func checksum(of ids: [BookID]) -> UInt64 {
        var sum = OrderChecksum(count: ids.count)
        for id in ids {
            let location = location(of: id.index)
            sum.add(location.segment.hashes[location.index])
        }
        return sum.value
    }

    /// Returns the identity of a book. Linear in its index; `IdentityTable` is faster for many books.
    public func identity(of id: BookID) -> BookIdentity {
        let index = id.index
        let key = keys(of: id).identifying
        var occurrence = 0
        for (segment, start) in zip(segments, starts) where start <= index {
            let end = min(segment.count, index + 1 - start)
            for book in 0..<end {
                if key.isISBN {
                    if segment.isbn(at: book) == key { occurrence += 1 }
                } else if segment.hash(at: book) == key, segment.isbn(at: book) == nil {
                    occurrence += 1
                }
            }
        }
        return BookIdentity(key: key, occurrence: occurrence)
    }
}

/// Computes a checksum of a sequence of hashes.
private struct OrderChecksum {
    private(set) var value: UInt64

    init(count: Int) { value = UInt64(count) }

    /// Adds the next hash; the factor and the shift are those of `checksum(of:)` of bytes.
    mutating func add(_ hash: UInt64) {
        value = (value ^ hash) &* 0x9FB2_1C65_1E98_DF25
        value ^= value >> 32
    }
}

public import Books
internal import Storage

/// What is known of a catalog's books without decoding them, in the catalog's order.
public struct BookIndex: Sendable {
    package private(set) var segments: [IndexSegment] = []
    /// The number of the first book of each segment.
    package private(set) var starts: [Int] = []
    /// How many books there are.
    public private(set) var count = 0

    /// An index without books.
    public init() {}

    /// The index of books that are at hand.
    public init(of books: [Book]) {
        var builder = SegmentWriter()
        for book in books { builder.add(book, offset: 0) }
        for segment in builder.take() { append(segment) }
    }

    /// Adds the books of a segment.
    package mutating func append(_ segment: IndexSegment) {
        if segment.count == 0 { return }
        segments.append(segment)
        starts.append(count)
        count += segment.count
    }

    /// Has the text of all books at hand: where the index was kept, that is on pages of its file. Some milliseconds for a
    /// million books.
    public func prepareToSearch() {
        for segment in segments {
            populatePages(of: UnsafeRawBufferPointer(segment.text))
            populatePages(of: UnsafeRawBufferPointer(segment.textEnds))
        }
    }

    /// The segment of the book at `index`, and its place there. Logarithmic in the number of segments.
    private func place(of index: Int) -> (segment: IndexSegment, index: Int) {
        let number = segmentNumber(of: index)
        return (segments[number], index - starts[number])
    }

    /// Which segment has the book at `index`. Logarithmic in the number of segments.
    package func segmentNumber(of index: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        return low
    }

    /// The offset of the record of the book at `index`.
    package func offset(at index: Int) -> Int {
        let place = place(of: index)
        return place.segment.offset(at: place.index)
    }

    /// The text of the book at `index`. Valid as long as the index is.
    package func text(at index: Int) -> IndexedText {
        let place = place(of: index)
        return IndexedText(place.segment.text(at: place.index))
    }

    /// What is known of the book at `index` in numbers.
    package func facts(at index: Int) -> NumericFields {
        let place = place(of: index)
        return place.segment.facts(at: place.index)
    }

    /// The year in which a book was published, if it is known. Logarithmic in the number of segments.
    public func year(of id: BookID) -> Int? {
        let year = facts(at: id.index).year
        return year == NumericFields.unknownYear ? nil : Int(year)
    }

    /// The number of pages of a book, if it is known and not beyond what is kept of it. The same.
    public func pageCount(of id: BookID) -> Int? {
        let pages = facts(at: id.index).pages
        return pages == 0 || pages == .max ? nil : Int(pages)
    }

    /// Whether the year of any book is known. At most linear in the number of segments.
    public var hasYears: Bool { segments.contains { !$0.years.isEmpty } }

    /// Whether the number of pages of any book is known. At most linear in the number of segments.
    public var hasPages: Bool { segments.contains { !$0.pages.isEmpty } }

    /// Whether the place of any book in its series is known. At most linear in the number of segments.
    public var hasPlacesInSeries: Bool { segments.contains { !$0.positions.isEmpty } }

    /// The keys of a book. Logarithmic in the number of segments.
    public func keys(of id: BookID) -> MatchKeys {
        let place = place(of: id.index)
        return place.segment.keys(at: place.index)
    }

    /// The identity of a book. Linear in its number.
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

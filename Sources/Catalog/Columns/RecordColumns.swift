internal import Books
internal import Indexing
internal import JSON
internal import Storage
internal import Threading

extension RecordReader {
    /// Starts to make columns, those of a catalog's own fields from the records. Linear in the file, or in the text of the
    /// index.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    func columns(
        of sources: [ColumnSource], on pool: ThreadPool = .shared, notifying notify: @escaping @Sendable () -> Void
    ) -> BackgroundTask<[FieldColumn]> {
        let work = ColumnWork(sources)
        let length = RecordValueFinder.maximumCount
        let finders = stride(from: 0, to: work.own.count, by: length).map { start in
            let numbers = start..<min(start + length, work.own.count)
            return (finder: RecordValueFinder(Array(work.own[numbers]), by: decoder.mapping), work.ofOwn[numbers])
        }
        return ColumnMaking.start(work.plans, of: index.columnSlices, on: pool, notifying: notify) {
            books, collectors in
            for (finder, numbers) in finders { collect(books, finder, numbers.map { collectors[$0] }) }
            index.collect(books, work.lines, work.ofLines.map { collectors[$0] })
        }
    }

    /// Passes the values of consecutive books of one segment to the collectors.
    private func collect(_ books: Range<Int>, _ finder: RecordValueFinder, _ collectors: [ColumnCollector]) {
        if books.isEmpty { return }
        var stretch = RecordStretch(input, end: fileEnd)
        var found = RecordValueFinder.Finding()
        let number = index.segmentNumber(of: books.lowerBound)
        let (segment, start) = (index.segments[number], index.starts[number])
        // The record after the last one, if records are in the order of the file.
        stretch.expect(until: books.upperBound < index.count ? index.offset(at: books.upperBound) : fileEnd)
        // Threads that share the segment would count references to it for each book.
        let offsets = books.map { segment.offset(at: $0 - start) }
        for book in books {
            for collector in collectors { collector.begin(book) }
            // A record that is gone has no values.
            _ = stretch.read(at: offsets[book - books.lowerBound]) { reader throws(JSONSyntaxError) in
                try finder.collect(with: &reader, collectors, &found)
            }
            for collector in collectors { collector.end() }
        }
    }
}

/// Which of several columns are made from records, and which from the text of the index.
struct ColumnWork: Sendable {
    private(set) var plans: [ColumnPlan] = []
    private(set) var (own, ofOwn): ([BookField], [Int]) = ([], [])
    private(set) var (lines, ofLines): ([IndexedTextField], [Int]) = ([], [])

    init(_ sources: [ColumnSource]) {
        for (number, source) in sources.enumerated() {
            switch source {
            case .lines(let field):
                plans.append(ColumnPlan(of: field))
                lines.append(field)
                ofLines.append(number)
            case .own(let field):
                plans.append(ColumnPlan(of: field.info.own?.kind ?? .text))
                own.append(field)
                ofOwn.append(number)
            }
        }
    }
}

/// A part of a file with many records, which are read in their order.
private struct RecordStretch: ~Copyable {
    private let input: any ByteInput
    private let fileEnd: Int
    private var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private var offset = 0
    private var count = 0
    private var expectedEnd = 0

    /// The least and the greatest number of bytes that are read at once for several records.
    private static let (least, greatest) = (1 << 16, 1 << 22)

    init(_ input: any ByteInput, end: Int) { (self.input, fileEnd) = (input, end) }

    deinit { bytes.deallocate() }

    /// Notes where the last record that will be read ends, as far as that is known.
    mutating func expect(until end: Int) { expectedEnd = end }

    /// Calls `body` with a reader at `place`, once or several times, as long as it throws because the text is cut.
    ///
    /// - Returns: Whether `body` has returned without an error.
    mutating func read(at place: Int, _ body: (inout JSONReader) throws(JSONSyntaxError) -> Void) -> Bool {
        // A damaged index may contain arbitrary numbers.
        guard (0..<fileEnd).contains(place) else { return false }
        if place < offset || place >= offset + count {
            let expected = expectedEnd > place ? expectedEnd - place : 0
            load(place, length: min(max(expected, Self.least), Self.greatest))
        }
        while true {
            guard let base = bytes.baseAddress, place < offset + count else { return false }
            var reader = JSONReader(base + (place - offset), count: count - (place - offset))
            do throws(JSONSyntaxError) {
                try body(&reader)
                return true
            } catch {
                guard error.offset >= reader.count, offset + count < fileEnd else { return false }
                // The record is cut, at the end of what was read or because it is long.
                let length = place == offset ? count * 8 : max(count, Self.least)
                let known = (offset, count)
                load(place, length: min(length, fileEnd - place))
                if (offset, count) == known { return false }
            }
        }
    }

    private mutating func load(_ place: Int, length: Int) {
        if bytes.count < length + JSONReader.paddingCount {
            bytes.deallocate()
            bytes = .allocate(capacity: length + JSONReader.paddingCount)
        }
        let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[..<length]))
        offset = place
        count = input.fetch(into: room, at: place) ?? 0
        bytes[count..<count + JSONReader.paddingCount].update(repeating: 0)
    }
}

internal import Indexing
internal import JSON

/// By how many bytes what stands in a file has moved with changes of it.
struct OffsetShifts {
    /// The ends of the changes in the file as it was.
    private var ends: [Int] = []
    /// The number of bytes by which what stands behind each change has moved.
    private var shifts: [Int] = []

    /// Adds the next change in the order of the file.
    ///
    /// - Returns: Where its bytes stand in the changed file.
    @discardableResult
    mutating func append(_ splice: TextSplice) -> Int {
        let before = shifts.last ?? 0
        ends.append(splice.range.upperBound)
        shifts.append(before + splice.bytes.count - splice.range.count)
        return splice.range.lowerBound + before
    }

    /// By how many bytes a record that began at `offset` has moved. Logarithmic in the changes.
    subscript(offset: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : shifts[low - 1]
    }
}

/// What becomes of the index of a file when its records are changed, added and taken out, so that the changed file need not
/// be read for it.
struct SavedIndex {
    private var changed: [Int: ChangedRecord] = [:]
    private var removed: Set<Int> = []
    /// New records, with the changes that write them and where in these they stand.
    private var added: [(record: ChangedRecord, splice: TextSplice, start: Int)] = []

    /// Notes that the record of a book is another.
    ///
    /// - Returns: False if that is not known well enough.
    mutating func change(_ number: Int, _ record: ChangedRecord?) -> Bool {
        // A second change was not made of the result of the first.
        guard let record, changed[number] == nil else { return false }
        changed[number] = record
        return true
    }

    /// Notes that books are taken out.
    mutating func remove(_ numbers: [Int]) -> Bool {
        removed.formUnion(numbers)
        return true
    }

    /// Notes that a record comes in at the end, as the last bytes of a change or, before a line end, as the first.
    mutating func add(_ record: ChangedRecord?, by splice: TextSplice, _ bytes: [UInt8]) -> Bool {
        guard let record else { return false }
        let isFirst = splice.bytes.first == bytes.first
        added.append((record, splice, isFirst ? 0 : splice.bytes.count - bytes.count))
        return true
    }

    /// Returns the index of the changed file.
    ///
    /// - Parameters:
    ///   - index: The index of the file as it was.
    ///   - splices: All changes.
    func segments(of index: BookIndex, after splices: [TextSplice]) -> [IndexSegment] {
        var shifts = OffsetShifts()
        var offsets: [Int] = []
        for splice in splices.inOrder {
            let offset = shifts.append(splice)
            // What is added comes in the order in which it was added.
            if offsets.count < added.count, added[offsets.count].splice == splice {
                offsets.append(offset + added[offsets.count].start)
            }
        }
        var segments = SegmentJoiner()
        var end = 0
        func keep(upTo number: Int) {
            for segment in index.segments(of: end..<number) {
                segments.append(.init(segment, shift: shifts[segment.offset(at: 0)]))
            }
        }
        for number in Set(changed.keys).union(removed).sorted() {
            keep(upTo: number)
            if let record = changed[number], !removed.contains(number) {
                let offset = index.offset(at: number)
                segments.append(.init(record.segment, shift: offset + shifts[offset]))
            }
            end = number + 1
        }
        keep(upTo: index.count)
        for (new, offset) in zip(added, offsets) { segments.append(.init(new.record.segment, shift: offset)) }
        return segments.ended()
    }
}

/// Joins small segments, so that an index does not consist of more and more of them.
struct SegmentJoiner {
    private var segments: [IndexSegment] = []
    private var parts: [IndexSegment.Part] = []
    private var count = 0

    /// Segments of so many books stay as they are.
    private static let largeCount = 500

    /// Appends a part.
    mutating func append(_ part: IndexSegment.Part) {
        if part.books.count >= Self.largeCount {
            join()
            segments.append(part.segment.shifted(by: part.shift))
            return
        }
        if count + part.books.count > Self.largeCount { join() }
        parts.append(part)
        count += part.books.count
    }

    private mutating func join() {
        if !parts.isEmpty { segments.append(IndexSegment(joining: parts)) }
        (parts, count) = ([], 0)
    }

    /// Returns all segments.
    consuming func ended() -> [IndexSegment] {
        join()
        return segments
    }
}

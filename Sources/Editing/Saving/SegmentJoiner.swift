internal import Indexing
internal import JSON

/// The shifts of offsets in a file by changes of it.
struct OffsetShifts {
    /// The ends of the changes in the original file.
    private var ends: [Int] = []
    /// The shift in bytes after each change.
    private var shifts: [Int] = []

    /// Adds the next change in file order.
    ///
    /// - Returns: The offset of its bytes in the changed file.
    @discardableResult
    mutating func append(_ splice: TextSplice) -> Int {
        let before = shifts.last ?? 0
        ends.append(splice.range.upperBound)
        shifts.append(before + splice.bytes.count - splice.range.count)
        return splice.range.lowerBound + before
    }

    /// The shift of a record that began at `offset`. Logarithmic in the changes.
    subscript(offset: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : shifts[low - 1]
    }
}

/// Joins small segments, so that an index does not fragment.
struct SegmentJoiner {
    private var segments: [JoinedSegment] = []
    private var parts: [IndexSegment.Part] = []
    private var count = 0

    /// Segments with this many books are kept.
    private static let largeCount = 500

    /// Appends a part.
    mutating func append(_ part: IndexSegment.Part) {
        if part.books.count >= Self.largeCount {
            join()
            segments.append(.whole(part.segment.shifted(by: part.shift)))
            return
        }
        if count + part.books.count > Self.largeCount { join() }
        parts.append(part)
        count += part.books.count
    }

    private mutating func join() {
        if !parts.isEmpty { segments.append(.parts(parts)) }
        (parts, count) = ([], 0)
    }

    /// Returns all segments.
    consuming func ended() -> [JoinedSegment] {
        join()
        return segments
    }
}

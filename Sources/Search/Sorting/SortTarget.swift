public import Indexing
internal import Text

/// A place among sort keys, as a user types it: a letter or the beginning of a text, or a number such as a year.
public enum SortTarget: Hashable, Sendable {
    /// The sort keys that begin with these bytes.
    case text([UInt8])
    /// This number.
    case number(Int)

    /// Interprets `typed` as a place in the order by `key`; nil if it has no such places, such as "m" among years.
    public init?(_ typed: String, for key: SortOrder.Key) {
        switch key {
        case .title, .author, .series:
            var bytes = ByteBuffer()
            let folded = [UInt8](folding: typed)
            folded.withUnsafeBufferPointer { Collation.append($0, to: &bytes) }
            if bytes.bytes.isEmpty { return nil }
            self = .text(Array(bytes.bytes))
        case .year, .pages:
            guard let number = Int(typed) else { return nil }
            self = .number(number)
        case .rating, .added, .mine, .read, .status, .random, .own: return nil
        }
    }
}

extension BookIndex {
    /// Returns the first row of a sorted list whose book is at a place or after it; the number of rows if there is none.
    /// Logarithmic.
    ///
    /// - Parameters:
    ///   - criterion: The first criterion by which the list is sorted; books without a value come last.
    public func row(at target: SortTarget, by criterion: SortOrder.Criterion, in list: BookList) -> Int {
        (0..<list.count).firstIndex(notBefore: { isBefore(target, list[$0], by: criterion) })
    }

    private func isBefore(_ target: SortTarget, _ id: BookID, by criterion: SortOrder.Criterion) -> Bool {
        switch target {
        case .text(let bytes):
            let number = segmentNumber(of: id.index)
            var key = ByteBuffer()
            segments[number].appendSortKey(of: id.index - starts[number], by: criterion.key, to: &key)
            if key.bytes.isEmpty { return false }
            if !criterion.isReversed { return key.bytes.lexicographicallyPrecedes(bytes) }
            return !key.bytes.lexicographicallyPrecedes(bytes) && !key.bytes.starts(with: bytes)
        case .number(let number):
            guard let value = criterion.key == .year ? year(of: id) : knownPages(of: id) else { return false }
            return criterion.isReversed ? value > number : value < number
        }
    }

    /// The number of pages as it is sorted: the largest one stands for all above it.
    private func knownPages(of id: BookID) -> Int? {
        let pages = facts(at: id.index).pages
        return pages == 0 ? nil : Int(pages)
    }
}

extension Range<Int> {
    /// Returns the first index that is not before a place, in ascending order; the end of the range if all are before it.
    func firstIndex(notBefore isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

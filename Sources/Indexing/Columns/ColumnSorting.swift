internal import Glibc
internal import Threading

// Unchecked, because the compiler cannot know that each part and each bucket is written by one thread, and that a phase
// writes only what later phases read.
/// Values that several threads sort, and of which equal ones become one.
///
/// Each part is sorted on its own; then each bucket, a range of the sorted values, is merged from all parts.
final class ColumnSorting: @unchecked Sendable {
    /// A value.
    struct Item: BitwiseCopyable {
        /// The first eight bytes of the key, which decide most comparisons without fetching it; or a number.
        var word: UInt64 = 0
        /// The key, which comes before the text.
        var key: UnsafePointer<UInt8>?
        var text: UnsafePointer<UInt8>?
        var keyCount: UInt32 = 0
        var textCount: UInt32 = 0
        /// The first of the books that have the value.
        var first: UInt32 = 0

        /// Creates a value that is a number, which is its own key.
        init(_ number: Double, first: UInt32) {
            let bits = (number == 0 ? 0 : number).bitPattern
            word = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
            self.first = first
        }

        /// Creates a value with this key, and with a text that tells it from others with the same key.
        init(key: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>, first: UInt32) {
            (self.key, keyCount) = (key.baseAddress, UInt32(truncatingIfNeeded: key.count))
            (self.text, textCount) = (text.baseAddress, UInt32(truncatingIfNeeded: text.count))
            self.first = first
            if key.count >= 8, let start = key.baseAddress {
                word = UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
            } else {
                for (index, byte) in key.enumerated() { word |= UInt64(byte) << UInt64(56 - 8 * index) }
            }
        }

        /// The number that the value is.
        var number: Double { Double(bitPattern: word >> 63 == 1 ? word & ~(1 << 63) : ~word) }

        /// The text.
        var textBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: text, count: Int(textCount)) }
        /// The key.
        var keyBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: key, count: Int(keyCount)) }

        /// Returns a negative number if the value comes before `other`, and 0 if both are equal.
        func compared(to other: Item) -> Int {
            if word != other.word { return word < other.word ? -1 : 1 }
            let byKey = keyBytes.compared(to: other.keyBytes)
            return byKey != 0 ? byKey : textBytes.compared(to: other.textBytes)
        }
    }

    /// The place of a value in a part.
    private struct Place: BitwiseCopyable {
        var word: UInt64
        var number: UInt32
    }

    /// Equal values.
    struct Group: BitwiseCopyable {
        /// The value with the first book.
        var number: UInt32
        /// The end of the group among the places of the bucket.
        var end: UInt32
    }

    /// The values between two others.
    private struct Bucket {
        var places: [Place] = []
        var groups: [Group] = []
    }

    /// The number of parts, and of buckets.
    static let partCount = 16

    /// The number of values to sort.
    let count: Int
    /// The values.
    let items: UnsafeMutableBufferPointer<Item>
    /// For each value 1 plus its number among the distinct ones, or 0 if it is none.
    let ranks: UnsafeMutableBufferPointer<UInt32>
    /// The number of distinct values before each bucket, and in all.
    private(set) var starts: [Int] = []
    private let parts: Locked<[[Place]]>
    private let buckets: Locked<[Bucket]>
    private var bounds: [Item] = []

    /// Creates a table for `count` values.
    init(count: Int) {
        self.count = count
        items = .allocate(capacity: count)
        ranks = .allocate(capacity: count)
        ranks.initialize(repeating: 0)
        parts = Locked(Array(repeating: [], count: Self.partCount))
        buckets = Locked(Array(repeating: Bucket(), count: Self.partCount))
    }

    deinit {
        items.deallocate()
        ranks.deallocate()
    }

    /// Returns the numbers of the values in a part.
    func range(ofPart part: Int) -> Range<Int> {
        count * part / Self.partCount..<count * (part + 1) / Self.partCount
    }

    /// Sorts the values of a part that `item` makes by their numbers; nil for one that is none.
    func sort(part: Int, _ item: (Int) -> Item?) {
        var places: [Place] = []
        let range = range(ofPart: part)
        places.reserveCapacity(range.count)
        for number in range {
            guard let item = item(number) else { continue }
            items.initializeElement(at: number, to: item)
            places.append(Place(word: item.word, number: UInt32(truncatingIfNeeded: number)))
        }
        places.sort { compare($0, $1) < 0 }
        parts.withLock { $0[part] = places }
    }

    @inline(__always)
    private func compare(_ first: Place, _ second: Place) -> Int {
        if first.word != second.word { return first.word < second.word ? -1 : 1 }
        return items[Int(first.number)].compared(to: items[Int(second.number)])
    }

    /// Chooses the bounds of the buckets, when all parts are sorted.
    func choose() {
        var samples: [Place] = []
        for places in parts.withLock({ $0 }) where !places.isEmpty {
            samples += stride(from: 0, to: places.count, by: max(1, places.count / 32)).map { places[$0] }
        }
        samples.sort { compare($0, $1) < 0 }
        bounds = (1..<Self.partCount).compactMap { bucket in
            samples.isEmpty ? nil : items[Int(samples[samples.count * bucket / Self.partCount].number)]
        }
    }

    /// Merges a bucket.
    func merge(bucket: Int) {
        let parts = parts.withLock { $0 }
        if bounds.isEmpty { return }
        var places: [Place] = []
        for part in parts {
            let start = bucket == 0 ? 0 : firstPlace(in: part, notBefore: bounds[bucket - 1])
            let end = bucket == bounds.count ? part.count : firstPlace(in: part, notBefore: bounds[bucket])
            if start < end { places += part[start..<end] }
        }
        // The ranges are sorted, and the sort of the standard library merges such runs.
        places.sort { compare($0, $1) < 0 }
        var groups: [Group] = []
        for (position, place) in places.enumerated() {
            if position > 0, compare(places[position - 1], place) == 0 {
                let last = groups.count - 1
                groups[last].end += 1
                let first = Int(groups[last].number)
                if items[Int(place.number)].first < items[first].first { groups[last].number = place.number }
            } else {
                groups.append(Group(number: place.number, end: UInt32(truncatingIfNeeded: position + 1)))
            }
        }
        buckets.withLock { $0[bucket] = Bucket(places: places, groups: groups) }
    }

    private func firstPlace(in places: [Place], notBefore bound: Item) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if items[Int(places[middle].number)].compared(to: bound) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Counts the distinct values, when all buckets are merged.
    func finish() {
        parts.withLock { $0 = [] }
        starts = [0]
        for bucket in buckets.withLock({ $0 }) { starts.append((starts.last ?? 0) + bucket.groups.count) }
    }

    /// The number of distinct values.
    var distinctCount: Int { starts.last ?? 0 }

    /// Sets the ranks of the values in a bucket, and calls `body` with the number of each distinct value, in their order,
    /// and its rank.
    func rank(bucket: Int, _ body: (Int, Int) -> Void) {
        let content = buckets.withLock { $0[bucket] }
        var position = 0
        for (index, group) in content.groups.enumerated() {
            let rank = starts[bucket] + index
            while position < Int(group.end) {
                ranks[Int(content.places[position].number)] = UInt32(truncatingIfNeeded: rank + 1)
                position += 1
            }
            body(Int(group.number), rank)
        }
    }

    /// Calls `body` with the number of each distinct value in a bucket.
    func forEach(inBucket bucket: Int, _ body: (Int) -> Void) {
        for group in buckets.withLock({ $0[bucket].groups }) { body(Int(group.number)) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns a negative number if the bytes come before `other`, and 0 if both are equal.
    @inline(__always)
    func compared(to other: UnsafeBufferPointer<UInt8>) -> Int {
        if let one = baseAddress, let another = other.baseAddress {
            let order = memcmp(one, another, Swift.min(count, other.count))
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}

internal import Glibc
internal import Threading

// Unchecked, because the compiler cannot know that each part and each bucket is written by one thread, and that a phase
// writes only what later phases read.
/// Values that several threads sort, and of which equal ones become one.
///
/// The values are made in parts; then each bucket, a range of the sorted values, is gathered from all parts and sorted.
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
            word = word(at: 0)
        }

        /// Returns eight bytes of the key from an offset on, followed by zeros.
        func word(at offset: Int) -> UInt64 {
            guard let key else { return 0 }
            let rest = Int(keyCount) - offset
            if rest >= 8 {
                return UInt64(bigEndian: UnsafeRawPointer(key + offset).loadUnaligned(as: UInt64.self))
            }
            var word: UInt64 = 0
            for index in 0..<max(0, rest) { word |= UInt64(key[offset + index]) << UInt64(56 - 8 * index) }
            return word
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
    private var bounds: [Place] = []

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

    /// Takes the values of a part that `item` makes by their numbers; nil for one that is none.
    func take(part: Int, _ item: (Int) -> Item?) {
        var places: [Place] = []
        let range = range(ofPart: part)
        places.reserveCapacity(range.count)
        for number in range {
            guard let item = item(number) else { continue }
            items.initializeElement(at: number, to: item)
            places.append(Place(word: item.word, number: UInt32(truncatingIfNeeded: number)))
        }
        parts.withLock { $0[part] = places }
    }

    @inline(__always)
    private func compare(_ first: Place, _ second: Place) -> Int {
        if first.word != second.word { return first.word < second.word ? -1 : 1 }
        return items[Int(first.number)].compared(to: items[Int(second.number)])
    }

    /// Chooses the bounds of the buckets, when all values are known.
    func choose() {
        var samples: [Place] = []
        for places in parts.withLock({ $0 }) where !places.isEmpty {
            samples += stride(from: 0, to: places.count, by: max(1, places.count / 32)).map { places[$0] }
        }
        samples.sort { compare($0, $1) < 0 }
        bounds = (1..<Self.partCount).compactMap { bucket in
            samples.isEmpty ? nil : samples[samples.count * bucket / Self.partCount]
        }
    }

    /// Sorts a bucket.
    func sort(bucket: Int) {
        if bounds.isEmpty { return }
        var places: [Place] = []
        let first = bucket == 0 ? nil : bounds[bucket - 1]
        let end = bucket == bounds.count ? nil : bounds[bucket]
        for part in parts.withLock({ $0 }) {
            for place in part {
                if let first, place.word <= first.word, compare(place, first) < 0 { continue }
                if let end, place.word >= end.word, compare(place, end) >= 0 { continue }
                places.append(place)
            }
        }
        places.withUnsafeMutableBufferPointer { sort($0, from: 0) }
        buckets.withLock { $0[bucket] = Bucket(places: places, groups: groups(of: places)) }
    }

    /// Sorts places whose keys are equal before an offset, with eight bytes of the key from there on as their words. A
    /// comparison then needs no key, which would be fetched from memory.
    private func sort(_ places: UnsafeMutableBufferPointer<Place>, from offset: Int) {
        var places = places
        places.sort { $0.word < $1.word }
        var start = 0
        while start < places.count {
            var end = start + 1
            while end < places.count, places[end].word == places[start].word { end += 1 }
            if end - start > 1 {
                sortTied(UnsafeMutableBufferPointer(rebasing: places[start..<end]), from: offset + 8)
            }
            start = end
        }
    }

    /// Sorts places whose keys are equal before an offset; afterwards their words are those at offset 0 again.
    private func sortTied(_ places: UnsafeMutableBufferPointer<Place>, from offset: Int) {
        let word = places[0].word
        defer { for index in places.indices { places[index].word = word } }
        // Keys that end before the offset come first.
        var longCount = 0
        for index in places.indices.reversed() where Int(items[Int(places[index].number)].keyCount) > offset {
            longCount += 1
            places.swapAt(index, places.count - longCount)
        }
        var short = UnsafeMutableBufferPointer(rebasing: places[..<(places.count - longCount)])
        if short.count > 1 {
            short.sort { first, second in
                let (one, other) = (items[Int(first.number)], items[Int(second.number)])
                if one.keyCount != other.keyCount { return one.keyCount < other.keyCount }
                return one.textBytes.compared(to: other.textBytes) < 0
            }
        }
        let long = UnsafeMutableBufferPointer(rebasing: places[(places.count - longCount)...])
        for index in long.indices { long[index].word = items[Int(long[index].number)].word(at: offset) }
        if long.count > 1 { sort(long, from: offset) }
    }

    /// Returns the groups of equal values among sorted ones.
    private func groups(of places: [Place]) -> [Group] {
        var groups: [Group] = []
        groups.reserveCapacity(places.count)
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
        return groups
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

internal import CText
internal import Glibc

/// Texts, each once, with a note on each: millions of them are found again without a string for any.
///
/// The texts stay where they are, and must do so as long as the table lives.
struct TermHashTable<Note: BitwiseCopyable>: ~Copyable {
    /// A text and what is noted of it.
    struct Entry {
        /// The hash of the text.
        var hash: UInt64
        /// Where the text is; nil where there is none.
        var text: UnsafePointer<UInt8>?
        /// How many bytes it has.
        var length: UInt32
        /// What is noted of it; zeros at first.
        var note: Note

        /// The text.
        var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: text, count: Int(length)) }
    }

    /// How many texts there are.
    private(set) var count = 0
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    /// The slot is taken from the hash's top bits, after skipping `ignoredBitCount` bits that are equal for the whole
    /// partition. Slots in the order of hashes let `forEachEntry` give parts, and larger tables be filled from one end to the
    /// other.
    private let ignoredBitCount: UInt64
    private var shift: UInt64
    /// Texts that are to be added while the memory of their places is fetched: a large table is seldom in a cache, and to wait
    /// for each would take twice the time.
    private var pending: UnsafeMutablePointer<Pending>
    /// How many texts came to `pending` since it was empty.
    private var pendingCount = 0

    private struct Pending {
        var text: UnsafeBufferPointer<UInt8>
        var hash: UInt64
        var book: UInt32
    }

    private static var pendingCapacity: Int { 16 }

    /// The least places: no more parts than that can be asked for.
    private static var minimumCapacity: Int { 64 }

    /// A table with room for `count` texts, of whose hashes the first bits are all the same.
    init(count: Int = 0, ignoredBitCount: Int = 0) {
        var capacity = Self.minimumCapacity
        while capacity * 3 / 4 < count { capacity *= 2 }
        self.capacity = capacity
        self.ignoredBitCount = UInt64(ignoredBitCount)
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        entries = Self.places(capacity)
        pending = .allocate(capacity: Self.pendingCapacity)
    }

    deinit {
        free(entries)
        pending.deallocate()
    }

    private static func places(_ count: Int) -> UnsafeMutablePointer<Entry> {
        guard let memory = calloc(count, MemoryLayout<Entry>.stride) else { fatalError("out of memory") }
        return memory.bindMemory(to: Entry.self, capacity: count)
    }

    /// The entry of a text that is not empty, which is new where nothing is noted. Valid until the next is asked for.
    @inline(__always)
    mutating func entry(of text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UnsafeMutablePointer<Entry> {
        guard let bytes = text.baseAddress else { preconditionFailure("an empty text is no value") }
        if count >= capacity * 3 / 4 { grow() }
        var place = self.place(of: hash)
        while let other = entries[place].text {
            if entries[place].hash == hash, Int(entries[place].length) == text.count,
                memcmp(other, bytes, text.count) == 0
            {
                return entries + place
            }
            place = (place + 1) & (capacity - 1)
        }
        count += 1
        entries[place].hash = hash
        entries[place].text = bytes
        entries[place].length = UInt32(truncatingIfNeeded: text.count)
        return entries + place
    }

    /// Adds a text of a book, which is not empty, and one after another calls `note` with what is noted of each text that was
    /// added and its book, but for the last few, which wait for `addPending`.
    @inline(__always)
    mutating func add(
        _ text: UnsafeBufferPointer<UInt8>, of book: UInt32, _ note: (inout Note, UInt32) -> Void
    ) {
        let hash = cs_hash(text.baseAddress, text.count)
        cs_prefetch(entries + place(of: hash))
        let next = pending + pendingCount % Self.pendingCapacity
        if pendingCount >= Self.pendingCapacity { add(next.pointee, note) }
        next.initialize(to: Pending(text: text, hash: hash, book: book))
        pendingCount += 1
    }

    /// Adds the texts that wait, likewise.
    mutating func addPending(_ note: (inout Note, UInt32) -> Void) {
        for number in max(0, pendingCount - Self.pendingCapacity)..<pendingCount {
            add(pending[number % Self.pendingCapacity], note)
        }
        pendingCount = 0
    }

    @inline(__always)
    private mutating func add(_ text: Pending, _ note: (inout Note, UInt32) -> Void) {
        note(&entry(of: text.text, hash: text.hash).pointee.note, text.book)
    }

    @inline(__always)
    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: (hash &<< ignoredBitCount) &>> shift) }

    @inline(never)
    private mutating func grow() {
        let (old, oldCapacity) = (entries, capacity)
        capacity *= 2
        shift -= 1
        entries = Self.places(capacity)
        for index in 0..<oldCapacity where old[index].text != nil {
            var place = self.place(of: old[index].hash)
            while entries[place].text != nil { place = (place + 1) & (capacity - 1) }
            entries[place] = old[index]
        }
        free(old)
    }

    /// Forgets all texts, and keeps the room for as many. Linear in that.
    mutating func removeAll() {
        if count == 0 { return }
        count = 0
        memset(entries, 0, capacity * MemoryLayout<Entry>.stride)
    }

    /// Calls `body` with the entries in the part of this number of 2 to the power `bitCount`, from 1 to 6: those whose hashes
    /// begin with these bits.
    @inline(__always)
    func forEachEntry(inPart part: Int, bitCount: Int, _ body: (Entry) -> Void) {
        let partCapacity = capacity >> bitCount
        var place = part * partCapacity
        let end = place + partCapacity
        // What came to a place that was taken stands behind it, without a gap.
        while place < end || entries[place & (capacity - 1)].text != nil {
            let entry = entries[place & (capacity - 1)]
            if entry.text != nil, Int(truncatingIfNeeded: entry.hash >> (64 - bitCount)) == part {
                body(entry)
            }
            place += 1
        }
    }

    /// Calls `body` with all entries.
    @inline(__always)
    func forEachEntry(_ body: (Entry) -> Void) {
        for place in 0..<capacity where entries[place].text != nil { body(entries[place]) }
    }
}

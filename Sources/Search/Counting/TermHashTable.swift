internal import CText
internal import Glibc

/// A hash table from texts to notes, for millions of texts without a string for each.
///
/// The texts are not copied and must outlive the table.
struct TermHashTable<Note: BitwiseCopyable>: ~Copyable {
    /// A text and its note.
    struct Entry {
        /// The hash of the text.
        var hash: UInt64
        /// The start of the text; nil for an empty slot.
        var text: UnsafePointer<UInt8>?
        /// The length of the text in bytes.
        var length: UInt32
        /// The note, initially all zero bytes.
        var note: Note

        /// The text.
        var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: text, count: Int(length)) }
    }

    /// The number of texts.
    private(set) var count = 0
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    /// The slot is taken from the hash's top bits, after skipping `ignoredBitCount` bits that are equal for the whole
    /// partition. Because slots are in the order of hashes, `forEachEntry` can iterate over partitions, and growing
    /// copies sequentially.
    private let ignoredBitCount: UInt64
    private var shift: UInt64
    /// Texts that wait while their slots are prefetched: a large table is rarely in a cache, and waiting for each slot
    /// would take twice the time.
    private var pending: UnsafeMutablePointer<Pending>
    /// The number of texts that have passed through `pending` since it was empty.
    private var pendingCount = 0

    private struct Pending {
        var text: UnsafeBufferPointer<UInt8>
        var hash: UInt64
        var book: UInt32
    }

    private static var pendingCapacity: Int { 16 }

    /// The minimum number of slots, which is also the maximum number of partitions to iterate over.
    private static var minimumCapacity: Int { 64 }

    /// Creates a table with room for `count` texts whose hashes share their first `ignoredBitCount` bits.
    init(count: Int = 0, ignoredBitCount: Int = 0) {
        var capacity = Self.minimumCapacity
        while capacity * 3 / 4 < count { capacity *= 2 }
        self.capacity = capacity
        self.ignoredBitCount = UInt64(ignoredBitCount)
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        entries = Self.slots(capacity)
        pending = .allocate(capacity: Self.pendingCapacity)
    }

    deinit {
        entries.deallocate()
        pending.deallocate()
    }

    private static func slots(_ count: Int) -> UnsafeMutablePointer<Entry> {
        // Written here, because slots are read before they are written: the kernel maps a page that is read first twice.
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Entry>.stride, alignment: MemoryLayout<Entry>.alignment)
        memset(memory, 0, count * MemoryLayout<Entry>.stride)
        return memory.bindMemory(to: Entry.self, capacity: count)
    }

    /// Returns the entry of a non-empty text, adding one with a zero note if necessary. Valid until the next call.
    @inline(__always)
    mutating func entry(of text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UnsafeMutablePointer<Entry> {
        guard let bytes = text.baseAddress else { preconditionFailure("an empty text is no value") }
        if count >= capacity * 3 / 4 { grow() }
        var slot = self.slot(of: hash)
        while let other = entries[slot].text {
            if entries[slot].hash == hash, Int(entries[slot].length) == text.count,
                memcmp(other, bytes, text.count) == 0
            {
                return entries + slot
            }
            slot = (slot + 1) & (capacity - 1)
        }
        count += 1
        entries[slot].hash = hash
        entries[slot].text = bytes
        entries[slot].length = UInt32(truncatingIfNeeded: text.count)
        return entries + slot
    }

    /// Adds a non-empty text of a book, and calls `note` with the note and book of texts added before, in order; the
    /// last few stay pending until `addPending`.
    @inline(__always)
    mutating func add(
        _ text: UnsafeBufferPointer<UInt8>, of book: UInt32, _ note: (inout Note, UInt32) -> Void
    ) {
        let hash = cs_hash(text.baseAddress, text.count)
        cs_prefetch(entries + slot(of: hash))
        let next = pending + pendingCount % Self.pendingCapacity
        if pendingCount >= Self.pendingCapacity { add(next.pointee, note) }
        next.initialize(to: Pending(text: text, hash: hash, book: book))
        pendingCount += 1
    }

    /// Adds the pending texts and calls `note` for each.
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
    private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: (hash &<< ignoredBitCount) &>> shift) }

    @inline(never)
    private mutating func grow() {
        let (old, oldCapacity) = (entries, capacity)
        capacity *= 2
        shift -= 1
        entries = Self.slots(capacity)
        for index in 0..<oldCapacity where old[index].text != nil {
            var slot = self.slot(of: old[index].hash)
            while entries[slot].text != nil { slot = (slot + 1) & (capacity - 1) }
            entries[slot] = old[index]
        }
        old.deallocate()
    }

    /// Removes all texts but keeps the capacity. Linear in the capacity.
    mutating func removeAll() {
        if count == 0 { return }
        count = 0
        memset(entries, 0, capacity * MemoryLayout<Entry>.stride)
    }

    /// Calls `body` with the entries in one of 2^`bitCount` partitions, whose hashes start with these bits; `bitCount`
    /// is 1 to 6.
    @inline(__always)
    func forEachEntry(inPart part: Int, bitCount: Int, _ body: (Entry) -> Void) {
        let partCapacity = capacity >> bitCount
        var slot = part * partCapacity
        let end = slot + partCapacity
        // Entries displaced by collisions may follow the end of the partition without a gap.
        while slot < end || entries[slot & (capacity - 1)].text != nil {
            let entry = entries[slot & (capacity - 1)]
            if entry.text != nil, Int(truncatingIfNeeded: entry.hash >> (64 - bitCount)) == part {
                body(entry)
            }
            slot += 1
        }
    }

    /// Calls `body` with all entries.
    @inline(__always)
    func forEachEntry(_ body: (Entry) -> Void) {
        for slot in 0..<capacity where entries[slot].text != nil { body(entries[slot]) }
    }
}

internal import CText
internal import Glibc

/// Numbers texts from 0 in the order in which they first occur.
final class TextNumbers {
    /// A text.
    struct Item: BitwiseCopyable {
        /// The text.
        var start: UnsafePointer<UInt8>?
        var count: UInt32
        /// The first of the books that have it.
        var first: UInt32
        /// Whether a book has it alone.
        var isAlone = false

        /// The text.
        var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(count)) }
    }

    private struct Slot: BitwiseCopyable {
        /// Bits of the hash, of which the low ones choose the slot.
        var tag: UInt32
        /// 1 plus the number of the text, or 0 if the slot is empty.
        var number: UInt32
    }

    /// The number of texts.
    private(set) var count = 0
    private var items: UnsafeMutablePointer<Item>
    private var itemCapacity = 64
    private var slots: UnsafeMutablePointer<Slot>
    private var slotCount = 256
    private var arena = ByteArena()
    /// Whether the texts are copied, because they do not outlive the table.
    private let copiesTexts: Bool

    init(copyingTexts copiesTexts: Bool) {
        self.copiesTexts = copiesTexts
        items = .allocate(capacity: itemCapacity)
        slots = Self.slots(slotCount)
    }

    deinit {
        items.deallocate()
        slots.deallocate()
    }

    private static func slots(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        memset(slots, 0, count * MemoryLayout<Slot>.stride)
        return slots
    }

    /// Notes that a book has the text with this number alone.
    func setAlone(_ number: UInt32) { items[Int(number)].isAlone = true }

    /// Copies the texts in the order of their numbers; the bytes stay here.
    func copy(into buffer: UnsafeMutableBufferPointer<Item>, at start: Int) {
        if let base = buffer.baseAddress { (base + start).initialize(from: items, count: count) }
    }

    /// Returns the number of a text that a book has.
    func number(of text: UnsafeBufferPointer<UInt8>, in book: UInt32) -> UInt32 {
        let hash = cs_hash(text.baseAddress, text.count)
        let tag = UInt32(truncatingIfNeeded: hash)
        var slot = Int(tag) & (slotCount - 1)
        while slots[slot].number != 0 {
            if slots[slot].tag == tag {
                let item = items + Int(slots[slot].number - 1)
                if Int(item.pointee.count) == text.count, isEqual(item.pointee.start, text) {
                    if book < item.pointee.first { item.pointee.first = book }
                    return slots[slot].number - 1
                }
            }
            slot = (slot + 1) & (slotCount - 1)
        }
        if count == itemCapacity { growItems() }
        let own = copiesTexts ? arena.copy(text) : text
        items[count] = Item(start: own.baseAddress, count: UInt32(truncatingIfNeeded: own.count), first: book)
        count += 1
        slots[slot] = Slot(tag: tag, number: UInt32(truncatingIfNeeded: count))
        if count * 2 > slotCount { growSlots() }
        return UInt32(truncatingIfNeeded: count - 1)
    }

    @inline(__always)
    private func isEqual(_ start: UnsafePointer<UInt8>?, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start, let other = text.baseAddress else { return true }
        return memcmp(start, other, text.count) == 0
    }

    private func growItems() {
        let larger = UnsafeMutablePointer<Item>.allocate(capacity: itemCapacity * 2)
        larger.update(from: items, count: count)
        items.deallocate()
        items = larger
        itemCapacity *= 2
    }

    private func growSlots() {
        let (old, oldCount) = (slots, slotCount)
        slotCount *= 4
        slots = Self.slots(slotCount)
        for index in 0..<oldCount where old[index].number != 0 {
            var slot = Int(old[index].tag) & (slotCount - 1)
            while slots[slot].number != 0 { slot = (slot + 1) & (slotCount - 1) }
            slots[slot] = old[index]
        }
        old.deallocate()
    }
}

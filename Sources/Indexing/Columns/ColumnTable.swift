// Unchecked, because the compiler cannot know that the memory is never written after initialization.
/// The distinct values of a column and their combinations. Immutable.
final class ColumnTable: @unchecked Sendable {
    /// What a column holds.
    struct Layout: Hashable, Sendable {
        /// The kind of the values.
        var kind: FieldColumn.Kind
        /// Whether a book can have several values.
        var isList: Bool
        /// Whether texts are in the order of their collation keys, and have spellings; otherwise they are normalized names
        /// in the order of their bytes.
        var isCollated: Bool
    }

    /// The numbers of elements in the parts of a table, in their order in memory.
    struct Counts: Hashable, Sendable {
        var doubles = 0
        var entryEnds = 0
        var entryValues = 0
        var foldedEnds = 0
        var spellingEnds = 0
        var foldedText = 0
        var spellingText = 0

        /// The size of the table in bytes.
        var byteCount: Int {
            doubles * 8 + (entryEnds + entryValues + foldedEnds + spellingEnds) * 4 + foldedText + spellingText
        }
    }

    let layout: Layout
    /// The numbers; empty for texts.
    let doubles: UnsafeBufferPointer<Double>
    /// The ends of the combinations of values, if the field is a list.
    let entryEnds: UnsafeBufferPointer<UInt32>
    /// The concatenated combinations.
    let entryValues: UnsafeBufferPointer<UInt32>
    /// The ends of the normalized texts; empty for numbers.
    let foldedEnds: UnsafeBufferPointer<UInt32>
    /// The ends of the spellings; empty if these are the normalized texts.
    let spellingEnds: UnsafeBufferPointer<UInt32>
    let foldedText: UnsafeBufferPointer<UInt8>
    let spellingText: UnsafeBufferPointer<UInt8>
    /// The owners of the memory.
    private let owners: [AnyObject]

    /// Creates a table from `memory`, which belongs to `owner`, is aligned to 8 bytes, and is as large as `counts` say.
    init(_ memory: UnsafeRawBufferPointer, owner: AnyObject, _ layout: Layout, _ counts: Counts) {
        (self.layout, owners) = (layout, [owner])
        var rest = memory
        func take<Element>(_: Element.Type, _ count: Int) -> UnsafeBufferPointer<Element> {
            let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(count * MemoryLayout<Element>.stride))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
            return bytes.bindMemory(to: Element.self)
        }
        doubles = take(Double.self, counts.doubles)
        entryEnds = take(UInt32.self, counts.entryEnds)
        entryValues = take(UInt32.self, counts.entryValues)
        foldedEnds = take(UInt32.self, counts.foldedEnds)
        spellingEnds = take(UInt32.self, counts.spellingEnds)
        foldedText = take(UInt8.self, counts.foldedText)
        spellingText = take(UInt8.self, counts.spellingText)
    }

    /// Creates a table with the values of one and the combinations of another.
    init(valuesOf values: ColumnTable, entriesOf entries: ColumnTable) {
        (layout, owners) = (values.layout, values.owners + entries.owners)
        (doubles, foldedEnds, foldedText) = (values.doubles, values.foldedEnds, values.foldedText)
        (spellingEnds, spellingText) = (values.spellingEnds, values.spellingText)
        (entryEnds, entryValues) = (entries.entryEnds, entries.entryValues)
    }

    /// The numbers of elements.
    var counts: Counts {
        Counts(
            doubles: doubles.count, entryEnds: entryEnds.count, entryValues: entryValues.count,
            foldedEnds: foldedEnds.count, spellingEnds: spellingEnds.count, foldedText: foldedText.count,
            spellingText: spellingText.count)
    }

    /// The number of values.
    var valueCount: Int { layout.kind == .number ? doubles.count : foldedEnds.count }

    /// The parts of the table in the order of their memory.
    var parts: [UnsafeRawBufferPointer] {
        [
            UnsafeRawBufferPointer(doubles), UnsafeRawBufferPointer(entryEnds), UnsafeRawBufferPointer(entryValues),
            UnsafeRawBufferPointer(foldedEnds), UnsafeRawBufferPointer(spellingEnds),
            UnsafeRawBufferPointer(foldedText), UnsafeRawBufferPointer(spellingText),
        ]
    }

    /// The size in bytes.
    var byteCount: Int { counts.byteCount }

    /// Whether all numbers in the table are in range, as another process may have written them. Linear.
    var isSound: Bool {
        let (counts, valueCount) = (counts, valueCount)
        return Self.areEnds(entryEnds, count: entryValues.count) && Self.areEnds(foldedEnds, count: foldedText.count)
            && Self.areEnds(spellingEnds, count: spellingText.count)
            && entryValues.allSatisfy { Int($0) < valueCount }
            && counts.spellingEnds == (layout.isCollated && layout.kind == .text ? counts.foldedEnds : 0)
            && (layout.kind == .text ? counts.doubles : counts.foldedEnds) == 0
            && (layout.isList || counts.entryEnds == 0) && doubles.allSatisfy { !$0.isNaN }
    }

    /// Whether ends ascend to the end of what they divide.
    private static func areEnds(_ ends: UnsafeBufferPointer<UInt32>, count: Int) -> Bool {
        var previous: UInt32 = 0
        var isAscending = true
        for end in ends {
            isAscending = isAscending && end >= previous
            previous = end
        }
        return isAscending && Int(previous) == count
    }
}

/// Memory that is freed with this object.
final class ColumnMemory {
    /// The bytes, aligned to 8.
    let bytes: UnsafeMutableRawBufferPointer

    /// Allocates `count` bytes, which are not initialized.
    init(byteCount: Int) { bytes = .allocate(byteCount: max(8, byteCount), alignment: 8) }

    deinit { bytes.deallocate() }

    /// The beginning as elements of this type.
    func elements<Element: BitwiseCopyable>(_: Element.Type, count: Int) -> UnsafeMutableBufferPointer<Element> {
        UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(count * MemoryLayout<Element>.stride))
            .bindMemory(to: Element.self)
    }
}

/// Fills the memory of a table.
struct ColumnTableWriter: @unchecked Sendable {
    private let memory: ColumnMemory
    private let layout: ColumnTable.Layout
    private let counts: ColumnTable.Counts
    let doubles: UnsafeMutableBufferPointer<Double>
    let entryEnds: UnsafeMutableBufferPointer<UInt32>
    let entryValues: UnsafeMutableBufferPointer<UInt32>
    let foldedEnds: UnsafeMutableBufferPointer<UInt32>
    let spellingEnds: UnsafeMutableBufferPointer<UInt32>
    let foldedText: UnsafeMutableBufferPointer<UInt8>
    let spellingText: UnsafeMutableBufferPointer<UInt8>

    /// Allocates a table.
    init(_ layout: ColumnTable.Layout, _ counts: ColumnTable.Counts) {
        (self.layout, self.counts) = (layout, counts)
        memory = ColumnMemory(byteCount: counts.byteCount)
        let table = ColumnTable(UnsafeRawBufferPointer(memory.bytes), owner: memory, layout, counts)
        doubles = .init(mutating: table.doubles)
        entryEnds = .init(mutating: table.entryEnds)
        entryValues = .init(mutating: table.entryValues)
        foldedEnds = .init(mutating: table.foldedEnds)
        spellingEnds = .init(mutating: table.spellingEnds)
        foldedText = .init(mutating: table.foldedText)
        spellingText = .init(mutating: table.spellingText)
    }

    /// The table, once it is filled.
    var table: ColumnTable {
        ColumnTable(
            UnsafeRawBufferPointer(rebasing: memory.bytes.prefix(counts.byteCount)), owner: memory, layout, counts)
    }
}

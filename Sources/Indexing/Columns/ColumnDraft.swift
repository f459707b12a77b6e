internal import Glibc
internal import Text
internal import Threading

// Unchecked, because the compiler cannot know that each part and bucket is written by one thread, and that a phase writes
// only what later phases read.
/// A column that is being made.
final class ColumnDraft: @unchecked Sendable {
    private final class Arena {
        var bytes = ByteArena()
    }

    /// What the distinct values of a bucket take.
    private struct BucketTexts {
        var foldedCount = 0
        var spellings: [UnsafeBufferPointer<UInt8>] = []
        var spellingCount = 0
    }

    let plan: ColumnPlan
    let numbers: UnsafeMutableBufferPointer<UInt32>
    private let memory: ColumnMemory
    private var collectors: [ColumnCollector] = []
    /// The raw values and combinations of all collectors, in one place, because threads would count references to the
    /// collectors for each of them.
    private var raws = UnsafeMutableBufferPointer<TextNumbers.Item>(start: nil, count: 0)
    private var rawEntries = UnsafeMutableBufferPointer<TextNumbers.Item>(start: nil, count: 0)
    /// The values, numbered through all collectors, and the number of the first of each collector.
    private(set) var values: ColumnSorting?
    private var valueStarts: [Int] = []
    /// The combinations, numbered in the same way.
    private(set) var entries: ColumnSorting?
    private var entryStarts: [Int] = []
    private let arenas = Locked<[Arena]>([])
    private let texts = Locked(Array(repeating: BucketTexts(), count: ColumnSorting.partCount))
    private var writer: ColumnTableWriter?

    init(_ plan: ColumnPlan, bookCount: Int) {
        self.plan = plan
        memory = ColumnMemory(byteCount: bookCount * 4)
        numbers = memory.elements(UInt32.self, count: bookCount)
    }

    deinit {
        raws.deallocate()
        rawEntries.deallocate()
    }

    /// Takes what all threads have collected.
    func take(_ collectors: [ColumnCollector]) {
        self.collectors = collectors
        func starts(_ counts: [Int]) -> [Int] { counts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) } }
        valueStarts = starts(collectors.map(\.values.count))
        raws = .allocate(capacity: valueStarts.last ?? 0)
        for (collector, start) in zip(collectors, valueStarts) { collector.values.copy(into: raws, at: start) }
        values = ColumnSorting(count: valueStarts.last ?? 0)
        if plan.layout.isList {
            entryStarts = starts(collectors.map { $0.entries?.count ?? 0 })
            rawEntries = .allocate(capacity: entryStarts.last ?? 0)
            for (collector, start) in zip(collectors, entryStarts) {
                collector.entries?.copy(into: rawEntries, at: start)
            }
            // A value that is alone is an entry by itself.
            entries = ColumnSorting(count: (valueStarts.last ?? 0) + (entryStarts.last ?? 0))
        }
    }

    private func arena() -> Arena {
        let arena = Arena()
        arenas.withLock { $0.append(arena) }
        return arena
    }

    // MARK: - Values

    func takeValues(part: Int) {
        guard let values else { return }
        let arena = arena()
        var text = ColumnText()
        values.take(part: part) { number in
            let raw = raws[number]
            guard let meaning = plan.meaning else {
                return .init(key: raw.bytes, text: .init(start: nil, count: 0), first: raw.first)
            }
            if let content = content(of: raw.bytes), text.read(content) {
            } else {
                switch self.meaning(of: raw.bytes, meaning) {
                case .nothing: return nil
                case .number(let value): return plan.layout.kind == .number ? .init(value, first: raw.first) : nil
                case .text(let string):
                    if plan.layout.kind == .number { return nil }
                    text.read(string)
                }
            }
            return .init(
                key: arena.bytes.copy(UnsafeBufferPointer(text.key.bytes)),
                text: arena.bytes.copy(UnsafeBufferPointer(text.folded.bytes)), first: raw.first)
        }
    }

    /// Returns the text of a JSON string without escapes, if it is read as it is.
    private func content(of raw: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard plan.readsStrings, raw.count >= 2, raw.count - 2 <= FieldColumn.longestText,
            raw[0] == UInt8(ascii: "\""), let base = raw.baseAddress,
            memchr(base, Int32(UInt8(ascii: "\\")), raw.count) == nil
        else { return nil }
        return UnsafeBufferPointer(rebasing: raw[1..<raw.count - 1])
    }

    private func meaning(
        of raw: UnsafeBufferPointer<UInt8>, _ meaning: (UnsafeBufferPointer<UInt8>) -> ColumnMeaning
    ) -> ColumnMeaning {
        switch raw.first {
        case ColumnCollector.textMark: .text(String(decoding: raw.dropFirst(), as: UTF8.self))
        case ColumnCollector.numberMark:
            .number(Double(bitPattern: UnsafeRawBufferPointer(raw).loadUnaligned(fromByteOffset: 1, as: UInt64.self)))
        default: meaning(raw)
        }
    }

    func sortValues(bucket: Int) {
        guard let values else { return }
        values.sort(bucket: bucket)
        if plan.layout.kind == .number { return }
        let arena = arena()
        var found = BucketTexts()
        values.forEach(inBucket: bucket) { number in
            let item = values.items[number]
            found.foldedCount += (plan.layout.isCollated ? item.textBytes : item.keyBytes).count + 1
            guard let meaning = plan.meaning else { return }
            let raw = raws[number].bytes
            let spelling: UnsafeBufferPointer<UInt8>
            if let content = content(of: raw), content.isPlainLine {
                spelling = content
            } else if case .text(var string) = self.meaning(of: raw, meaning) {
                string = string.cutForColumn
                spelling = string.withUTF8 { arena.bytes.copy($0) }
            } else {
                spelling = UnsafeBufferPointer(start: nil, count: 0)
            }
            found.spellings.append(spelling)
            found.spellingCount += spelling.count
        }
        texts.withLock { $0[bucket] = found }
    }

    func countValues() { values?.finish() }

    func rankValues(bucket: Int) { values?.rank(bucket: bucket) { _, _ in } }

    // MARK: - Entries

    func takeEntries(part: Int) {
        guard let values, let entries else { return }
        let arena = arena()
        let (valueCount, firstValues, starts) = (values.count, valueStarts, entryStarts)
        var found: [UInt32] = []
        entries.take(part: part) { number in
            if number < valueCount {
                guard raws[number].isAlone, values.ranks[number] != 0 else { return nil }
                found = [values.ranks[number] - 1]
            } else {
                let worker = (starts.firstIndex { $0 > number - valueCount } ?? 1) - 1
                found.removeAll(keepingCapacity: true)
                let bytes = UnsafeRawBufferPointer(rawEntries[number - valueCount].bytes)
                for offset in stride(from: 0, to: bytes.count, by: 4) {
                    let value = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    let rank = values.ranks[firstValues[worker] + value]
                    if rank != 0, !found.contains(rank - 1) { found.append(rank - 1) }
                }
                if found.isEmpty { return nil }
            }
            return .init(key: arena.bytes.bigEndian(found), text: UnsafeBufferPointer(start: nil, count: 0), first: 0)
        }
    }

    // MARK: - The table

    /// Allocates the table, unless the texts are too large.
    func allocate() {
        entries?.finish()
        guard let values else { return }
        var counts = ColumnTable.Counts()
        if plan.layout.kind == .number {
            counts.doubles = values.distinctCount
        } else {
            counts.foldedEnds = values.distinctCount
            counts.foldedText = texts.withLock { $0.reduce(0) { $0 + $1.foldedCount } }
            if plan.layout.isCollated {
                counts.spellingEnds = values.distinctCount
                counts.spellingText = texts.withLock { $0.reduce(0) { $0 + $1.spellingCount } }
            }
        }
        if let entries {
            counts.entryEnds = entries.distinctCount
            for bucket in 0..<ColumnSorting.partCount {
                entries.forEach(inBucket: bucket) { counts.entryValues += Int(entries.items[$0].keyCount) / 4 }
            }
        }
        let largest = Int(UInt32.max)
        if counts.foldedText > largest || counts.spellingText > largest || counts.entryValues > largest { return }
        writer = ColumnTableWriter(plan.layout, counts)
    }

    func write(bucket: Int) {
        guard let writer, let values else { return }
        writeValues(bucket, values, writer)
        if let entries { writeEntries(bucket, entries, writer) }
    }

    private func writeValues(_ bucket: Int, _ values: ColumnSorting, _ writer: ColumnTableWriter) {
        var rank = values.starts[bucket]
        if plan.layout.kind == .number {
            values.forEach(inBucket: bucket) { number in
                writer.doubles[rank] = values.items[number].number
                rank += 1
            }
            return
        }
        let texts = texts.withLock { $0 }
        let before = texts[..<bucket]
        var end = before.reduce(0) { $0 + $1.foldedCount }
        values.forEach(inBucket: bucket) { number in
            let item = values.items[number]
            end = writer.foldedText.write(plan.layout.isCollated ? item.textBytes : item.keyBytes, at: end)
            writer.foldedText[end] = 0x0A
            end += 1
            writer.foldedEnds[rank] = UInt32(truncatingIfNeeded: end)
            rank += 1
        }
        if !plan.layout.isCollated { return }
        rank = values.starts[bucket]
        end = before.reduce(0) { $0 + $1.spellingCount }
        for spelling in texts[bucket].spellings {
            end = writer.spellingText.write(spelling, at: end)
            writer.spellingEnds[rank] = UInt32(truncatingIfNeeded: end)
            rank += 1
        }
    }

    private func writeEntries(_ bucket: Int, _ entries: ColumnSorting, _ writer: ColumnTableWriter) {
        var end = 0
        for other in 0..<bucket {
            entries.forEach(inBucket: other) { end += Int(entries.items[$0].keyCount) / 4 }
        }
        entries.rank(bucket: bucket) { number, rank in
            let key = UnsafeRawBufferPointer(entries.items[number].keyBytes)
            for offset in stride(from: 0, to: key.count, by: 4) {
                writer.entryValues[end] = UInt32(
                    bigEndian: key.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                end += 1
            }
            writer.entryEnds[rank] = UInt32(truncatingIfNeeded: end)
        }
    }

    /// Replaces the numbers of a thread in some books.
    func relabel(_ books: Range<Int>, worker: Int) {
        guard let values else { return }
        let valueStart = valueStarts[worker]
        guard let entries else {
            for book in books {
                let number = Int(numbers[book])
                if number != 0 { numbers[book] = values.ranks[valueStart + number - 1] }
            }
            return
        }
        let entryStart = values.count + entryStarts[worker]
        for book in books {
            let number = Int(numbers[book])
            if number == 0 { continue }
            let isCombination = number & 1 == 1
            numbers[book] = entries.ranks[(isCombination ? entryStart : valueStart) + number / 2 - 1]
        }
    }

    /// Returns the column, without values if its texts are too large, and frees everything else.
    func finish() -> FieldColumn {
        if writer == nil { numbers.update(repeating: 0) }
        let table = (writer ?? ColumnTableWriter(plan.layout, .init())).table
        (collectors, values, entries, writer) = ([], nil, nil, nil)
        arenas.withLock { $0 = [] }
        texts.withLock { $0 = [] }
        return FieldColumn(UnsafeBufferPointer(numbers), owner: memory, table)
    }
}

extension ByteArena {
    /// Returns numbers as bytes that are in the order of the numbers.
    mutating func bigEndian(_ numbers: [UInt32]) -> UnsafeBufferPointer<UInt8> {
        let room = room(numbers.count * 4)
        for (index, number) in numbers.enumerated() {
            UnsafeMutableRawPointer(room).storeBytes(of: number.bigEndian, toByteOffset: index * 4, as: UInt32.self)
        }
        return UnsafeBufferPointer(start: room, count: numbers.count * 4)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes bytes at an offset, and returns the offset after them.
    func write(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
        if let base = baseAddress, let start = bytes.baseAddress {
            (base + offset).update(from: start, count: bytes.count)
        }
        return offset + bytes.count
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the text is ASCII with single blanks between words, so that it is a line as it is.
    fileprivate var isPlainLine: Bool {
        var previous: UInt8 = 0x20
        for byte in self {
            if byte < 0x20 || byte >= 0x7F || byte == 0x20 && previous == 0x20 { return false }
            previous = byte
        }
        return previous != 0x20
    }
}

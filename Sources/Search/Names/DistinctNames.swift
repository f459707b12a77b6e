public import Indexing

// Unchecked, because the compiler cannot know that the texts belong to the columns and are never written.
/// The distinct authors, series and subjects of a catalog with the numbers of their books, the most frequent first.
/// Immutable.
public final class DistinctNames: @unchecked Sendable {
    /// A name.
    struct Entry: BitwiseCopyable {
        /// The normalized name, in the text of its column.
        var text: UnsafeBufferPointer<UInt8>
        var kind: JumpCandidate.Kind
        /// The number of books that have the name, and the first of them.
        var bookCount: UInt32
        var first: UInt32
    }

    /// The names.
    let entries: [Entry]
    /// The columns that have the texts.
    private let columns: NameColumns

    /// The number of books.
    public var bookCount: Int { columns.bookCount }
    /// The number of names.
    public var count: Int { entries.count }

    /// Collects the names of columns. Linear in the books and the names.
    public init(_ columns: NameColumns) {
        self.columns = columns
        // In the order of the kinds.
        var counts = [
            NameCounts(columns.series, .series), NameCounts(columns.authors, .author),
            NameCounts(columns.subjects, .subject),
        ]
        // By their first books, and then by their kinds.
        var entries: [Entry] = []
        entries.reserveCapacity(counts.reduce(0) { $0 + $1.column.valueCount })
        for book in 0..<columns.bookCount {
            for kind in counts.indices { counts[kind].add(book) { entries.append($0) } }
        }
        let bookCounts = counts.map(\.bookCounts)
        for index in entries.indices {
            let value = Int(entries[index].bookCount)
            entries[index].bookCount = bookCounts[Int(entries[index].kind.rawValue)][value]
        }
        self.entries = entries.mostFrequentFirst
    }

    /// Collects the names of an index on the calling thread. Linear in the text.
    public convenience init?(of index: BookIndex) {
        guard let columns = index.nameColumns() else { return nil }
        self.init(columns)
    }
}

/// The numbers of books of the names in a column, while they are counted.
private struct NameCounts {
    let column: FieldColumn
    private let kind: JumpCandidate.Kind
    private let numbers: UnsafeBufferPointer<UInt32>
    private let entries: ColumnEntries
    /// The number of books of each entry.
    private var entryCounts: [UInt32]
    /// Whether a book has each value.
    private var isKnown: [Bool]

    init(_ column: FieldColumn, _ kind: JumpCandidate.Kind) {
        (self.column, self.kind) = (column, kind)
        (numbers, entries) = (column.numbers, ColumnEntries(of: column))
        entryCounts = Array(repeating: 0, count: column.entryCount)
        isKnown = Array(repeating: false, count: column.valueCount)
    }

    /// Counts a book, and calls `note` with the names that no earlier book has, with the number of the value for the
    /// number of books.
    @inline(__always)
    mutating func add(_ book: Int, _ note: (DistinctNames.Entry) -> Void) {
        let number = Int(numbers[book])
        if number == 0 { return }
        entryCounts[number - 1] += 1
        if entryCounts[number - 1] > 1 { return }
        entries.forEachValue(of: number - 1) { value in
            if isKnown[value] { return }
            isKnown[value] = true
            note(
                .init(
                    text: column.folded(ofValue: value), kind: kind, bookCount: UInt32(truncatingIfNeeded: value),
                    first: UInt32(truncatingIfNeeded: book)))
        }
    }

    /// The number of books of each value.
    var bookCounts: [UInt32] {
        var counts = [UInt32](repeating: 0, count: column.valueCount)
        for entry in entryCounts.indices {
            entries.forEachValue(of: entry) { counts[$0] += entryCounts[entry] }
        }
        return counts
    }
}

extension [DistinctNames.Entry] {
    /// The names by the numbers of their books, the greatest first; those with as many stay in their order. Linear, unless
    /// many names are frequent.
    fileprivate var mostFrequentFirst: [DistinctNames.Entry] {
        let limit = 256
        var starts = [Int](repeating: 0, count: limit + 1)
        for entry in self { starts[Swift.min(Int(entry.bookCount), limit)] += 1 }
        var next = 0
        for count in (0...limit).reversed() {
            let size = starts[count]
            starts[count] = next
            next += size
        }
        let frequentCount = starts[limit - 1]
        return [DistinctNames.Entry](unsafeUninitializedCapacity: count) { sorted, count in
            for entry in self {
                let place = Swift.min(Int(entry.bookCount), limit)
                sorted.initializeElement(at: starts[place], to: entry)
                starts[place] += 1
            }
            count = self.count
            var frequent = UnsafeMutableBufferPointer(rebasing: sorted[..<frequentCount])
            frequent.sort { ($1.bookCount, $0.first, $0.kind.rawValue) < ($0.bookCount, $1.first, $1.kind.rawValue) }
        }
    }
}

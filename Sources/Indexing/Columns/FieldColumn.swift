// Unchecked, because the compiler cannot know that the memory is never written after initialization.
/// The values of one field in all books of a catalog, as numbers into a table of the distinct ones. Immutable.
///
/// Four bytes for each book, beside the distinct values.
public final class FieldColumn: @unchecked Sendable {
    /// The kinds of values.
    public enum Kind: UInt8, Sendable {
        case text, number
    }

    /// For each book 0 if it has no value, else 1 plus the number of its entry. Entries ascend in the order of their
    /// values, so that books are sorted by these numbers.
    public let numbers: UnsafeBufferPointer<UInt32>
    /// The distinct values.
    let table: ColumnTable
    /// The owner of the numbers.
    private let owner: AnyObject

    /// Creates a column of `numbers`, which belong to `owner` and are at most the number of entries.
    init(_ numbers: UnsafeBufferPointer<UInt32>, owner: AnyObject, _ table: ColumnTable) {
        (self.numbers, self.owner, self.table) = (numbers, owner, table)
    }

    /// The kind of the values.
    public var kind: Kind { table.layout.kind }
    /// Whether a book can have several values.
    public var isList: Bool { table.layout.isList }
    /// The number of books.
    public var bookCount: Int { numbers.count }

    /// The number of distinct entries. For a field with one value each entry is a value; for a list it is a distinct
    /// combination of values in the order of the record, without those that occur again. Combinations are in the order of
    /// their first values, then of their second, and so on.
    public var entryCount: Int { isList ? table.entryEnds.count : valueCount }

    /// The number of distinct values, which ascend: texts by the collation key of their normalized form, then by its
    /// bytes, names from the index by its bytes only, and numbers by value.
    public var valueCount: Int { kind == .text ? table.foldedEnds.count : table.doubles.count }

    /// Returns the numbers of the values of an entry.
    public func values(ofEntry entry: Int) -> ColumnValues {
        if !isList { return ColumnValues(only: UInt32(truncatingIfNeeded: entry)) }
        let range = Self.range(of: entry, in: table.entryEnds, count: table.entryValues.count)
        return ColumnValues(UnsafeBufferPointer(rebasing: table.entryValues[range]))
    }

    /// Returns the numbers of the values of a book.
    public func values(ofBook book: Int) -> ColumnValues {
        let number = Int(numbers[book])
        return number == 0 ? ColumnValues() : values(ofEntry: number - 1)
    }

    /// Returns the number that a value is; 0 for a text.
    public func number(ofValue value: Int) -> Double { kind == .number ? table.doubles[value] : 0 }

    /// Returns the normalized form of a text, by which it is distinct, empty for a number. If nothing remains of it by
    /// normalization, its own UTF-8 stands for it, with pictures of its control characters. It is that of the beginning of
    /// a text that is longer than `longestText`.
    public func folded(ofValue value: Int) -> UnsafeBufferPointer<UInt8> {
        if kind == .number { return UnsafeBufferPointer(start: nil, count: 0) }
        let range = Self.range(of: value, in: table.foldedEnds, count: table.foldedText.count)
        return UnsafeBufferPointer(rebasing: table.foldedText[range].dropLast())
    }

    /// Returns a text as the first book in catalog order writes it, one of its spellings if that book has several, or its
    /// beginning if it is longer than `longestText`; that of an earlier book if that one's text was edited. Names from the
    /// index are in their normalized form. Empty for a number.
    public func spelling(ofValue value: Int) -> String {
        if table.spellingEnds.isEmpty { return String(decoding: folded(ofValue: value), as: UTF8.self) }
        let range = Self.range(of: value, in: table.spellingEnds, count: table.spellingText.count)
        return String(decoding: UnsafeBufferPointer(rebasing: table.spellingText[range]), as: UTF8.self)
    }

    /// The normalized texts, each followed by a line feed: for `text_rank_books`, each is a book with a title only.
    public var foldedText: UnsafeBufferPointer<UInt8> { table.foldedText }
    /// The ends of the normalized texts, after their line feeds.
    public var foldedEnds: UnsafeBufferPointer<UInt32> { table.foldedEnds }

    /// The number of bytes of UTF-8 beyond which texts are cut.
    public static let longestText = 2000

    /// The size of the column in bytes.
    public var byteCount: Int { numbers.count * 4 + table.byteCount }

    /// Returns the range of an element in a concatenation. A mapped file that is truncated consists of zeros.
    private static func range(of index: Int, in ends: UnsafeBufferPointer<UInt32>, count: Int) -> Range<Int> {
        let end = min(Int(ends[index]), count)
        return (index == 0 ? 0 : min(Int(ends[index - 1]), end))..<end
    }
}

/// The numbers of the values that a book has in a column, in the order of its record.
public struct ColumnValues: RandomAccessCollection {
    @usableFromInline let list: UnsafeBufferPointer<UInt32>
    @usableFromInline let only: UInt32
    /// The number of values.
    public let count: Int

    init() { (list, only, count) = (.init(start: nil, count: 0), 0, 0) }

    init(only value: UInt32) { (list, only, count) = (.init(start: nil, count: 0), value, 1) }

    init(_ list: UnsafeBufferPointer<UInt32>) { (self.list, only, count) = (list, 0, list.count) }

    /// The index of the first value.
    @inlinable public var startIndex: Int { 0 }
    /// The index after the last value.
    @inlinable public var endIndex: Int { count }
    /// The number of a value.
    @inlinable public subscript(position: Int) -> Int { list.isEmpty ? Int(only) : Int(list[position]) }
}

/// The values of entries, for loops over all books of a column, which must outlive it.
public struct ColumnEntries {
    @usableFromInline let isList: Bool
    @usableFromInline let ends: UnsafeBufferPointer<UInt32>
    @usableFromInline let values: UnsafeBufferPointer<UInt32>

    /// Creates the entries of `column`.
    public init(of column: FieldColumn) {
        (isList, ends, values) = (column.isList, column.table.entryEnds, column.table.entryValues)
    }

    /// Calls `body` with the numbers of the values of an entry.
    @inlinable @inline(__always)
    public func forEachValue(of entry: Int, _ body: (Int) -> Void) {
        if !isList { return body(entry) }
        // A mapped file that is truncated consists of zeros.
        var position = entry == 0 ? 0 : Int(ends[entry - 1])
        let end = min(Int(ends[entry]), values.count)
        while position < end {
            body(Int(values[position]))
            position += 1
        }
    }
}

private import CSystem
internal import Glibc

/// What is known of a stretch of a catalog's books: where their records are, their keys, and the text that is searched.
/// Immutable.
///
/// The text of a book is its folded title and authors, each ended by a line feed, and then the digits of its ISBN, which
/// stands nowhere else: what is not there need not be written to memory, which takes a good part of the time in which
/// millions of books are read.
// Unchecked, as the compiler cannot know that nobody writes to the memory after it was made.
final class CatalogSegment: @unchecked Sendable {
    /// How many books there are.
    let count: Int
    /// The hashes of their titles and authors.
    let hashes: UnsafeBufferPointer<UInt64>
    /// The offset in the file from which those of the records are counted.
    private let base: UInt64
    private let relativeOffsets: UnsafeBufferPointer<UInt32>
    /// Where the text of each ends.
    private let textEnds: UnsafeBufferPointer<UInt32>
    /// The texts one after another.
    private let text: UnsafeBufferPointer<UInt8>
    /// All of this as one stretch of memory.
    let memory: UnsafeRawBufferPointer
    /// What the memory belongs to; nil where it is this segment's own.
    private let owner: AnyObject?

    /// How far from the first record of a segment the last one may be.
    static let maximumLength = Int(UInt32.max)
    /// How many bytes of a book's text are kept.
    static let maximumTextCount = 1 << 30
    /// How many digits an ISBN has.
    static let digitCount = 13

    /// The length of the memory in bytes.
    static func size(count: Int, textCount: Int) -> Int { headSize + count * bytesPerBook + textCount }

    private static let headSize = MemoryLayout<UInt64>.size
    /// What a book needs besides its text.
    private static let bytesPerBook = MemoryLayout<UInt64>.stride + 2 * MemoryLayout<UInt32>.stride

    /// The segment of `count` books that `memory` holds, which is a part of `owner` and aligned for 64-bit numbers: the
    /// base, the hashes, the offsets from the base on, the ends of the texts, the texts.
    init(count: Int, memory: UnsafeRawBufferPointer, owner: AnyObject?) {
        self.count = count
        self.memory = memory
        self.owner = owner
        base = memory.loadUnaligned(as: UInt64.self)
        var rest = UnsafeRawBufferPointer(rebasing: memory.dropFirst(Self.headSize))
        func take<Element>(_: Element.Type, _ count: Int) -> UnsafeBufferPointer<Element> {
            let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(count * MemoryLayout<Element>.stride))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
            return bytes.bindMemory(to: Element.self)
        }
        hashes = take(UInt64.self, count)
        relativeOffsets = take(UInt32.self, count)
        textEnds = take(UInt32.self, count)
        text = take(UInt8.self, rest.count)
    }

    /// The segment that `memory` holds, which somebody else wrote; nil where it is too small. What it
    /// holds is not looked at: its numbers may be any.
    convenience init?(checking memory: UnsafeRawBufferPointer, count: Int, owner: AnyObject) {
        let (size, overflow) = count.multipliedReportingOverflow(by: Self.bytesPerBook)
        guard count >= 0, !overflow, memory.count >= Self.headSize, size <= memory.count - Self.headSize else {
            return nil
        }
        self.init(count: count, memory: memory, owner: owner)
    }

    deinit { if owner == nil { memory.deallocate() } }

    /// Where in the file the record of the book at `index` is.
    func offset(at index: Int) -> Int { Int(truncatingIfNeeded: base &+ UInt64(relativeOffsets[index])) }

    /// The text of the book at `index`.
    func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
        // An index that was damaged may hold any numbers.
        let end = min(Int(textEnds[index]), text.count)
        let start = index == 0 ? 0 : min(Int(textEnds[index - 1]), end)
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    /// The ISBN of the book at `index`; nil where it has none that is valid.
    @inline(__always)
    func isbn(at index: Int) -> BookIdentity.Key? {
        let text = text(at: index)
        guard text.count >= Self.digitCount, let base = text.baseAddress, text[text.count - 1] != 0x0A,
            // Before the first text there are the other columns.
            let number = ISBN.number(ofThirteenDigitsBefore: base + text.count)
        else { return nil }
        return BookIdentity.Key(isbn: number)
    }

    /// The hash of the book at `index`.
    func hash(at index: Int) -> BookIdentity.Key { BookIdentity.Key(indexed: hashes[index]) }

    /// The keys of the book at `index`.
    func keys(at index: Int) -> BookKeys { BookKeys(isbn: isbn(at: index), hash: hash(at: index)) }
}

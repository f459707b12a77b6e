private import CSystem
internal import Glibc

/// What is known of a stretch of a catalog's books: where their records are, their keys, and the text that is searched.
/// Immutable.
///
/// The text of a book is its folded title and authors, each ended by a line feed, and then the digits of its ISBN.
// Unchecked, as the compiler cannot know that nobody writes to the memory after it was made.
final class CatalogSegment: @unchecked Sendable {
    /// How many books there are.
    let count: Int
    /// The offsets of their records in the file.
    let offsets: UnsafeBufferPointer<UInt64>
    /// The keys of their identities.
    let keys: UnsafeBufferPointer<UInt64>
    /// The hashes of their titles and authors.
    let hashes: UnsafeBufferPointer<UInt64>
    /// Where the text of each ends.
    let textEnds: UnsafeBufferPointer<UInt32>
    /// The texts one after another.
    let text: UnsafeBufferPointer<UInt8>
    /// All of this as one stretch of memory.
    let memory: UnsafeRawBufferPointer
    /// What the memory belongs to; nil where it is this segment's own.
    private let owner: AnyObject?

    /// The length of the memory in bytes.
    static func size(count: Int, textCount: Int) -> Int { count * bytesPerBook + textCount }

    /// What a book needs besides its text.
    private static let bytesPerBook = 3 * MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride

    /// The segment of `count` books that `memory` holds, which is a part of `owner` and aligned for 64-bit numbers.
    init(count: Int, memory: UnsafeRawBufferPointer, owner: AnyObject?) {
        self.count = count
        self.memory = memory
        self.owner = owner
        var rest = memory
        func take<Element>(_: Element.Type, _ count: Int) -> UnsafeBufferPointer<Element> {
            let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(count * MemoryLayout<Element>.stride))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
            return bytes.bindMemory(to: Element.self)
        }
        offsets = take(UInt64.self, count)
        keys = take(UInt64.self, count)
        hashes = take(UInt64.self, count)
        textEnds = take(UInt32.self, count)
        text = take(UInt8.self, rest.count)
    }

    /// The segment that `memory` holds, which somebody else wrote; nil where it is too small. What it
    /// holds is not looked at: its numbers may be any.
    convenience init?(checking memory: UnsafeRawBufferPointer, count: Int, owner: AnyObject) {
        let (size, overflow) = count.multipliedReportingOverflow(by: Self.bytesPerBook)
        guard count >= 0, !overflow, size <= memory.count else { return nil }
        self.init(count: count, memory: memory, owner: owner)
    }

    deinit { if owner == nil { memory.deallocate() } }

    /// The keys of the book at `index`.
    func keys(at index: Int) -> BookKeys {
        let key = BookIdentity.Key(indexed: keys[index])
        return BookKeys(isbn: key.isISBN ? key : nil, hash: BookIdentity.Key(indexed: hashes[index]))
    }
}

/// The makings of a segment.
struct SegmentBuilder: ~Copyable {
    private var offsets: [UInt64] = []
    private var keys: [UInt64] = []
    private var hashes: [UInt64] = []
    private var textEnds: [UInt32] = []
    private var text = ByteBuffer(capacity: 1 << 12)

    /// What stands for the key of a book without an ISBN until its hash is known; no key is this.
    private static let noKey: UInt64 = 0
    /// How many digits an ISBN has.
    private static let digitCount = 13

    /// How many books were added.
    var count: Int { offsets.count }

    /// Adds a book that is at hand.
    mutating func add(_ book: Book, offset: Int) {
        for part in [book.title] + book.authors {
            text.append(folding: part)
            text.append(0x0A)
        }
        finish(offset: offset, isbn: book.isbn?.number)
    }

    /// Adds the book whose fields `reader` has read at these ranges; false where they are of a form that `RecordDecoder`
    /// alone reads, and nothing was added.
    mutating func add(_ fields: FieldRanges, of reader: JSONReader, offset: Int) -> Bool {
        let start = text.count
        let isbn: Int?
        if let range = fields.isbn {
            guard let number = Self.number(in: reader.bytes(of: range)) else { return false }
            isbn = number
        } else {
            isbn = nil
        }
        guard addTitle(fields.title, of: reader), addAuthors(fields.authors, of: reader) else {
            text.count = start
            return false
        }
        finish(offset: offset, isbn: isbn)
        return true
    }

    private mutating func addTitle(_ range: Range<Int>?, of reader: JSONReader) -> Bool {
        if let range {
            let value = reader.bytes(of: range)
            guard let content = Self.content(of: value), content.count == value.count - 2 else { return false }
            guard text.append(folding: content) else { return false }
        }
        text.append(0x0A)
        return true
    }

    private mutating func addAuthors(_ range: Range<Int>?, of reader: JSONReader) -> Bool {
        guard let range else { return true }
        let value = reader.bytes(of: range)
        if value[0] == UInt8(ascii: "\"") { return addName(value) != nil }
        guard value[0] == UInt8(ascii: "[") else { return false }
        // Strings without escapes, blanks and commas: anything else is left to the general way.
        var index = 1
        while true {
            switch value[index] {
            case UInt8(ascii: "]"): return true
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09: index += 1
            case UInt8(ascii: "\""):
                guard let length = addName(UnsafeBufferPointer(rebasing: value[index...])) else { return false }
                index += length
            default: return false
            }
        }
    }

    /// Adds the name that `value` begins with, where it is not blank.
    ///
    /// - Returns: The length of its string.
    private mutating func addName(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        let start = text.count
        // What folds to nothing may be blank, which is no name, or not: nobody can say from here.
        guard let content = Self.content(of: value), text.append(folding: content), text.count > start else {
            return nil
        }
        text.append(0x0A)
        return content.count + 2
    }

    /// The content of the string that `value` begins with; nil where it has escapes, or there is no string.
    @inline(__always)
    private static func content(of value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard let base = value.baseAddress, base[0] == UInt8(ascii: "\"") else { return nil }
        let length = scan_plain_string(base + 1)
        return base[1 + length] == UInt8(ascii: "\"") ? UnsafeBufferPointer(start: base + 1, count: length) : nil
    }

    /// The ISBN of a plain string or number; nil where it takes the general way.
    private static func number(in value: UnsafeBufferPointer<UInt8>) -> Int?? {
        switch value[0] {
        case UInt8(ascii: "\""):
            return ISBN.plainNumber(in: UnsafeBufferPointer(rebasing: value[1..<value.count - 1]))
        case UInt8(ascii: "n"): return .some(nil)
        default: return nil
        }
    }

    private mutating func finish(offset: Int, isbn: Int?) {
        offsets.append(UInt64(offset))
        keys.append(isbn.map { BookIdentity.Key(isbn: $0).indexed } ?? Self.noKey)
        if let isbn { text.append(isbn, digitCount: Self.digitCount) }
        textEnds.append(UInt32(truncatingIfNeeded: text.count))
    }

    /// Takes the book that was added last away.
    mutating func removeLast() {
        offsets.removeLast()
        keys.removeLast()
        textEnds.removeLast()
        text.count = textEnds.last.map(Int.init) ?? 0
    }

    /// Gives each book its hash, and those that have no ISBN their key.
    private mutating func addHashes() {
        let text = UnsafeBufferPointer(self.text.bytes)
        func folded(_ index: Int) -> UnsafeBufferPointer<UInt8> {
            let start = index == 0 ? 0 : Int(textEnds[index - 1])
            let end = Int(textEnds[index]) - (keys[index] == Self.noKey ? 0 : Self.digitCount)
            return UnsafeBufferPointer(rebasing: text[start..<end])
        }
        while hashes.count + 4 <= count {
            let index = hashes.count
            let four = BookIdentity.Key.hashes(
                ofFolded: (folded(index), folded(index + 1), folded(index + 2), folded(index + 3)))
            hashes.append(four.0.indexed)
            hashes.append(four.1.indexed)
            hashes.append(four.2.indexed)
            hashes.append(four.3.indexed)
        }
        while hashes.count < count { hashes.append(BookIdentity.Key(hashOfFolded: folded(hashes.count)).indexed) }
        for index in keys.indices where keys[index] == Self.noKey { keys[index] = hashes[index] }
    }

    /// The segment of the books that were added since the last one.
    mutating func take() -> CatalogSegment {
        addHashes()
        let size = CatalogSegment.size(count: count, textCount: text.count)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        var rest = memory
        func put(_ bytes: UnsafeRawBufferPointer) {
            rest.copyMemory(from: bytes)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
        }
        offsets.withUnsafeBytes(put)
        keys.withUnsafeBytes(put)
        hashes.withUnsafeBytes(put)
        textEnds.withUnsafeBytes(put)
        put(UnsafeRawBufferPointer(text.bytes))
        let segment = CatalogSegment(count: count, memory: UnsafeRawBufferPointer(memory), owner: nil)
        offsets.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        textEnds.removeAll(keepingCapacity: true)
        text.count = 0
        return segment
    }
}

/// Where the values of the fields that are searched stand in a record.
struct FieldRanges {
    var title: Range<Int>?
    var authors: Range<Int>?
    var isbn: Range<Int>?
}

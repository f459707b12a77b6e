package import Books
internal import Glibc
internal import Synchronization
internal import Text

// Unchecked, as the compiler cannot know that nobody writes to the memory after it was made.
/// What is known of a stretch of a catalog's books: where their records are, their keys, the text that is searched, and what
/// is known of them in numbers. Immutable.
///
/// The text of a book is lines, each ended by a line feed: its folded title, its authors, and then what a byte before it
/// tells the kind of (see `IndexedTextField`). Last come the digits of its ISBN, which stands nowhere else: what is not there need
/// not be written to memory, which takes a good part of the time in which millions of books are read. For the same reason
/// a column of numbers is there only where a book has one.
package final class IndexSegment: @unchecked Sendable {
    /// How many books there are.
    package let count: Int
    /// The hashes of their titles and authors.
    let hashes: UnsafeBufferPointer<UInt64>
    /// How the memory is divided.
    package let layout: Layout
    private let relativeOffsets: UnsafeBufferPointer<UInt32>
    /// Where the text of each ends.
    package let textEnds: UnsafeBufferPointer<UInt32>
    /// The texts one after another.
    package let text: UnsafeBufferPointer<UInt8>
    /// The columns of numbers; empty where no book has one.
    package let added: UnsafeBufferPointer<UInt32>
    let positions: UnsafeBufferPointer<Float>
    package let years: UnsafeBufferPointer<Int16>
    package let pages: UnsafeBufferPointer<UInt16>
    package let languages: UnsafeBufferPointer<UInt16>
    package let ratings: UnsafeBufferPointer<UInt8>
    package let traits: UnsafeBufferPointer<UInt8>
    /// All of this as one stretch of memory.
    package let memory: UnsafeRawBufferPointer
    /// What the memory belongs to; nil where it is this segment's own.
    private let owner: AnyObject?

    /// How far from the first record of a segment the last one may be.
    package static let maximumLength = Int(UInt32.max)
    /// How many bytes of a book's text are kept.
    package static let maximumTextCount = 1 << 30
    /// How many digits an ISBN has.
    package static let digitCount = 13

    /// The columns of numbers that a segment may have.
    package struct Columns: OptionSet {
        package let rawValue: UInt64

        package init(rawValue: UInt64) { self.rawValue = rawValue }

        package static let added = Columns(rawValue: 1)
        package static let positions = Columns(rawValue: 2)
        package static let years = Columns(rawValue: 4)
        package static let pages = Columns(rawValue: 8)
        package static let languages = Columns(rawValue: 16)
        package static let ratings = Columns(rawValue: 32)
        package static let traits = Columns(rawValue: 64)
        package static let all = Columns(rawValue: 127)

        /// How many bytes they have for each book.
        var width: Int {
            var width = 0
            if contains(.added) { width += 4 }
            if contains(.positions) { width += 4 }
            if contains(.years) { width += 2 }
            if contains(.pages) { width += 2 }
            if contains(.languages) { width += 2 }
            if contains(.ratings) { width += 1 }
            if contains(.traits) { width += 1 }
            return width
        }
    }

    /// How the memory of a segment is divided, which its beginning says too.
    package struct Layout {
        /// How many books there are.
        package var count: Int
        /// The offset in the file from which those of the records are counted.
        package var base: UInt64
        /// The columns of numbers.
        package var columns: Columns

        /// A layout of these numbers.
        package init(count: Int, base: UInt64, columns: Columns) {
            (self.count, self.base, self.columns) = (count, base, columns)
        }
    }

    /// The length of the memory in bytes.
    package static func size(count: Int, columns: Columns, textCount: Int) -> Int {
        headSize + count * (bytesPerBook + columns.width) + textCount
    }

    /// The base, and which columns there are.
    private static let headSize = 2 * MemoryLayout<UInt64>.size
    /// What a book needs besides its text and the columns of numbers.
    private static let bytesPerBook = MemoryLayout<UInt64>.stride + 2 * MemoryLayout<UInt32>.stride

    /// The segment of `count` books that `memory` holds, which is a part of `owner` and aligned for 64-bit numbers: the
    /// base, which columns there are, the hashes, the offsets from the base on, the ends of the texts, the columns in the
    /// order of their declaration, the texts.
    package convenience init(count: Int, memory: UnsafeRawBufferPointer, owner: AnyObject?) {
        let layout = Layout(
            count: count, base: memory.loadUnaligned(as: UInt64.self),
            columns: Columns(rawValue: memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        self.init(memory, layout, owner: owner, soundness: .sound)
    }

    private init(_ memory: UnsafeRawBufferPointer, _ layout: Layout, owner: AnyObject?, soundness: Soundness) {
        self.soundness = Atomic(soundness)
        self.layout = layout
        count = layout.count
        self.memory = memory
        self.owner = owner
        let (count, columns) = (layout.count, layout.columns)
        var rest = UnsafeRawBufferPointer(rebasing: memory.dropFirst(Self.headSize))
        func take<Element>(_: Element.Type, _ count: Int) -> UnsafeBufferPointer<Element> {
            let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(count * MemoryLayout<Element>.stride))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
            return bytes.bindMemory(to: Element.self)
        }
        func take<Element>(_ type: Element.Type, _ column: Columns) -> UnsafeBufferPointer<Element> {
            columns.contains(column) ? take(type, count) : UnsafeBufferPointer(start: nil, count: 0)
        }
        hashes = take(UInt64.self, count)
        relativeOffsets = take(UInt32.self, count)
        textEnds = take(UInt32.self, count)
        added = take(UInt32.self, .added)
        positions = take(Float.self, .positions)
        years = take(Int16.self, .years)
        pages = take(UInt16.self, .pages)
        languages = take(UInt16.self, .languages)
        ratings = take(UInt8.self, .ratings)
        traits = take(UInt8.self, .traits)
        text = take(UInt8.self, rest.count)
    }

    /// The segment with this layout that `memory` holds, which another process wrote; nil if the memory is too small. It is
    /// not looked at now: its numbers may be any.
    package convenience init?(checking memory: UnsafeRawBufferPointer, layout: Layout, owner: AnyObject) {
        guard layout.count >= 0, memory.count >= Self.headSize, Columns.all.isSuperset(of: layout.columns) else {
            return nil
        }
        let width = Self.bytesPerBook + layout.columns.width
        let (size, overflow) = layout.count.multipliedReportingOverflow(by: width)
        guard !overflow, size <= memory.count - Self.headSize else { return nil }
        self.init(memory, layout, owner: owner, soundness: .unknown)
    }

    deinit { if owner == nil { memory.deallocate() } }

    /// Where in the file the record of the book at `index` is.
    func offset(at index: Int) -> Int { Int(truncatingIfNeeded: layout.base &+ UInt64(relativeOffsets[index])) }

    /// What is known of the book at `index` in numbers.
    package func facts(at index: Int) -> NumericFields {
        var facts = NumericFields()
        if !added.isEmpty { facts.added = added[index] }
        if !positions.isEmpty { facts.position = positions[index] }
        if !years.isEmpty { facts.year = years[index] }
        if !pages.isEmpty { facts.pages = pages[index] }
        if !languages.isEmpty { facts.language = LanguageCode(bits: languages[index]) }
        if !ratings.isEmpty { facts.rating = ratings[index] }
        if !traits.isEmpty { facts.traits = NumericFields.Traits(rawValue: traits[index]) }
        return facts
    }

    /// The text of the book at `index`.
    package func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
        // An index that was damaged may hold any numbers.
        let end = min(Int(textEnds[index]), text.count)
        let start = index == 0 ? 0 : min(Int(textEnds[index - 1]), end)
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    /// Whether the ends of the texts ascend and are within them, so that nobody need look at each. Linear the first time.
    package var hasSoundText: Bool {
        switch soundness.load(ordering: .relaxed) {
        case .sound: return true
        case .unsound: return false
        case .unknown:
            var previous: UInt32 = 0
            var isSound = true
            for end in textEnds {
                isSound = isSound && end >= previous
                previous = end
            }
            isSound = isSound && Int(previous) <= text.count
            // Whoever else asks now comes to the same.
            soundness.store(isSound ? .sound : .unsound, ordering: .relaxed)
            return isSound
        }
    }

    private enum Soundness: UInt8, AtomicRepresentable { case unknown, sound, unsound }
    private let soundness: Atomic<Soundness>

    /// The ISBN of the book at `index`; nil where it has none that is valid.
    @inline(__always)
    package func isbn(at index: Int) -> BookIdentity.Key? {
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
    func keys(at index: Int) -> MatchKeys { MatchKeys(isbn: isbn(at: index), hash: hash(at: index)) }
}

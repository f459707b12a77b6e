public import Books
internal import Glibc
internal import Synchronization
internal import Text

// Unchecked, because the compiler cannot know that the memory is never written after initialization.
/// The index of consecutive books of a catalog: record offsets, keys, searchable text and numeric columns. Immutable.
///
/// The text of a book consists of lines that end with a line feed: its normalized title, its authors, and then lines
/// that start with a kind byte (see `IndexedTextField`). The digits of its ISBN come last and are stored nowhere else,
/// and a numeric column exists only if a book has a value in it, because writing memory takes a good part of the time
/// to load millions of books.
public final class IndexSegment: StorableSegment, @unchecked Sendable {
    /// The hashes of titles and authors.
    let hashes: UnsafeBufferPointer<UInt64>
    /// The layout of the memory.
    public let layout: Layout
    private let relativeOffsets: UnsafeBufferPointer<UInt32>
    /// The end of each book's text.
    public let textEnds: UnsafeBufferPointer<UInt32>
    /// The concatenated texts.
    public let text: UnsafeBufferPointer<UInt8>
    /// The days when books were added; like all numeric columns, empty if no book has a value.
    public let added: UnsafeBufferPointer<UInt32>
    /// The positions in series.
    let positions: UnsafeBufferPointer<Float>
    /// The years of publication.
    public let years: UnsafeBufferPointer<Int16>
    /// The page counts.
    public let pages: UnsafeBufferPointer<UInt16>
    /// The bits of the language codes.
    public let languages: UnsafeBufferPointer<UInt16>
    /// The ratings.
    public let ratings: UnsafeBufferPointer<UInt8>
    /// The raw values of the traits.
    public let traits: UnsafeBufferPointer<UInt8>
    /// The memory of the whole segment; nil for a part of another, which has no memory in one piece.
    public let memory: UnsafeRawBufferPointer?
    /// The owner of the memory, or nil if the segment frees it.
    private let owner: AnyObject?

    /// The number of books.
    public var count: Int { layout.count }

    /// The maximum distance in bytes between the first and the last record of a segment.
    public static var maximumLength: Int { Int(UInt32.max) }
    /// The maximum number of bytes of a book's text; longer texts are truncated.
    public static var maximumTextCount: Int { 1 << 30 }
    /// The number of digits of an ISBN.
    public static var digitCount: Int { 13 }

    /// The set of numeric columns in a segment.
    public struct Columns: OptionSet, Sendable {
        /// The bits of the columns.
        public let rawValue: UInt64

        /// Creates a set from its bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The days when books were added.
        public static let added = Columns(rawValue: 1)
        /// The positions in series.
        public static let positions = Columns(rawValue: 2)
        /// The years of publication.
        public static let years = Columns(rawValue: 4)
        /// The page counts.
        public static let pages = Columns(rawValue: 8)
        /// The language codes.
        public static let languages = Columns(rawValue: 16)
        /// The ratings.
        public static let ratings = Columns(rawValue: 32)
        /// The traits.
        public static let traits = Columns(rawValue: 64)
        /// All columns.
        public static let all = Columns(rawValue: 127)

        /// The total width of the columns in bytes per book.
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

    /// The layout of a segment's memory, which its header also records.
    public struct Layout {
        /// The number of books.
        public var count: Int
        /// The file offset that record offsets are relative to.
        public var base: UInt64
        /// The numeric columns.
        public var columns: Columns

        /// Creates a layout.
        public init(count: Int, base: UInt64, columns: Columns) {
            (self.count, self.base, self.columns) = (count, base, columns)
        }
    }

    /// Returns the size of a segment's memory in bytes.
    public static func size(count: Int, columns: Columns, textCount: Int) -> Int {
        headSize + count * (bytesPerBook + columns.width) + textCount
    }

    /// The size of the header: the base offset and the set of columns.
    private static let headSize = 2 * MemoryLayout<UInt64>.size
    /// The bytes per book other than text and numeric columns.
    private static let bytesPerBook = MemoryLayout<UInt64>.stride + 2 * MemoryLayout<UInt32>.stride

    /// Creates a segment of `count` books from trusted `memory`, which belongs to `owner` and is aligned to 8 bytes.
    ///
    /// The memory contains, in this order: the base offset, the set of columns, the hashes, the record offsets relative
    /// to the base, the text ends, the columns in the order of their declaration, and the texts.
    public convenience init(count: Int, memory: UnsafeRawBufferPointer, owner: AnyObject?) {
        let layout = Layout(
            count: count, base: memory.loadUnaligned(as: UInt64.self),
            columns: Columns(rawValue: memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        self.init(memory, layout, owner: owner, soundness: .sound)
    }

    private init(_ memory: UnsafeRawBufferPointer, _ layout: Layout, owner: AnyObject?, soundness: Soundness) {
        self.soundness = Atomic(soundness)
        self.layout = layout
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

    /// Creates a segment from memory that another process wrote; fails if the memory is too small for the layout.
    ///
    /// The contents are not validated, so every number in it may be arbitrary.
    public convenience init?(checking memory: UnsafeRawBufferPointer, layout: Layout, owner: AnyObject) {
        guard layout.count >= 0, memory.count >= Self.headSize, Columns.all.isSuperset(of: layout.columns) else {
            return nil
        }
        let width = Self.bytesPerBook + layout.columns.width
        let (size, overflow) = layout.count.multipliedReportingOverflow(by: width)
        guard !overflow, size <= memory.count - Self.headSize else { return nil }
        self.init(memory, layout, owner: owner, soundness: .unknown)
    }

    /// Creates a segment with some books of `whole`, whose records stand `shift` bytes further; it shares the memory except
    /// for the text ends. These must be sound if it does not begin with the first book.
    init(of whole: IndexSegment, _ books: Range<Int>, shift: Int) {
        func part<Element>(_ column: UnsafeBufferPointer<Element>) -> UnsafeBufferPointer<Element> {
            column.isEmpty ? column : UnsafeBufferPointer(rebasing: column[books])
        }
        let isAll = books == 0..<whole.count
        soundness = Atomic(whole.soundness.load(ordering: .relaxed))
        memory = isAll ? whole.memory : nil
        let shared = whole.memory == nil ? whole.owner : whole
        layout = Layout(
            count: books.count, base: whole.layout.base &+ UInt64(bitPattern: Int64(shift)),
            columns: whole.layout.columns)
        hashes = part(whole.hashes)
        relativeOffsets = part(whole.relativeOffsets)
        added = part(whole.added)
        positions = part(whole.positions)
        years = part(whole.years)
        pages = part(whole.pages)
        languages = part(whole.languages)
        ratings = part(whole.ratings)
        traits = part(whole.traits)
        let ends = part(whole.textEnds)
        if isAll {
            (textEnds, text, owner) = (ends, whole.text, shared)
            return
        }
        // The ends may have changed since they were found sound, if the file with them was truncated.
        let start = books.lowerBound == 0 ? 0 : min(Int(whole.textEnds[books.lowerBound - 1]), whole.text.count)
        // A part of a part keeps the segment that both share, and not the other part.
        let own = PartTextEnds(ends.lazy.map { $0 &- UInt32(start) }, of: (shared as? PartTextEnds)?.segment ?? shared)
        (textEnds, owner) = (UnsafeBufferPointer(own.ends), own)
        let end = min(ends.last.map { Int($0) } ?? start, whole.text.count)
        text = UnsafeBufferPointer(rebasing: whole.text[start..<max(start, end)])
    }

    deinit {
        if owner == nil { memory?.deallocate() }
    }

    /// Returns the file offset of the record of the book at `index`.
    public func offset(at index: Int) -> Int { Int(truncatingIfNeeded: layout.base &+ UInt64(relativeOffsets[index])) }

    /// Returns the numeric fields of the book at `index`.
    public func facts(at index: Int) -> NumericFields {
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

    /// Returns the text of the book at `index`.
    public func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
        // A damaged index may contain arbitrary numbers.
        let end = min(Int(textEnds[index]), text.count)
        let start = index == 0 ? 0 : min(Int(textEnds[index - 1]), end)
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    /// Whether the text ends ascend and are in range, so that they need not be checked one by one. Linear on first use.
    public var hasSoundText: Bool {
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
            // Concurrent callers compute the same value.
            soundness.store(isSound ? .sound : .unsound, ordering: .relaxed)
            return isSound
        }
    }

    private enum Soundness: UInt8, AtomicRepresentable { case unknown, sound, unsound }
    private let soundness: Atomic<Soundness>

    /// Returns the valid ISBN of the book at `index`, if any.
    @inline(__always)
    public func isbn(at index: Int) -> BookIdentity.Key? {
        let text = text(at: index)
        guard text.count >= Self.digitCount, let base = text.baseAddress, text[text.count - 1] != 0x0A,
            // The other columns precede the first text, so the bytes before it are readable.
            let number = ISBN.number(ofThirteenDigitsBefore: base + text.count)
        else { return nil }
        return BookIdentity.Key(isbn: number)
    }

    /// Returns the hash of the book at `index`.
    func hash(at index: Int) -> BookIdentity.Key { BookIdentity.Key(indexed: hashes[index]) }

    /// Returns the keys of the book at `index`.
    func keys(at index: Int) -> MatchKeys { MatchKeys(isbn: isbn(at: index), hash: hash(at: index)) }
}

/// The text ends of a part of a segment, which are relative to the text of the part.
private final class PartTextEnds {
    let ends: UnsafeMutableBufferPointer<UInt32>
    /// The owner of the memory that the part shares.
    let segment: AnyObject?

    init(_ ends: some Collection<UInt32>, of segment: AnyObject?) {
        self.ends = .allocate(capacity: ends.count)
        _ = self.ends.initialize(fromContentsOf: ends)
        self.segment = segment
    }

    deinit { ends.deallocate() }
}

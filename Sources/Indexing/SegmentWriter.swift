public import Books
internal import CText
public import Text

/// Builds segments book by book.
public struct SegmentWriter: ~Copyable {
    /// The keys and numeric fields of a book.
    private struct Entry {
        var hash: UInt64
        var relativeOffset: UInt32
        var textEnd: UInt32
        var facts: NumericFields
    }

    /// The finished segments.
    private var sealed: [IndexSegment] = []
    /// The offset of the first record of the current segment.
    private var base = 0
    private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 64)
    private var capacity = 64
    private var entryCount = 0
    /// The number of books added since the last `take`.
    public var count: Int { entryCount + sealed.reduce(0) { $0 + $1.count } }
    /// The text of the books in the current segment.
    public var text = ByteBuffer(capacity: 1 << 12)
    private var arena = HugePageArena()

    /// Creates an empty writer.
    public init() {}

    deinit { entries.deallocate() }

    /// Adds a decoded book.
    public mutating func add(_ book: Book, offset: Int) {
        begin(at: offset)
        let hash = addKeys(of: book)
        for isbn in book.otherISBNs { addOtherISBN(isbn.number ?? 0) }
        addLine(book.series, kind: .series)
        addSubjects(book.subjects)
        addLine(book.publisher, kind: .publisher)
        addLine(book.otherTitle, kind: .otherTitle)
        addLine(book.sortTitle, kind: .sortTitle)
        addLanguages(book.languages)
        finish(offset: offset, hash: hash, isbn: book.isbn?.number, facts: NumericFields(of: book))
    }

    /// Appends the lines that the hash key is computed from.
    ///
    /// - Returns: The hash.
    public mutating func addKeys(of book: Book) -> UInt64 {
        for part in [book.title] + book.authors {
            text.append(folding: part)
            text.append(0x0A)
        }
        return hashOfKeys
    }

    /// The hash of the current book's text, which must contain only the title and authors yet.
    @inline(__always)
    public var hashOfKeys: UInt64 {
        let start = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
        return BookIdentity.Key(
            hashOfFolded: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[start...])
        ).indexed
    }

    /// Appends a line of this kind unless it is empty.
    public mutating func addLine(_ content: String?, kind: IndexedTextField) {
        guard let content, !content.isEmpty else { return }
        let start = text.count
        text.append(kind.rawValue)
        text.append(folding: content)
        endLine(from: start)
    }

    /// Appends the line of another valid ISBN than that of the book.
    public mutating func addOtherISBN(_ number: Int) {
        text.append(IndexedTextField.otherISBN.rawValue)
        text.append(number, digitCount: IndexSegment.digitCount)
        text.append(0x0A)
    }

    /// Ends the line that begins at `start` with its kind byte, or removes it if it is empty.
    @inline(__always)
    public mutating func endLine(from start: Int) {
        if text.count == start + 1 { text.count = start } else { text.append(0x0A) }
    }

    /// Appends the lines of decoded subjects.
    public mutating func addSubjects(_ subjects: [String]) {
        let first = text.count
        for subject in subjects {
            let start = text.count
            addLine(subject, kind: .subject)
            removeSecond(from: start, first: first)
        }
    }

    /// The number of preceding bytes of subjects that are searched for duplicates.
    private static let subjectWindow = 1 << 10

    /// Removes the subject at `start` if it occurs earlier; the subjects begin at `first`.
    @inline(__always)
    public mutating func removeSecond(from start: Int, first: Int) {
        if start == first { return }
        let begin = max(first, start - Self.subjectWindow)
        guard let base = text.bytes.baseAddress, start > begin, text.count > start else { return }
        if text_find(base + begin, start - begin, 0, base + start, text.count - start) < start - begin {
            text.count = start
        }
    }

    /// Appends the languages unless the language column represents them fully.
    public mutating func addLanguages(_ tags: [String]) {
        guard let first = tags.first, tags.count > 1 || LanguageCode(of: first).text != first else { return }
        for tag in tags { addLine(tag, kind: .language) }
    }

    /// Starts a book whose record is at `offset`, in a new segment if the current one is full.
    @inline(__always)
    public mutating func begin(at offset: Int) {
        if entryCount > 0, offset - base > IndexSegment.maximumLength || text.count > IndexSegment.maximumTextCount {
            seal()
        }
        if entryCount == 0 { base = offset }
    }

    /// Finishes the book whose lines were appended to the text.
    @inline(__always)
    public mutating func finish(offset: Int, hash: UInt64, isbn: Int?, facts: NumericFields) {
        let start = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
        if text.count > start + IndexSegment.maximumTextCount {
            // The last line must end even if the text is truncated.
            text.count = start + IndexSegment.maximumTextCount
            text.append(0x0A)
        }
        if let isbn { text.append(isbn, digitCount: IndexSegment.digitCount) }
        if entryCount == capacity { grow() }
        entries[entryCount] = Entry(
            hash: hash, relativeOffset: UInt32(truncatingIfNeeded: offset - base),
            textEnd: UInt32(truncatingIfNeeded: text.count), facts: facts)
        entryCount += 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        larger.update(from: entries, count: entryCount)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }

    /// Removes the book that was added last.
    public mutating func removeLast() {
        entryCount -= 1
        text.count = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
    }

    /// Returns the segments of the books added since the last call: one, unless texts and records exceed gigabytes.
    public mutating func take() -> [IndexSegment] {
        if entryCount > 0 { seal() }
        defer { sealed = [] }
        return sealed
    }

    private mutating func seal() {
        let columns = columns
        let (memory, owner) = arena.allocate(
            IndexSegment.size(count: entryCount, columns: columns, textCount: text.count))
        memory.storeBytes(of: UInt64(base), as: UInt64.self)
        memory.storeBytes(of: columns.rawValue, toByteOffset: 8, as: UInt64.self)
        var rest = UnsafeMutableRawBufferPointer(rebasing: memory.dropFirst(2 * MemoryLayout<UInt64>.size))
        func write<Element>(_ column: IndexSegment.Columns?, _ value: (Entry) -> Element) {
            if let column, !columns.contains(column) { return }
            let bytes = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(entryCount * MemoryLayout<Element>.stride))
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
            let values = bytes.bindMemory(to: Element.self)
            for index in 0..<entryCount { values[index] = value(entries[index]) }
        }
        write(nil) { $0.hash }
        write(nil) { $0.relativeOffset }
        write(nil) { $0.textEnd }
        write(.added) { $0.facts.added }
        write(.positions) { $0.facts.position }
        write(.years) { $0.facts.year }
        write(.pages) { $0.facts.pages }
        write(.languages) { $0.facts.language.bits }
        write(.ratings) { $0.facts.rating }
        write(.traits) { $0.facts.traits.rawValue }
        rest.copyMemory(from: UnsafeRawBufferPointer(text.bytes))
        sealed.append(IndexSegment(count: entryCount, memory: UnsafeRawBufferPointer(memory), owner: owner))
        entryCount = 0
        text.count = 0
    }

    /// The columns in which at least one book has a value.
    private var columns: IndexSegment.Columns {
        var columns: IndexSegment.Columns = []
        for index in 0..<entryCount {
            let facts = entries[index].facts
            if facts.added != 0 { columns.insert(.added) }
            if !facts.position.isNaN { columns.insert(.positions) }
            if facts.year != NumericFields.unknownYear { columns.insert(.years) }
            if facts.pages != 0 { columns.insert(.pages) }
            if facts.language != .unknown { columns.insert(.languages) }
            if facts.rating != 0 { columns.insert(.ratings) }
            if facts.traits.rawValue != 0 { columns.insert(.traits) }
            if columns == .all { break }
        }
        return columns
    }
}

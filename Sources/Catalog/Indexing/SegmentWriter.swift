internal import Glibc

/// The makings of segments.
struct SegmentWriter: ~Copyable {
    /// What is known of a book besides its text.
    private struct Entry {
        var hash: UInt64
        var relativeOffset: UInt32
        var textEnd: UInt32
        var facts: NumericFields
    }

    /// Segments that are full.
    private var sealed: [IndexSegment] = []
    /// The offset of the first record of the next one.
    private var base = 0
    private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 64)
    private var capacity = 64
    private var entryCount = 0
    /// How many books were added since the last `take`.
    var count: Int { entryCount + sealed.reduce(0) { $0 + $1.count } }
    var text = ByteBuffer(capacity: 1 << 12)
    private var arena = HugePageArena()
    /// The languages that were read last.
    var languages = LanguageCodeCache()

    deinit { entries.deallocate() }

    /// Adds a book that is at hand.
    mutating func add(_ book: Book, offset: Int) {
        begin(at: offset)
        let hash = addKeys(of: book)
        addLine(book.series, kind: .series)
        addSubjects(book.subjects)
        addLine(book.publisher, kind: .publisher)
        addLine(book.sortTitle, kind: .sortTitle)
        addLanguages(book.languages)
        finish(offset: offset, hash: hash, isbn: book.isbn?.number, facts: NumericFields(of: book))
    }

    /// Adds the record at `start` in the text of `reader`, in which `fields` were found, as `decoder` plans. What is of a
    /// form that the general way alone reads is left to it.
    ///
    /// - Returns: Whether the keys were not.
    @discardableResult
    mutating func add(
        _ fields: borrowing FieldExtractor, of decoder: RecordDecoder, in reader: JSONReader, at start: Int, offset: Int
    ) -> Bool {
        begin(at: offset)
        let textStart = text.count
        var isbn: Int?
        let hash: UInt64
        let arePlain: Bool
        if let found = Self.isbn(fields, of: decoder.plan, in: reader), addTitle(fields, of: decoder.plan, in: reader),
            addAuthors(fields, of: decoder.plan, in: reader)
        {
            isbn = found
            hash = hashOfKeys
            arePlain = true
        } else {
            text.count = textStart
            let book = decoder.heading(of: fields.record(in: reader))
            isbn = book.isbn?.number
            hash = addKeys(of: book)
            arePlain = false
        }
        let facts = addFacts(fields, of: decoder, in: reader, at: start)
        finish(offset: offset, hash: hash, isbn: isbn, facts: facts)
        return arePlain
    }

    /// Adds the lines that the keys are made of.
    ///
    /// - Returns: Their hash.
    private mutating func addKeys(of book: Book) -> UInt64 {
        for part in [book.title] + book.authors {
            text.append(folding: part)
            text.append(0x0A)
        }
        return hashOfKeys
    }

    /// The hash of the text of a book that has its title and authors alone yet.
    @inline(__always)
    private var hashOfKeys: UInt64 {
        let start = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
        return BookIdentity.Key(
            hashOfFolded: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[start...])
        ).indexed
    }

    /// Adds a line of this kind; nothing where there is nothing in it.
    mutating func addLine(_ content: String?, kind: IndexedTextField) {
        guard let content, !content.isEmpty else { return }
        let start = text.count
        text.append(kind.rawValue)
        text.append(folding: content)
        endLine(from: start)
    }

    /// Ends a line that begins at `start` with the byte of its kind, or takes it away where nothing is behind that.
    @inline(__always)
    mutating func endLine(from start: Int) {
        if text.count == start + 1 { text.count = start } else { text.append(0x0A) }
    }

    /// Adds the languages, unless the column of languages says as much.
    mutating func addLanguages(_ tags: [String]) {
        guard let first = tags.first, tags.count > 1 || LanguageCode(of: first).text != first else { return }
        for tag in tags { addLine(tag, kind: .language) }
    }

    private mutating func addTitle(
        _ fields: borrowing FieldExtractor, of plan: KeyTrie, in reader: JSONReader
    ) -> Bool {
        for place in plan.places(of: .title) {
            switch fields.finding(at: place) {
            case .missing: continue
            case .plainString(let range):
                if range.count == 2 { continue }
                guard addContent(of: range, in: reader) else { return false }
                text.append(0x0A)
                return true
            case .array(let range):
                guard let isAdded = addTitle(from: range.lowerBound, at: place, place.nameCount, in: reader)
                else { return false }
                if isAdded { return true }
            case .other(let offset, let stepCount):
                guard let isAdded = addTitle(from: offset, at: place, stepCount, in: reader) else {
                    return false
                }
                if isAdded { return true }
            }
        }
        text.append(0x0A)
        return !plan.hasDefaults
    }

    /// Adds the first text that is not empty of those that the rest of a place's path leads to.
    ///
    /// - Returns: Whether there is one; nil where that is left to the general way.
    private mutating func addTitle(
        from offset: Int, at place: KeyTrie.Place, _ stepCount: Int, in reader: JSONReader
    ) -> Bool? {
        guard let path = place.path else { return nil }
        var isAdded = false
        var rest = reader
        rest.move(to: offset)
        let isPlain = rest.walk(path, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""):
                let start = reader.offset
                guard (try? reader.skipString()) == true else { return false }
                if isAdded || reader.offset - start == 2 { return true }
                guard addContent(of: start..<reader.offset, in: reader) else { return false }
                text.append(0x0A)
                isAdded = true
                return true
            default: return false
            }
        }
        return isPlain ? isAdded : nil
    }

    private mutating func addAuthors(
        _ fields: borrowing FieldExtractor, of plan: KeyTrie, in reader: JSONReader
    ) -> Bool {
        for place in plan.places(of: .authors) {
            let start = text.count
            switch fields.finding(at: place) {
            case .missing: continue
            case .plainString(let range):
                if range.count == 2 { continue }
                return addName(range, in: reader)
            case .array(let range):
                if !addNames(range, in: reader) {
                    text.count = start
                    guard addNames(from: range.lowerBound, at: place, place.nameCount, in: reader) else {
                        return false
                    }
                }
            case .other(let offset, let stepCount):
                guard addNames(from: offset, at: place, stepCount, in: reader) else { return false }
            }
            if text.count > start { return true }
        }
        return !plan.hasDefaults
    }

    /// The key of a name in an object that is a person.
    private static let nameKey = PlainText("name")

    /// Adds the names that the rest of a place's path leads to: strings without escapes, and objects with such a name.
    ///
    /// - Returns: False where that is left to the general way.
    mutating func addNames(
        from offset: Int, at place: KeyTrie.Place, _ stepCount: Int, in reader: JSONReader
    ) -> Bool {
        guard let path = place.path else { return false }
        var rest = reader
        rest.move(to: offset)
        return rest.walk(path, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""): return addName(from: &reader, separator: place.separator)
            case UInt8(ascii: "{"):
                guard let name = reader.member(Self.nameKey), name > 0 else { return false }
                let end = reader.offset
                reader.move(to: name)
                guard reader.byte == UInt8(ascii: "\""), addName(from: &reader, separator: place.separator) else {
                    return false
                }
                reader.move(to: end)
                return true
            default: return false
            }
        }
    }

    private mutating func addName(from reader: inout JSONReader, separator: UInt8?) -> Bool {
        let start = reader.offset
        guard (try? reader.skipString()) == true else { return false }
        let range = start..<reader.offset
        if let separator, memchr(reader.pointer(to: start), Int32(separator), range.count) != nil { return false }
        return range.count == 2 || addName(range, in: reader)
    }

    /// Adds the names in an array of strings without escapes; false where there is anything else.
    private mutating func addNames(_ range: Range<Int>, in reader: JSONReader) -> Bool {
        var reader = reader
        reader.move(to: range.lowerBound + 1)
        while reader.offset < range.upperBound {
            switch reader.byte {
            case UInt8(ascii: "\""):
                let start = reader.offset
                guard (try? reader.skipString()) == true, addName(start..<reader.offset, in: reader) else {
                    return false
                }
            case UInt8(ascii: "]"), UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09: reader.move(to: reader.offset + 1)
            default: return false
            }
        }
        return true
    }

    @inline(__always)
    private mutating func addName(_ range: Range<Int>, in reader: JSONReader) -> Bool {
        guard addContent(of: range, in: reader) else { return false }
        text.append(0x0A)
        return true
    }

    /// Adds the content of a string without escapes, folded. False where that is nothing, which may be blank, and no
    /// value, or not: nobody can say from here.
    @inline(__always)
    mutating func addContent(of range: Range<Int>, in reader: JSONReader) -> Bool {
        let start = text.count
        let content = UnsafeBufferPointer(start: reader.pointer(to: range.lowerBound + 1), count: range.count - 2)
        return text.append(folding: content, paddingCount: JSONReader.stringPaddingCount) && text.count > start
    }

    /// The ISBN; nil inside where there is none that is valid, nil where the general way alone can tell.
    private static func isbn(
        _ fields: borrowing FieldExtractor, of plan: KeyTrie, in reader: JSONReader
    ) -> Int?? {
        var hasInvalid = false
        for place in plan.places(of: .isbn) {
            let isPlain: Bool
            var number: Int?
            // A text that is no valid number, where that counts.
            var isInvalid = false
            switch fields.finding(at: place) {
            case .missing: continue
            case .plainString(let range):
                isPlain = read(range, in: reader, mustBeValid: place.mustBeValid, &number, &isInvalid)
            case .array(let range):
                isPlain = isbn(
                    from: range.lowerBound, at: place, place.nameCount, in: reader, &number, &isInvalid)
            case .other(let offset, let stepCount):
                isPlain = isbn(from: offset, at: place, stepCount, in: reader, &number, &isInvalid)
            }
            if !isPlain { return nil }
            if number != nil { return .some(number) }
            hasInvalid = hasInvalid || isInvalid
        }
        return plan.hasDefaults && !hasInvalid ? nil : .some(nil)
    }

    /// Reads the numbers that the rest of a place's path leads to, up to the first that is valid.
    ///
    /// - Returns: False where that is left to the general way.
    private static func isbn(
        from offset: Int, at place: KeyTrie.Place, _ stepCount: Int, in reader: JSONReader,
        _ number: inout Int?, _ isInvalid: inout Bool
    ) -> Bool {
        guard let path = place.path else { return false }
        var rest = reader
        rest.move(to: offset)
        return rest.walk(path, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""):
                let start = reader.offset
                guard (try? reader.skipString()) == true else { return false }
                if number != nil { return true }
                return read(
                    start..<reader.offset, in: reader, mustBeValid: place.mustBeValid, &number, &isInvalid)
            default: return false
            }
        }
    }

    /// Reads the number in a string without escapes, digits alone or with "urn:isbn:" before them.
    private static func read(
        _ range: Range<Int>, in reader: JSONReader, mustBeValid: Bool, _ number: inout Int?, _ isInvalid: inout Bool
    ) -> Bool {
        var start = reader.pointer(to: range.lowerBound + 1)
        var count = range.count - 2
        if count > prefix.utf8CodeUnitCount, memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0 {
            start += prefix.utf8CodeUnitCount
            count -= prefix.utf8CodeUnitCount
        }
        if count == IndexSegment.digitCount, let found = ISBN.number(ofThirteenDigits: start) {
            number = found
            return true
        }
        guard let found = ISBN.plainNumber(in: UnsafeBufferPointer(start: start, count: count)) else { return false }
        number = found
        if found == nil && !mustBeValid { isInvalid = true }
        return true
    }

    private static let prefix: StaticString = "urn:isbn:"

    /// Prepares for a book whose record is at `offset`.
    @inline(__always)
    private mutating func begin(at offset: Int) {
        if entryCount > 0, offset - base > IndexSegment.maximumLength || text.count > IndexSegment.maximumTextCount {
            seal()
        }
        if entryCount == 0 { base = offset }
    }

    /// Adds the book whose lines were added to the text.
    @inline(__always)
    private mutating func finish(offset: Int, hash: UInt64, isbn: Int?, facts: NumericFields) {
        let start = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
        if text.count > start + IndexSegment.maximumTextCount {
            // Whatever is cut, the line must end.
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

    /// Takes the book that was added last away.
    mutating func removeLast() {
        entryCount -= 1
        text.count = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
    }

    /// The segments of the books that were added since the last time: one but for texts and records of gigabytes.
    mutating func take() -> [IndexSegment] {
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

    /// The columns of numbers in which a book has one.
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

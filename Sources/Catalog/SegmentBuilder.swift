internal import Glibc

/// The makings of segments.
struct SegmentBuilder: ~Copyable {
    /// What is known of a book besides its text.
    private struct Entry {
        var hash: UInt64
        var relativeOffset: UInt32
        var textEnd: UInt32
    }

    /// Segments that are full.
    private var sealed: [CatalogSegment] = []
    /// The offset of the first record of the next one.
    private var base = 0
    private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 64)
    private var capacity = 64
    private var entryCount = 0
    /// How many books were added since the last `take`.
    var count: Int { entryCount + sealed.reduce(0) { $0 + $1.count } }
    private var text = ByteBuffer(capacity: 1 << 12)
    private var arena = SegmentArena()

    deinit { entries.deallocate() }

    /// Adds a book that is at hand.
    mutating func add(_ book: Book, offset: Int) {
        begin(at: offset)
        for part in [book.title] + book.authors {
            text.append(folding: part)
            text.append(0x0A)
        }
        finish(offset: offset, isbn: book.isbn?.number)
    }

    /// Adds the record in which `fields` were found; false where they are of a form that the general way alone reads, and
    /// nothing was added.
    mutating func add(
        _ fields: borrowing FieldScanner, of plan: ScanPlan, in reader: JSONReader, offset: Int
    ) -> Bool {
        begin(at: offset)
        let start = text.count
        guard let isbn = Self.isbn(fields, of: plan, in: reader), addTitle(fields, of: plan, in: reader),
            addAuthors(fields, of: plan, in: reader)
        else {
            text.count = start
            return false
        }
        finish(offset: offset, isbn: isbn)
        return true
    }

    private mutating func addTitle(
        _ fields: borrowing FieldScanner, of plan: ScanPlan, in reader: JSONReader
    ) -> Bool {
        for place in plan.titles {
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
        from offset: Int, at place: ScanPlan.Place, _ stepCount: Int, in reader: JSONReader
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
        _ fields: borrowing FieldScanner, of plan: ScanPlan, in reader: JSONReader
    ) -> Bool {
        for place in plan.authors {
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
    private mutating func addNames(
        from offset: Int, at place: ScanPlan.Place, _ stepCount: Int, in reader: JSONReader
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
    private mutating func addContent(of range: Range<Int>, in reader: JSONReader) -> Bool {
        let start = text.count
        let content = UnsafeBufferPointer(start: reader.pointer(to: range.lowerBound + 1), count: range.count - 2)
        return text.append(folding: content, paddingCount: JSONReader.stringPaddingCount) && text.count > start
    }

    /// The ISBN; nil inside where there is none that is valid, nil where the general way alone can tell.
    private static func isbn(
        _ fields: borrowing FieldScanner, of plan: ScanPlan, in reader: JSONReader
    ) -> Int?? {
        var hasInvalid = false
        for place in plan.isbns {
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
        from offset: Int, at place: ScanPlan.Place, _ stepCount: Int, in reader: JSONReader,
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
        if count == CatalogSegment.digitCount, let found = ISBN.number(ofThirteenDigits: start) {
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
        if entryCount > 0, offset - base > CatalogSegment.maximumLength || text.count > CatalogSegment.maximumTextCount
        {
            seal()
        }
        if entryCount == 0 { base = offset }
    }

    /// Adds the book whose title and authors were added to the text.
    @inline(__always)
    private mutating func finish(offset: Int, isbn: Int?) {
        let start = entryCount == 0 ? 0 : Int(entries[entryCount - 1].textEnd)
        let folded = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[start...])
        let hash = BookIdentity.Key(hashOfFolded: folded).indexed
        text.count = min(text.count, start + CatalogSegment.maximumTextCount)
        if let isbn { text.append(isbn, digitCount: CatalogSegment.digitCount) }
        if entryCount == capacity { grow() }
        entries[entryCount] = Entry(
            hash: hash, relativeOffset: UInt32(truncatingIfNeeded: offset - base),
            textEnd: UInt32(truncatingIfNeeded: text.count))
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
    mutating func take() -> [CatalogSegment] {
        if entryCount > 0 { seal() }
        defer { sealed = [] }
        return sealed
    }

    private mutating func seal() {
        let (memory, owner) = arena.allocate(CatalogSegment.size(count: entryCount, textCount: text.count))
        memory.storeBytes(of: UInt64(base), as: UInt64.self)
        var rest = UnsafeMutableRawBufferPointer(rebasing: memory.dropFirst(MemoryLayout<UInt64>.size))
        func column<Element>(_: Element.Type) -> UnsafeMutableBufferPointer<Element> {
            let bytes = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(entryCount * MemoryLayout<Element>.stride))
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
            return bytes.bindMemory(to: Element.self)
        }
        let (hashes, offsets, ends) = (column(UInt64.self), column(UInt32.self), column(UInt32.self))
        for index in 0..<entryCount {
            hashes[index] = entries[index].hash
            offsets[index] = entries[index].relativeOffset
            ends[index] = entries[index].textEnd
        }
        rest.copyMemory(from: UnsafeRawBufferPointer(text.bytes))
        sealed.append(CatalogSegment(count: entryCount, memory: UnsafeRawBufferPointer(memory), owner: owner))
        entryCount = 0
        text.count = 0
    }
}

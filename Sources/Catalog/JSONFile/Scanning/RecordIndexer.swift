internal import Books
internal import Glibc
internal import Indexing
internal import JSON
internal import Text

/// Adds records to an index, from their bytes as far as possible.
struct RecordIndexer: ~Copyable {
    /// The writer of the segments.
    var writer = SegmentWriter()
    /// The codes of recent languages.
    var languages = LanguageCodeCache()

    /// Adds the record at `start` in the text of `reader`, whose values are in `fields`; forms that the fast path does
    /// not support are left to the general decoder.
    ///
    /// - Returns: Whether the fast path supported the key fields.
    @discardableResult
    mutating func add(
        _ fields: borrowing FieldExtractor, of decoder: RecordDecoder, in reader: JSONReader, at start: Int, offset: Int
    ) -> Bool {
        writer.begin(at: offset)
        let textStart = writer.text.count
        let isbns: FoundISBNs
        let hash: UInt64
        let arePlain: Bool
        if let found = Self.isbns(fields, of: decoder.plan, in: reader), addTitle(fields, of: decoder.plan, in: reader),
            addAuthors(fields, of: decoder.plan, in: reader)
        {
            isbns = found
            hash = writer.hashOfKeys
            arePlain = true
        } else {
            writer.text.count = textStart
            let book = decoder.heading(of: fields.record(in: reader))
            isbns = FoundISBNs(
                first: book.isbn?.number, others: book.otherISBNs.compactMap(\.number),
                hasInvalid: book.isbn?.isValid == false)
            hash = writer.addKeys(of: book)
            arePlain = false
        }
        for isbn in isbns.others { writer.addOtherISBN(isbn) }
        var facts = addFacts(fields, of: decoder, in: reader, at: start)
        if isbns.first == nil && isbns.hasInvalid { facts.traits.insert(.invalidISBN) }
        writer.finish(offset: offset, hash: hash, isbn: isbns.first, facts: facts)
        return arePlain
    }

    private mutating func addTitle(
        _ fields: borrowing FieldExtractor, of plan: KeyTrie, in reader: JSONReader
    ) -> Bool {
        for number in fields.targets(of: .title) {
            let target = plan[number]
            switch fields.finding(at: target) {
            case .missing: continue
            case .plainString(let range):
                if range.count == 2 { continue }
                guard !Self.mayHaveSubfieldCodes(range, in: reader), addContent(of: range, in: reader) else {
                    return false
                }
                writer.text.append(0x0A)
                return true
            case .array(let range):
                guard let isAdded = addTitle(from: range.lowerBound, at: target, of: plan, target.nameCount, in: reader)
                else { return false }
                if isAdded { return true }
            case .other(let offset, let stepCount):
                guard let isAdded = addTitle(from: offset, at: target, of: plan, stepCount, in: reader) else {
                    return false
                }
                if isAdded { return true }
            }
        }
        writer.text.append(0x0A)
        return !plan.hasDefaults
    }

    /// Whether a title may contain MARC subfield codes, which the general decoder removes.
    static func mayHaveSubfieldCodes(_ range: Range<Int>, in reader: JSONReader) -> Bool {
        memchr(reader.pointer(to: range.lowerBound), Int32(UInt8(ascii: "$")), range.count) != nil
    }

    /// Appends the first non-empty text at the rest of the path.
    ///
    /// - Returns: Whether there is one; nil if the general decoder is needed.
    private mutating func addTitle(
        from offset: Int, at target: KeyTrie.Target, of plan: KeyTrie, _ stepCount: Int, in reader: JSONReader
    ) -> Bool? {
        guard target.stepCount != nil else { return nil }
        var isAdded = false
        var rest = reader
        rest.move(to: offset)
        let isPlain = rest.walk(target, of: plan, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""):
                let start = reader.offset
                guard (try? reader.skipString()) == true else { return false }
                if isAdded || reader.offset - start == 2 { return true }
                let range = start..<reader.offset
                guard !Self.mayHaveSubfieldCodes(range, in: reader), addContent(of: range, in: reader) else {
                    return false
                }
                writer.text.append(0x0A)
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
        for number in fields.targets(of: .authors) {
            let target = plan[number]
            let start = writer.text.count
            switch fields.finding(at: target) {
            case .missing: continue
            case .plainString(let range):
                if range.count == 2 { continue }
                let content = Self.content(of: range, in: reader)
                guard target.separatesNames, ListedName.mayDiffer(content) else { return addName(range, in: reader) }
                for author in ListedName.authors(
                    in: String(decoding: content, as: UTF8.self), leavesOutContributors: target.leavesOutContributors)
                {
                    writer.text.append(folding: author)
                    writer.text.append(0x0A)
                }
                return writer.text.count > start
            case .array(let range):
                if !addNames(range, in: reader) {
                    writer.text.count = start
                    guard addNames(from: range.lowerBound, at: target, of: plan, target.nameCount, in: reader) else {
                        return false
                    }
                }
            case .other(let offset, let stepCount):
                guard addNames(from: offset, at: target, of: plan, stepCount, in: reader) else { return false }
            }
            if writer.text.count > start { return true }
        }
        return !plan.hasDefaults
    }

    /// The key of the name in an object that represents a person.
    private static let nameKey = Array("name".utf8)

    /// Appends the names at the rest of the path: unescaped strings, and objects with a name member.
    ///
    /// - Returns: false if the general decoder is needed.
    mutating func addNames(
        from offset: Int, at target: KeyTrie.Target, of plan: KeyTrie, _ stepCount: Int, in reader: JSONReader
    ) -> Bool {
        guard target.stepCount != nil else { return false }
        var rest = reader
        rest.move(to: offset)
        return rest.walk(target, of: plan, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""): return addName(from: &reader, separator: target.separator)
            case UInt8(ascii: "{"):
                guard let name = reader.member(Self.nameKey), name > 0 else { return false }
                let end = reader.offset
                reader.move(to: name)
                guard reader.byte == UInt8(ascii: "\""), addName(from: &reader, separator: target.separator) else {
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

    /// Appends the names in an array of unescaped strings; false if there are other values.
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
        writer.text.append(0x0A)
        return true
    }

    /// Appends the normalized content of an unescaped string; false if nothing remains, because only the general
    /// decoder can tell whether that is a value.
    @inline(__always)
    mutating func addContent(of range: Range<Int>, in reader: JSONReader) -> Bool {
        let start = writer.text.count
        return writer.text.append(
            folding: Self.content(of: range, in: reader), paddingCount: JSONReader.stringPaddingCount)
            && writer.text.count > start
    }

    /// Returns the bytes between the quotation marks of an unescaped string.
    @inline(__always)
    private static func content(of range: Range<Int>, in reader: JSONReader) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: reader.pointer(to: range.lowerBound + 1), count: range.count - 2)
    }

    /// The ISBNs of a record.
    private struct FoundISBNs {
        /// The first valid one.
        var first: Int?
        /// The other valid ones.
        var others: [Int] = []
        /// Whether there is an invalid one that is not ignored.
        var hasInvalid = false

        mutating func add(_ number: Int) {
            if first == nil {
                first = number
            } else if number != first, !others.contains(number) {
                others.append(number)
            }
        }
    }

    /// Returns the ISBNs; nil if the general decoder is needed.
    private static func isbns(
        _ fields: borrowing FieldExtractor, of plan: KeyTrie, in reader: JSONReader
    ) -> FoundISBNs? {
        var found = FoundISBNs()
        for number in fields.targets(of: .isbn) {
            let target = plan[number]
            let isPlain: Bool
            switch fields.finding(at: target) {
            case .missing: continue
            case .plainString(let range): isPlain = read(range, in: reader, at: target, to: &found)
            case .array(let range):
                isPlain = readISBNs(
                    from: range.lowerBound, at: target, of: plan, target.nameCount, in: reader, to: &found)
            case .other(let offset, let stepCount):
                isPlain = readISBNs(from: offset, at: target, of: plan, stepCount, in: reader, to: &found)
            }
            if !isPlain { return nil }
        }
        return plan.hasDefaults && found.first == nil && !found.hasInvalid ? nil : found
    }

    /// Reads the ISBNs at the rest of the path.
    ///
    /// - Returns: false if the general decoder is needed.
    private static func readISBNs(
        from offset: Int, at target: KeyTrie.Target, of plan: KeyTrie, _ stepCount: Int, in reader: JSONReader,
        to found: inout FoundISBNs
    ) -> Bool {
        guard target.stepCount != nil else { return false }
        var rest = reader
        rest.move(to: offset)
        return rest.walk(target, of: plan, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""):
                let start = reader.offset
                guard (try? reader.skipString()) == true else { return false }
                return read(start..<reader.offset, in: reader, at: target, to: &found)
            default: return false
            }
        }
    }

    /// Reads the ISBN in an unescaped string of digits, optionally prefixed with "urn:isbn:".
    private static func read(
        _ range: Range<Int>, in reader: JSONReader, at target: KeyTrie.Target, to found: inout FoundISBNs
    ) -> Bool {
        var start = reader.pointer(to: range.lowerBound + 1)
        var count = range.count - 2
        if count > prefix.utf8CodeUnitCount, memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0 {
            start += prefix.utf8CodeUnitCount
            count -= prefix.utf8CodeUnitCount
        }
        if count == IndexSegment.digitCount, let number = ISBN.number(ofThirteenDigits: start) {
            found.add(number)
            return true
        }
        let content = UnsafeBufferPointer(start: start, count: count)
        guard let number = ISBN.plainNumber(in: content) else { return false }
        if let number {
            found.add(number)
        } else if !target.mustBeValid, !content.allSatisfy({ $0 == UInt8(ascii: " ") }) {
            found.hasInvalid = true
        }
        return true
    }

    private static let prefix: StaticString = "urn:isbn:"
}

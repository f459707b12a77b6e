private import CSystem
internal import Glibc

/// Reading of what is known of a book besides its keys, from the bytes of its record.
///
/// Each field has a form that most catalogs write it in, which is read here in a few nanoseconds. Of any other its value alone
/// is read as a `JSONValue`, and where that cannot be done, once for all such fields, the whole record.
extension SegmentBuilder {
    /// Adds the lines of the text that are no keys.
    ///
    /// - Returns: What is known in numbers.
    mutating func addFacts(
        _ fields: borrowing FieldScanner, of decoder: RecordDecoder, in reader: JSONReader, at start: Int
    ) -> BookFacts {
        var facts = BookFacts()
        let plan = decoder.plan
        var general = GeneralRecord(start: start)
        addText(.series, kind: .series, fields, decoder, reader, &general)
        let subjectsStart = text.count
        addSubjects(fields, decoder, reader, &general)
        let subjectsEnd = text.count
        addText(.publisher, kind: .publisher, fields, decoder, reader, &general)
        addText(.sortTitle, kind: .sortTitle, fields, decoder, reader, &general)
        facts.language = addLanguage(fields, decoder, reader, &general)

        switch Self.pages(fields, plan, reader) {
        case .none: break
        case .some(let pages): facts.pages = pages
        case .general:
            if case .integer(let count)? = general.value(of: .pageCount, decoder, reader) { facts.set(pages: count) }
        }
        switch Self.boolean(.fiction, fields, plan, reader) {
        case .none: break
        case .some(let isFiction): facts.traits.isFiction = isFiction
        case .general:
            if case .boolean(let isFiction)? = general.value(of: .fiction, decoder, reader) {
                facts.traits.isFiction = isFiction
            }
        }
        if facts.traits.isFiction == nil, mayTellFiction(subjectsStart..<subjectsEnd),
            Book.isFiction(subjects: lines(subjectsStart..<subjectsEnd)) == true
        {
            facts.traits.isFiction = true
        }
        switch Self.date(.published, fields, plan, reader) {
        case .none: break
        case .some(let date): facts.set(year: date)
        case .general:
            if case .date(let date)? = general.value(of: .published, decoder, reader) { facts.set(year: date) }
        }
        switch Self.date(.dateAdded, fields, plan, reader) {
        case .none: break
        case .some(let date): facts.added = BookFacts.packed(date)
        case .general:
            if case .date(let date)? = general.value(of: .dateAdded, decoder, reader) {
                facts.added = BookFacts.packed(date)
            }
        }
        switch Self.number(.rating, fields, plan, reader) {
        case .none: break
        case .some(let rating) where rating <= 5: facts.set(rating: rating)
        default:
            if case .number(let rating)? = general.value(of: .rating, decoder, reader) { facts.set(rating: rating) }
        }
        switch Self.number(.seriesPosition, fields, plan, reader) {
        case .none: break
        case .some(let position): facts.position = Float(position)
        case .general:
            if case .number(let position)? = general.value(of: .seriesPosition, decoder, reader) {
                facts.position = Float(position)
            }
        }
        if Self.isThere(.status, fields, plan, reader),
            case .status(let status)? = general.value(of: .status, decoder, reader)
        {
            facts.traits.status = status
        }
        if Self.isThere(.description, fields, plan, reader) { facts.traits.insert(.described) }
        if Self.isThere(.cover, fields, plan, reader) { facts.traits.insert(.covered) }
        return facts
    }

    /// What a record has of a field.
    private enum Reading<Value> {
        /// Nothing.
        case none
        /// This.
        case some(Value)
        /// What the general way alone reads.
        case general
    }

    /// Whether anything stands where a field may: what can be made of it nobody looks at.
    @inline(__always)
    private static func isThere(
        _ field: ScannedField, _ fields: borrowing FieldScanner, _ plan: ScanPlan, _ reader: JSONReader
    ) -> Bool {
        if plan.unplaced & field.mask != 0 { return true }
        for place in plan.places(of: field) {
            switch fields.finding(at: place) {
            case .missing: continue
            case .plainString(let range), .array(let range): if range.count > 2 { return true }
            case .other(let offset, let stepCount):
                if stepCount == place.nameCount && place.isPlain || leadsAnywhere(place, stepCount, reader, offset) {
                    return true
                }
            }
        }
        return false
    }

    /// Whether the rest of a place's path leads to anything but null.
    private static func leadsAnywhere(
        _ place: ScanPlan.Place, _ stepCount: Int, _ reader: JSONReader, _ offset: Int
    ) -> Bool {
        guard let path = place.path else { return true }
        var rest = reader
        rest.move(to: offset)
        var isThere = false
        let isPlain = rest.walk(path, from: stepCount) { reader in
            if reader.byte != UInt8(ascii: "n") { isThere = true }
            return reader.pass()
        }
        return isThere || !isPlain
    }

    /// What a value is as `Value`, by its bytes: the first place that has one decides.
    @inline(__always)
    private static func read<Value>(
        _ field: ScannedField, _ fields: borrowing FieldScanner, _ plan: ScanPlan, _ reader: JSONReader,
        string: (UnsafeBufferPointer<UInt8>) -> Value?, other: (Int) -> Value?
    ) -> Reading<Value> {
        if plan.unplaced & field.mask != 0 { return .general }
        for place in plan.places(of: field) {
            switch fields.finding(at: place) {
            case .missing: continue
            case .plainString(let range):
                if range.count == 2 { continue }
                let content = UnsafeBufferPointer(
                    start: reader.pointer(to: range.lowerBound + 1), count: range.count - 2)
                return string(content).map(Reading.some) ?? .general
            case .array: return .general
            case .other(let offset, let stepCount):
                guard place.isPlain, stepCount == place.nameCount else { return .general }
                return other(offset).map(Reading.some) ?? .general
            }
        }
        return .none
    }

    @inline(__always)
    private static func pages(
        _ fields: borrowing FieldScanner, _ plan: ScanPlan, _ reader: JSONReader
    ) -> Reading<UInt16> {
        read(
            .pageCount, fields, plan, reader,
            string: { content in
                guard content.count <= 5, let count = wholeNumber(content), count > 0 else { return nil }
                return UInt16(clamping: count)
            },
            other: { offset in
                // A number ends before what is no part of one.
                let digits = reader.pointer(to: offset)
                var count = 0
                while count < 6, digits[count].isASCIIDigit { count += 1 }
                guard count <= 5, !isPartOfNumber(digits[count]),
                    let number = wholeNumber(UnsafeBufferPointer(start: digits, count: count)), number > 0
                else { return nil }
                return UInt16(clamping: number)
            })
    }

    @inline(__always)
    private static func boolean(
        _ field: ScannedField, _ fields: borrowing FieldScanner, _ plan: ScanPlan, _ reader: JSONReader
    ) -> Reading<Bool> {
        read(
            field, fields, plan, reader, string: { _ in nil },
            other: { offset in
                switch reader.pointer(to: offset).pointee {
                case UInt8(ascii: "t"): true
                case UInt8(ascii: "f"): false
                default: nil
                }
            })
    }

    /// A number of the form 4, 4.5 or 12.25.
    @inline(__always)
    private static func number(
        _ field: ScannedField, _ fields: borrowing FieldScanner, _ plan: ScanPlan, _ reader: JSONReader
    ) -> Reading<Double> {
        read(
            field, fields, plan, reader, string: { _ in nil },
            other: { offset in
                let text = reader.pointer(to: offset)
                var place = 0
                var whole = 0
                while place < 8, text[place].isASCIIDigit {
                    whole = whole * 10 + Int(text[place] - UInt8(ascii: "0"))
                    place += 1
                }
                guard place > 0 else { return nil }
                var value = Double(whole)
                if text[place] == UInt8(ascii: ".") {
                    place += 1
                    var hundredths = 0
                    for factor in [10, 1] where text[place].isASCIIDigit {
                        hundredths += Int(text[place] - UInt8(ascii: "0")) * factor
                        place += 1
                    }
                    value = Double(whole * 100 + hundredths) / 100
                }
                return isPartOfNumber(text[place]) ? nil : value
            })
    }

    @inline(__always)
    private static func date(
        _ field: ScannedField, _ fields: borrowing FieldScanner, _ plan: ScanPlan, _ reader: JSONReader
    ) -> Reading<PartialDate> {
        read(
            field, fields, plan, reader, string: date,
            other: { offset in
                let digits = reader.pointer(to: offset)
                for index in 0..<4 where !digits[index].isASCIIDigit { return nil }
                return isPartOfNumber(digits[4]) ? nil : date(UnsafeBufferPointer(start: digits, count: 4))
            })
    }

    /// A date of the form 2004, 2004-03 or 2004-03-05, with a time behind it or without; nil where it is another.
    @inline(__always)
    private static func date(_ text: UnsafeBufferPointer<UInt8>) -> PartialDate? {
        func number(_ start: Int, _ count: Int) -> Int? {
            wholeNumber(UnsafeBufferPointer(rebasing: text[start..<start + count]))
        }
        // What programs write for want of a date has a small year.
        guard text.count >= 4, let year = number(0, 4), year > 101 else { return nil }
        if text.count == 4 { return PartialDate(year: year) }
        guard text.count == 7 || text.count == 10 || text.count > 10 && text[10] == UInt8(ascii: "T"),
            text[4] == UInt8(ascii: "-"), let month = number(5, 2), (1...12).contains(month)
        else { return nil }
        if text.count == 7 { return PartialDate(year: year, month: month) }
        guard text[7] == UInt8(ascii: "-"), let day = number(8, 2), (1...31).contains(day),
            day <= (month == 2 ? 28 : 30) || day == 31 && monthsOf31 >> month & 1 == 1
        else { return nil }
        return PartialDate(year: year, month: month, day: day)
    }

    /// The bits of the months that have 31 days.
    private static let monthsOf31 = 0b1_0101_1010_1010

    /// The number that digits are; nil where there is anything else.
    @inline(__always)
    private static func wholeNumber(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
        if digits.isEmpty { return nil }
        var number = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    @inline(__always)
    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
    }
}

// MARK: - Text

extension SegmentBuilder {
    /// Adds the line of a field that is one text.
    @inline(__always)
    private mutating func addText(
        _ field: ScannedField, kind: TextKind, _ fields: borrowing FieldScanner, _ decoder: RecordDecoder,
        _ reader: JSONReader, _ general: inout GeneralRecord
    ) {
        let plan = decoder.plan
        var isGeneral = plan.unplaced & field.mask != 0
        if !isGeneral {
            for place in plan.places(of: field) {
                switch fields.finding(at: place) {
                case .missing: continue
                case .plainString(let range):
                    if range.count == 2 { continue }
                    let start = text.count
                    text.append(kind.rawValue)
                    if addContent(of: range, in: reader) {
                        text.append(0x0A)
                        return
                    }
                    text.count = start
                case .array, .other: break
                }
                isGeneral = true
                break
            }
        }
        if isGeneral, case .text(let content)? = general.value(of: field.bookField, decoder, reader) {
            addLine(content, kind: kind)
        }
    }

    @inline(__always)
    private mutating func addSubjects(
        _ fields: borrowing FieldScanner, _ decoder: RecordDecoder, _ reader: JSONReader,
        _ general: inout GeneralRecord
    ) {
        let plan = decoder.plan
        let start = text.count
        if plan.unplaced & ScannedField.subjects.mask == 0 {
            var isPlain = true
            for place in plan.places(of: .subjects) where isPlain {
                switch fields.finding(at: place) {
                case .missing: continue
                case .plainString(let range):
                    if range.count == 2 { continue }
                    isPlain = addSubject(range, in: reader, first: start)
                case .array(let range):
                    isPlain = addSubjects(from: range.lowerBound, at: place, place.nameCount, in: reader)
                case .other(let offset, let stepCount):
                    isPlain = addSubjects(from: offset, at: place, stepCount, in: reader)
                }
                if isPlain && text.count > start { return }
            }
            if isPlain { return }
        }
        text.count = start
        if case .list(let items)? = general.value(of: .subjects, decoder, reader) { addSubjects(items.map(\.text)) }
    }

    /// Adds the lines of subjects that are at hand.
    mutating func addSubjects(_ subjects: [String]) {
        let first = text.count
        for subject in subjects {
            let start = text.count
            addLine(subject, kind: .subject)
            removeSecond(from: start, first: first)
        }
    }

    private mutating func addSubject(_ range: Range<Int>, in reader: JSONReader, first: Int) -> Bool {
        let start = text.count
        text.append(TextKind.subject.rawValue)
        guard addContent(of: range, in: reader) else { return false }
        text.append(0x0A)
        removeSecond(from: start, first: first)
        return true
    }

    /// How many bytes of subjects are searched for another that is the same.
    private static let subjectWindow = 1 << 10

    /// Takes the subject at `start` away where it is the same as one before it; the first is at `first`.
    @inline(__always)
    private mutating func removeSecond(from start: Int, first: Int) {
        if start == first { return }
        let begin = max(first, start - Self.subjectWindow)
        guard let base = text.bytes.baseAddress, start > begin, text.count > start else { return }
        if text_find(base + begin, start - begin, 0, base + start, text.count - start) < start - begin {
            text.count = start
        }
    }

    /// Adds the strings without escapes that the rest of a place's path leads to.
    ///
    /// - Returns: False where there is anything else: that is left to the general way.
    private mutating func addSubjects(
        from offset: Int, at place: ScanPlan.Place, _ stepCount: Int, in reader: JSONReader
    ) -> Bool {
        guard let path = place.path, place.separator == nil else { return false }
        var rest = reader
        rest.move(to: offset)
        let first = text.count
        return rest.walk(path, from: stepCount) { reader in
            switch reader.byte {
            case UInt8(ascii: "n"): return reader.pass()
            case UInt8(ascii: "\""):
                let start = reader.offset
                guard (try? reader.skipString()) == true else { return false }
                return reader.offset - start == 2 || addSubject(start..<reader.offset, in: reader, first: first)
            default: return false
            }
        }
    }

    /// Adds the tags of the languages, where there are several or more than a code.
    ///
    /// - Returns: The first one's code.
    @inline(__always)
    private mutating func addLanguage(
        _ fields: borrowing FieldScanner, _ decoder: RecordDecoder, _ reader: JSONReader,
        _ general: inout GeneralRecord
    ) -> LanguageCode {
        let plan = decoder.plan
        if plan.unplaced & ScannedField.languages.mask == 0 {
            var isPlain = true
            for place in plan.places(of: .languages) {
                switch fields.finding(at: place) {
                case .missing: continue
                case .plainString(let range):
                    if let code = languages.code(of: range, in: reader) { return code }
                case .array(let range):
                    // One string in an array is as good as the string.
                    let start = range.lowerBound + 1
                    if range.count > 4, reader.pointer(to: start).pointee == UInt8(ascii: "\""),
                        let end = memchr(reader.pointer(to: start + 1), Int32(UInt8(ascii: "\"")), range.count - 3)
                    {
                        let count = UnsafeRawPointer(reader.pointer(to: start)).distance(to: UnsafeRawPointer(end)) + 1
                        if start + count + 1 == range.upperBound,
                            let code = languages.code(of: start..<start + count, in: reader)
                        {
                            return code
                        }
                    }
                case .other: break
                }
                isPlain = false
                break
            }
            if isPlain { return .unknown }
        }
        guard case .list(let items)? = general.value(of: .languages, decoder, reader) else { return .unknown }
        addLanguages(items.map(\.text))
        return items.first.map { LanguageCode(of: $0.text) } ?? .unknown
    }

    /// Whether the word fiction stands in these bytes of the text.
    private func mayTellFiction(_ range: Range<Int>) -> Bool {
        let word: StaticString = "fiction"
        let count = word.utf8CodeUnitCount
        guard range.count > count, let base = text.bytes.baseAddress else { return false }
        return text_find(base + range.lowerBound, range.count, 0, word.utf8Start, count) < range.count
    }

    /// The lines in these bytes of the text.
    private func lines(_ range: Range<Int>) -> [String] {
        String(decoding: UnsafeBufferPointer(rebasing: text.bytes[range]), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }
}

/// A record that is read as a whole, at most once, for the fields that need it.
private struct GeneralRecord {
    let start: Int
    private var record: JSONValue?

    init(start: Int) { self.start = start }

    /// What a field is in it.
    // The decoder is handed over each time: to keep one would count who has it for each record that needs none.
    @inline(never)
    mutating func value(of field: BookField, _ decoder: RecordDecoder, _ reader: JSONReader) -> FieldValue? {
        let record = self.record ?? decoder.record(at: start, with: reader)
        self.record = record
        return decoder.mapping.value(of: field, in: record)
    }
}

/// The codes of texts that were languages before: a catalog has the same few again and again.
struct LanguageMemory {
    /// A table by a hash of the texts, each of at most eight bytes: a text that is at its place was learnt.
    private var texts: [UInt64] = []
    private var codes: [LanguageCode] = []
    private static let size = 64

    /// The code of the string without escapes in `range`, quotes included; nil where that does not say all that it does.
    @inline(__always)
    mutating func code(of range: Range<Int>, in reader: JSONReader) -> LanguageCode? {
        let count = range.count - 2
        guard count >= 2, count <= 8 else { return nil }
        var text: UInt64 = 0
        memcpy(&text, reader.pointer(to: range.lowerBound + 1), count)
        let place = Int(truncatingIfNeeded: (text &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if !texts.isEmpty, texts[place] == text { return codes[place] }
        return learn(text, at: place, reader.string(of: range))
    }

    @inline(never)
    private mutating func learn(_ text: UInt64, at place: Int, _ string: String) -> LanguageCode? {
        guard case .list(let items)? = BookField.languages.value(of: .string(string)), items.count == 1 else {
            return nil
        }
        let code = LanguageCode(of: items[0].text)
        guard code.text == items[0].text else { return nil }
        if texts.isEmpty {
            texts = Array(repeating: 0, count: Self.size)
            codes = Array(repeating: .unknown, count: Self.size)
        }
        (texts[place], codes[place]) = (text, code)
        return code
    }
}

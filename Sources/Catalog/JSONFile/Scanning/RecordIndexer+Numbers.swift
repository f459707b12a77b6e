internal import Books
internal import Glibc
internal import Indexing
internal import JSON
internal import Text

/// Extraction of the non-key fields from the bytes of a record.
///
/// The most common form of each field is read here in a few nanoseconds. Any other form is parsed into a `JSONValue`,
/// and if that does not suffice, the whole record is parsed once for all fields.
extension RecordIndexer {
    /// Appends the text lines that are not keys.
    ///
    /// - Returns: The numeric fields.
    mutating func addFacts(
        _ fields: borrowing FieldExtractor, of decoder: RecordDecoder, in reader: JSONReader, at start: Int
    ) -> NumericFields {
        var facts = NumericFields()
        let plan = decoder.plan
        var general = ParsedRecord(start: start)
        addText(.series, kind: .series, fields, decoder, reader, &general)
        addSubjects(fields, decoder, reader, &general)
        addText(.publisher, kind: .publisher, fields, decoder, reader, &general)
        addText(.otherTitle, kind: .otherTitle, fields, decoder, reader, &general)
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
        switch Self.date(.published, fields, plan, reader) {
        case .none: break
        case .some(let date): facts.set(year: date)
        case .general:
            if case .date(let date)? = general.value(of: .published, decoder, reader) { facts.set(year: date) }
        }
        switch Self.date(.dateAdded, fields, plan, reader) {
        case .none: break
        case .some(let date): facts.added = NumericFields.packed(date)
        case .general:
            if case .date(let date)? = general.value(of: .dateAdded, decoder, reader) {
                facts.added = NumericFields.packed(date)
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

    /// The result of reading a field.
    private enum Reading<Value> {
        /// The record has no value.
        case none
        /// The value.
        case some(Value)
        /// The general decoder is needed.
        case general
    }

    /// Whether the record has any value for the field, readable or not.
    @inline(__always)
    private static func isThere(
        _ field: IndexedField, _ fields: borrowing FieldExtractor, _ plan: KeyTrie, _ reader: JSONReader
    ) -> Bool {
        if plan.overflow & field.mask != 0 { return true }
        for number in fields.targets(of: field) {
            let target = plan[number]
            switch fields.finding(at: target) {
            case .missing: continue
            case .plainString(let range), .array(let range): if range.count > 2 { return true }
            case .other(let offset, let stepCount):
                if stepCount == target.nameCount && target.isPlain { return true }
                if leadsAnywhere(plan, target, stepCount, reader, offset) { return true }
            }
        }
        return false
    }

    /// Whether the rest of the path leads to a value other than null.
    private static func leadsAnywhere(
        _ plan: KeyTrie, _ target: KeyTrie.Target, _ stepCount: Int, _ reader: JSONReader, _ offset: Int
    ) -> Bool {
        guard target.stepCount != nil else { return true }
        var rest = reader
        rest.move(to: offset)
        var isThere = false
        let isPlain = rest.walk(target, of: plan, from: stepCount) { reader in
            if reader.byte != UInt8(ascii: "n") { isThere = true }
            return reader.pass()
        }
        return isThere || !isPlain
    }

    /// Reads the first value at the paths of a field, from its bytes.
    @inline(__always)
    private static func read<Value>(
        _ field: IndexedField, _ fields: borrowing FieldExtractor, _ plan: KeyTrie, _ reader: JSONReader,
        string: (UnsafeBufferPointer<UInt8>) -> Value?, other: (Int) -> Value?
    ) -> Reading<Value> {
        if plan.overflow & field.mask != 0 { return .general }
        for number in fields.targets(of: field) {
            let target = plan[number]
            switch fields.finding(at: target) {
            case .missing: continue
            case .plainString(let range):
                if range.count == 2 { continue }
                let content = UnsafeBufferPointer(
                    start: reader.pointer(to: range.lowerBound + 1), count: range.count - 2)
                return string(content).map(Reading.some) ?? .general
            case .array: return .general
            case .other(let offset, let stepCount):
                guard target.isPlain, stepCount == target.nameCount else { return .general }
                return other(offset).map(Reading.some) ?? .general
            }
        }
        return .none
    }

    @inline(__always)
    private static func pages(
        _ fields: borrowing FieldExtractor, _ plan: KeyTrie, _ reader: JSONReader
    ) -> Reading<UInt16> {
        read(
            .pageCount, fields, plan, reader,
            string: { content in
                guard content.count <= 5, let count = wholeNumber(content), count > 0 else { return nil }
                return UInt16(clamping: count)
            },
            other: { offset in
                // The digits must not continue as another kind of number.
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
        _ field: IndexedField, _ fields: borrowing FieldExtractor, _ plan: KeyTrie, _ reader: JSONReader
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

    /// Reads a number such as 4, 4.5 or 12.25.
    @inline(__always)
    private static func number(
        _ field: IndexedField, _ fields: borrowing FieldExtractor, _ plan: KeyTrie, _ reader: JSONReader
    ) -> Reading<Double> {
        read(
            field, fields, plan, reader, string: { _ in nil },
            other: { offset in
                let text = reader.pointer(to: offset)
                var target = 0
                var whole = 0
                while target < 8, text[target].isASCIIDigit {
                    whole = whole * 10 + Int(text[target] - UInt8(ascii: "0"))
                    target += 1
                }
                guard target > 0 else { return nil }
                var value = Double(whole)
                if text[target] == UInt8(ascii: ".") {
                    target += 1
                    var hundredths = 0
                    for factor in [10, 1] where text[target].isASCIIDigit {
                        hundredths += Int(text[target] - UInt8(ascii: "0")) * factor
                        target += 1
                    }
                    value = Double(whole * 100 + hundredths) / 100
                }
                return isPartOfNumber(text[target]) ? nil : value
            })
    }

    @inline(__always)
    private static func date(
        _ field: IndexedField, _ fields: borrowing FieldExtractor, _ plan: KeyTrie, _ reader: JSONReader
    ) -> Reading<PartialDate> {
        read(
            field, fields, plan, reader, string: date,
            other: { offset in
                let digits = reader.pointer(to: offset)
                for index in 0..<4 where !digits[index].isASCIIDigit { return nil }
                return isPartOfNumber(digits[4]) ? nil : date(UnsafeBufferPointer(start: digits, count: 4))
            })
    }

    /// Parses a date in the form 2004, 2004-03 or 2004-03-05, with an optional time; nil for other forms.
    @inline(__always)
    private static func date(_ text: UnsafeBufferPointer<UInt8>) -> PartialDate? {
        func number(_ start: Int, _ count: Int) -> Int? {
            wholeNumber(UnsafeBufferPointer(rebasing: text[start..<start + count]))
        }
        // Programs write dates with small years for unknown dates.
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

    /// The months with 31 days (bit mask).
    private static let monthsOf31 = 0b1_0101_1010_1010

    /// Parses digits; nil if there are other characters.
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

internal import Books
internal import CText
internal import Glibc
internal import Indexing
internal import JSON
internal import Text

/// Extraction of the text lines that are not keys from the bytes of a record.
extension RecordIndexer {
    /// Appends the line of a field with a single text.
    @inline(__always)
    mutating func addText(
        _ field: IndexedField, kind: IndexedTextField, _ fields: borrowing FieldExtractor, _ decoder: RecordDecoder,
        _ reader: JSONReader, _ general: inout ParsedRecord
    ) {
        let plan = decoder.plan
        var isGeneral = plan.overflow & field.mask != 0
        if !isGeneral {
            for number in fields.targets(of: field) {
                let target = plan[number]
                switch fields.finding(at: target) {
                case .missing: continue
                case .plainString(let range):
                    if range.count == 2 { continue }
                    let start = writer.text.count
                    writer.text.append(kind.rawValue)
                    let isTitle = kind == .sortTitle || kind == .otherTitle
                    let isPlain = !isTitle || !Self.mayHaveSubfieldCodes(range, in: reader)
                    if isPlain, addContent(of: range, in: reader) {
                        writer.text.append(0x0A)
                        return
                    }
                    writer.text.count = start
                case .array, .other: break
                }
                isGeneral = true
                break
            }
        }
        if isGeneral, case .text(let content)? = general.value(of: field.bookField, decoder, reader) {
            writer.addLine(content, kind: kind)
        }
    }

    @inline(__always)
    mutating func addSubjects(
        _ fields: borrowing FieldExtractor, _ decoder: RecordDecoder, _ reader: JSONReader,
        _ general: inout ParsedRecord
    ) {
        let plan = decoder.plan
        let start = writer.text.count
        if plan.overflow & IndexedField.subjects.mask == 0 {
            var isPlain = true
            for number in fields.targets(of: .subjects) where isPlain {
                let target = plan[number]
                switch fields.finding(at: target) {
                case .missing: continue
                case .plainString(let range):
                    if range.count == 2 { continue }
                    isPlain = addSubject(range, in: reader, first: start)
                case .array(let range):
                    isPlain = addSubjects(from: range.lowerBound, at: target, of: plan, target.nameCount, in: reader)
                case .other(let offset, let stepCount):
                    isPlain = addSubjects(from: offset, at: target, of: plan, stepCount, in: reader)
                }
                if isPlain && writer.text.count > start { return }
            }
            if isPlain { return }
        }
        writer.text.count = start
        if case .list(let items)? = general.value(of: .subjects, decoder, reader) {
            writer.addSubjects(items.map(\.text))
        }
    }

    private mutating func addSubject(_ range: Range<Int>, in reader: JSONReader, first: Int) -> Bool {
        let start = writer.text.count
        writer.text.append(IndexedTextField.subject.rawValue)
        guard addContent(of: range, in: reader) else { return false }
        writer.text.append(0x0A)
        writer.removeSecond(from: start, first: first)
        return true
    }

    /// Appends the unescaped strings at the rest of the path.
    ///
    /// - Returns: false if there are other values, which need the general decoder.
    private mutating func addSubjects(
        from offset: Int, at target: KeyTrie.Target, of plan: KeyTrie, _ stepCount: Int, in reader: JSONReader
    ) -> Bool {
        guard target.stepCount != nil, target.separator == nil else { return false }
        var rest = reader
        rest.move(to: offset)
        let first = writer.text.count
        return rest.walk(target, of: plan, from: stepCount) { reader in
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

    /// Appends the language tags if there are several, or if a code does not represent the language fully.
    ///
    /// - Returns: The code of the first language.
    @inline(__always)
    mutating func addLanguage(
        _ fields: borrowing FieldExtractor, _ decoder: RecordDecoder, _ reader: JSONReader,
        _ general: inout ParsedRecord
    ) -> LanguageCode {
        let plan = decoder.plan
        if plan.overflow & IndexedField.languages.mask == 0 {
            var isPlain = true
            for number in fields.targets(of: .languages) {
                let target = plan[number]
                switch fields.finding(at: target) {
                case .missing: continue
                case .plainString(let range):
                    if let code = languages.code(of: range, in: reader) { return code }
                case .array(let range):
                    // An array of one string is equivalent to the string.
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
        writer.addLanguages(items.map(\.text))
        return items.first.map { LanguageCode(of: $0.text) } ?? .unknown
    }
}

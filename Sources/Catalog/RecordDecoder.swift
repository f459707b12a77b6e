/// Makes books of records, as a mapping says.
struct RecordDecoder: Sendable {
    /// Where the fields are in a record.
    let mapping: FieldMapping
    /// Where those of them are that are searched.
    let plan: ScanPlan
    /// Whether the plan has all of these; where not, it has none.
    let isPlanned: Bool

    /// The decoder of records in which the fields are where `mapping` says.
    init(_ mapping: FieldMapping) {
        self.mapping = mapping
        let candidates = ScannedField.allCases.flatMap { mapping.scanCandidates(of: $0) }
        let isPossible = !candidates.contains { $0.names.isEmpty && $0.field.isIndexed }
        let found =
            isPossible ? ScanPlan(candidates.filter { !$0.names.isEmpty }, hasDefaults: mapping.hasDefaults) : nil
        plan = found ?? .nothing
        isPlanned = found != nil
    }

    /// The book that the object at `offset` describes, in the text of `reader`.
    ///
    /// - Throws: `JSONFault`, where there is no object: the text is not the one that was scanned.
    func decode(at offset: Int, with reader: JSONReader) throws(JSONFault) -> Book {
        mapping.book(from: try object(at: offset, with: reader))
    }

    /// The same with the title, the authors and the ISBN alone: what a row of a list shows, in a tenth of the time.
    func decodeHeading(at offset: Int, with reader: JSONReader) throws(JSONFault) -> Book {
        guard isPlanned else { return indexed(try object(at: offset, with: reader)) }
        var fields = FieldScanner(plan)
        var rest = reader
        rest.move(to: offset)
        guard rest.peek() == UInt8(ascii: "{") else { throw JSONFault(.unexpectedCharacter, at: rest.offset) }
        try fields.readRecord(depth: 1, with: &rest)
        return indexed(fields.record(in: reader))
    }

    /// The object at `offset`.
    func object(at offset: Int, with reader: JSONReader) throws(JSONFault) -> JSONValue {
        var reader = reader
        reader.move(to: offset)
        guard reader.peek() == UInt8(ascii: "{") else { throw JSONFault(.unexpectedCharacter, at: reader.offset) }
        return try reader.readValue(depth: 1)
    }

    /// The same of an object that was read before without a fault.
    func record(at offset: Int, with reader: JSONReader) -> JSONValue {
        do throws(JSONFault) {
            return try object(at: offset, with: reader)
        } catch {
            assertionFailure("a record that was scanned is not JSON: \(error)")
            return .object([])
        }
    }

    /// What an index keeps of `record`: the title, the authors, the ISBN.
    func indexed(_ record: JSONValue) -> Book {
        var book = Book(title: "")
        for field in [BookField.title, .authors, .isbn] {
            if let value = mapping.value(of: field, in: record) { field.set(value, in: &book) }
        }
        return book
    }

    /// The bits of the scanned fields that `record` has, and of those that it has values for from which they cannot be
    /// read.
    func fields(of record: JSONValue) -> (accepted: UInt8, refused: UInt8) {
        var bits: (accepted: UInt8, refused: UInt8) = (0, 0)
        for field in ScannedField.allCases {
            for candidate in mapping.rules[field.bookField]?.candidates ?? [] {
                guard let raw = candidate.path.value(in: record), raw != .null else { continue }
                if field.accepts(raw) { bits.accepted |= field.bit } else { bits.refused |= field.bit }
            }
        }
        return bits
    }
}

extension FieldMapping {
    /// Where a field may stand, for who looks at the bytes of a record.
    fileprivate func scanCandidates(of field: ScannedField) -> [ScanPlan.Candidate] {
        (rules[field.bookField]?.candidates ?? []).map { candidate in
            let names = candidate.path.leadingNames
            return ScanPlan.Candidate(
                field: field, names: names, isPlain: names.count == candidate.path.steps.count && candidate.isPlain,
                path: candidate.isTranslated ? nil : PlainPath(candidate.path),
                separator: candidate.split?.utf8.first {
                    $0 != UInt8(ascii: " ")
                }, mustBeValid: candidate.mustBeValid)
        }
    }

    /// Whether a field that is searched has a value where the record has none.
    fileprivate var hasDefaults: Bool {
        ScannedField.allCases.contains { $0.isIndexed && rules[$0.bookField]?.defaultValue != nil }
    }
}

extension FieldMapping.Candidate {
    /// Whether more is done with the value than to split it, and to pass over what is no book number.
    fileprivate var isTranslated: Bool { scale != nil || !values.isEmpty || tag != nil || split == " " || split == "" }

    /// Whether the value is taken as it is.
    fileprivate var isPlain: Bool { split == nil && scale == nil && values.isEmpty && tag == nil && !mustBeValid }
}

internal import Books
internal import Glibc
internal import JSON

/// A record that is read as a whole, at most once, for the fields that need it.
struct ParsedRecord {
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

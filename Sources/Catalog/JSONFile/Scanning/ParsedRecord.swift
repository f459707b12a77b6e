internal import Books
internal import Glibc
internal import JSON

/// A record that is parsed as a whole, at most once, for the fields that need it.
struct ParsedRecord {
    let start: Int
    private var record: JSONValue?

    init(start: Int) { self.start = start }

    /// Returns the value of a field.
    // The decoder is a parameter, because storing it would cost reference counting for every record.
    @inline(never)
    mutating func value(of field: BookField, _ decoder: RecordDecoder, _ reader: JSONReader) -> FieldValue? {
        let record = self.record ?? decoder.record(at: start, with: reader)
        self.record = record
        return decoder.mapping.value(of: field, in: record)
    }
}

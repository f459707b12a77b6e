internal import Books
internal import Indexing
internal import JSON
internal import Threading

/// The text around a record of an array.
struct RecordSurroundings: Hashable, Sendable {
    /// The bytes between the opening bracket or the previous record and this one.
    var before: [UInt8]
    /// The bytes between this record and the closing bracket; empty if another record follows.
    var after: [UInt8]
}

/// A record that differs from the file's, or that the file does not contain.
final class ChangedRecord: Sendable {
    /// The number of the file's record that it replaces; nil for a new one.
    let origin: Int?
    /// The bytes of the record.
    let bytes: [UInt8]
    /// The index of the book, with 0 as the offset of its record.
    let segment: IndexSegment
    /// The text around it in a file without other records, if it is known.
    let surroundings: RecordSurroundings?
    private let decoder: RecordDecoder

    /// The decoded book. It is decoded each time, because many changed records would take much memory.
    var book: Book { JSONValue(parsing: bytes).map(decoder.mapping.book(from:)) ?? Book(title: "") }

    /// Creates a record; fails if `bytes` are not a JSON object.
    init?(
        _ bytes: [UInt8], origin: Int?, decoder: RecordDecoder, surroundings: RecordSurroundings? = nil
    ) {
        guard let value = JSONValue(parsing: bytes), value.members != nil else { return nil }
        var writer = SegmentWriter()
        writer.add(decoder.indexed(value), offset: 0)
        guard let segment = writer.take().first else { return nil }
        self.segment = segment
        self.bytes = bytes
        self.origin = origin
        self.surroundings = surroundings
        self.decoder = decoder
    }

    /// Whether it is a line together with the text around it.
    func isLine(in surroundings: RecordSurroundings) -> Bool {
        surroundings.before.allSatisfy(\.isJSONWhitespace) && surroundings.after.allSatisfy(\.isJSONWhitespace)
            && !bytes.contains(UInt8(ascii: "\n"))
    }

    /// Creates records on several threads, with nil for bytes that are not a JSON object.
    static func records(
        of records: [(bytes: [UInt8], origin: Int?)], decoder: RecordDecoder
    ) -> [ChangedRecord?] {
        ThreadPool.shared.map(records.count, by: batchCount) { numbers in
            records[numbers].map { ChangedRecord($0.bytes, origin: $0.origin, decoder: decoder) }
        }.flatMap(\.self)
    }

    /// The number of records that a thread creates at once.
    private static let batchCount = 256
}

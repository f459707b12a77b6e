internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Threading

/// A record that differs from the file's, or that the file does not contain.
final class ChangedRecord: Sendable {
    /// The number of the file's record that it replaces; nil for a new one.
    let origin: Int?
    /// The bytes of the record.
    let bytes: [UInt8]
    /// The index of the book, with 0 as the offset of its record.
    let segment: IndexSegment
    private let decoder: RecordDecoder

    /// The decoded book. It is decoded each time, because many changed records would take much memory.
    var book: Book { JSONValue(parsing: bytes).map(decoder.mapping.book(from:)) ?? Book(title: "") }

    /// Creates a record; fails if `bytes` are not a JSON object.
    convenience init?(_ bytes: [UInt8], origin: Int?, decoder: RecordDecoder) {
        var indexer = DetachedRecordIndexer(decoder)
        self.init(bytes, origin: origin, decoder: decoder, &indexer)
    }

    private init?(_ bytes: [UInt8], origin: Int?, decoder: RecordDecoder, _ indexer: inout DetachedRecordIndexer) {
        guard let segment = indexer.segment(of: bytes) else { return nil }
        self.segment = segment
        self.bytes = bytes
        self.origin = origin
        self.decoder = decoder
    }

    /// Creates records on several threads, with nil for bytes that are not a JSON object.
    static func records(
        of records: [(bytes: [UInt8], origin: Int?)], decoder: RecordDecoder
    ) -> [ChangedRecord?] {
        ThreadPool.shared.map(records.count, by: batchCount, with: { DetachedRecordIndexer(decoder) }) {
            indexer, numbers in
            records[numbers].map { ChangedRecord($0.bytes, origin: $0.origin, decoder: decoder, &indexer) }
        }.flatMap(\.self)
    }

    /// The number of records that a thread creates at once.
    private static let batchCount = 256
}

package import Indexing
internal import JSON

/// Indexes single records that are not in the text of a catalog.
package struct DetachedRecordIndexer: ~Copyable {
    private let decoder: RecordDecoder
    private var fields: FieldExtractor
    private var indexer = RecordIndexer()

    /// Creates an indexer for records that `decoder` can read.
    package init(_ decoder: RecordDecoder) {
        self.decoder = decoder
        fields = FieldExtractor(decoder.plan)
    }

    /// Returns the index of the book in a record, with 0 as the offset; nil if `bytes` are not a JSON object.
    package mutating func segment(of bytes: [UInt8]) -> IndexSegment? {
        JSONReader.reading(bytes) { reader -> IndexSegment? in
            guard reader.peek() == UInt8(ascii: "{") else { return nil }
            let start = reader.offset
            do throws(JSONSyntaxError) {
                try fields.readRecord(depth: 0, with: &reader)
                try reader.readEnd()
            } catch {
                return nil
            }
            if decoder.isPlanned {
                indexer.add(fields, of: decoder, in: reader, at: start, offset: 0)
            } else {
                indexer.writer.add(decoder.indexed(decoder.record(at: start, with: reader)), offset: 0)
            }
            return indexer.writer.take().first
        }
    }
}

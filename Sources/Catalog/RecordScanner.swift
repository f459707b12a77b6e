/// A stretch of a catalog's text that holds one book.
struct Record: Hashable, Sendable {
    /// The offset of its first byte.
    var offset: Int
    /// Its length in bytes.
    var length: Int
}

/// Finds the records in the text of a catalog, and checks all of it against RFC 8259.
struct RecordScanner {
    /// The records, in the order of the text.
    private(set) var records: [Record] = []
    /// The offsets of the values in the array that are no books.
    private(set) var omissions: [Int] = []
    /// Where reading ended before the text did.
    private(set) var fault: JSONFault?
    /// Whether the text is an array.
    private(set) var isArray = false
    /// Whether any record has a field of a book.
    private(set) var hasFields = false

    /// Scans `bytes`, a JSON text in UTF-8, with a byte-order mark or without. Linear.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var reader = JSONReader(bytes, offset: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        do throws(JSONFault) {
            isArray = reader.peek() == UInt8(ascii: "[")
            if isArray {
                try reader.readArray(depth: 0) { reader throws(JSONFault) in try scanElement(with: &reader) }
            } else {
                try reader.skipValue()
            }
            try reader.readEnd()
        } catch {
            fault = error
        }
    }

    private mutating func scanElement(with reader: inout JSONReader) throws(JSONFault) {
        let start = reader.offset
        guard reader.peek() == UInt8(ascii: "{") else {
            try reader.skipValue(depth: 1)
            omissions.append(start)
            return
        }
        var accepted = 0
        var refused = 0
        try reader.readObject(depth: 1) { reader, key throws(JSONFault) in
            if let field = BookField(key: key, in: reader), let first = reader.peek() {
                hasFields = true
                if field.accepts(valueBeginningWith: first) {
                    accepted += 1
                } else if first != UInt8(ascii: "n") {
                    refused += 1
                }
            }
            try reader.skipValue(depth: 2)
        }
        // An object whose every field is of a wrong type is no book; one that only lacks fields is.
        if accepted == 0 && refused > 0 {
            omissions.append(start)
        } else {
            records.append(Record(offset: start, length: reader.offset - start))
        }
    }
}

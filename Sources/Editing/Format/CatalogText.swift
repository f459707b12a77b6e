internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Storage

/// The bytes of a catalog file around its records.
struct CatalogText {
    let file: RandomAccessInput
    let reader: RecordReader

    /// Creates the text of a file; fails before it is opened.
    init?(_ catalog: JSONFileCatalog) {
        guard let content = catalog.content else { return nil }
        (file, reader) = content
    }

    /// The number of books.
    var count: Int { reader.index.count }

    /// Returns the range of the record of a book and its bytes, or nil if it no longer exists.
    func record(_ id: BookID) throws(CatalogEditError) -> (range: Range<Int>, bytes: [UInt8])? {
        guard let range = range(of: id) else { return nil }
        return (range, try bytes(in: range))
    }

    /// Returns the range of the record of a book, or nil if it no longer exists.
    func range(of id: BookID) -> Range<Int>? { reader.book(id).value.flatMap { _ in rangeAsIndexed(of: id) } }

    /// Returns the range of the record of a book without checking it; the file must not have changed since it was
    /// indexed.
    func rangeAsIndexed(of id: BookID) -> Range<Int>? {
        guard
            let length = reader.read(
                id,
                { reader throws(JSONSyntaxError) -> Int in
                    var reader = reader
                    try reader.skipValue()
                    return reader.offset
                }
            ).value
        else { return nil }
        let start = reader.index.offset(at: id.index)
        return start..<start + length
    }

    /// Whether the record of a book at its indexed offset begins with these bytes, which are a complete record.
    func hasRecord(_ record: [UInt8], at id: BookID) -> Bool {
        guard id.index < count else { return false }
        let start = reader.index.offset(at: id.index)
        return (try? file.bytes(in: start..<start + record.count)) == record
    }

    /// Returns the bytes of a range.
    func bytes(in range: Range<Int>) throws(CatalogEditError) -> [UInt8] {
        do throws(FileError) {
            return try file.bytes(in: max(0, range.lowerBound)..<max(0, range.upperBound))
        } catch {
            throw .file(error)
        }
    }

    /// Returns the first byte other than white space from `offset` on, and its offset; nil at the end of the file.
    func next(from offset: Int) throws(CatalogEditError) -> (byte: UInt8, offset: Int)? {
        var offset = offset
        while true {
            let bytes = try bytes(in: offset..<offset + Self.step)
            if bytes.isEmpty { return nil }
            if let index = bytes.firstIndex(where: { !$0.isJSONWhitespace }) { return (bytes[index], offset + index) }
            offset += bytes.count
        }
    }

    /// Returns the last byte other than white space before `offset`, and its offset; nil at the start of the file or
    /// after its byte-order mark.
    func last(before offset: Int) throws(CatalogEditError) -> (byte: UInt8, offset: Int)? {
        var end = offset
        while end > 0 {
            let start = max(0, end - Self.step)
            let bytes = try bytes(in: start..<end)
            if let index = bytes.lastIndex(where: { !$0.isJSONWhitespace }) {
                if start + index == 2, bytes.prefix(3) == [0xEF, 0xBB, 0xBF] { return nil }
                return (bytes[index], start + index)
            }
            end = start
        }
        return nil
    }

    /// Returns the offset after the value that begins at `offset`.
    func end(ofValueAt offset: Int) throws(CatalogEditError) -> Int {
        var length = 1 << 16
        while true {
            let bytes = try bytes(in: offset..<offset + length)
            let end = JSONReader.reading(bytes) { reader -> Result<Int, JSONSyntaxError> in
                Result { () throws(JSONSyntaxError) -> Int in
                    try reader.skipValue()
                    return reader.offset
                }
            }
            switch end {
            // A number could continue after the last byte that was read.
            case .success(let end) where end < bytes.count || bytes.count < length: return offset + end
            case .failure(let error) where error.offset < bytes.count || bytes.count < length: throw .endless
            default: length *= 8
            }
        }
    }

    /// The number of bytes read at once around a record.
    private static let step = 256
}

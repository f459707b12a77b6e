/// Makes a book of one record: strict about where a field is, liberal about the form of its value.
struct RecordDecoder {
    /// The book that `record`, an object that the scanner found in `bytes`, describes. Of several members with one key
    /// the last counts.
    func book(of record: Record, in bytes: UnsafeBufferPointer<UInt8>) -> Book {
        var book = Book(title: "")
        var reader = JSONReader(bytes, offset: record.offset)
        do throws(JSONFault) {
            try reader.readObject(depth: 1) { reader, key throws(JSONFault) in
                guard let field = BookField(key: key, in: reader) else {
                    try reader.skipValue(depth: 2)
                    return
                }
                set(field, of: &book, to: try reader.readValue(depth: 2))
            }
        } catch {
            // The scanner read the same bytes without a fault.
            assertionFailure("a record that was scanned is not JSON: \(error)")
        }
        return book
    }

    private func set(_ field: BookField, of book: inout Book, to value: JSONValue) {
        switch field {
        case .title: book.title = value.text ?? ""
        case .authors: book.authors = value.names
        case .isbn: book.isbn = value.text.map(ISBN.init)
        case .pageCount: book.pageCount = value.pages
        case .fiction: book.fiction = value.boolean
        }
    }
}

/// Makes a book of one record: strict about where a field is, liberal about the form of its value.
struct RecordDecoder {
    static let plan: ScanPlan = {
        let candidates = ScannedField.allCases.map {
            ScanPlan.Candidate(field: $0, names: ["\($0.name)"], isPlain: true)
        }
        guard let plan = ScanPlan(candidates) else { preconditionFailure("five names are told apart") }
        return plan
    }()

    /// The book that the object at `offset` describes, in the text of `reader`. Of several members with one key the last
    /// counts.
    ///
    /// - Throws: `JSONFault`, where there is no object: the text is not the one that was scanned.
    func decode(at offset: Int, with reader: JSONReader) throws(JSONFault) -> Book {
        var book = Book(title: "")
        var reader = reader
        reader.move(to: offset)
        guard reader.peek() == UInt8(ascii: "{") else { throw JSONFault(.unexpectedCharacter, at: reader.offset) }
        try reader.readObject(depth: 1) { reader, key throws(JSONFault) in
            guard let field = ScannedField(name: reader.string(of: key)) else {
                try reader.skipValue(depth: 2)
                return
            }
            set(field, of: &book, to: try reader.readValue(depth: 2))
        }
        return book
    }

    /// The same of an object that was read before without a fault.
    func book(at offset: Int, with reader: JSONReader) -> Book {
        do throws(JSONFault) {
            return try decode(at: offset, with: reader)
        } catch {
            assertionFailure("a record that was scanned is not JSON: \(error)")
            return Book(title: "")
        }
    }

    private func set(_ field: ScannedField, of book: inout Book, to value: JSONValue) {
        switch field {
        case .title: book.title = value.text ?? ""
        case .authors: book.authors = value.names
        case .isbn: book.isbn = value.isbn
        case .pageCount: book.pageCount = value.pages
        case .fiction: book.fiction = value.boolean
        }
    }
}

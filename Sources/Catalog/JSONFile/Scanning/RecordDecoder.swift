internal import Books
internal import JSON

/// Makes books of records, as a mapping says.
struct RecordDecoder: Sendable {
    /// Where the fields are in a record.
    let mapping: FieldMapping
    /// Where those of them are that are searched.
    let plan: KeyTrie
    /// Whether the plan has all of these; where not, it has none.
    let isPlanned: Bool
    /// Whether a key of a book has a value where a record has none.
    private let hasDefaults: Bool

    /// The decoder of records in which the fields are where `mapping` says.
    init(_ mapping: FieldMapping) {
        self.mapping = mapping
        var candidates: [KeyTrie.Candidate] = []
        var unplaced: UInt32 = 0
        var isPossible = true
        for field in IndexedField.allCases {
            let rule = mapping.rules[field.bookField]
            if !field.isKey && rule?.defaultValue != nil { unplaced |= field.mask }
            for candidate in rule?.candidates ?? [] {
                let scanned = candidate.scanned(as: field)
                if scanned.names.isEmpty {
                    if field.isKey { isPossible = false } else { unplaced |= field.mask }
                } else {
                    candidates.append(scanned)
                }
            }
        }
        hasDefaults = mapping.hasDefaults
        let found = isPossible ? KeyTrie(candidates, hasDefaults: hasDefaults, unplaced: unplaced) : nil
        plan = found ?? .nothing
        isPlanned = found != nil
    }

    /// The book that the object at `offset` describes, in the text of `reader`.
    ///
    /// - Throws: `JSONSyntaxError`, where there is no object: the text is not the one that was scanned.
    func decode(at offset: Int, with reader: JSONReader) throws(JSONSyntaxError) -> Book {
        mapping.book(from: try object(at: offset, with: reader))
    }

    /// The same with the title, the authors and the ISBN alone: what a row of a list shows, in a tenth of the time.
    func decodeHeading(at offset: Int, with reader: JSONReader) throws(JSONSyntaxError) -> Book {
        guard isPlanned else { return heading(of: try object(at: offset, with: reader)) }
        var fields = FieldExtractor(plan)
        var rest = reader
        rest.move(to: offset)
        guard rest.peek() == UInt8(ascii: "{") else { throw JSONSyntaxError(.unexpectedCharacter, at: rest.offset) }
        try fields.readRecord(depth: 1, with: &rest)
        return plainHeading(fields, in: reader) ?? heading(of: fields.record(in: reader))
    }

    /// The heading of a record whose title, authors and ISBN are where they are taken as they are, as nearly all catalogs
    /// have them; nil where another is to be read.
    private func plainHeading(_ fields: borrowing FieldExtractor, in reader: JSONReader) -> Book? {
        if hasDefaults { return nil }
        var title = ""
        for place in plan.places(of: .title) where title.isEmpty {
            guard let value = fields.plainValue(at: place, in: reader) else { return nil }
            title = value.titleText ?? ""
        }
        var authors: [String] = []
        for place in plan.places(of: .authors) where authors.isEmpty {
            guard let value = fields.plainValue(at: place, in: reader) else { return nil }
            authors = value.names
        }
        var isbn: ISBN?
        for place in plan.places(of: .isbn) where isbn == nil {
            guard let value = fields.plainValue(at: place, in: reader) else { return nil }
            isbn = value.isbn
            // A number that is right is better than one before it that is not.
            if isbn?.isValid == false { return nil }
        }
        return Book(title: title, authors: authors, isbn: isbn)
    }

    /// The object at `offset`.
    func object(at offset: Int, with reader: JSONReader) throws(JSONSyntaxError) -> JSONValue {
        var reader = reader
        reader.move(to: offset)
        guard reader.peek() == UInt8(ascii: "{") else { throw JSONSyntaxError(.unexpectedCharacter, at: reader.offset) }
        return try reader.readValue(depth: 1)
    }

    /// The same of an object that was read before without a fault.
    func record(at offset: Int, with reader: JSONReader) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try object(at: offset, with: reader)
        } catch {
            assertionFailure("a record that was scanned is not JSON: \(error)")
            return .object([])
        }
    }

    /// What the keys of a book are made of: the title, the authors, the ISBN of `record`.
    func heading(of record: JSONValue) -> Book {
        var book = Book(title: "")
        for field in [BookField.title, .authors, .isbn] {
            if let value = mapping.value(of: field, in: record) { field.set(value, in: &book) }
        }
        return book
    }

    /// What an index keeps of `record`.
    func indexed(_ record: JSONValue) -> Book {
        var book = heading(of: record)
        for field in IndexedField.allCases where !field.isKey {
            if let value = mapping.value(of: field.bookField, in: record) { field.bookField.set(value, in: &book) }
        }
        book.fiction = book.fiction ?? Book.isFiction(subjects: book.subjects)
        return book
    }

    /// The bits of the scanned fields that `record` has, and of those that it has values for from which they cannot be
    /// read.
    func fields(of record: JSONValue) -> (accepted: UInt8, refused: UInt8) {
        var bits: (accepted: UInt8, refused: UInt8) = (0, 0)
        for field in IndexedField.allCases where field.tellsBooks {
            for candidate in mapping.rules[field.bookField]?.candidates ?? [] {
                guard let raw = candidate.path.value(in: record), raw != .null else { continue }
                if field.accepts(raw) { bits.accepted |= field.bit } else { bits.refused |= field.bit }
            }
        }
        return bits
    }
}

extension FieldMapping.Candidate {
    /// This place for who looks at the bytes of a record.
    fileprivate func scanned(as field: IndexedField) -> KeyTrie.Candidate {
        let names = path.leadingNames
        return KeyTrie.Candidate(
            field: field, names: names, isPlain: names.count == path.steps.count && isPlain,
            path: isTranslated ? nil : CompiledPath(path),
            separator: split?.utf8.first { $0 != UInt8(ascii: " ") }, mustBeValid: mustBeValid)
    }
}

extension FieldMapping {
    /// Whether a key has a value where the record has none.
    fileprivate var hasDefaults: Bool {
        IndexedField.allCases.contains { $0.isKey && rules[$0.bookField]?.defaultValue != nil }
    }
}

extension FieldMapping.Candidate {
    /// Whether more is done with the value than to split it, and to pass over what is no book number.
    fileprivate var isTranslated: Bool { scale != nil || !values.isEmpty || tag != nil || split == " " || split == "" }

    /// Whether the value is taken as it is.
    fileprivate var isPlain: Bool { split == nil && scale == nil && values.isEmpty && tag == nil && !mustBeValid }
}

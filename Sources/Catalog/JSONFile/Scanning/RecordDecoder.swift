package import Books
package import JSON

/// Decodes books from records by a mapping.
package struct RecordDecoder: Sendable {
    /// The paths and encodings of the fields.
    package private(set) var mapping: FieldMapping
    /// The paths of the indexed fields.
    let plan: KeyTrie
    /// Whether the plan covers all key fields; otherwise it is empty.
    let isPlanned: Bool
    /// Whether a key field has a default value.
    private let hasDefaults: Bool

    /// Creates a decoder for `mapping`.
    init(_ mapping: FieldMapping) {
        self.mapping = mapping
        var candidates: [KeyTrie.Candidate] = []
        var overflow: UInt32 = 0
        var isPossible = true
        for field in IndexedField.allCases {
            let rule = mapping.rules[field.bookField]
            if !field.isKey && rule?.defaultValue != nil { overflow |= field.mask }
            for candidate in rule?.candidates ?? [] {
                let scanned = candidate.scanned(as: field)
                if scanned.names.isEmpty {
                    if field.isKey { isPossible = false } else { overflow |= field.mask }
                } else {
                    candidates.append(scanned)
                }
            }
        }
        hasDefaults = mapping.hasDefaults
        let found = isPossible ? KeyTrie(candidates, hasDefaults: hasDefaults, overflow: overflow) : nil
        plan = found ?? .nothing
        isPlanned = found != nil
    }

    /// Creates a decoder that differs from another one only in the catalog's own fields, which are not indexed.
    init(_ other: RecordDecoder, mapping: FieldMapping) {
        self = other
        self.mapping = mapping
    }

    /// Decodes the book from the object at `offset`.
    ///
    /// - Throws: `JSONSyntaxError` if there is no object, because the text has changed since it was scanned.
    func decode(at offset: Int, with reader: JSONReader) throws(JSONSyntaxError) -> Book {
        mapping.book(from: try object(at: offset, with: reader))
    }

    /// Decodes only the title, authors and ISBN for a row of a list, in a tenth of the time.
    func decodeHeading(at offset: Int, with reader: JSONReader) throws(JSONSyntaxError) -> Book {
        guard isPlanned else { return heading(of: try object(at: offset, with: reader)) }
        var fields = FieldExtractor(plan)
        var rest = reader
        rest.move(to: offset)
        guard rest.peek() == UInt8(ascii: "{") else { throw JSONSyntaxError(.unexpectedCharacter, at: rest.offset) }
        try fields.readRecord(depth: 1, with: &rest)
        return plainHeading(fields, in: reader) ?? heading(of: fields.record(in: reader))
    }

    /// Decodes a heading whose values are used as they are, as in nearly all catalogs; nil if the general decoder is
    /// needed.
    private func plainHeading(_ fields: borrowing FieldExtractor, in reader: JSONReader) -> Book? {
        if hasDefaults { return nil }
        var title = ""
        for number in fields.targets(of: .title) where title.isEmpty {
            let target = plan[number]
            guard let value = fields.plainValue(at: target, in: reader) else { return nil }
            title = value.titleText ?? ""
        }
        var authors: [String] = []
        for number in fields.targets(of: .authors) where authors.isEmpty {
            let target = plan[number]
            guard let value = fields.plainValue(at: target, in: reader) else { return nil }
            if target.separatesNames, let text = value.string {
                authors = ListedName.authors(in: text, leavesOutContributors: target.leavesOutContributors)
            } else {
                authors = value.names
            }
        }
        var isbn: ISBN?
        for number in fields.targets(of: .isbn) where isbn == nil {
            let target = plan[number]
            guard let value = fields.plainValue(at: target, in: reader) else { return nil }
            isbn = value.isbn
            // A valid ISBN takes precedence over an invalid one from an earlier path.
            if isbn?.isValid == false { return nil }
        }
        return Book(title: title, authors: authors, isbn: isbn)
    }

    /// Parses the object at `offset`.
    func object(at offset: Int, with reader: JSONReader) throws(JSONSyntaxError) -> JSONValue {
        var reader = reader
        reader.move(to: offset)
        guard reader.peek() == UInt8(ascii: "{") else { throw JSONSyntaxError(.unexpectedCharacter, at: reader.offset) }
        return try reader.readValue(depth: 1)
    }

    /// Parses the object at `offset`, which was validated before.
    func record(at offset: Int, with reader: JSONReader) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try object(at: offset, with: reader)
        } catch {
            assertionFailure("a record that was scanned is not JSON: \(error)")
            return .object([])
        }
    }

    /// Returns the book with the key fields only: title, authors and ISBN.
    func heading(of record: JSONValue) -> Book { book(from: record, with: []) }

    /// Returns the book with title, authors, ISBN and `fields` only.
    package func book(from record: JSONValue, with fields: Set<BookField>) -> Book {
        var book = Book(title: "")
        for field in Self.keyFields {
            if let value = mapping.value(of: field, in: record) { field.set(value, in: &book) }
        }
        for field in fields where !Self.keyFields.contains(field) {
            if let value = mapping.value(of: field, in: record) { field.set(value, in: &book) }
        }
        book.otherISBNs = mapping.otherISBNs(in: record, besides: book.isbn)
        return book
    }

    /// Returns the book with `field` only.
    func book(from record: JSONValue, withOnly field: BookField) -> Book {
        var book = Book(title: "")
        if let value = mapping.value(of: field, in: record) { field.set(value, in: &book) }
        return book
    }

    private static let keyFields: [BookField] = [.title, .authors, .isbn]

    /// Returns the book with the indexed fields of `record` only.
    package func indexed(_ record: JSONValue) -> Book {
        var book = heading(of: record)
        for field in IndexedField.allCases where !field.isKey {
            if let value = mapping.value(of: field.bookField, in: record) { field.bookField.set(value, in: &book) }
        }
        return book
    }

    /// Returns the identifying fields (bit masks) for which `record` has a readable value, and those for which it has
    /// an unreadable one.
    func fields(of record: JSONValue) -> (accepted: UInt8, refused: UInt8) {
        var bits: (accepted: UInt8, refused: UInt8) = (0, 0)
        for field in IndexedField.allCases where field.identifiesBooks {
            for candidate in mapping.rules[field.bookField]?.candidates ?? [] {
                guard let raw = candidate.path.value(in: record), raw != .null else { continue }
                if field.accepts(raw) { bits.accepted |= field.bit } else { bits.refused |= field.bit }
            }
        }
        return bits
    }
}

extension FieldMapping.Candidate {
    /// Returns the candidate in the form that the byte-level scanner uses.
    fileprivate func scanned(as field: IndexedField) -> KeyTrie.Candidate {
        let names = path.leadingNames
        return KeyTrie.Candidate(
            field: field, names: names, isPlain: names.count == path.steps.count && isPlain,
            path: isTranslated ? nil : CompiledPath(path),
            separator: separatesNames ? nil : split?.utf8.first { $0 != UInt8(ascii: " ") }, mustBeValid: mustBeValid,
            separatesNames: separatesNames, leavesOutContributors: leavesOutContributors)
    }
}

extension FieldMapping {
    /// Whether a key field has a default value.
    fileprivate var hasDefaults: Bool {
        IndexedField.allCases.contains { $0.isKey && rules[$0.bookField]?.defaultValue != nil }
    }
}

extension FieldMapping.Candidate {
    /// Whether the value is processed in other ways than splitting it and rejecting invalid ISBNs.
    fileprivate var isTranslated: Bool {
        scale != nil || !values.isEmpty || tag != nil || split == " " || split == "" || separatesSeries
            || separatesImprint
    }

    /// Whether the value is used as it is, unless it is a string with several names.
    fileprivate var isPlain: Bool {
        (split == nil || separatesNames) && scale == nil && values.isEmpty && tag == nil && !mustBeValid
    }
}

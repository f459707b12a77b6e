package import Books
package import JSON

/// A value of each field, and a book with it, made from the kind of the field: a new field needs no sample of its own.
package struct FieldSample: Sendable, CustomStringConvertible {
    /// The field.
    package let field: BookField
    /// The value in a record.
    package let raw: JSONValue

    /// The samples of all fields.
    package static let all = BookField.builtIn.map(FieldSample.init)

    /// The samples of a field of each kind that only a catalog has.
    package static let own = OwnField.Kind.allCases.map { kind in
        FieldSample(
            BookField(
                OwnField(
                    "own-\(kind)", label: "Own \(kind)", kind, at: FieldPath(steps: [.name("own_\(kind)")]))))
    }

    /// The mapping that reads the field from the member with this key.
    package func mapping(at key: String) -> FieldMapping {
        FieldMapping(
            rules: [field: .init([.init(FieldPath(steps: [.name(key)]))])], own: field.isOwn ? [field] : [])
    }

    /// Creates the sample of a field.
    package init(_ field: BookField) {
        self.field = field
        raw =
            switch field.info.kind {
            case .link: .string("https://a.example/\(field.id)")
            case .text: .string("Quaestio \(field.id)")
            case .number: .number("3")
            case .isbn: .string("9780141439587")
            case .date: .string("1815-12-23")
            case .boolean: .boolean(true)
            case .status: .string("reading")
            // Languages are known by their tags.
            case .list: .array([.string("fr"), .string("de")])
            case .gatheredList:
                .array([
                    .object([
                        .init(key: "scheme", value: .string("doi")), .init(key: "value", value: .string("10.1/x")),
                        .init(key: "name", value: .string("Ann Alpha")), .init(key: "role", value: .string("editor")),
                    ])
                ])
            }
    }

    /// The value.
    package var value: FieldValue? { field.value(of: raw) }

    /// A book with the value and no other.
    package var book: Book {
        var book = Book(title: "")
        if let value { field.set(value, in: &book) }
        return book
    }

    /// The id of the field.
    package var description: String { field.id }
}

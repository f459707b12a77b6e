internal import JSON
internal import Text

/// How the value of a field is kept in a book: read from a record, taken from the book, set in it, and written in JSON.
struct FieldAccessor: Sendable {
    /// Returns the value that `raw` encodes, or nil if it is not readable.
    let read: @Sendable (_ raw: JSONValue) -> FieldValue?
    /// Returns the value in a book, or nil if the field is empty.
    let value: @Sendable (Book) -> FieldValue?
    /// Sets the value in a book; nil makes the field empty.
    let set: @Sendable (FieldValue?, inout Book) -> Void
    /// Returns the value in a book in the JSON of stacks, or nil if the field is empty.
    let native: @Sendable (Book) -> JSONValue?
    /// What a basic field of a record has in the JSON of stacks if the book has no value.
    let absent: JSONValue

    // Closures, as reading a property by its key path copies the whole book.
    /// A field that a property of a book keeps.
    ///
    /// - Parameter read: Returns the value that a value of a record encodes, or nil if it is not readable.
    init<Content: FieldContent>(
        _ get: @escaping @Sendable (Book) -> Content?, _ set: @escaping @Sendable (inout Book, Content?) -> Void,
        reading read: @escaping @Sendable (JSONValue) -> Content?
    ) {
        self.read = { read($0)?.fieldValue }
        value = { get($0)?.fieldValue }
        self.set = { set(&$1, $0.flatMap(Content.init(_:))) }
        native = { get($0)?.native }
        absent = .null
    }

    /// A field that a property of a book keeps, which is empty for books without a value.
    init<Content: FieldContent & RangeReplaceableCollection>(
        _ get: @escaping @Sendable (Book) -> Content, _ set: @escaping @Sendable (inout Book, Content) -> Void,
        reading read: @escaping @Sendable (JSONValue) -> Content?
    ) {
        self.read = { read($0)?.fieldValue }
        value = { get($0).fieldValue }
        self.set = { set(&$1, $0.flatMap(Content.init(_:)) ?? Content()) }
        native = { book in
            let content = get(book)
            return content.isEmpty ? nil : content.native
        }
        absent = Content().native ?? .null
    }
}

extension FieldAccessor {
    /// A field that only its catalog has.
    init(_ own: OwnField) {
        let (name, kind) = (own.name, own.kind)
        read = { kind.value(of: $0) }
        value = { book in book.own.first { $0.field.id == name }?.value }
        set = { value, book in
            let place = book.own.firstIndex { $0.field.id == name }
            switch (value, place) {
            case (let value?, let place?): book.own[place].value = value
            case (let value?, nil): book.own.append(.init(BookField(own), value))
            case (nil, let place?): book.own.remove(at: place)
            case (nil, nil): break
            }
        }
        native = { book in book.own.first { $0.field.id == name }?.value.native }
        absent = .null
    }
}

extension FieldValue {
    /// The value of a catalog's own field in JSON.
    fileprivate var native: JSONValue? {
        switch self {
        case .number(let number): number.native
        case .boolean(let isTrue): .boolean(isTrue)
        case .list(let items): .array(items.map { .string($0.text) })
        default: .string(text)
        }
    }
}

/// A type of the properties of a book, which is the content of a value of a field.
protocol FieldContent: Sendable {
    /// Takes the content of a value; nil if it is of another type.
    init?(_ value: FieldValue)
    /// The value with this content; nil for an empty text or list.
    var fieldValue: FieldValue? { get }
    /// The content in the JSON of stacks; nil if JSON cannot express it.
    var native: JSONValue? { get }
}

extension String: FieldContent {
    init?(_ value: FieldValue) { if case .text(let text) = value { self = text } else { return nil } }
    var fieldValue: FieldValue? { isEmpty ? nil : .text(self) }
    var native: JSONValue? { .string(self) }
}

extension Double: FieldContent {
    init?(_ value: FieldValue) { if case .number(let number) = value { self = number } else { return nil } }
    var fieldValue: FieldValue? { .number(self) }
    /// Without a fraction if the number is whole.
    var native: JSONValue? {
        isFinite ? .number(self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)) : nil
    }
}

extension Int: FieldContent {
    init?(_ value: FieldValue) { if case .integer(let integer) = value { self = integer } else { return nil } }
    var fieldValue: FieldValue? { .integer(self) }
    var native: JSONValue? { .number(String(self)) }
}

extension Bool: FieldContent {
    init?(_ value: FieldValue) { if case .boolean(let isTrue) = value { self = isTrue } else { return nil } }
    var fieldValue: FieldValue? { .boolean(self) }
    var native: JSONValue? { .boolean(self) }
}

extension ISBN: FieldContent {
    init?(_ value: FieldValue) { if case .isbn(let isbn) = value { self = isbn } else { return nil } }
    var fieldValue: FieldValue? { .isbn(self) }
    var native: JSONValue? { .string(text) }
}

extension PartialDate: FieldContent {
    init?(_ value: FieldValue) { if case .date(let date) = value { self = date } else { return nil } }
    var fieldValue: FieldValue? { .date(self) }
    var native: JSONValue? { .string(description) }
}

extension Book.ReadingStatus: FieldContent {
    init?(_ value: FieldValue) { if case .status(let status) = value { self = status } else { return nil } }
    var fieldValue: FieldValue? { .status(self) }
    var native: JSONValue? { .string(rawValue) }
}

extension Array: FieldContent where Element: FieldItem {
    init?(_ value: FieldValue) {
        if case .list(let items) = value { self = items.map(Element.init) } else { return nil }
    }
    var fieldValue: FieldValue? {
        let items = compactMap(\.fieldItem)
        return items.isEmpty ? nil : .list(items)
    }
    var native: JSONValue? { .array(map(\.nativeItem)) }
}

/// A type of the items of a list in a book.
protocol FieldItem: Sendable {
    /// Creates the item from one of a list.
    init(_ item: FieldValue.Item)
    /// The item of a list; nil for one that belongs to another field.
    var fieldItem: FieldValue.Item? { get }
    /// The item in the JSON of stacks.
    var nativeItem: JSONValue { get }
}

extension String: FieldItem {
    init(_ item: FieldValue.Item) { self = item.text }
    var fieldItem: FieldValue.Item? { .init(text: self) }
    var nativeItem: JSONValue { .string(self) }
}

extension Book.Identifier: FieldItem {
    init(_ item: FieldValue.Item) { self.init(scheme: item.tag ?? "", value: item.text) }
    /// ISBNs have their own field.
    var fieldItem: FieldValue.Item? {
        scheme.lowercased().hasPrefix("isbn") ? nil : .init(text: value, tag: scheme)
    }
    var nativeItem: JSONValue {
        .object([.init(key: "scheme", value: .string(scheme)), .init(key: "value", value: .string(value))])
    }
}

extension Book.Contributor: FieldItem {
    init(_ item: FieldValue.Item) { self.init(name: item.text, role: item.tag) }
    var fieldItem: FieldValue.Item? { .init(text: name, tag: role) }
    var nativeItem: JSONValue {
        let role = role.map { [JSONValue.Member(key: "role", value: .string($0))] } ?? []
        return .object([.init(key: "name", value: .string(name))] + role)
    }
}

extension JSONValue {
    /// The texts of the value in one.
    var joinedTexts: String? { texts.nonEmpty.map { $0.joined(separator: "; ") } }

    /// The text of a string or number, or the first name in an array or object.
    var name: String? {
        switch self {
        // In an object without a name, the first text may be anything.
        case .array, .object: texts.first
        case .null, .boolean, .number, .string: text
        }
    }

    /// The text of the key of a record; nil for one that is the book's ISBN and nothing else, "urn:isbn:…".
    var keyText: String? { text.flatMap { $0.lowercased().hasPrefix("urn:isbn:") ? nil : $0 } }

    /// The reading status with this name.
    var readingStatus: Book.ReadingStatus? { text.flatMap(Book.ReadingStatus.init(written:)) }
}

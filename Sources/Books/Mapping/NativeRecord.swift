public import JSON

extension Book {
    /// Returns the record of this book in the native format, with the same names, types and order for every book and
    /// catalog.
    ///
    /// `id` is `identity`; the catalog's key is `sourceID`. The five basic fields are always present and `null` if
    /// unknown; all others are present only if known. `otherFields` are omitted.
    public func nativeRecord(identity: BookIdentity) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "id", value: .string(identity.description)), .init(key: "title", value: .string(title)),
            .init(key: "authors", value: .array(authors.map { .string($0) })),
            .init(key: "isbn", value: isbn.map { .string($0.text) } ?? .null),
            .init(key: "pageCount", value: pageCount.map { .number(String($0)) } ?? .null),
            .init(key: "fiction", value: fiction.map { .boolean($0) } ?? .null),
        ]
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(.init(key: key, value: value)) }
        }
        func add(_ key: String, _ text: String?) { add(key, text.map { .string($0) }) }
        func add(_ key: String, _ values: [JSONValue]) { add(key, values.isEmpty ? nil : .array(values)) }
        func add(_ key: String, _ number: Double?) {
            add(key, number.flatMap { $0.isFinite ? .number($0.inJSON) : nil })
        }
        add("sourceID", sourceID)
        add("subtitle", subtitle)
        add("sortTitle", sortTitle)
        add("publisher", publisher)
        add("published", published?.description)
        add("language", languages.map { .string($0) })
        add("subjects", subjects.map { .string($0) })
        add("series", series)
        add("seriesPosition", seriesPosition)
        add("description", description)
        add("cover", cover)
        add("identifiers", identifiers.map { .texts([("scheme", $0.scheme), ("value", $0.value)]) })
        add("contributors", contributors.map { .texts([("name", $0.name), ("role", $0.role)]) })
        add("rating", rating)
        add("status", status?.rawValue)
        add("dateAdded", dateAdded?.description)
        return .object(members)
    }
}

extension JSONValue {
    /// Creates an object from `members`, omitting those without a text.
    fileprivate static func texts(_ members: [(key: String, text: String?)]) -> JSONValue {
        .object(members.compactMap { key, text in text.map { Member(key: key, value: .string($0)) } })
    }
}

extension Double {
    /// The number in JSON syntax, without a fraction if it is whole.
    fileprivate var inJSON: String {
        self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
    }
}

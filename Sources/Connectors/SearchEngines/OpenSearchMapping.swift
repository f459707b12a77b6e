internal import Books
internal import JSON

/// The fields of an index of OpenSearch or Elasticsearch.
struct OpenSearchMapping {
    /// How the values of a field are indexed.
    enum Kind {
        /// Text that is split into words.
        case text
        /// Text that is compared as a whole.
        case keyword
        case number, date, boolean
    }

    /// A field of the index.
    struct Field: Hashable {
        /// The name, with dots between the parts.
        var name: String
        /// How its values are indexed.
        var kind: Kind
        /// Another field with the same values as a whole, if this one is text.
        var keyword: String?

        /// The field to sort and compare by; nil if that is not possible.
        var sortable: String? { kind == .text ? keyword : kind == .boolean ? nil : name }
    }

    private var fields: [String: Field] = [:]
    private var names = EngineNames(of: [String]())

    /// Reads the answer of `_mapping`; several indexes, such as those of an alias, are joined.
    init(_ answer: JSONValue) {
        for index in answer.members ?? [] {
            if let properties = index.value["mappings"]?["properties"] { add(properties, under: "") }
        }
        names = EngineNames(of: fields.keys)
    }

    private mutating func add(_ properties: JSONValue, under prefix: String) {
        for member in properties.members ?? [] {
            let name = prefix + member.key
            if let inner = member.value["properties"] { add(inner, under: name + ".") }
            guard let type = member.value["type"]?.string, let kind = Self.kind(of: type),
                member.value["index"] != .boolean(false)
            else { continue }
            let others = (member.value["fields"]?.members ?? []).filter {
                Self.kind(of: $0.value["type"]?.string ?? "") == .keyword
            }
            // A field for sorting is folded, if there is one.
            let names = others.map(\.key)
            let best =
                ["sort", "folded", "lowercase", "keyword", "raw", "whole"].first(where: names.contains) ?? names.first
            fields[name] = Field(name: name, kind: kind, keyword: best.map { "\(name).\($0)" })
        }
    }

    private static func kind(of type: String) -> Kind? {
        switch type {
        case "text", "match_only_text", "search_as_you_type": .text
        case "keyword", "constant_keyword", "wildcard": .keyword
        case "long", "integer", "short", "byte", "unsigned_long", "double", "float", "half_float", "scaled_float":
            .number
        case "date", "date_nanos": .date
        case "boolean": .boolean
        default: nil
        }
    }

    /// Returns the field of this name; nil if there is none.
    func field(_ name: String) -> Field? { fields[name] }

    /// Returns the fields of the index for a field of a book.
    func fields(for field: BookField, in paths: [String: [String]]?) -> [Field] {
        names.fields(for: field, in: paths).compactMap { fields[$0] }
    }
}

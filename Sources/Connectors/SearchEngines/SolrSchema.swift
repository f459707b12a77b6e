internal import Books
internal import JSON

/// The fields of a Solr core.
struct SolrSchema {
    /// A field.
    struct Field: Hashable {
        /// The name.
        var name: String
        /// Whether it is searched by words.
        var isTokenized: Bool
        /// Whether records can be sorted by it.
        var sorts: Bool
        /// Whether its values are numbers.
        var isNumber: Bool
        /// Whether its values are dates.
        var isDate: Bool
        /// Whether its values are true or false.
        var isBoolean: Bool
    }

    private var fields: [String: Field] = [:]
    private let names: EngineNames
    /// The field with the ids of the records.
    let uniqueKey: String

    /// The endings of dynamic fields in the schemas of Solr, Blacklight and VuFind, those for words first.
    private static let endings = [
        "", "_tsim", "_tesim", "_t", "_txt", "_txt_en", "_text", "_ssim", "_ss", "_s", "_sort", "_si", "_ssi", "_ssort",
        "_isi", "_is", "_i", "_pi", "_facet", "_display", "_dtsi", "_dt", "_date_sort", "_isim", "_b", "_bsi",
    ]

    /// Reads the answer of the request handler for indexes (Luke), and the name of the unique key.
    init(_ luke: JSONValue, uniqueKey: String) {
        self.uniqueKey = uniqueKey
        for member in luke["fields"]?.members ?? [] {
            // Letters for what a field has, such as "ITS-----": indexed, tokenized, stored. M: several values,
            // D: values for sorting.
            let flags = member.value["schema"]?.string ?? ""
            let type = (member.value["type"]?.string ?? "").lowercased()
            guard flags.contains("I") || flags.contains("D"), !member.key.hasPrefix("_") else { continue }
            let isTokenized = flags.contains("T") && type.contains("text")
            let numbers = ["int", "long", "float", "double"]
            fields[member.key] = Field(
                name: member.key, isTokenized: isTokenized, sorts: !isTokenized && !flags.contains("M"),
                isNumber: numbers.contains { type.contains($0) }, isDate: type.contains("date"),
                isBoolean: type.contains("boolean"))
        }
        names = EngineNames(of: fields.keys, endings: Self.endings)
    }

    /// Returns the fields of the core for a field of a book.
    func fields(for field: BookField, in paths: [String: [String]]?) -> [Field] {
        names.fields(for: field, in: paths).compactMap { fields[$0] }
    }
}

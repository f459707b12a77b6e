/// What an SRU server says about itself in its explain record (ZeeRex).
struct SRUDescription {
    /// An index.
    struct Index: Hashable {
        /// The name with its context set, such as `dc.title`.
        var name: String
        /// Whether records can be sorted by it.
        var sorts: Bool
        /// The relations that it supports; empty if unknown.
        var relations: Set<String>
    }

    /// A record schema.
    struct Schema {
        /// The name for requests.
        var name: String
        /// The identifier.
        var identifier: String
    }

    /// The title of the database.
    private(set) var title: String?
    /// The protocol version.
    private(set) var version: String?
    /// The maximum number of records in a response.
    private(set) var maximumRecords: Int?
    /// The indexes by their names in lower case; empty if the server lists none.
    private(set) var indexes: [String: Index] = [:]
    /// The record schemas.
    private(set) var schemas: [Schema] = []

    /// Describes a server that does not describe itself.
    init() {}

    /// Reads an explain record.
    init(_ explain: XMLElement) {
        title = explain.first("databaseInfo")?.texts("title").first
        let version = explain.first("serverInfo")?[attribute: "version"]
        if let version, ["1.1", "1.2", "2.0"].contains(version) { self.version = version }
        let configuration = explain.first("configInfo")
        let setting = configuration?.all("setting").first { $0[attribute: "type"] == "maximumRecords" }
        maximumRecords = setting.flatMap { Int($0.text) }
        let relations = Self.relations(in: configuration)
        for index in explain.first("indexInfo")?.all("index") ?? [] {
            let own = Self.relations(in: index.first("configInfo"))
            for name in index.all("map").flatMap({ $0.all("name") }) {
                let set = name[attribute: "set"] ?? ""
                let full = set.isEmpty || name.text.contains(".") ? name.text : "\(set).\(name.text)"
                indexes[full.lowercased()] = Index(
                    name: full, sorts: index[attribute: "sort"] == "true", relations: own.isEmpty ? relations : own)
            }
        }
        for schema in explain.first("schemaInfo")?.all("schema") ?? [] {
            let identifier = schema[attribute: "identifier"] ?? ""
            schemas.append(Schema(name: schema[attribute: "name"] ?? identifier, identifier: identifier))
        }
    }

    private static func relations(in configuration: XMLElement?) -> Set<String> {
        Set((configuration?.all("supports") ?? []).filter { $0[attribute: "type"] == "relation" }.map(\.text))
    }

    /// The schemas to request, the one with most content first: MARC, MODS, Dublin Core.
    var wantedSchemas: [String] {
        if schemas.isEmpty { return ["marcxml", "mods", "dc"] }
        let wishes = [
            ["marcxml"], ["marc21", "usmarc"], ["unimarc", "marcxchange"], ["mods"], ["dc-", "dublin"], ["dc"],
        ]
        var names: [String] = []
        for wish in wishes {
            for schema in schemas where !names.contains(schema.name) {
                let text = "\(schema.name) \(schema.identifier)".lowercased()
                if wish.contains(where: text.contains) { names.append(schema.name) }
            }
        }
        return names
    }
}

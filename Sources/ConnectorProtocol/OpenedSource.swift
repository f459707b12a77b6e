internal import JSON

/// The description of an open source.
public struct OpenedSource: Hashable, Sendable {
    /// The way in which the books of a source are read.
    public enum Mode: String, CaseIterable, Sendable {
        /// The source is copied as a whole.
        case mirror
        /// The source is queried for the rows on the screen.
        case paged
    }

    /// A table or view of a database.
    public struct Table: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The columns.
        public var columns: [String]

        /// Creates a table.
        public init(name: String, columns: [String]) {
            self.name = name
            self.columns = columns
        }
    }

    /// The way in which the books are read.
    public var mode: Mode
    /// The kind of source, such as `csv`.
    public var kind: String
    /// The name of the built-in profile for the records, if it cannot be detected from them.
    public var profile: String?
    /// Whether the existing copy is up to date.
    public var isFresh: Bool
    /// The table that is read, if the source is a database.
    public var table: String?
    /// The tables and views of the database, the most likely one first.
    public var tables: [Table]
    /// The names of other tables that seem to contain books, if the user has named none.
    public var alternatives: [String]
    /// Further facts about the content: encoding, separator, compression.
    public var facts: [String: String]
    /// The operations that the source supports, if it is paged.
    public var abilities: PagedAbilities?

    /// Creates a description.
    public init(
        mode: Mode = .mirror, kind: String, profile: String? = nil, isFresh: Bool = false, table: String? = nil,
        tables: [Table] = [], alternatives: [String] = [], facts: [String: String] = [:],
        abilities: PagedAbilities? = nil
    ) {
        self.mode = mode
        self.kind = kind
        self.profile = profile
        self.isFresh = isFresh
        self.table = table
        self.tables = tables
        self.alternatives = alternatives
        self.facts = facts
        self.abilities = abilities
    }
}

extension OpenedSource {
    /// Adds the members of this description to a message.
    func add(to message: inout ObjectWriter) {
        message.add("mode", mode.rawValue)
        message.add("kind", kind)
        message.add("profile", profile)
        message.add("fresh", .boolean(isFresh))
        message.add("table", table)
        if !tables.isEmpty {
            message.add(
                "tables",
                .array(
                    tables.map {
                        .object([
                            .init(key: "name", value: .string($0.name)),
                            .init(key: "columns", value: JSONValue($0.columns)),
                        ])
                    }))
        }
        if !alternatives.isEmpty { message.add("alternatives", JSONValue(alternatives)) }
        if !facts.isEmpty {
            let members = facts.sorted { $0.key < $1.key }.map {
                JSONValue.Member(key: $0.key, value: .string($0.value))
            }
            message.add("facts", .object(members))
        }
        message.add("abilities", abilities?.json)
    }

    /// Parses a description from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        guard let mode = Mode(rawValue: try message.text("mode")) else {
            throw ConnectorFailure(.request, .member, detail: "mode")
        }
        var tables: [Table] = []
        for table in message["tables"]?.elements ?? [] {
            tables.append(Table(name: try table.text("name"), columns: try table.texts("columns")))
        }
        var facts: [String: String] = [:]
        for member in message["facts"]?.members ?? [] { facts[member.key] = member.value.string }
        self.init(
            mode: mode, kind: try message.text("kind"), profile: try message.optionalText("profile"),
            isFresh: message["fresh"]?.boolean ?? false, table: try message.optionalText("table"), tables: tables,
            alternatives: message["alternatives"]?.elements?.compactMap(\.string) ?? [], facts: facts,
            abilities: try message["abilities"].map { value throws(ConnectorFailure) in try PagedAbilities(in: value) })
    }
}

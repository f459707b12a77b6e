internal import JSON

/// Books to publish on a server.
public struct Publication: Hashable, Sendable {
    /// The form of the publication.
    public enum Kind: String, CaseIterable, Sendable {
        /// One JSON or JSON Lines file, uploaded with PUT. The rows are its records.
        case file
        /// Changes of a library on calibre's content server. Each row has the record of a book in the copy of the
        /// library as `old`, and the changed record as `new`. A new book has no `old`, a book to delete no `new`.
        case calibre = "calibre-server"
        /// The tables of a catalog in ClickHouse. The rows are its records, each with a unique "id".
        case clickHouse = "clickhouse"
        /// An index of OpenSearch or Elasticsearch. The rows are its records, each with a unique "id".
        case openSearch = "opensearch"
    }

    /// The address.
    public var target: String
    /// The form of the publication.
    public var kind: Kind
    /// The path of the rows, as JSON Lines.
    public var path: String
    /// The number of rows.
    public var rows: Int
    /// The version of the target in the last copy; a different version is not replaced.
    public var known: SourceVersion?
    /// Whether changes are only counted, not sent.
    public var isDryRun: Bool
    /// Whether the target is replaced regardless of its version.
    public var isForced: Bool
    /// Whether to omit values that the server cannot store; otherwise their books are refused.
    public var omitsUnsupported: Bool

    /// Creates a publication.
    public init(
        to target: String, as kind: Kind, from path: String, rows: Int, known: SourceVersion? = nil,
        isDryRun: Bool = false, isForced: Bool = false, omitsUnsupported: Bool = false
    ) {
        (self.target, self.kind, self.path, self.rows, self.known) = (target, kind, path, rows, known)
        (self.isDryRun, self.isForced, self.omitsUnsupported) = (isDryRun, isForced, omitsUnsupported)
    }
}

extension Publication {
    /// Adds the members of this publication to a message.
    func add(to message: inout ObjectWriter) {
        message.add("target", target)
        message.add("kind", kind.rawValue)
        message.add("from", path)
        message.add("rows", JSONValue(rows))
        message.add("have", known?.json)
        message.add("dryRun", .boolean(isDryRun))
        if isForced { message.add("force", .boolean(true)) }
        if omitsUnsupported { message.add("omit", .boolean(true)) }
    }

    /// Parses a publication from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        guard let kind = Kind(rawValue: try message.text("kind")) else {
            throw ConnectorFailure(.request, .member, detail: "kind")
        }
        self.init(
            to: try message.text("target"), as: kind, from: try message.text("from"), rows: try message.number("rows"),
            known: message["have"].map(SourceVersion.init(in:)), isDryRun: message["dryRun"]?.boolean ?? false,
            isForced: message["force"]?.boolean ?? false, omitsUnsupported: message["omit"]?.boolean ?? false)
    }
}

/// A row that the server refused.
public struct RefusedRow: Hashable, Sendable {
    /// The number of the row, counted from 1.
    public var row: Int
    /// The reason.
    public var reason: Reason
    /// The server's message, or the key of a member that cannot be stored. It is data, not text of stacks.
    public var detail: String?

    /// The reasons for a refusal.
    public enum Reason: String, CaseIterable, Sendable {
        /// The book on the server differs from the copy on which the change is based.
        case changed
        /// The server no longer has the book.
        case gone
        /// The library has no column for the member named by the detail.
        case noPlace
        /// The library cannot store the value of the member named by the detail.
        case value
        /// The server refused the change; the detail is its message.
        case server
    }

    /// Creates a refused row.
    public init(row: Int, _ reason: Reason, detail: String? = nil) {
        (self.row, self.reason, self.detail) = (row, reason, detail)
    }
}

extension RefusedRow {
    /// The row as an object.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "row", value: JSONValue(row)), .init(key: "why", value: .string(reason.rawValue)),
        ]
        if let detail { members.append(.init(key: "detail", value: .string(detail))) }
        return .object(members)
    }

    /// Parses a row from an object; an unknown reason of a newer connector becomes `server`.
    init(in object: JSONValue) throws(ConnectorFailure) {
        self.init(
            row: try object.number("row"), Reason(rawValue: try object.text("why")) ?? .server,
            detail: try object.optionalText("detail"))
    }
}

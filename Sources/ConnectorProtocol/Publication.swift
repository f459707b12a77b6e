internal import JSON

/// What is sent to a server.
public struct Publication: Hashable, Sendable {
    /// How the server takes it.
    public enum Kind: String, CaseIterable, Sendable {
        /// As one file of JSON or JSON Lines, which is put at the address; the rows are its records.
        case file
        /// As changes of a library on calibre's content server. Each row has the record of a book as `old`, as it was in the
        /// copy of the library, and as `new`, as it is to be; a new book has no `old`, one that is to be deleted no `new`.
        case calibre = "calibre-server"
    }

    /// The address.
    public var target: String
    /// How the server takes it.
    public var kind: Kind
    /// The path of the rows, as JSON Lines.
    public var path: String
    /// The number of rows.
    public var rows: Int
    /// The version of the target that is known; another one is not replaced.
    public var known: SourceVersion?
    /// Whether nothing is written, but only counted.
    public var isDryRun: Bool
    /// Whether the target is replaced whatever version it has.
    public var isForced: Bool
    /// Whether values without a place on the server are left out; otherwise their books are refused.
    public var omitsMisfits: Bool

    /// Describes what is sent.
    public init(
        to target: String, as kind: Kind, from path: String, rows: Int, known: SourceVersion? = nil,
        isDryRun: Bool = false, isForced: Bool = false, omitsMisfits: Bool = false
    ) {
        (self.target, self.kind, self.path, self.rows, self.known) = (target, kind, path, rows, known)
        (self.isDryRun, self.isForced, self.omitsMisfits) = (isDryRun, isForced, omitsMisfits)
    }
}

extension Publication {
    /// Adds the members of this description to a message.
    func add(to message: inout ObjectWriter) {
        message.add("target", target)
        message.add("kind", kind.rawValue)
        message.add("from", path)
        message.add("rows", JSONValue(rows))
        message.add("have", known?.json)
        message.add("dryRun", .boolean(isDryRun))
        if isForced { message.add("force", .boolean(true)) }
        if omitsMisfits { message.add("omit", .boolean(true)) }
    }

    /// Reads a description from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        guard let kind = Kind(rawValue: try message.text("kind")) else {
            throw ConnectorFailure(.request, .member, detail: "kind")
        }
        self.init(
            to: try message.text("target"), as: kind, from: try message.text("from"), rows: try message.number("rows"),
            known: message["have"].map(SourceVersion.init(in:)), isDryRun: message["dryRun"]?.boolean ?? false,
            isForced: message["force"]?.boolean ?? false, omitsMisfits: message["omit"]?.boolean ?? false)
    }
}

/// A row that was not taken.
public struct RefusedRow: Hashable, Sendable {
    /// The number of the row, counted from 1.
    public var row: Int
    /// The reason.
    public var reason: Reason
    /// What the server said, or the member of the record that has no place; not a sentence of ours.
    public var detail: String?

    /// Why a row was not taken.
    public enum Reason: String, CaseIterable, Sendable {
        /// The server has other values than those that the change was made of.
        case changed
        /// The server does not have the book any more.
        case gone
        /// The server has no place for the member that is the detail.
        case noPlace
        /// The server cannot hold the value of the member that is the detail.
        case value
        /// The server refused it; the detail is what it said.
        case server
    }

    /// Creates a row that was not taken.
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

    /// Reads a row from an object; reasons of a newer connector are ones of the server.
    init(in object: JSONValue) throws(ConnectorFailure) {
        self.init(
            row: try object.number("row"), Reason(rawValue: try object.text("why")) ?? .server,
            detail: try object.optionalText("detail"))
    }
}

internal import JSON

/// A request of stacks to the connector program: one line of JSON.
public struct ConnectorRequest: Hashable, Sendable {
    /// The version of the messages.
    public static let version = 4

    /// The number that the replies refer to.
    public var id: Int
    /// The requested action.
    public var action: Action

    /// Creates a request.
    public init(id: Int, _ action: Action) {
        self.id = id
        self.action = action
    }

    /// The possible actions.
    public enum Action: Hashable, Sendable {
        /// Starts the conversation. The connector writes only to the directory `cache`, and no copy longer than `limit`
        /// bytes. Of the user's files, it reads only those in that directory and `sources`, which are paths; an address
        /// among them lets it connect to servers. Later requests must name none but these.
        case hello(version: Int, cache: String, limit: Int? = nil, sources: [String] = [])
        /// Opens a source; `known` is the version of the last complete copy. `fields` are the paths of the fields in the
        /// records, by the names of the fields in profiles, such as `pageCount`; nil for the usual ones. `encoding` is that
        /// of a text by its name in iconv, such as KOI8-R; nil to detect it.
        case open(source: String, known: SourceVersion?, fields: [String: [String]]? = nil, encoding: String? = nil)
        /// Answers the connector's question for a user and password; without them, the question is declined.
        case answer(user: String?, secret: String?)
        /// Copies the open source as JSON Lines into the file at `path`. The places of the rows in `locating`, counted from
        /// 0, are part of the reply.
        case mirror(path: String, locating: [Int] = [])
        /// Stops the request with this number.
        case cancel(of: Int)
        /// Requests a part of a list, from an open paged source.
        case page(PageRequest)
        /// Requests the books that have these ids in the open paged source.
        case books(ids: [String])
        /// Makes a file of the kind `sqlite`, a database, from rows of JSON Lines. The other data of the database
        /// `replacing` is kept in the new file.
        case export(kind: String, from: String, to: String, replacing: String? = nil)
        /// Converts a text file to UTF-8 in a new file. `encoding` is that of the text; nil to detect it.
        case convert(from: String, to: String, encoding: String?)
        /// Sends books to a server.
        case publish(Publication)
        /// Fetches the file at an address, such as a picture, into a new file at `path`, if it has at most `limit` bytes.
        /// Redirects to other servers are not followed; only the servers of the address `catalog` get a password.
        case fetch(address: String, catalog: String?, path: String, limit: Int)
        /// Makes the picture of a cover for a place on the screen.
        case cover(CoverRequest)
    }
}

/// The version of a source, which shows whether it has changed since it was copied.
public struct SourceVersion: Hashable, Sendable {
    /// The entity tag of HTTP, or a text of the connector with the same purpose.
    public var etag: String?
    /// The date of the last change as the source writes it.
    public var modified: String?

    /// Creates a version.
    public init(etag: String? = nil, modified: String? = nil) {
        self.etag = etag
        self.modified = modified
    }
}

extension ConnectorRequest {
    /// This request as a line, without a line end.
    public var line: [UInt8] {
        var message = ObjectWriter()
        message.add("id", JSONValue(id))
        switch action {
        case .hello(let version, let cache, let limit, let sources):
            message.add("do", "hello")
            message.add("protocol", JSONValue(version))
            message.add("cache", cache)
            message.add("limit", limit.map { JSONValue($0) })
            if !sources.isEmpty { message.add("sources", JSONValue(sources)) }
        case .open(let source, let known, let fields, let encoding):
            message.add("do", "open")
            message.add("source", source)
            message.add("have", known?.json)
            message.add("fields", fields.map { Self.json(of: $0) })
            message.add("encoding", encoding)
        case .answer(let user, let secret):
            message.add("do", "answer")
            message.add("user", user)
            message.add("secret", secret)
        case .mirror(let path, let rows):
            message.add("do", "mirror")
            message.add("to", path)
            if !rows.isEmpty { message.add("locate", .array(rows.map { JSONValue($0) })) }
        case .cancel(let id):
            message.add("do", "cancel")
            message.add("of", JSONValue(id))
        case .page(let page):
            message.add("do", "page")
            page.add(to: &message)
        case .books(let ids):
            message.add("do", "books")
            message.add("ids", JSONValue(ids))
        case .export(let kind, let from, let to, let existing):
            message.add("do", "export")
            message.add("kind", kind)
            message.add("from", from)
            message.add("to", to)
            message.add("replacing", existing)
        case .convert(let from, let to, let encoding):
            message.add("do", "convert")
            message.add("from", from)
            message.add("to", to)
            message.add("encoding", encoding)
        case .publish(let publication):
            message.add("do", "publish")
            publication.add(to: &message)
        case .fetch(let address, let catalog, let path, let limit):
            message.add("do", "fetch")
            message.add("address", address)
            message.add("catalog", catalog)
            message.add("to", path)
            message.add("limit", JSONValue(limit))
        case .cover(let cover):
            message.add("do", "cover")
            cover.add(to: &message)
        }
        return message.ended()
    }

    /// Parses a request from a line.
    ///
    /// - Throws: `MalformedRequest` with the number of the request as far as it can be read.
    public init(parsing line: some Collection<UInt8>) throws(MalformedRequest) {
        let message: JSONValue
        do throws(ConnectorFailure) {
            message = try JSONValue(message: line)
        } catch {
            throw MalformedRequest(id: 0, failure: error)
        }
        guard let id = message["id"]?.integer, id > 0 else {
            throw MalformedRequest(id: 0, failure: ConnectorFailure(.request, .member, detail: "id"))
        }
        do throws(ConnectorFailure) {
            self.init(id: id, try Action(in: message))
        } catch {
            throw MalformedRequest(id: id, failure: error)
        }
    }
}

/// A line that is not a request.
public struct MalformedRequest: Error, Hashable, Sendable {
    /// The number of the request; zero if the line has none.
    public var id: Int
    /// The error.
    public var failure: ConnectorFailure

    /// Creates the description of a line.
    public init(id: Int, failure: ConnectorFailure) {
        self.id = id
        self.failure = failure
    }
}

extension ConnectorRequest {
    /// Returns the paths of fields as an object, in the order of their names.
    fileprivate static func json(of fields: [String: [String]]) -> JSONValue {
        .object(
            fields.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: JSONValue($0.value)) })
    }
}

extension ConnectorRequest.Action {
    /// Parses the paths of fields from an object.
    private static func fields(in object: JSONValue) throws(ConnectorFailure) -> [String: [String]] {
        var fields: [String: [String]] = [:]
        guard let members = object.members else { throw ConnectorFailure(.request, .member, detail: "fields") }
        for member in members { fields[member.key] = try object.texts(member.key) }
        return fields
    }

    fileprivate init(in message: JSONValue) throws(ConnectorFailure) {
        let name = try message.text("do")
        switch name {
        case "hello":
            self = .hello(
                version: try message.number("protocol"), cache: try message.text("cache"),
                limit: try message["limit"].map { _ throws(ConnectorFailure) in try message.number("limit") },
                sources: message["sources"] == nil ? [] : try message.texts("sources"))
        case "open":
            self = .open(
                source: try message.text("source"), known: message["have"].map(SourceVersion.init(in:)),
                fields: try message["fields"].map { value throws(ConnectorFailure) in try Self.fields(in: value) },
                encoding: try message.optionalText("encoding"))
        case "answer":
            self = .answer(user: try message.optionalText("user"), secret: try message.optionalText("secret"))
        case "mirror":
            let rows = message["locate"]?.elements?.compactMap(\.asCount) ?? []
            self = .mirror(path: try message.text("to"), locating: rows)
        case "cancel": self = .cancel(of: try message.number("of"))
        case "page": self = .page(try PageRequest(in: message))
        case "books": self = .books(ids: try message.texts("ids"))
        case "export":
            self = .export(
                kind: try message.text("kind"), from: try message.text("from"), to: try message.text("to"),
                replacing: try message.optionalText("replacing"))
        case "convert":
            self = .convert(
                from: try message.text("from"), to: try message.text("to"),
                encoding: try message.optionalText("encoding"))
        case "publish": self = .publish(try Publication(in: message))
        case "fetch":
            self = .fetch(
                address: try message.text("address"), catalog: try message.optionalText("catalog"),
                path: try message.text("to"), limit: try message.byteCount("limit"))
        case "cover": self = .cover(try CoverRequest(in: message))
        default: throw ConnectorFailure(.request, .unknownRequest, detail: name)
        }
    }
}

extension SourceVersion {
    /// Parses a version from an object.
    init(in object: JSONValue) {
        self.init(etag: object["etag"]?.string, modified: object["modified"]?.string)
    }

    /// This version as an object.
    var json: JSONValue {
        .object(
            [("etag", etag), ("modified", modified)].compactMap { key, text in
                text.map { JSONValue.Member(key: key, value: .string($0)) }
            })
    }
}

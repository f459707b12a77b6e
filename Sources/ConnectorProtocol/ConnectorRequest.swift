internal import JSON

/// A request of stacks to the connector program: one line of JSON.
public struct ConnectorRequest: Hashable, Sendable {
    /// The version of the messages.
    public static let version = 1

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
        /// Starts the conversation. The connector writes only to the directory `cache`.
        case hello(version: Int, cache: String?)
        /// Opens a source; `known` is the version of the last complete copy.
        case open(source: String, known: SourceVersion?)
        /// Answers the connector's question for a user and password; without them, the question is declined.
        case answer(user: String?, secret: String?)
        /// Copies the open source as JSON Lines into the file at `path`.
        case mirror(path: String)
        /// Stops the request with this number.
        case cancel(of: Int)
        /// Requests the rows on the screen.
        case page(PageRequest)
        /// Requests the books with these ids.
        case books(ids: [String])
        /// Makes a file of another format, such as a database, from rows of JSON Lines. The other data of the database
        /// `replacing` is kept in the new file.
        case export(kind: String, from: String, to: String, replacing: String? = nil)
        /// Sends books to a server.
        case publish(Publication)
    }
}

/// A part of a list of books.
public struct PageRequest: Hashable, Sendable {
    /// A key to sort by.
    public struct SortKey: Hashable, Sendable {
        /// The field.
        public var field: String
        /// Whether the order is descending.
        public var isDescending: Bool

        /// Creates a sort key.
        public init(_ field: String, isDescending: Bool = false) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    /// The search, or nil for all books.
    public var query: String?
    /// The order, first key first.
    public var sort: [SortKey]
    /// The first row.
    public var row: Int
    /// The number of rows.
    public var limit: Int
    /// The number of the query, which the rows repeat.
    public var generation: Int

    /// Creates a request for rows.
    public init(query: String? = nil, sort: [SortKey] = [], row: Int, limit: Int, generation: Int) {
        self.query = query
        self.sort = sort
        self.row = row
        self.limit = limit
        self.generation = generation
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
        case .hello(let version, let cache):
            message.add("do", "hello")
            message.add("protocol", JSONValue(version))
            message.add("cache", cache)
        case .open(let source, let known):
            message.add("do", "open")
            message.add("source", source)
            message.add("have", known?.json)
        case .answer(let user, let secret):
            message.add("do", "answer")
            message.add("user", user)
            message.add("secret", secret)
        case .mirror(let path):
            message.add("do", "mirror")
            message.add("to", path)
        case .cancel(let id):
            message.add("do", "cancel")
            message.add("of", JSONValue(id))
        case .page(let page):
            message.add("do", "page")
            message.add("query", page.query)
            message.add(
                "sort", .array(page.sort.map { .array([.string($0.field), JSONValue($0.isDescending ? -1 : 1)]) }))
            message.add("at", .object([.init(key: "row", value: JSONValue(page.row))]))
            message.add("limit", JSONValue(page.limit))
            message.add("generation", JSONValue(page.generation))
        case .books(let ids):
            message.add("do", "books")
            message.add("ids", JSONValue(ids))
        case .export(let kind, let from, let to, let existing):
            message.add("do", "export")
            message.add("kind", kind)
            message.add("from", from)
            message.add("to", to)
            message.add("replacing", existing)
        case .publish(let publication):
            message.add("do", "publish")
            publication.add(to: &message)
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

extension ConnectorRequest.Action {
    fileprivate init(in message: JSONValue) throws(ConnectorFailure) {
        let name = try message.text("do")
        switch name {
        case "hello": self = .hello(version: try message.number("protocol"), cache: try message.optionalText("cache"))
        case "open":
            self = .open(source: try message.text("source"), known: message["have"].map(SourceVersion.init(in:)))
        case "answer":
            self = .answer(user: try message.optionalText("user"), secret: try message.optionalText("secret"))
        case "mirror": self = .mirror(path: try message.text("to"))
        case "cancel": self = .cancel(of: try message.number("of"))
        case "page": self = .page(try PageRequest(in: message))
        case "books": self = .books(ids: try message.texts("ids"))
        case "export":
            self = .export(
                kind: try message.text("kind"), from: try message.text("from"), to: try message.text("to"),
                replacing: try message.optionalText("replacing"))
        case "publish": self = .publish(try Publication(in: message))
        default: throw ConnectorFailure(.request, .unknownRequest, detail: name)
        }
    }
}

extension PageRequest {
    fileprivate init(in message: JSONValue) throws(ConnectorFailure) {
        query = try message.optionalText("query")
        sort = []
        for key in message["sort"]?.elements ?? [] {
            guard let parts = key.elements, parts.count == 2, let field = parts[0].string, let way = parts[1].integer
            else {
                throw ConnectorFailure(.request, .member, detail: "sort")
            }
            sort.append(SortKey(field, isDescending: way < 0))
        }
        row = try (message["at"] ?? .null).number("row")
        limit = try message.number("limit")
        generation = try message.number("generation")
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

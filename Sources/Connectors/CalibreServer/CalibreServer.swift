internal import ConnectorProtocol
internal import JSON

/// A library on calibre's content server, accessed through the HTTP interface of its web pages.
struct CalibreServer {
    let context: RequestContext
    /// The address of the server, without a trailing slash.
    let address: String
    /// The name of the library, percent-encoded.
    let library: String
    /// The names of all libraries of the server, this library first.
    let libraries: [String]
    /// Whether the address names the library, so that the other libraries need not be offered.
    let isChosen: Bool

    /// The number of books per request. The server refuses addresses with thousands of ids.
    static let batchSize = 100
    private static let batchLimit = 1 << 26
    private static let listLimit = 1 << 26
    private static let attempts = 3
    /// The maximum difference between the clocks of the server and of a proxy in front of it, in seconds.
    private static let clockTolerance = 600

    /// Opens the library that the parameter "library_id" of `url` names, or the default library of the server.
    ///
    /// Fails if the server is not a calibre server.
    init?(at url: String, _ context: RequestContext) throws(ConnectorFailure) {
        let path = url.prefix { $0 != "?" }
        let server = path.hasSuffix("/") ? String(path.dropLast()) : String(path)
        let document: [UInt8]
        do throws(ConnectorFailure) {
            (_, document) = try context.http.fetch(HTTPRequest(url: server + "/ajax/library-info"), limit: 1 << 20)
        } catch {
            if error.kind == .server { return nil }
            throw error
        }
        guard let info = JSONValue(parsing: document), let libraries = info["library_map"]?.members,
            let standard = info["default_library"]?.string
        else { return nil }
        let wanted = Self.query("library_id", in: url)
        let name = wanted ?? standard
        guard libraries.contains(where: { $0.key == name }) else {
            throw ConnectorFailure(.format, .noLibrary, detail: name)
        }
        (self.context, address, library) = (context, server, WebAddress.escaped(name))
        isChosen = wanted != nil
        self.libraries = libraries.map(\.key).sorted { ($0 == name ? 0 : 1, $0) < ($1 == name ? 0 : 1, $1) }
    }

    private static func query(_ name: String, in url: String) -> String? {
        guard let mark = url.firstIndex(of: "?") else { return nil }
        let pairs = url[url.index(after: mark)...].split(separator: "&")
        return pairs.first { $0.hasPrefix(name + "=") }.map { percentDecoded($0.dropFirst(name.count + 1)) }
    }

    // MARK: - Reading

    /// Returns the ids of the books that match a search in calibre's syntax, or of all books, in ascending order.
    func ids(matching query: String?) throws(ConnectorFailure) -> [Int] {
        try search("sort=id&sort_order=asc" + (query.map { "&query=" + WebAddress.escaped($0) } ?? "")).ids.sorted()
    }

    /// Returns the ids of all books, the one that was changed last first.
    func idsByChange() throws(ConnectorFailure) -> [Int] {
        try search("sort=last_modified&sort_order=desc").ids
    }

    private func search(
        _ parameters: String, limit: Int = 100_000_000
    ) throws(ConnectorFailure) -> (ids: [Int], head: HTTPHead) {
        let url = "\(address)/ajax/search/\(library)?num=\(limit)&\(parameters)"
        let (head, answer) = try fetch(HTTPRequest(url: url), limit: Self.listLimit)
        guard let ids = answer["book_ids"]?.elements else {
            throw ConnectorFailure(.server, .notHTTP, detail: "calibre")
        }
        return (ids.compactMap(\.integer), head)
    }

    /// Returns a time, as the server writes it in "last_modified", that no change from now on precedes: that of the last
    /// change.
    ///
    /// If that was long ago, it is a time shortly before now, so that all the books that were changed in the same second
    /// are not read again each time; likewise if a wrong clock has put it into the future.
    func timeOfLastChange() throws(ConnectorFailure) -> String? {
        let (ids, head) = try search("sort=last_modified&sort_order=desc", limit: 1)
        let last = try ids.first.flatMap { id throws(ConnectorFailure) in
            Self.change(of: id, in: try fetch(HTTPRequest(url: address(of: [id])), limit: Self.batchLimit).answer)
        }
        guard let now = head.date else { return last }
        let recent = CalibreTime.text(of: now - Self.clockTolerance)
        if let last, last >= recent, last <= CalibreTime.text(of: now) { return last }
        return recent
    }

    /// Returns the time of the last change of a book in a response, in UTC.
    static func change(of id: Int, in answer: JSONValue) -> String? { answer["\(id)"]?["last_modified"]?.string }

    /// Starts a request for the books with these ids, without waiting.
    func start(_ ids: [Int]) throws(ConnectorFailure) -> HTTPTransfer {
        try context.http.start(HTTPRequest(url: address(of: ids)))
    }

    /// Waits for the response to a request for books. If it fails, the request is repeated.
    func answer(to ids: [Int], from transfer: HTTPTransfer) throws(ConnectorFailure) -> JSONValue {
        do throws(ConnectorFailure) {
            if let answer = JSONValue(parsing: try context.http.finish(transfer, limit: Self.batchLimit)) {
                return answer
            }
        } catch {
            if error.kind == .cancelled { throw error }
        }
        return try fetch(HTTPRequest(url: address(of: ids)), limit: Self.batchLimit).answer
    }

    /// Fetches the records of books, keyed by id.
    func records(of ids: [Int]) throws(ConnectorFailure) -> [Int: [UInt8]] {
        records(of: ids, in: try fetch(HTTPRequest(url: address(of: ids)), limit: Self.batchLimit).answer)
    }

    /// Returns the records of books in a response, keyed by id. Deleted books are omitted; the server sends null for
    /// them.
    func records(of ids: [Int], in answer: JSONValue) -> [Int: [UInt8]] {
        var records: [Int: [UInt8]] = [:]
        for id in ids {
            if let book = answer["\(id)"], book.members != nil {
                records[id] = CalibreServerBook(book, id: id, server: address).json
            }
        }
        return records
    }

    private func address(of ids: [Int]) -> String {
        "\(address)/ajax/books/\(library)?category_urls=false&ids=" + ids.map(String.init).joined(separator: ",")
    }

    /// Fetches a document; repeats the request after a temporary failure.
    private func fetch(
        _ request: HTTPRequest, limit: Int
    ) throws(ConnectorFailure) -> (head: HTTPHead, answer: JSONValue) {
        var attempt = 0
        while true {
            do throws(ConnectorFailure) {
                return try answer(to: request, limit: limit)
            } catch {
                attempt += 1
                let isTemporary = error.kind == .offline || error.kind == .busy || error.kind == .server
                guard isTemporary, attempt < Self.attempts, (error.retryAfter ?? 0) < 30 else { throw error }
                try context.wait(milliseconds: max(500 * attempt, (error.retryAfter ?? 0) * 1000))
            }
        }
    }

    private func answer(
        to request: HTTPRequest, limit: Int
    ) throws(ConnectorFailure) -> (head: HTTPHead, answer: JSONValue) {
        let (head, document) = try context.http.fetch(request, limit: limit)
        guard let value = JSONValue(parsing: document) else {
            throw ConnectorFailure(.server, .notHTTP, detail: "calibre")
        }
        return (head, value)
    }

    // MARK: - Writing

    /// Sends a request that changes the library. It is neither cancelled nor repeated, since it would be unknown
    /// whether the server had performed it.
    ///
    /// - Parameters:
    ///   - path: The path on the server.
    ///   - isUnrepeatable: Whether performing it twice is not the same as once.
    private func send(
        _ path: String, _ body: JSONValue, isUnrepeatable: Bool = false
    ) throws(ConnectorFailure) -> JSONValue {
        let request = HTTPRequest(
            url: address + path, body: Array(body.json.utf8), isUnrepeatable: isUnrepeatable)
        context.transferred.bytes += request.body?.count ?? 0
        return try context.ignoringCancellation { () throws(ConnectorFailure) in
            try answer(to: request, limit: Self.batchLimit).answer
        }
    }

    /// Runs a command of calibredb on the server and returns its result.
    ///
    /// - Throws: `ConnectorFailure` with the server's message.
    private func run(_ command: String, _ arguments: [JSONValue]) throws(ConnectorFailure) -> JSONValue {
        let path = "/cdb/cmd/\(command)/0?library_id=\(library)"
        let answer = try send(path, .array(arguments), isUnrepeatable: command == "add")
        guard let result = answer["result"] else {
            throw ConnectorFailure(.server, .status, detail: answer["err"]?.string)
        }
        return result
    }

    /// Fetches the custom columns. The server refuses this to users without write access.
    func columns() throws(ConnectorFailure) -> CalibreColumns {
        let description = try run("set_metadata", [.string("field_metadata")])
        return CalibreColumns(description["v"]?["custom_fields"] ?? .null)
    }

    /// Adds a book without formats.
    ///
    /// - Returns: The id of the book.
    func add(_ metadata: [JSONValue.Member]) throws(ConnectorFailure) -> Int {
        let book = CalibreFields.encoded(.metadata, .object(metadata))
        let result = try run("add", [.string("empty"), book])
        guard let id = result.elements?.first?.elements?.first?.integer else {
            throw ConnectorFailure(.server, .notHTTP, detail: "calibre")
        }
        return id
    }

    /// Changes fields of an existing book.
    func set(_ fields: [JSONValue.Member], of id: Int) throws(ConnectorFailure) {
        let changes = JSONValue.object([.init(key: "changes", value: .object(fields))])
        _ = try send("/cdb/set-fields/\(id)/\(library)", changes)
    }

    /// Deletes a book with its files. The server moves them to its trash.
    func delete(_ id: Int) throws(ConnectorFailure) {
        _ = try send("/cdb/delete-books/\(id)/\(library)", .object([]))
    }
}

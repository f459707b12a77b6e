import ConnectorProtocol
import ConnectorTesting
import JSON
import TestSupport

/// A catalog on a server whose answers can be held back, opened by the connector program.
final class HeldCatalog {
    /// The kinds of servers.
    enum Kind: CaseIterable {
        case openSearch, elasticsearch, solr, sru, z3950
    }

    /// The ids of the books in the order of the server.
    let ids: [String]
    /// The connector program.
    let connector: RunningConnector
    private let directory: TemporaryDirectory
    private let server: ServerProcess?
    private let zebra: ZebraServer?
    private let proxy: ServerProcess
    private var lastRequest = 1

    /// Starts a server, and opens its catalog.
    init(_ kind: Kind) throws {
        directory = try TemporaryDirectory()
        let port: String
        switch kind {
        case .openSearch, .elasticsearch:
            let arguments = ["30000"] + (kind == .elasticsearch ? ["elasticsearch"] : [])
            let server = try ServerProcess(script: "search.py", arguments: arguments)
            (self.server, zebra, port) = (server, nil, server.words[0])
            ids = (0..<30_000).map { "b" + Self.digits($0) }
        case .solr:
            let server = try ServerProcess(script: "solr.py", arguments: [directory.path, "25000"])
            (self.server, zebra, port) = (server, nil, server.words[0])
            ids = (0..<25_000).map { "s" + Self.digits($0) }
        case .sru, .z3950:
            let zebra = try ZebraServer()
            (server, self.zebra, port) = (nil, zebra, zebra.port)
            ids = zebra.books.map(\.id)
        }
        proxy = try ServerProcess(script: "hold.py", arguments: [port])
        let host = "127.0.0.1:\(proxy.words[0])"
        connector = try RunningConnector()
        let address =
            switch kind {
            case .openSearch, .elasticsearch: "opensearch+http://\(host)/books"
            case .solr: "solr+http://\(host)/solr/books"
            case .sru: "sru+http://\(host)/Default"
            case .z3950: "z3950://\(host)/Default"
            }
        _ = try connector.greet(cache: directory.path, sources: [address])
        try connector.ask(1, .open(source: address, known: nil))
        guard case .ended? = try connector.end()?.content else { throw WrongReply() }
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Gives a command to the proxy, and returns its answer.
    @discardableResult
    func tellProxy(_ command: String) -> String { proxy.ask(command) }

    /// Gives a command to the server, and returns its answer.
    @discardableResult
    func tellServer(_ command: String) -> String { server?.ask(command) ?? "" }

    /// Requests a page, and returns the number of the request.
    func ask(at row: Int, limit: Int = 20) throws -> Int {
        lastRequest += 1
        let request = PageRequest(at: .row(row), limit: limit, generation: lastRequest)
        try connector.ask(lastRequest, .page(request))
        return lastRequest
    }

    /// Cancels a request.
    func cancel(_ request: Int) throws {
        lastRequest += 1
        try connector.ask(lastRequest, .cancel(of: request))
    }

    /// The replies to a request.
    struct Page {
        /// The number of the request.
        var request: Int
        /// The ids of the books.
        var ids: [String] = []
        /// The last reply.
        var end: ConnectorReply.Content?
        /// The number of questions for a password.
        var questions = 0
    }

    private var pages: [Int: Page] = [:]

    /// Returns the next complete reply to a page, in the order in which they come.
    ///
    /// - Parameter credential: The answer to each question for a user and password.
    func nextPage(answering credential: (user: String, secret: String)? = nil) throws -> Page {
        while let reply = try connector.next() {
            var page = pages[reply.request] ?? Page(request: reply.request)
            switch reply.content {
            case .rows(let rows):
                if rows.generation != reply.request { throw WrongReply() }
                page.ids += rows.rows.map { $0["id"]?.string ?? "" }
            case .asked:
                page.questions += 1
                try connector.ask(reply.request, .answer(user: credential?.user, secret: credential?.secret))
            case .ended(.paged), .failed:
                pages[reply.request] = nil
                page.end = reply.content
                return page
            default: break
            }
            pages[reply.request] = page
        }
        throw WrongReply()
    }

    /// Requests pages at the same time, and returns the replies by row.
    func pages(at rows: [Int], answering credential: (user: String, secret: String)? = nil) throws -> [Int: Page] {
        let requests = try rows.map { (try ask(at: $0), $0) }
        var found: [Int: Page] = [:]
        for _ in requests {
            let page = try nextPage(answering: credential)
            if let row = requests.first(where: { $0.0 == page.request })?.1 { found[row] = page }
        }
        return found
    }

    /// Returns the ids of the books from a row on.
    func ids(at row: Int, limit: Int = 20) -> [String] { Array(ids[row...].prefix(limit)) }
}

internal import ConnectorProtocol
internal import JSON

/// Open Library, at an address such as `openlibrary+https://openlibrary.org`: editions by their ISBNs, and works by all
/// other searches.
final class OpenLibraryServer: RecordServer {
    private let address: RecordServerAddress
    private let context: RequestContext
    /// Open Library asks for at most one request a second.
    private let pace: RequestPace

    let kind = "openlibrary"
    let syntax = OpenLibraryText.syntax
    let sortKeys: [String] = []
    let facts = ["protocol": "Open Library"]

    private static let limit = 1 << 25
    /// The maximum number of works in a response.
    private static let batchLimit = 100
    private static let fields =
        "key,title,subtitle,author_name,isbn,language,first_publish_year,publisher,number_of_pages_median,cover_i,"
        + "edition_count"

    /// Prepares requests to the server; nothing is sent.
    ///
    /// - Parameter pace: The least time between two requests.
    init(
        _ address: RecordServerAddress, _ context: RequestContext, pace: RequestPace = RequestPace(milliseconds: 1000)
    ) {
        (self.address, self.context, self.pace) = (address, context, pace)
    }

    func server(for context: RequestContext) -> (any RecordServer)? {
        OpenLibraryServer(address, context, pace: pace)
    }

    func expression(for value: LibraryValue, in field: LibraryField) -> String? {
        OpenLibraryText.expression(for: value, in: field)
    }

    func records(
        _ query: String, _ sort: [PageRequest.SortKey], from first: Int, limit: Int
    ) throws(RecordServerError) -> RecordBatch {
        do throws(ConnectorFailure) {
            if query.contains(syntax.everything) {
                throw ConnectorFailure(.refused, .needsQuery, detail: address.host)
            }
            let request = OpenLibraryText.Request(query)
            guard !request.editions.isEmpty else { return try works(query, from: first, limit: limit) }
            var rows = try editions(request.editions)
            if let search = request.search { rows += try works(search, from: 0, limit: Self.batchLimit).rows }
            // All of them come at once.
            return RecordBatch(rows: Array(rows.dropFirst(first).prefix(limit)), count: BookTotal(rows.count, .exact))
        } catch {
            throw .failed(error)
        }
    }

    /// Returns the editions with these keys, each once.
    private func editions(_ keys: [String]) throws(ConnectorFailure) -> [JSONValue] {
        let answer = try send(
            "/api/books", [("bibkeys", keys.joined(separator: ",")), ("jscmd", "data"), ("format", "json")])
        guard let members = answer.members else { throw mismatch }
        var ids: Set<String> = []
        var rows: [JSONValue] = []
        for member in members {
            guard member.value.members != nil else { throw mismatch }
            let row = OpenLibraryRecord.row(ofEdition: member.value)
            if let id = row["id"]?.string, ids.insert(id).inserted { rows.append(row) }
        }
        return rows
    }

    /// Returns a part of the works that a search finds.
    private func works(_ query: String, from first: Int, limit: Int) throws(ConnectorFailure) -> RecordBatch {
        let count = max(1, min(limit, Self.batchLimit))
        let answer = try send(
            "/search.json",
            [("q", query), ("limit", "\(count)"), ("offset", "\(first)"), ("fields", Self.fields)])
        if let error = answer["error"]?.string { throw ServerDiagnostic(message: error).failure }
        guard let documents = answer["docs"]?.elements, documents.allSatisfy({ $0.members != nil }) else {
            throw mismatch
        }
        var batch = RecordBatch(rows: documents.prefix(count).map(OpenLibraryRecord.row(ofWork:)))
        if let number = (answer["numFound"] ?? answer["num_found"])?.integer, number >= 0 {
            batch.count = BookTotal(number.clampedCount, .exact)
        }
        return batch
    }

    private var mismatch: ConnectorFailure {
        ConnectorFailure(.server, .protocolMismatch, subject: address.host, detail: "Open Library")
    }

    private func send(
        _ path: String, _ pairs: [(name: String, value: String)]
    ) throws(ConnectorFailure) -> JSONValue {
        try pace.wait(in: context)
        let (_, document) = try context.http.fetch(address.request(pairs, at: path), limit: Self.limit)
        guard let answer = JSONValue(parsing: document) else { throw mismatch }
        return answer
    }
}

internal import ConnectorProtocol
internal import JSON

/// The catalog of the National Library of Sweden, LIBRIS, by its own protocol (Xsearch), at an address such as
/// `xsearch+https://libris.kb.se/xsearch`.
final class XSearchServer: RecordServer {
    private let address: RecordServerAddress
    private let context: RequestContext

    let kind = "xsearch"
    let syntax = XSearchText.syntax
    /// The server sorts by relevance, or alphabetically, which is not by the title alone.
    let sortKeys: [String] = []
    let facts = ["protocol": "Xsearch"]

    private static let limit = 1 << 25
    /// The maximum number of records in a response.
    private static let batchLimit = 200

    /// Prepares requests to the server; nothing is sent, because it does not describe itself.
    init(_ address: RecordServerAddress, _ context: RequestContext) {
        var address = address
        // These are different in each request.
        address.drop { ["query", "format", "format_level", "start", "n", "order"].contains($0.name) }
        (self.address, self.context) = (address, context)
    }

    func server(for context: RequestContext) -> (any RecordServer)? { XSearchServer(address, context) }

    func expression(for value: LibraryValue, in field: LibraryField) -> String? {
        guard let code = XSearchText.code(of: field) else { return nil }
        let term: String?
        switch (value, field) {
        case (.word(let text), .isbn), (.word(let text), .language), (.word(let text), .id):
            term = XSearchText.plain(text)
        // The words of a name are in another order in the record.
        case (.phrase(let text), .author): term = XSearchText.near(text)
        case (.word(let text), _), (.phrase(let text), _): term = XSearchText.quoted(text)
        case (.whole, _), (.years, _): term = nil
        }
        return term.map { code + $0 }
    }

    func records(
        _ query: String, _ sort: [PageRequest.SortKey], from first: Int, limit: Int
    ) throws(RecordServerError) -> RecordBatch {
        if query.contains(syntax.everything) {
            throw .failed(ConnectorFailure(.refused, .needsQuery, detail: address.host))
        }
        let count = max(1, min(limit, Self.batchLimit))
        let request = address.request([
            ("query", query), ("format", "marcxml"), ("format_level", "full"), ("start", "\(first + 1)"),
            ("n", "\(count)"),
        ])
        do throws(ConnectorFailure) {
            let (_, document) = try context.http.fetch(request, limit: Self.limit)
            let root = try XMLTree.root(of: document)
            if let root, root.name == "xsearch", let error = root[attribute: "error"] {
                throw ServerDiagnostic(message: error).failure
            }
            return try batch(root, from: first, count: count)
        } catch {
            throw .failed(error)
        }
    }

    /// Reads an answer to a request for `count` records.
    private func batch(_ root: XMLElement?, from first: Int, count: Int) throws(ConnectorFailure) -> RecordBatch {
        guard let root, root.name == "xsearch" || root.name == "collection" else {
            throw ConnectorFailure(.server, .protocolMismatch, subject: address.host, detail: "Xsearch")
        }
        var batch = RecordBatch()
        let collection = root.name == "xsearch" ? root.first("collection") : root
        for record in (collection?.all("record") ?? []).prefix(count) {
            batch.rows.append(try LibraryRecord.row(of: record))
        }
        if let number = root[attribute: "records"].flatMap({ Int($0) }), number >= 0 {
            batch.count = BookTotal(number.clampedCount, .exact)
        } else if batch.rows.count < count, first == 0 || !batch.rows.isEmpty {
            // The list ends here.
            batch.count = BookTotal((first + batch.rows.count).clampedCount, .exact)
        }
        return batch
    }
}

internal import ConnectorProtocol
internal import JSON

/// The response of an SRU server to a search.
struct SRUResponse {
    /// The records.
    private(set) var batch = RecordBatch()
    /// The position of the next record, counted from 1, if there is one.
    private(set) var next: Int?
    /// The diagnostics about the whole search.
    private(set) var diagnostics: [ServerDiagnostic] = []
    /// The diagnostic about the schema, if the records could not be sent in it.
    private(set) var schemaDiagnostic: ServerDiagnostic?
    /// Reads a response.
    ///
    /// - Throws: `ConnectorFailure` if it is not one, or a record is in an unknown format.
    init(_ root: XMLElement?, from host: String) throws(ConnectorFailure) {
        guard let root, root.name == "searchRetrieveResponse" else {
            // Some servers send only the diagnostics.
            if let root, let found = Self.diagnostics(in: root).first {
                diagnostics = [found]
                return
            }
            throw ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "SRU")
        }
        diagnostics = root.first("diagnostics").map(Self.diagnostics) ?? []
        next = root.texts("nextRecordPosition").first.flatMap { Int($0) }
        if let number = root.texts("numberOfRecords").first.flatMap({ Int($0) }), number >= 0 {
            // SRU 2.0, section 2.2.2.
            let kind: BookTotal.Kind =
                switch root.texts("resultCountPrecision").first?.split(separator: "/").last {
                case nil, "exact": .exact
                case "minimum", "current": .atLeast
                default: .approximate
                }
            batch.count = BookTotal(number.clampedCount, kind)
        }
        batch.isPartial = !diagnostics.isEmpty
        for record in root.first("records")?.all("record") ?? [] { try add(record) }
    }

    private static func diagnostics(in element: XMLElement) -> [ServerDiagnostic] {
        (element.children + [element]).compactMap { ServerDiagnostic(sru: $0, LibraryDiagnosticText.sru) }
    }

    private mutating func add(_ record: XMLElement) throws(ConnectorFailure) {
        guard let data = record.first("recordData") else { return }
        // With the packing "string", the record is text.
        let packed = data.children.isEmpty ? try XMLTree.root(of: data.bytes) : nil
        guard let content = data.children.first ?? packed else {
            batch.isPartial = true
            return
        }
        guard let diagnostic = ServerDiagnostic(sru: content, LibraryDiagnosticText.sru) else {
            var row = try LibraryRecord.row(of: content)
            if row["id"]?.string?.hasPrefix(LibraryRecord.hashPrefix) == true,
                let id = record.texts("recordIdentifier").first
            {
                row = row.withID(id)
            }
            return batch.rows.append(row)
        }
        if diagnostic.meaning == .schema { schemaDiagnostic = diagnostic }
        // A record that the server cannot send says so in its place, so that the others keep theirs.
        let position = record.texts("recordPosition").first ?? "\(batch.rows.count + 1)"
        batch.rows.append(.unavailable(diagnostic, at: position))
        batch.isPartial = true
    }
}

extension JSONValue {
    /// The row of a record that a server could not send.
    static func unavailable(_ diagnostic: ServerDiagnostic, at position: String) -> JSONValue {
        let detail = diagnostic.failure.detail ?? diagnostic.message
        return .object([
            Member(key: "id", value: .string("\(LibraryRecord.hashPrefix)record \(position)")),
            Member(key: "title", value: .string("[\(detail)]")),
        ])
    }
}

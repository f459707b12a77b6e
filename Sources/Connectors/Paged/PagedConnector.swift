internal import ConnectorProtocol
internal import JSON

/// An open source that is queried for the rows on the screen.
protocol PagedConnector: AnyObject {
    /// The description of the source, with its abilities.
    var opened: OpenedSource { get }

    /// Returns a part of a list of books.
    ///
    /// - Throws: `ConnectorFailure` if the part is not complete. A list that the source cannot sort as requested is an
    ///   error, too; parts of the query that it cannot search for are returned as ignored.
    func page(_ request: PageRequest) throws(ConnectorFailure) -> BookPage

    /// Returns the records of the books with these ids, in any order; without those that do not exist.
    func books(withIDs ids: [String]) throws(ConnectorFailure) -> [JSONValue]

    /// Returns a connector for the same source that another thread uses for the requests of `context`; nil if the source
    /// takes no further requests at the same time.
    ///
    /// A connector is used by one thread at a time, not always the same. Those that this function returns run beside it,
    /// and it is called while this one is in use; what they share must be safe for that.
    func connector(for context: RequestContext) -> (any PagedConnector)?
}

/// A part of a list of books.
struct BookPage {
    /// The complete records of the books, each with its id in the source.
    var rows: [JSONValue]
    /// The number of the first row, counted from 0.
    var first: Int
    /// The facts about the whole list.
    var end: PageEnd
}

/// Finds the connector for a paged source by the scheme of its address.
enum PagedSources {
    /// The schemes of addresses of paged sources.
    static let schemes =
        ClickHouseAddress.schemes + [
            "sru+http", "sru+https", "z3950", "xsearch+http", "xsearch+https", "openlibrary+http",
            "openlibrary+https", "opensearch+http", "opensearch+https", "solr+http", "solr+https",
        ]

    /// Connects to a paged source; returns nil if the address is not that of one.
    static func connector(
        for source: String, _ context: RequestContext
    ) throws(ConnectorFailure) -> (any PagedConnector)? {
        if ClickHouseAddress.isAddress(source) { return try ClickHouseConnector(at: source, context) }
        if let address = SRUAddress(source) { return RecordServerConnector(try SRUServer(address, context)) }
        if let address = Z3950Address(source) { return RecordServerConnector(try Z3950Server(address, context)) }
        if let address = RecordServerAddress(source, of: "xsearch") {
            return RecordServerConnector(XSearchServer(address, context))
        }
        if let address = RecordServerAddress(source, of: "openlibrary") {
            return RecordServerConnector(OpenLibraryServer(address, context))
        }
        if let address = EngineAddress(source) { return try address.connector(context) }
        return nil
    }
}

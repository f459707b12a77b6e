internal import ConnectorProtocol

/// The address of an index on a search engine: `opensearch+https://HOST:9200/INDEX`, `solr+http://HOST:8983/solr/CORE`.
struct EngineAddress: Hashable {
    /// The kinds of search engines.
    enum Engine: String {
        case opensearch, solr

        /// The port that the engine listens on unless it is told otherwise.
        fileprivate var port: Int { self == .opensearch ? 9200 : 8983 }
    }

    /// The engine.
    let engine: Engine
    /// The address of the server: scheme, host and port, without a trailing slash.
    let server: String
    /// The path on the server without slashes around it, percent-encoded: an index, or a core with the path of Solr.
    let path: String

    /// Parses an address; fails for other addresses, and without a path.
    init?(_ address: String) {
        guard let plus = address.firstIndex(of: "+"), let colon = address.firstRange(of: "://"),
            plus < colon.lowerBound, let engine = Engine(rawValue: address[..<plus].lowercased())
        else { return nil }
        let url = String(address[address.index(after: plus)...].prefix { $0 != "?" && $0 != "#" })
        guard WebAddress.isWeb(url) else { return nil }
        let rest = address[colon.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count).split(separator: "/").joined(separator: "/")
        let host = HTTPRequest.host(of: url)
        guard !host.isEmpty, !path.isEmpty else { return nil }
        let hasPort = host.count > HTTPRequest.name(ofHostIn: url).count
        let scheme = address[address.index(after: plus)..<colon.lowerBound].lowercased()
        self.engine = engine
        self.path = path
        server = "\(scheme)://\(host)" + (hasPort ? "" : ":\(engine.port)")
    }

    /// Connects to the index.
    func connector(_ context: RequestContext) throws(ConnectorFailure) -> any PagedConnector {
        switch engine {
        case .opensearch: try OpenSearchConnector(self, context)
        case .solr: try SolrConnector(self, context)
        }
    }

    /// The host with its port.
    var host: String { HTTPRequest.host(of: server) }
}

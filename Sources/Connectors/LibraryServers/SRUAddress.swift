internal import ConnectorProtocol

/// The address of a database on an SRU server: `sru+https://HOST/PATH?version=1.2&recordSchema=marcxml`.
struct SRUAddress: Hashable {
    /// The base address without a query.
    let base: String
    /// The parameters that are sent with each request, percent-encoded.
    let parameters: [String]
    /// The protocol version that the user wants.
    let version: String?
    /// The record schema that the user wants.
    let schema: String?

    /// Parses an address whose scheme is `sru+http` or `sru+https`; fails for others.
    init?(_ address: String) {
        let prefix = "sru+"
        guard address.prefix(prefix.count).lowercased() == prefix else { return nil }
        let url = address.dropFirst(prefix.count).prefix { $0 != "#" }
        guard WebAddress.isWeb(String(url)) else { return nil }
        base = String(url.prefix { $0 != "?" })
        var rest: [String] = []
        var (version, schema): (String?, String?)
        for pair in url.dropFirst(base.count + 1).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            let value = parts.count > 1 ? percentDecoded(parts[1]) : ""
            switch parts.first?.lowercased() {
            case "version": version = value
            case "recordschema": schema = value
            // These are different in each request.
            case "operation", "query", "startrecord", "maximumrecords", "recordpacking", "sortkeys": break
            default: rest.append(String(pair))
            }
        }
        (self.version, self.schema, parameters) = (version, schema, rest)
    }

    /// The host, with its port if the address has one.
    var host: String { HTTPRequest.host(of: base) }

    /// Returns the request with these parameters.
    func request(_ pairs: [(name: String, value: String)]) -> HTTPRequest {
        let query = parameters + pairs.map { "\($0.name)=\(WebAddress.escaped($0.value))" }
        return HTTPRequest(url: base + "?" + query.joined(separator: "&"))
    }
}

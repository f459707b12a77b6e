internal import ConnectorProtocol

/// The address of a database on an SRU server: `sru+https://HOST/PATH?version=1.2&recordSchema=marcxml`. Parameters such as
/// `index-isbn=pica.isb`, which are not sent, name the index of a field, where the server's own description does not.
struct SRUAddress: Hashable {
    /// The base address without a query.
    let base: String
    /// The parameters that are sent with each request, percent-encoded.
    let parameters: [String]
    /// The protocol version that the user wants.
    let version: String?
    /// The record schema that the user wants.
    let schema: String?
    /// The indexes that the address names.
    let indexes: [LibraryField: SRUDescription.Index]

    /// Parses an address whose scheme is `sru+http` or `sru+https`; fails for others.
    init?(_ address: String) {
        let prefix = "sru+"
        guard address.prefix(prefix.count).lowercased() == prefix else { return nil }
        let url = address.dropFirst(prefix.count).prefix { $0 != "#" }
        guard WebAddress.isWeb(String(url)) else { return nil }
        base = String(url.prefix { $0 != "?" })
        var rest: [String] = []
        var (version, schema): (String?, String?)
        var indexes: [LibraryField: SRUDescription.Index] = [:]
        for pair in url.dropFirst(base.count + 1).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            let value = parts.count > 1 ? percentDecoded(parts[1]) : ""
            switch parts.first?.lowercased() {
            case "version": version = value
            case "recordschema": schema = value
            // These are different in each request.
            case "operation", "query", "startrecord", "maximumrecords", "recordpacking", "sortkeys": break
            case let name? where name.hasPrefix(Self.indexPrefix):
                guard let field = LibraryField(rawValue: String(name.dropFirst(Self.indexPrefix.count))) else { break }
                // A relation may follow: "bib.isbn all".
                let words = value.split(separator: " ", maxSplits: 1).map(String.init)
                guard let index = words.first else { break }
                indexes[field] = .init(name: index, sorts: false, relations: Set(words.dropFirst()))
            default: rest.append(String(pair))
            }
        }
        (self.version, self.schema, parameters, self.indexes) = (version, schema, rest, indexes)
    }

    private static let indexPrefix = "index-"

    /// The host, with its port if the address has one.
    var host: String { HTTPRequest.host(of: base) }

    /// Returns the request with these parameters.
    func request(_ pairs: [(name: String, value: String)]) -> HTTPRequest {
        let query = parameters + pairs.map { "\($0.name)=\(WebAddress.escaped($0.value))" }
        return HTTPRequest(url: base + "?" + query.joined(separator: "&"))
    }
}

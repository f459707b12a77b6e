/// The origin of a server: its scheme, host and port (RFC 6454, section 4). A password belongs to one origin.
public struct ServerOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme of the protocol in lower case: `http`, `https` or `z3950`.
    public let scheme: String
    /// The host in lower case; an address of IPv6 in brackets.
    public let host: String
    /// The port.
    public let port: Int

    /// The protocol and port of each scheme of addresses.
    private static let protocols: [String: (scheme: String, port: Int)] = [
        "http": ("http", 80), "https": ("https", 443), "sru+http": ("http", 80), "sru+https": ("https", 443),
        "xsearch+http": ("http", 80), "xsearch+https": ("https", 443),
        "openlibrary+http": ("http", 80), "openlibrary+https": ("https", 443),
        "clickhouse": ("http", 8123), "clickhouses": ("https", 8443),
        "opensearch+http": ("http", 9200), "opensearch+https": ("https", 9200),
        "solr+http": ("http", 8983), "solr+https": ("https", 8983), "z3950": ("z3950", 210),
    ]

    /// Parses the origin of an address; fails for other texts. Of several hosts, it is the first one.
    public init?(of address: String) {
        guard let first = Self.all(in: address).first else { return nil }
        self = first
    }

    private init?(_ authority: Substring, _ usual: (scheme: String, port: Int)) {
        var (name, port) = (authority, usual.port)
        // The colons of an IPv6 address are in brackets.
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            guard let number = UInt16(authority[authority.index(after: colon)...]) else { return nil }
            (name, port) = (authority[..<colon], Int(number))
        }
        guard !name.isEmpty else { return nil }
        (scheme, host, self.port) = (usual.scheme, name.lowercased(), port)
    }

    /// Returns the origins of the servers that an address names: several for a ClickHouse cluster, none for other texts.
    public static func all(in address: String) -> [ServerOrigin] {
        guard let end = address.firstRange(of: "://"), let usual = protocols[address[..<end.lowerBound].lowercased()]
        else { return [] }
        var authority = address[end.upperBound...].prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        return authority.split(separator: ",").compactMap { ServerOrigin($0, usual) }
    }

    /// The host, with its port unless the scheme implies it.
    public var place: String { port == Self.protocols[scheme]?.port ? host : "\(host):\(port)" }

    /// The origin as an address without a path, such as `https://books.example` (RFC 6454, section 6.2).
    public var description: String { "\(scheme)://\(place)" }
}

extension ConnectorRequest.Action {
    /// The servers that get the passwords for this action and those that follow it; nil for those of the action before.
    public var passwordOrigins: Set<ServerOrigin>? {
        switch self {
        case .open(let source, _, _, _): Set(ServerOrigin.all(in: source))
        case .publish(let publication): Set(ServerOrigin.all(in: publication.target))
        case .hello, .answer, .mirror, .cancel, .page, .books, .export, .convert, .cover: nil
        case .fetch(_, let catalog, _, _): Set(catalog.map(ServerOrigin.all(in:)) ?? [])
        }
    }
}

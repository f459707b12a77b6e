internal import ConnectorProtocol

/// The address of a catalog in ClickHouse: `clickhouse://[USER@]HOST[:PORT][,HOST[:PORT]...]/DATABASE[?cluster=NAME]`.
///
/// Requests use HTTP; `clickhouses` is HTTPS. With a cluster, the hosts are its members, and each of them answers for the
/// whole catalog through distributed tables. Without one, each host has the whole catalog, and further hosts are asked
/// only if the ones before them do not answer.
struct ClickHouseAddress: Hashable, Sendable {
    /// The schemes.
    static let schemes = ["clickhouse", "clickhouses"]
    /// The usual port of HTTP, and of HTTPS.
    private static let (port, encryptedPort) = (8123, 8443)

    /// The web addresses of the hosts, without a trailing slash.
    let hosts: [String]
    /// The name of the database.
    let database: String
    /// The name of the cluster in the configuration of the servers, if any.
    let cluster: String?

    /// Returns whether a text has the scheme of such an address.
    static func isAddress(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "://")?.lowerBound else { return false }
        return schemes.contains(text[..<end].lowercased())
    }

    /// Parses an address.
    ///
    /// - Throws: `ConnectorFailure` if a part is missing or unknown.
    init(_ text: String) throws(ConnectorFailure) {
        let failure = ConnectorFailure(.refused, .databaseAddress)
        guard Self.isAddress(text), let range = text.firstRange(of: "://") else { throw failure }
        let isEncrypted = text[..<range.lowerBound].lowercased() == Self.schemes[1]
        let rest = text[range.upperBound...].prefix { $0 != "#" }
        var authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...].prefix { $0 != "?" }
        let query = rest[path.endIndex...].dropFirst()
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        var hosts: [String] = []
        for host in authority.split(separator: ",", omittingEmptySubsequences: false) {
            guard let host = Self.host(host, isEncrypted: isEncrypted), !hosts.contains(host) else { throw failure }
            hosts.append(host)
        }
        let names = path.split(separator: "/")
        guard names.count == 1, let name = names.first.map({ percentDecoded($0) }), !name.isEmpty else { throw failure }
        var cluster: String?
        for parameter in query.split(separator: "&") {
            guard parameter.hasPrefix("cluster=") else { throw failure }
            cluster = percentDecoded(parameter.dropFirst("cluster=".count))
        }
        if cluster == "" { throw failure }
        (self.hosts, database, self.cluster) = (hosts, name, cluster)
    }

    /// Returns the web address of a host; nil if the name is empty or the port is no number.
    private static func host(_ text: Substring, isEncrypted: Bool) -> String? {
        var (name, port) = (text, isEncrypted ? encryptedPort : Self.port)
        // The colons of an IPv6 address are in brackets.
        if let colon = text.lastIndex(of: ":"), text.last != "]" {
            guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
            (name, port) = (text[..<colon], Int(number))
        }
        if name.isEmpty || name.contains(where: { " \\\"'<>".contains($0) }) { return nil }
        return "\(isEncrypted ? "https" : "http")://\(name.lowercased()):\(port)"
    }
}

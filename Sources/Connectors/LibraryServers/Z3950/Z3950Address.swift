internal import ConnectorProtocol

/// The address of a database on a Z39.50 server: `z3950://HOST:210/DATABASE` (RFC 2056 calls the scheme z39.50s). With
/// `?timeout=25`, the server may take 25 seconds.
struct Z3950Address: Hashable {
    /// The host and port.
    let host: String
    /// The name of the database; several are joined with "+".
    let database: String
    /// The time in seconds that the server may take; nil for the usual one.
    let timeout: Int?

    /// The port that the standard assigns.
    private static let port = 210

    /// Parses an address with the scheme `z3950`; fails for others, and without a host.
    init?(_ address: String) {
        let prefix = "z3950://"
        guard address.prefix(prefix.count).lowercased() == prefix else { return nil }
        let whole = address.dropFirst(prefix.count).prefix { $0 != "#" }
        let rest = whole.prefix { $0 != "?" }
        let authority = rest.prefix { $0 != "/" }
        guard let host = authority.split(separator: "@", omittingEmptySubsequences: false).last, !host.isEmpty else {
            return nil
        }
        let hasPort = host.last?.isNumber == true && host.contains(":") && !host.hasSuffix("]")
        self.host = host.lowercased() + (hasPort ? "" : ":\(Self.port)")
        let path = percentDecoded(rest.dropFirst(authority.count + 1))
        database = path.isEmpty ? "Default" : path
        timeout = RecordServerAddress.timeout(
            in: RecordServerAddress.parameters(in: whole.dropFirst(rest.count + 1)))
    }
}

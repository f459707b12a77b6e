public import ConnectorProtocol

/// The address of a catalog on a web server.
public struct SourceAddress: Hashable, Sendable {
    /// The address without user and password, with scheme and host in lower case. The only fragment that it keeps is
    /// "search=WORDS", for the catalog's own search.
    public let url: String
    /// The host, with its port if the address has one.
    public let host: String
    /// The user and password in the address; never stored or shown.
    public let credential: SourceCredential?

    /// Parses an address; fails for other texts, such as a path.
    public init?(_ text: String) {
        guard Self.isAddress(text), let range = text.firstRange(of: "://") else { return nil }
        let rest = text[range.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let fragment = Self.meaning(ofFragment: text[rest.endIndex...].dropFirst(), after: rest)
        let path = rest[authority.endIndex...] + fragment
        var host = authority[...]
        var credential: SourceCredential?
        if let at = authority.lastIndex(of: "@") {
            host = authority[authority.index(after: at)...]
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            credential = SourceCredential(
                user: percentDecoded(parts[0]), secret: parts.count > 1 ? percentDecoded(parts[1]) : "")
        }
        guard !host.isEmpty, !host.hasPrefix(":") else { return nil }
        self.host = host.lowercased()
        self.credential = credential
        url = text[..<range.upperBound].lowercased() + self.host + (path.hasPrefix("/") ? path : "/" + path)
    }

    /// Returns the suffix of the address for a fragment: the parameter for a library that calibre names in fragments,
    /// or the search of a feed.
    private static func meaning(ofFragment fragment: Substring, after address: Substring) -> String {
        if fragment.hasPrefix("search=") { return "#" + fragment }
        let name = "library_id="
        guard !address.contains(name), let part = fragment.split(separator: "&").first(where: { $0.hasPrefix(name) })
        else { return "" }
        return (address.contains("?") ? "&" : "?") + part
    }

    /// The schemes of addresses whose content is copied.
    private static let copiedSchemes: Set = ["http", "https"]
    /// The schemes of addresses of servers that are queried for the rows on the screen.
    private static let pagedSchemes: Set = [
        "clickhouse", "clickhouses", "openlibrary+http", "openlibrary+https", "opensearch+http", "opensearch+https",
        "solr+http", "solr+https", "sru+http", "sru+https", "xsearch+http", "xsearch+https", "z3950",
    ]
    /// The maximum length of a scheme.
    private static let schemeLimit = 20

    /// Returns whether a text is an address of a server.
    public static func isAddress(_ text: String) -> Bool {
        scheme(of: text).map { copiedSchemes.contains($0) || pagedSchemes.contains($0) } ?? false
    }

    /// Returns whether a text is the address of a server that is queried for the rows on the screen.
    public static func isPaged(_ text: String) -> Bool { scheme(of: text).map { pagedSchemes.contains($0) } ?? false }

    /// Returns the scheme of an address in lower case; nil for other texts.
    private static func scheme(of text: String) -> String? {
        guard let end = text.prefix(schemeLimit + 3).firstRange(of: "://")?.lowerBound else { return nil }
        return text[..<end].lowercased()
    }
}

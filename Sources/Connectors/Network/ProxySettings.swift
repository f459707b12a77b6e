internal import Glibc

/// The proxies in the environment, by the conventions of libcurl: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
///
/// libcurl chooses the proxy itself, also after redirects. This type gives it the hosts without a proxy, and names the
/// proxy in error messages, which libcurl does not.
struct ProxySettings {
    private let variable: (String) -> String?

    /// The hosts that are never requested through a proxy, because they are on this machine.
    private static let localHosts = ["localhost", "127.0.0.1", "::1"]

    /// Creates the settings; `variable` returns the value of an environment variable.
    init(_ variable: @escaping (String) -> String? = Self.environmentVariable) {
        self.variable = { name in variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    }

    private static func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Returns the hosts without a proxy in the form of libcurl, which knows neither ports nor a "*" among other hosts.
    ///
    /// - Parameter url: The requested address. Hosts with another port than that of the address are omitted.
    func exceptions(for url: String) -> String {
        let hosts = hosts(exceptedFor: url)
        return hosts.contains("*") ? "*" : (hosts + Self.localHosts).joined(separator: ",")
    }

    /// Returns the host and port of the proxy for an address; nil if there is none.
    func proxy(for url: String) -> String? {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        let name = scheme + "_proxy"
        // A CGI program gets HTTP_PROXY from the header field Proxy of a request; therefore it has no effect.
        let value =
            variable(name) ?? (scheme == "http" ? nil : variable(name.uppercased())) ?? variable("all_proxy")
            ?? variable("ALL_PROXY")
        guard let value else { return nil }
        let host = HTTPRequest.name(ofHostIn: url)
        let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if (hosts(exceptedFor: url) + Self.localHosts).contains(where: { Self.matches($0, address) }) { return nil }
        return HTTPRequest.host(of: value.contains("://") ? value : "http://" + value)
    }

    /// Returns the entries of `no_proxy` that apply to the port of an address, without their ports.
    private func hosts(exceptedFor url: String) -> [String] {
        let port = HTTPRequest.port(of: url)
        return (variable("no_proxy") ?? variable("NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }
            .compactMap { entry in
                let address = entry.hasPrefix("[") ? entry.dropFirst().prefix { $0 != "]" } : entry
                let rest = entry.hasPrefix("[") ? entry.dropFirst(address.count + 2) : entry
                // An address of IPv6 has several colons; without brackets, it has no port.
                guard rest.count(where: { $0 == ":" }) == 1, let colon = rest.lastIndex(of: ":") else {
                    return String(address)
                }
                guard Int(rest[rest.index(after: colon)...]) == port else { return nil }
                return String(entry.hasPrefix("[") ? address : rest[..<colon])
            }
    }

    /// Returns whether an entry of `no_proxy` matches a host: "*", the host itself, a parent domain, or a network.
    private static func matches(_ entry: String, _ host: String) -> Bool {
        if entry == "*" { return true }
        if let slash = entry.firstIndex(of: "/") {
            guard let bits = Int(entry[entry.index(after: slash)...]), let network = bytes(ofAddress: entry[..<slash]),
                let address = bytes(ofAddress: host[...]), network.count == address.count
            else { return false }
            return (0..<min(max(bits, 0), 8 * network.count)).allSatisfy { bit in
                (network[bit / 8] ^ address[bit / 8]) & (0x80 >> (bit % 8)) == 0
            }
        }
        let domain = entry.lowercased().drop { $0 == "." }
        return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
    }

    /// Returns the bytes of an IP address; nil for other texts.
    private static func bytes(ofAddress text: Substring) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, String(text), &bytes) == 1 { return bytes }
        }
        return nil
    }
}

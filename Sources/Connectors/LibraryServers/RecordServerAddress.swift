internal import ConnectorProtocol

/// The address of a library server on the web: the name of its protocol and an address of HTTP, as in
/// `sru+https://HOST/PATH?PARAMETERS`. The parameter `timeout`, which is not sent, says for how many seconds to wait.
struct RecordServerAddress: Hashable {
    /// The base address without a query.
    let base: String
    /// The parameters of the address in their order.
    private(set) var parameters: [Parameter]
    /// The time in seconds that the server may take; nil for the usual one.
    let timeout: Int?

    /// A parameter of an address.
    struct Parameter: Hashable {
        /// The name in lower case.
        let name: String
        /// The value, decoded.
        let value: String
        /// The name and value as the address has them.
        let text: String
    }

    /// The longest time to wait, in seconds.
    private static let longestTimeout = 600

    /// Parses an address of a protocol over `http` or `https`; fails for others.
    init?(_ address: String, of protocolName: String) {
        let prefix = protocolName + "+"
        guard address.prefix(prefix.count).lowercased() == prefix else { return nil }
        let url = address.dropFirst(prefix.count).prefix { $0 != "#" }
        guard WebAddress.isWeb(String(url)) else { return nil }
        base = String(url.prefix { $0 != "?" })
        parameters = Self.parameters(in: url.dropFirst(base.count + 1))
        timeout = Self.timeout(in: parameters)
        parameters.removeAll { $0.name == Self.timeoutName }
    }

    private static let timeoutName = "timeout"

    /// Returns the parameters in the query of an address.
    static func parameters(in query: Substring) -> [Parameter] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return Parameter(
                name: parts.first?.lowercased() ?? "", value: parts.count > 1 ? percentDecoded(parts[1]) : "",
                text: String(pair))
        }
    }

    /// Returns the time in seconds that parameters allow; nil if they do not say it.
    static func timeout(in parameters: [Parameter]) -> Int? {
        guard let seconds = parameters.last(where: { $0.name == timeoutName }).flatMap({ Int($0.value) }),
            (1...longestTimeout).contains(seconds)
        else { return nil }
        return seconds
    }

    /// Leaves out the parameters that `isOwn` returns true for: they are different in each request, or not sent.
    mutating func drop(_ isOwn: (Parameter) -> Bool) { parameters.removeAll(where: isOwn) }

    /// The host, with its port if the address has one.
    var host: String { HTTPRequest.host(of: base) }

    /// Returns a request with these parameters after those of the address.
    ///
    /// - Parameter path: The path after that of the address.
    func request(_ pairs: [(name: String, value: String)], at path: String = "") -> HTTPRequest {
        let query = parameters.map(\.text) + pairs.map { "\($0.name)=\(WebAddress.escaped($0.value))" }
        let start = path.hasPrefix("/") && base.hasSuffix("/") ? String(base.dropLast()) : base
        var request = HTTPRequest(url: start + path + "?" + query.joined(separator: "&"))
        (request.patience, request.connectPatience) = (timeout, timeout)
        request.staysOnHost = true
        return request
    }
}

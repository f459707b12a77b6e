/// A request to an HTTP server.
struct HTTPRequest {
    /// The address, without user and password.
    var url: String
    /// Additional header fields.
    var fields: [(name: String, value: String)] = []
    /// The JSON body, if any.
    var body: [UInt8]?
    /// The method of a request with a body, if it is not POST.
    var method: String?
    /// Whether the server must not get the request twice. libcurl repeats a request if a connection that was used before
    /// breaks without a response, but not if the connection is new.
    var isUnrepeatable = false
    /// The file to upload with PUT, if any.
    var upload: UploadedFile?
    /// The time in seconds that the server may take without sending anything; nil for the usual one.
    var patience: Int?
    /// The time in seconds that the connection may take; nil for the usual one.
    var connectPatience: Int?

    /// Whether redirects to other hosts are refused, because the address says what a person looks for.
    var staysOnHost = false

    /// Adds a header field; a value with control characters is left out, because they could begin another field.
    mutating func add(_ name: String, _ value: String) {
        if value.isFieldValue { fields.append((name, value)) }
    }

    /// The host of the address, with its port if the address has one.
    var host: String { Self.host(of: url) }

    /// Returns the host of an address without a port.
    static func name(ofHostIn url: String) -> String {
        let host = host(of: url)
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// Returns the port of an address.
    static func port(of url: String) -> Int {
        let number = host(of: url).dropFirst(name(ofHostIn: url).count + 1)
        return Int(number) ?? (url.lowercased().hasPrefix("https:") ? 443 : 80)
    }

    /// Returns the host of an address, with its port if the address has one.
    static func host(of url: String) -> String {
        guard let range = url.firstRange(of: "://") else { return url }
        let authority = url[range.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority).lowercased()
    }
}

/// A file to upload.
struct UploadedFile {
    /// The path.
    var path: String
    /// The size in bytes.
    var size: Int
    /// The media type.
    var type: String
}

/// A user and password.
struct Credential: Hashable {
    /// The user.
    var user: String
    /// The password.
    var secret: String
}

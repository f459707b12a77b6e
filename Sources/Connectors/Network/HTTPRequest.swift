/// A request to a web server.
struct HTTPRequest {
    /// The address, without a user and password.
    var url: String
    /// Additional fields of the head.
    var fields: [(name: String, value: String)] = []
    /// The body in JSON, if there is one.
    var body: [UInt8]?
    /// The file that is put at the address, if any.
    var upload: UploadedFile?

    /// The origin of the address: scheme, host and port. Credentials stay within it.
    var origin: String { Self.origin(of: url) }

    /// The host of the address, with its port if it names one.
    var host: String { Self.host(of: url) }

    /// Returns the origin of an address.
    static func origin(of url: String) -> String {
        guard let range = url.firstRange(of: "://") else { return url }
        return String(url[..<range.upperBound]).lowercased() + host(of: url)
    }

    /// Returns the host of an address without a port.
    static func name(ofHostIn url: String) -> String {
        let host = host(of: url)
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// Returns the host of an address, with its port if it names one.
    static func host(of url: String) -> String {
        guard let range = url.firstRange(of: "://") else { return url }
        let authority = url[range.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority).lowercased()
    }
}

/// A file that is sent.
struct UploadedFile {
    /// Its path.
    var path: String
    /// Its size in bytes.
    var size: Int
    /// The media type of its content.
    var type: String
}

/// A user and password.
struct Credential: Hashable {
    /// The user.
    var user: String
    /// The password.
    var secret: String
}

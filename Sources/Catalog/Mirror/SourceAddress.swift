/// The address of a catalog on a web server.
public struct SourceAddress: Hashable, Sendable {
    /// The address without a user and password and without a fragment, with scheme and host in lower case.
    public let url: String
    /// The host, with its port if it has one.
    public let host: String
    /// The user and password that the address has, which are never kept or shown.
    public let credential: SourceCredential?

    /// Reads an address; fails if the text is none, such as a path.
    public init?(_ text: String) {
        guard Self.isAddress(text), let range = text.firstRange(of: "://") else { return nil }
        var rest = text[range.upperBound...]
        rest = rest.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...]
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

    /// Whether a text is the address of something on a web server.
    public static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}

/// A user and password for a server.
public struct SourceCredential: Hashable, Sendable {
    /// The user.
    public var user: String
    /// The password.
    public var secret: String

    /// Creates a user with a password.
    public init(user: String, secret: String) { (self.user, self.secret) = (user, secret) }
}

/// What gives the user and password that a server asks for, on any thread; nil if there is none.
public typealias CredentialSource =
    @Sendable (_ host: String, _ realm: String?, _ isRepeated: Bool) -> SourceCredential?

/// Returns a part of an address with its percent encodings decoded (RFC 3986, section 2.1).
private func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        let digits = rest.prefix(2)
        if byte == UInt8(ascii: "%"), digits.count == 2,
            let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

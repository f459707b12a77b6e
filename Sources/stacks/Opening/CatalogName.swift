internal import Catalog

/// A catalog as the user names it: a file, or an address on a server.
struct CatalogName {
    /// The path, or the address without user and password, which must not appear in messages or files.
    let path: String
    /// The passwords for the server, if the catalog is on one.
    let passwords: ServerPasswords?

    /// Whether the catalog is on a server.
    var isAddress: Bool { passwords != nil }

    /// The function that answers authentication requests of the server.
    var credentials: CredentialSource {
        if let passwords { return passwords.answer }
        return { _ in nil }
    }

    /// Names a catalog that is open.
    init(path: String, passwords: ServerPasswords?) { (self.path, self.passwords) = (path, passwords) }

    /// Parses a path or address; `config` is read only for an address.
    init(_ given: String, in config: @autoclosure () -> Config) {
        guard let address = SourceAddress(given) else {
            (path, passwords) = (given, nil)
            return
        }
        path = address.url
        passwords = ServerPasswords(of: address, config().remoteSources[address.url])
    }
}

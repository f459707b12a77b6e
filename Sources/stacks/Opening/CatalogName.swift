internal import Catalog

/// A catalog as the user names it: a file, or something on a server.
struct CatalogName {
    /// The path, or the address without the user and password that it may have: those are not for others to see, in
    /// messages or files.
    let path: String
    /// The passwords for the server, if the catalog is on one.
    let passwords: ServerPasswords?

    /// Whether the catalog is on a server.
    var isAddress: Bool { passwords != nil }

    /// What answers the questions of its server.
    var credentials: CredentialSource {
        if let passwords { return passwords.answer }
        return { _, _, _ in nil }
    }

    /// Names a catalog that is open.
    init(path: String, passwords: ServerPasswords?) { (self.path, self.passwords) = (path, passwords) }

    /// Takes a path or address apart; what `config` knows of the server is read for an address only.
    init(_ given: String, in config: @autoclosure () -> Config) {
        guard let address = SourceAddress(given) else {
            (path, passwords) = (given, nil)
            return
        }
        path = address.url
        passwords = ServerPasswords(of: address, config().remoteSources[address.url])
    }
}

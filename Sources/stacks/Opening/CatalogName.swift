internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Remote
internal import Storage

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

    /// Finds the catalog with a name that may be one of the config, as `path(named:in:)` does.
    init(named name: String, in config: @autoclosure () -> Config) {
        self.init(Self.path(named: name, in: config()) ?? name, in: config())
    }

    /// Returns the path of the catalog that the user or `$STACKS_CATALOG` names; nil if neither does.
    ///
    /// A name is a path, a name from `config`, which is read only if the file does not exist, or the name of a library
    /// server that comes with stacks.
    static func path(named name: String?, in config: @autoclosure () -> Config) -> String? {
        guard let name = name ?? environmentValue("STACKS_CATALOG") else { return nil }
        if name.isEmpty || name == "-" || name.contains("/") || access(name, F_OK) == 0 { return name }
        return config().catalogs[name] ?? LibraryTargets().address(named: name) ?? name
    }
}

extension CatalogName {
    /// The name of the catalog in the cache of copies: the address, or the absolute path, even of a file that is gone.
    var source: String { SourceAddress(path)?.url ?? Self.absolutePath(path) ?? Self.absolutePath(ofMissing: path) }

    /// Returns the absolute path of a file, with its "?table=" part; nil if the file does not exist.
    static func absolutePath(_ path: String) -> String? {
        if let resolved = resolvedPath(path) { return resolved }
        guard let range = path.firstRange(of: "?table=") else { return nil }
        return resolvedPath(String(path[..<range.lowerBound])).map { $0 + path[range.lowerBound...] }
    }

    /// Returns the absolute path of a missing file, whose directory may still exist.
    private static func absolutePath(ofMissing path: String) -> String {
        let path = Storage.absolutePath(path)
        guard let slash = path.lastIndex(of: "/"), let directory = resolvedPath(String(path[..<slash])) else {
            return path
        }
        return directory + path[slash...]
    }
}

internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import JSON
internal import Library
internal import Storage
internal import Text

extension CatalogError {
    /// Returns this error for a command that opens the catalog at `path`; for a directory, the message names its
    /// catalogs.
    func commandError(opening path: String) -> CommandError {
        if case .unreadable(let error) = self, error.isDirectory {
            return CommandError(
                sentence: DirectoryCatalogs(in: path).sentence(ofDirectory: path), exitStatus: exitStatus)
        }
        if case .unreadable(let error) = self, error.isMissing, let parameter = Self.parameter(in: path) {
            return CommandError(
                sentence: CommandMessage.unknownParameter.text(parameter.path, parameter.name),
                exitStatus: ExitStatus.usage)
        }
        if isForeignPipe(path) {
            return CommandError(
                sentence: CommandMessage.pipeIsForeign.text(RandomAccessInput.shownPath(path)), exitStatus: exitStatus)
        }
        return CommandError(sentence: sentence, exitStatus: exitStatus)
    }

    /// Returns the path before "?" and the parameter after it, if a file with this path exists: "tabel" in
    /// "books.db?tabel=novels".
    private static func parameter(in path: String) -> (path: String, name: String)? {
        guard let mark = path.lastIndex(of: "?"), access(String(path[..<mark]), F_OK) == 0 else { return nil }
        let name = path[path.index(after: mark)...].prefix { $0 != "=" }
        return name.isEmpty || name == "table" ? nil : (String(path[..<mark]), String(name))
    }

    /// Whether `path` is a pipe that does not contain JSON; the connector program reads only files.
    private func isForeignPipe(_ path: String) -> Bool {
        guard RandomAccessInput.isPipe(path) else { return false }
        switch self {
        case .wrongFormat(_, .utf16): return false
        case .wrongFormat: return true
        case .malformed(_, let syntaxError): return syntaxError.position.byteOffset == 0
        case .notACatalog, .empty, .unreadable: return false
        }
    }
}

extension CommandError {
    /// Creates the error for the file at `path`, which the reader of JSON refuses.
    init(refusing path: String, _ error: CatalogError) {
        self = error.commandError(opening: path)
        if case .unreadable = error { return }
        refusal = error
    }
}

extension ConnectorFailure {
    /// Returns this failure for a command that opens `path`.
    ///
    /// - Parameter profile: The name of the profile that names the tables of a database, if any.
    func commandError(opening path: String, tablesOf profile: String? = nil) -> CommandError {
        CommandError(sentence: sentence(of: path, tablesOf: profile), exitStatus: exitStatus)
    }
}

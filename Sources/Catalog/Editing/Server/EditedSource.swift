/// The source of an edited catalog.
enum EditedSource {
    /// A file, in which the edits are saved.
    case file(JSONFileCatalog)
    /// The copy of a source on a server, to which the edits are sent.
    case server(MirroredCatalog)
    /// The copy of a source on a server, for another thread.
    case copyOfServer(JSONFileCatalog)

    /// The file, or the copy as a file.
    var file: JSONFileCatalog {
        switch self {
        case .file(let file), .copyOfServer(let file): file
        case .server(let mirror): mirror.base
        }
    }

    /// The copy of a source on a server.
    var mirror: MirroredCatalog? { if case .server(let mirror) = self { mirror } else { nil } }

    /// Whether the edits are sent to a server.
    var isOnServer: Bool { if case .file = self { false } else { true } }

    /// The source with its abilities.
    var reloadable: any Reloadable { mirror ?? file }

    /// Whether all books have been read, and there are no others on the server.
    var isRead: Bool { file.format != nil && !reloadable.state.isLoading && mirror?.isWhole ?? true }
}

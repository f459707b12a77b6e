internal import Books

/// A catalog to open in place of the present one, in the same run of the program.
public struct NextCatalog: Hashable, Sendable {
    /// The path, the address, or the name in the config file.
    public let path: String
    /// The message for the first status line; "" for none.
    public let notice: String
    /// What goes on in the catalog if it is a copy of the present one; nil for another catalog.
    let continuation: Continuation?

    /// The work that a copy of a catalog takes over.
    struct Continuation: Hashable {
        /// The command to perform in it.
        let request: CommandRequest
        /// The keys of the selected books.
        let selected: [MatchKeys]
    }

    /// Whether the catalog is a copy of the present one, and so is read in the same way.
    public var isCopy: Bool { continuation != nil }

    /// Another catalog, which is opened at its last position.
    init(path: String) { (self.path, notice, continuation) = (path, "", nil) }

    /// A copy of the present catalog, in which a command is performed.
    init(copyAt path: String, notice: String, request: CommandRequest, selected: [MatchKeys]) {
        (self.path, self.notice) = (path, notice)
        continuation = Continuation(request: request, selected: selected)
    }
}

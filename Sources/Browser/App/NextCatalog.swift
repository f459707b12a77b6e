internal import Books

/// A catalog to open in place of the present one, in the same run of the program.
public struct NextCatalog: Hashable, Sendable {
    /// The path of the catalog.
    public let path: String
    /// The message for the first status line.
    public let notice: String
    /// The command to perform in it.
    let request: CommandRequest
    /// The keys of the selected books.
    let selected: [MatchKeys]
}

public import ConnectorProtocol

/// The user's settings for covers.
public struct CoverSettings: Hashable, Sendable {
    /// Whether covers are shown.
    public var shows = true
    /// Whether covers are fetched from servers without being asked for.
    public var isRemote = false
    /// The servers that covers may be fetched from, beside those of the catalog.
    public var servers: Set<ServerOrigin> = []

    /// Creates the standard settings.
    public init() {}
}

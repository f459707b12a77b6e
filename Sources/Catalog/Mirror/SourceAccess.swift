/// How the copies of a source are made, and when.
public struct SourceAccess: Sendable {
    /// The path of the connector program; nil if there is none.
    public var program: String?
    /// When the copy is made anew.
    public var refreshes: MirrorRefresh
    /// What gives a user and password for a server.
    public var credentials: CredentialSource

    /// Describes how copies are made.
    public init(
        program: String?, refreshes: MirrorRefresh = .whenChanged,
        credentials: @escaping CredentialSource = { _, _, _ in nil }
    ) {
        (self.program, self.refreshes, self.credentials) = (program, refreshes, credentials)
    }
}

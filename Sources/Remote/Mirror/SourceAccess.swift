public import ConnectorProtocol

/// The settings for copying sources.
public struct SourceAccess: Sendable {
    /// The path of the connector program; nil if it is not installed.
    public var program: String?
    /// The policy for updating copies.
    public var refreshes: MirrorRefresh
    /// The encoding of text as the user names it, or "auto" to detect it; nil for that of the last copy.
    public var encoding: String?
    /// The user and password for the server.
    public let signIn: SignIn
    /// Returns the limits for copies.
    public let limits: @Sendable () -> CopyLimits

    /// Creates the settings.
    public init(
        program: String?, refreshes: MirrorRefresh = .whenChanged, encoding: String? = nil,
        credentials: @escaping CredentialSource = { _ in nil }, user: String? = nil,
        limits: @escaping @Sendable () -> CopyLimits = { CopyLimits() }
    ) {
        (self.limits, self.encoding) = (limits, encoding)
        (self.program, self.refreshes, signIn) = (program, refreshes, SignIn(credentials, as: user))
    }
}

/// The way copies of sources are made, and when.
public struct SourceAccess: Sendable {
    /// The path of the connector program; nil if there is none.
    public var program: String?
    /// The policy for updating copies.
    public var refreshes: MirrorRefresh
    /// The user and password for its server.
    public let signIn: SignIn

    /// Creates a description of how copies are made.
    public init(
        program: String?, refreshes: MirrorRefresh = .whenChanged,
        credentials: @escaping CredentialSource = { _ in nil }, user: String? = nil
    ) {
        (self.program, self.refreshes, signIn) = (program, refreshes, SignIn(credentials, as: user))
    }
}

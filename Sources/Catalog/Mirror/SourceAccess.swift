/// How the copies of a source are made, and when.
public struct SourceAccess: Sendable {
    /// The path of the connector program; nil if there is none.
    public var program: String?
    /// When the copy is made anew.
    public var refreshes: MirrorRefresh
    /// The user and password for its server.
    public let signIn: SignIn

    /// Describes how copies are made.
    public init(
        program: String?, refreshes: MirrorRefresh = .whenChanged,
        credentials: @escaping CredentialSource = { _ in nil }, user: String? = nil
    ) {
        (self.program, self.refreshes, signIn) = (program, refreshes, SignIn(credentials, as: user))
    }
}

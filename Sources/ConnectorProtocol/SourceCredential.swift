/// A user and password for a server.
public struct SourceCredential: Hashable, Sendable {
    /// The user.
    public var user: String
    /// The password.
    public var secret: String

    /// Creates a credential.
    public init(user: String, secret: String) { (self.user, self.secret) = (user, secret) }
}

/// Returns the user and password that a server requires, on any thread; nil if there are none.
public typealias CredentialSource = @Sendable (CredentialQuestion) -> SourceCredential?

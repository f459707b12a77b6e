/// A request for user and password.
public struct CredentialQuestion: Hashable, Sendable {
    /// The server's name for the protected area.
    public var realm: String?
    /// The server that requires them. The answer is for this server only.
    public var origin: ServerOrigin
    /// Whether the server refused the last answer.
    public var isRepeated: Bool
    /// Whether ~/.netrc has a password, but is ignored because other users can read it.
    public var isNetrcIgnored: Bool
    /// The server's instructions for signing in, if any.
    public var instructions: SignInInstructions?
    /// The user whose password is required, if known; not part of messages.
    public var user: String?

    /// Creates a question.
    public init(
        realm: String?, origin: ServerOrigin, isRepeated: Bool = false, isNetrcIgnored: Bool = false,
        instructions: SignInInstructions? = nil
    ) {
        self.realm = realm
        self.origin = origin
        self.isRepeated = isRepeated
        self.isNetrcIgnored = isNetrcIgnored
        self.instructions = instructions
    }
}

/// The instructions for signing in, from a document of OPDS Authentication 1.0. Their text is untrusted.
public struct SignInInstructions: Hashable, Sendable {
    /// The name of the catalog.
    public var title: String
    /// The instructions, such as where to get a library card.
    public var description: String?
    /// The label for the user name, such as "Card number".
    public var userLabel: String?
    /// The label for the password, such as "PIN".
    public var secretLabel: String?

    /// Creates instructions.
    public init(title: String, description: String? = nil, userLabel: String? = nil, secretLabel: String? = nil) {
        (self.title, self.description) = (title, description)
        (self.userLabel, self.secretLabel) = (userLabel, secretLabel)
    }
}

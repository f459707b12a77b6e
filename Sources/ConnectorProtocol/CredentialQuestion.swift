/// A question for a user and password.
public struct CredentialQuestion: Hashable, Sendable {
    /// What the server calls the area that is protected.
    public var realm: String?
    /// The host that asks.
    public var host: String
    /// Whether the last answer was refused.
    public var isRepeated: Bool
    /// What the server says of signing in, if it has a document for that.
    public var instructions: SignInInstructions?
    /// The user whose password is wanted, if stacks knows that; not a part of messages.
    public var user: String?

    /// Creates a question.
    public init(
        realm: String?, host: String, isRepeated: Bool = false, instructions: SignInInstructions? = nil
    ) {
        self.realm = realm
        self.host = host
        self.isRepeated = isRepeated
        self.instructions = instructions
    }
}

/// What a server says of signing in, in a document of OPDS Authentication 1.0. Nothing of it is to be trusted.
public struct SignInInstructions: Hashable, Sendable {
    /// The name of the catalog.
    public var title: String
    /// What users should know, such as where they get a card.
    public var description: String?
    /// What the server calls the name of a user, such as "Card number".
    public var userLabel: String?
    /// What the server calls the password, such as "PIN".
    public var secretLabel: String?

    /// Creates instructions.
    public init(title: String, description: String? = nil, userLabel: String? = nil, secretLabel: String? = nil) {
        (self.title, self.description) = (title, description)
        (self.userLabel, self.secretLabel) = (userLabel, secretLabel)
    }
}

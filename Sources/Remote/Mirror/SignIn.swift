public import ConnectorProtocol
internal import Threading

/// The user and password for a server: those typed in the browser, otherwise those of another source. They are kept in
/// memory only.
public final class SignIn: Sendable {
    private let source: CredentialSource
    /// The user that the address or the config names.
    private let user: String?
    private let state = Locked(State())

    private struct State {
        var typed: SourceCredential?
        var question: CredentialQuestion?
    }

    /// Creates a sign-in that first asks `source`; `user` is the user, if known.
    public init(_ source: @escaping CredentialSource, as user: String? = nil) {
        (self.source, self.user) = (source, user)
    }

    /// The function that answers authentication requests of the server.
    public var credentials: CredentialSource {
        { [self] question in
            let typed = state.withLock { state in
                // Credentials that the server refused are not sent again.
                if question.isRepeated { state.typed = nil }
                state.question = nil
                return state.typed
            }
            if let answer = typed ?? source(question) { return answer }
            var open = question
            open.user = user
            state.withLock { [open] in $0.question = open }
            return nil
        }
    }

    /// The last question, if it has no answer yet.
    public var openQuestion: CredentialQuestion? { state.withLock { $0.question } }

    /// Stores typed credentials for the next question.
    public func answer(_ credential: SourceCredential) {
        state.withLock { $0 = State(typed: credential, question: nil) }
    }
}

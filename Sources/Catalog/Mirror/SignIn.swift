public import ConnectorProtocol
internal import Threading

/// The user and password with which a server is asked: those that were typed in the browser, else those of another source.
/// They are kept in memory only.
public final class SignIn: Sendable {
    private let source: CredentialSource
    /// The user that the address or the config names.
    private let user: String?
    private let state = Locked(State())

    private struct State {
        var typed: SourceCredential?
        var question: CredentialQuestion?
    }

    /// Creates a sign-in that begins with what `source` gives, of `user` if that is known.
    public init(_ source: @escaping CredentialSource, as user: String? = nil) {
        (self.source, self.user) = (source, user)
    }

    /// What answers the questions of the server.
    public var credentials: CredentialSource {
        { [self] question in
            let typed = state.withLock { state in
                // What was refused is not tried again.
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

    /// The question to which there was no answer, if it was the last one.
    public var openQuestion: CredentialQuestion? { state.withLock { $0.question } }

    /// Notes what was typed, for the next question.
    public func answer(_ credential: SourceCredential) {
        state.withLock { $0 = State(typed: credential, question: nil) }
    }
}

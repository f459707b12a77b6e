internal import ConnectorProtocol
internal import Threading

/// How requests sign in to web servers, by origin. All threads share it, so that the user is asked for a password once.
final class SignIns: Sendable {
    /// How requests sign in to a server.
    struct SignIn: Equatable {
        /// The user and password, if they are known.
        var credential: Credential?
        /// Whether the server accepts Basic only. The password is sent with the first request, because no challenge is
        /// needed.
        var isBasic = false
        /// Whether user and password come from ~/.netrc.
        var isOfNetrc = false
    }

    /// Taken by the request that asks for a password; others wait for the answer.
    let asking = Turn()
    private let byOrigin = Locked<[ServerOrigin: SignIn]>([:])

    /// How requests sign in to the server of an origin.
    subscript(origin: ServerOrigin) -> SignIn {
        get { byOrigin.withLock { $0[origin] ?? SignIn() } }
        set { byOrigin.withLock { $0[origin] = newValue } }
    }

    /// Forgets a password that the server refused, unless another request has replaced it meanwhile.
    func forget(_ refused: SignIn, for origin: ServerOrigin) {
        byOrigin.withLock { signIns in
            guard signIns[origin]?.credential == refused.credential else { return }
            signIns[origin] = SignIn(isBasic: refused.isBasic)
        }
    }
}

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
        /// Whether the user's .netrc is used.
        var usesNetrc = false

        /// Whether requests are sent with a password.
        var hasPassword: Bool { credential != nil || usesNetrc }
    }

    /// Taken by the request that asks for a password; others wait for the answer.
    let asking = Turn()
    private let byOrigin = Locked<[String: SignIn]>([:])

    /// How requests sign in to the server of an origin.
    subscript(origin: String) -> SignIn {
        get { byOrigin.withLock { $0[origin] ?? SignIn() } }
        set { byOrigin.withLock { $0[origin] = newValue } }
    }

    /// Sends the password of ~/.netrc with further requests.
    ///
    /// - Returns: False if it is sent already.
    func useNetrc(for origin: String) -> Bool {
        byOrigin.withLock { signIns in
            if signIns[origin]?.usesNetrc == true { return false }
            signIns[origin, default: SignIn()].usesNetrc = true
            return true
        }
    }

    /// Sends no password of ~/.netrc any more.
    func ignoreNetrc(for origin: String) { byOrigin.withLock { $0[origin]?.usesNetrc = false } }

    /// Forgets a password that the server refused, unless another request has replaced it meanwhile.
    func forget(_ refused: SignIn, for origin: String) {
        byOrigin.withLock { signIns in
            guard let known = signIns[origin], known.credential == refused.credential,
                known.usesNetrc == refused.usesNetrc
            else { return }
            signIns[origin] = SignIn(isBasic: refused.isBasic)
        }
    }
}

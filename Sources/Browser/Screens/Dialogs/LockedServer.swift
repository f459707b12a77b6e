internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import Library

/// A server that does something only for users with a password.
protocol LockedServer {
    /// Whether the server has neither accepted nor refused what it was given.
    var isConnecting: Bool { get }
    /// The question for a user and password, if the server asks for them.
    var passwordQuestion: CredentialQuestion? { get }
    /// Tries again as this user.
    func signIn(with credential: SourceCredential)
    /// Stops trying.
    func stop()
    /// The user gives no password.
    func giveUp()
}

/// The server of a catalog that can be read only with a password.
struct LockedForReading: LockedServer {
    /// The catalog.
    let source: any PasswordProtected

    var isConnecting: Bool { source.isConnecting }
    var passwordQuestion: CredentialQuestion? { source.passwordQuestion }
    func signIn(with credential: SourceCredential) { source.signIn(with: credential) }
    func stop() { source.stopConnecting() }
    func giveUp() {}
}

/// The server of a catalog on which edits can be saved only with a password.
struct LockedForSaving: LockedServer {
    /// The session with the edits.
    let session: Session

    private var edited: EditedCatalog? { session.library.store.edited }
    var isConnecting: Bool { edited?.isConnecting ?? false }
    var passwordQuestion: CredentialQuestion? { edited?.passwordQuestion }

    func signIn(with credential: SourceCredential) {
        edited?.signIn(with: credential)
        session.saveCatalog()
    }

    func stop() { _ = session.stopSaving() }
    func giveUp() { session.status.say(.nothingSaved) }
}

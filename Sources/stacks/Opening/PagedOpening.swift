internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Storage
internal import Text

/// Opens a catalog whose books stay on a server.
struct PagedOpening {
    private let address: String
    /// The display name.
    private let title: String
    private let choice: ProfileChoice
    private let directories: Directories
    private let passwords: ServerPasswords?
    /// Whether to wait for the first books, however long the server takes.
    private let waits: Bool

    /// The time to wait for a server before the browser opens without books, in milliseconds.
    private static let responseTime = 300
    /// The time to wait for a server that answers slowly, in milliseconds; the connector has its own limits.
    private static let patientTime = 120_000

    /// Prepares to open the catalog at an address, which is called `title`.
    init(
        _ address: String, titled title: String, _ choice: ProfileChoice, _ directories: Directories,
        _ passwords: ServerPasswords?, waits: Bool
    ) {
        (self.address, self.title, self.choice, self.directories) = (address, title, choice, directories)
        (self.passwords, self.waits) = (passwords, waits)
    }

    /// Opens the catalog.
    ///
    /// - Throws: `CommandError` if the server cannot be reached and no books were loaded from it before.
    func open() throws(CommandError) -> PagedCatalog {
        let (catalog, signIn) = try unopened()
        catalog.open()
        guard case .failed(let failure, let date) = catalog.connection, date == nil else { return catalog }
        // Some servers list nothing until they are searched.
        if failure.reason == .needsQuery { return catalog }
        // The browser asks for the password.
        if !waits, failure.kind == .auth, signIn.openQuestion != nil { return catalog }
        throw failure.commandError(opening: address)
    }

    /// Returns the catalog without asking the server for its first books; the first search opens it. What is searched is not
    /// kept on this machine.
    ///
    /// - Throws: `CommandError` if it cannot be opened on this machine.
    func prepared() throws(CommandError) -> PagedCatalog { try unopened(keepsPages: false).catalog }

    private func unopened(keepsPages: Bool = true) throws(CommandError) -> (catalog: PagedCatalog, signIn: SignIn) {
        guard let cache = directories.cache else {
            throw CommandError(sentence: directories.noCacheSentence, exitStatus: directories.noCacheExitStatus)
        }
        guard let program = ConnectorProgram.installedPath else {
            throw CommandError(sentence: CommandMessage.connectorMissing.text(address), exitStatus: ExitStatus.noInput)
        }
        let signIn = passwords.map { SignIn($0.answer, as: $0.user) } ?? SignIn { _ in nil }
        var options = PagedCatalog.Options(
            program: program, signIn: signIn, profile: choice.profile, library: choice.library,
            openingTime: waits ? Self.patientTime : Self.responseTime,
            reason: \.shortReason)
        options.keepsPages = keepsPages
        let directory = MirrorDirectory(of: address, in: cache)
        return (PagedCatalog(at: address, titled: title, in: directory, options), signIn)
    }
}

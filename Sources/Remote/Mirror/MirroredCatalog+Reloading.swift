public import Catalog
public import ConnectorProtocol
internal import Storage

/// Asking the server, and showing newer copies.
extension MirroredCatalog {
    // MARK: - Connecting

    /// The host of which nothing has come yet; nil if something has, or it is not asked.
    public var connectingHost: String? { first == nil ? nil : SourceAddress(directory.source)?.host }

    /// Whether the source is being opened.
    public var isConnecting: Bool { copy.map { $0.opened == nil } ?? false }

    /// Answers the questions of the server.
    public var credentials: CredentialSource { access.signIn.credentials }

    /// The question for a user and password that ended the last copy.
    public var passwordQuestion: CredentialQuestion? {
        copy == nil && report.failure?.kind == .auth ? access.signIn.openQuestion : nil
    }

    /// Asks the server again, as this user.
    public func signIn(with credential: SourceCredential) {
        guard copy == nil else { return }
        access.signIn.answer(credential)
        next.isAsked = true
        makeCopy()
    }

    // MARK: - Reloading

    /// Whether the source can be copied again.
    public var canReload: Bool { true }

    /// Whether there is a newer copy than the displayed one.
    public var isOutdated: Bool {
        // The file of a copy that ended early is deleted, but open.
        newCopy != nil || copy == nil && shown != nil && base.isOutdated
    }

    /// A new copy is always shown automatically.
    public var reloadsUnasked: Bool { true }

    /// Shows the newest copy; if it is shown already, starts another one.
    public func reload() throws(CatalogError) {
        if !isOutdated, copy == nil {
            refresh(sourceFingerprint(of: directory.source))
            if copy != nil {
                (report.news, next.isAsked) = (connectingHost.map(MirrorNews.connecting) ?? .copyingAgain, true)
            }
        }
        switch newCopy {
        case nil:
            // The displayed rows stay until there is a complete copy.
            if shown == nil { return }
            try base.reload()
        case .first(let catalog)?:
            (newCopy, base, isBaseOpen, isShowingCopy) = (nil, catalog, true, true)
            (report.problem, report.news) = (nil, copy?.outcome == nil ? .copying : nil)
        case .complete?:
            (shown, isOld, report.problem) = (directory.state, false, nil)
            // Repeat the news, because the status line now says that the catalog was reloaded.
            (newCopy, report.news) = (nil, shown?.newsOfCopy)
            try base.reload()
        case .partial(let copy, let news)?:
            (newCopy, report.problem, report.news) = (nil, news, news)
            try base.reload(following: copy.growth, at: copy.temporaryPath)
        }
    }

    /// Calls `wake` when the source or the copy changes.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? {
        if directory.isRemote { return base.watch(waking: wake) }
        let database = directory.source + "/metadata.db"
        let isLibrary = RandomAccessInput.Fingerprint(ofFileAt: database) != nil
        let source = FileWatch(isLibrary ? database : directory.source, notifying: wake)
        return Watches([source, base.watch(waking: wake)].compactMap { $0 })
    }
}

/// Several file watches with the same lifetime.
private final class Watches {
    private let watches: [AnyObject]

    init(_ watches: [AnyObject]) { self.watches = watches }
}

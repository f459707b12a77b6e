public import ConnectorProtocol
internal import Threading

/// The first copy of a source, and the catalog of what has come of it, which is opened in the background: nobody waits for
/// a server that does not answer.
public final class FirstCopy: Sendable {
    /// What makes the catalog of a copy, on any thread, from the kind of the source and the name of its profile.
    public typealias Maker = @Sendable (_ kind: String, _ profile: String?) -> JSONFileCatalog

    /// What became of opening it.
    public enum Outcome {
        /// The beginning of the copy is open as a catalog.
        case opened(JSONFileCatalog)
        /// The source could not be opened, or was not wanted any more; the copy says why.
        case failed
        /// The copy is not a catalog.
        case unreadable(CatalogError)
    }

    /// The copy.
    public let copy: SourceCopy
    private let task: BackgroundTask<OpenedCopy>
    private let listener: Listener

    /// Starts to copy a source, and to open the copy.
    ///
    /// - Throws: `ConnectorFailure` if there is no place for the copy.
    public init(
        of directory: MirrorDirectory, by access: SourceAccess, with program: String, opening make: @escaping Maker
    ) throws(ConnectorFailure) {
        let listener = Listener()
        let copy = try SourceCopy(
            of: directory, with: program, takingAll: access.refreshes == .atStart,
            credentials: access.signIn.credentials, notifying: { listener.tell() })
        (self.copy, self.listener) = (copy, listener)
        task = BackgroundTask(notifying: { listener.tell() }) { _ in
            guard let opened = copy.waitUntilOpen() else { return OpenedCopy(.failed) }
            let catalog = make(opened.kind, opened.profile)
            catalog.follow(copy.growth, at: copy.temporaryPath)
            do throws(CatalogError) {
                try catalog.open()
                return OpenedCopy(.opened(catalog))
            } catch {
                let isStopped = copy.isStopped
                copy.cancel()
                // A copy that was stopped, or failed, tells why better than what there is of it.
                if case .failed? = copy.wait() { return OpenedCopy(.failed) }
                return OpenedCopy(isStopped ? .failed : .unreadable(error))
            }
        }
    }

    /// Has `listener` called on any thread when there is something new, and at once.
    public func notify(_ listener: @escaping @Sendable () -> Void) {
        self.listener.listen(listener)
        listener()
    }

    /// What became of opening it; nil while that goes on. The catalog is for one thread from then on.
    public var outcome: Outcome? { task.value?.outcome }

    /// Waits until the beginning is open, or cannot be opened, at most so many milliseconds.
    public func wait(milliseconds: Int) -> Outcome? { task.wait(milliseconds: milliseconds)?.outcome }
}

/// What became of opening a copy.
private final class OpenedCopy: @unchecked Sendable {
    // Unchecked: the thread that has opened the catalog does not use it any more when others can get it from here.
    let outcome: FirstCopy.Outcome

    init(_ outcome: FirstCopy.Outcome) { self.outcome = outcome }
}

/// Passes on that there is something new, to whom is known only later.
private final class Listener: Sendable {
    private let listener: Locked<@Sendable () -> Void> = Locked({})

    func listen(_ listener: @escaping @Sendable () -> Void) { self.listener.withLock { $0 = listener } }

    func tell() { listener.withLock { $0 }() }
}

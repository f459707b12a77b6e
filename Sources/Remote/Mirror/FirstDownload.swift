public import Catalog
public import ConnectorProtocol
internal import Threading

/// The first copy of a source. The rows copied so far are opened as a catalog in the background, so that nobody waits
/// for a server that does not respond.
public final class FirstDownload: Sendable {
    /// A function that opens the catalog of a copy, given the kind of source and the name of its profile; called on any
    /// thread.
    public typealias Maker = @Sendable (_ kind: String, _ profile: String?) -> JSONFileCatalog

    /// The outcome of opening the copy.
    public enum Outcome {
        /// The copy is open as a catalog; more rows follow.
        case opened(JSONFileCatalog)
        /// The source could not be opened, or copying was stopped; the copy has the reason.
        case failed
        /// The copy is not a catalog.
        case unreadable(CatalogError)
    }

    /// The copy.
    public let copy: Download
    private let task: BackgroundTask<OpenedCopy>
    private let listener: Listener

    /// Starts copying a source and opening the copy.
    ///
    /// - Throws: `ConnectorFailure` if the file of the copy cannot be created.
    public init(
        of directory: MirrorDirectory, by access: SourceAccess, with program: String, opening make: @escaping Maker
    ) throws(ConnectorFailure) {
        let listener = Listener()
        let copy = try Download(
            of: directory, by: access, with: program, takingAll: access.refreshes == .atStart
        ) { listener.tell() }
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
                // The failure of the copy takes precedence over an error in its partial content.
                if case .failed? = copy.wait() { return OpenedCopy(.failed) }
                return OpenedCopy(isStopped ? .failed : .unreadable(error))
            }
        }
    }

    /// Calls `listener` now, and on any thread after each change.
    public func notify(_ listener: @escaping @Sendable () -> Void) {
        self.listener.listen(listener)
        listener()
    }

    /// The outcome of opening the copy; nil while it is being opened. The caller becomes the only user of the catalog.
    public var outcome: Outcome? { task.value?.outcome }

    /// Waits until the copy is open or has failed; returns nil after this time in milliseconds.
    public func wait(milliseconds: Int) -> Outcome? { task.wait(milliseconds: milliseconds)?.outcome }
}

/// The outcome of opening a copy, for another thread.
private final class OpenedCopy: @unchecked Sendable {
    // Unchecked: the thread that opened the catalog no longer uses it when other threads can get it.
    let outcome: FirstDownload.Outcome

    init(_ outcome: FirstDownload.Outcome) { self.outcome = outcome }
}

/// Forwards notifications to a function that is set later.
private final class Listener: Sendable {
    private let listener: Locked<@Sendable () -> Void> = Locked({})

    func listen(_ listener: @escaping @Sendable () -> Void) { self.listener.withLock { $0 = listener } }

    func tell() { listener.withLock { $0 }() }
}

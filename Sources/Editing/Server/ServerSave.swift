internal import Catalog
internal import ConnectorProtocol
internal import Glibc
public import Remote
internal import Storage

/// A save on a server in the background.
final class ServerSave {
    /// The parts of a save, one after another.
    enum Phase {
        /// The books are copied again, so that conflicts with changes of others are found before anything is sent.
        case comparing
        /// The edits are sent.
        case sending(ServerPublication, [CatalogEdit])
        /// The books are copied again with what was sent.
        case copying
    }

    /// What is going on.
    var phase = Phase.comparing
    /// Whether the copy of this phase was started.
    var hasStartedCopy = false
    /// The number of books to change.
    var sentCount = 0
    /// The reasons why the server has refused changes, and the edits that they are from.
    var refusals: [ServerRefusal] = []
    var refused: [CatalogEdit] = []
    /// The number of the newest book on the server before the edits were sent.
    var newest = 0
    /// The reason why not all edits were sent.
    var failure: ConnectorFailure?
    /// Whether the user has stopped it.
    private(set) var isStopped = false
    /// Keeps other instances from sending the same edits.
    private let lock: FileLock
    /// Called on any thread when there is progress.
    let notify: @Sendable () -> Void

    /// Begins a save.
    init(_ lock: FileLock, notifying notify: @escaping @Sendable () -> Void) {
        (self.lock, self.notify) = (lock, notify)
    }

    /// Stops it between two books.
    func stop() {
        isStopped = true
        if case .sending(let publication, _) = phase { publication.cancel() }
    }
}

/// The progress of a save on a server.
public struct SendingProgress: Sendable {
    /// The number of books that were sent or refused.
    public let count: Int
    /// The number of books to send.
    public let total: Int
    /// The transfer rate, if it is known.
    public let rate: TransferRate?
}

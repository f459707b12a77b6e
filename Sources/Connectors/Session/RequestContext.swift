internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// What connectors need to know of the request that they answer.
final class RequestContext {
    /// The directory for files that a source needs to be read: that of the cache as soon as it is known, since the system
    /// may then keep this program from writing elsewhere.
    var scratch = "/tmp"
    /// Whether the request is not wanted any more.
    var isCancelled: () -> Bool = { false }
    /// The version of the last complete copy, if there is one.
    var known: SourceVersion?
    /// What the search of a catalog is asked for; nil for all books.
    var words: String?
    /// Asks the reader for a user and password; returns nil if there is no answer.
    var ask: (CredentialQuestion) -> Credential? = { _ in nil }
    /// The number of bytes that have come over the network, and that of all, if it is known.
    var transferred: (bytes: Int, total: Int?) = (0, nil)
    /// What asks web servers.
    private(set) lazy var http = HTTPClient(self)

    /// The time of a clock that only goes forward, in milliseconds.
    var now: Int64 { cs_now() }

    /// Calls `body`, which is not stopped half-way if the request is not wanted any more.
    func withoutStopping<Result>(
        _ body: () throws(ConnectorFailure) -> Result
    ) throws(ConnectorFailure) -> Result {
        let before = isCancelled
        isCancelled = { false }
        defer { isCancelled = before }
        return try body()
    }

    /// Waits, unless the request is not wanted any more.
    func wait(milliseconds: Int) throws(ConnectorFailure) {
        let end = now + Int64(milliseconds)
        while now < end {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            usleep(20_000)
        }
    }
}

internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// The context of the request that connectors answer.
final class RequestContext {
    /// The directory for temporary files of a source: the cache once it is known, because the system may then prevent
    /// this program from writing elsewhere.
    var scratch = "/tmp"
    /// Returns whether the request was cancelled.
    var isCancelled: () -> Bool = { false }
    /// The version of the last complete copy, if there is one.
    var known: SourceVersion?
    /// What the search of a catalog is asked for; nil for all books.
    var words: String?
    /// Asks the user for a name and password; returns nil without an answer.
    var ask: (CredentialQuestion) -> Credential? = { _ in nil }
    /// The number of bytes received over the network, and the total, if it is known.
    var transferred: (bytes: Int, total: Int?) = (0, nil)
    /// The client for web servers.
    private(set) lazy var http = HTTPClient(self)

    /// The time of the monotonic clock in milliseconds.
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

    /// Waits, unless the request was cancelled.
    func wait(milliseconds: Int) throws(ConnectorFailure) {
        let end = now + Int64(milliseconds)
        while now < end {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            usleep(20_000)
        }
    }
}

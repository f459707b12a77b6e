internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// The context of the current request, for connectors.
final class RequestContext {
    /// The directory for temporary files of a source: the cache once it is known, because Landlock may then prevent
    /// writes elsewhere.
    var scratch = "/tmp"
    /// The limits for the files that are written there.
    var limit = DiskLimit()
    /// Returns whether the request was cancelled.
    var isCancelled: () -> Bool = { false }
    /// The version of the last complete copy, if any.
    var known: SourceVersion?
    /// The search terms for the catalog's own search; nil for all books.
    var words: String?
    /// The paths of the fields in the records of the source, by the names of the fields in profiles; nil for the usual
    /// ones.
    var fieldPaths: [String: [String]]?
    /// The encoding of text that does not state it; nil to detect it.
    var encoding: TextEncoding?
    /// The servers that the user's address names; only they are signed in to.
    var origins: Set<ServerOrigin> = []
    /// Asks stacks for user and password; returns nil if the user gives none.
    var ask: (CredentialQuestion) -> Credential? = { _ in nil }
    /// The number of bytes received over the network, and the total if known.
    var transferred: (bytes: Int, total: Int?) = (0, nil)
    /// How requests sign in to web servers.
    let signIns: SignIns
    /// The client for web servers.
    private(set) lazy var http = HTTPClient(self)

    /// Creates the context of the requests of one thread.
    init() { signIns = SignIns() }

    /// Creates a context for requests about the same source that run beside those of another one.
    init(beside other: RequestContext) {
        signIns = other.signIns
        (scratch, limit, fieldPaths, origins) = (other.scratch, other.limit, other.fieldPaths, other.origins)
    }

    /// The time of the monotonic clock in milliseconds.
    var now: Int64 { cs_now() }

    /// Calls `body` and ignores cancellation until it returns.
    func ignoringCancellation<Result>(
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

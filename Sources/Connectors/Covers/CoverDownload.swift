internal import ConnectorProtocol
internal import Glibc

/// The download of a cover from a web server.
struct CoverDownload {
    private let request: HTTPRequest
    private let limit: Int
    private let context: RequestContext

    /// Creates a download of at most `limit` bytes.
    init(_ address: String, limit: Int, _ context: RequestContext) {
        var request = HTTPRequest(url: address)
        request.add("Accept", "image/webp,image/png,image/jpeg,image/gif")
        request.staysOnHost = true
        // A reader who looks at the book waits no longer for its cover.
        (request.patience, request.connectPatience) = (Self.patience, Self.patience)
        (self.request, self.limit, self.context) = (request, limit, context)
    }

    /// The time that the server may take without sending anything, in seconds.
    private static let patience = 10

    /// Writes the file to `path`.
    ///
    /// - Throws: `ConnectorFailure`.
    func run(to path: String) throws(ConnectorFailure) {
        let (_, bytes) = try context.http.fetch(request, limit: limit)
        try writeFile(bytes, to: path)
    }
}

/// Writes a new file that only its owner can read.
///
/// - Throws: `ConnectorFailure` of the kind `helper`.
func writeFile(_ bytes: [UInt8], to path: String) throws(ConnectorFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .cannotWrite(path, errno) }
        written += count
    }
}

internal import ConnectorProtocol
internal import Glibc

/// Uploads a catalog as one JSON or JSON Lines file with PUT (RFC 9110, section 9.3.4), to WebDAV or S3 for example.
///
/// An existing file is replaced only if it is the version that was read (If-Match), and a new file is created only if
/// there is none (If-None-Match), so that changes of others are not lost.
struct FileUpload {
    private let publication: Publication
    private let context: RequestContext
    private let send: (ConnectorReply.Content) -> Void

    /// The state of the target before the upload.
    private struct Target {
        /// The header of the response; nil if the file does not exist.
        var head: HTTPHead?
        /// Whether the file has the same content as the upload.
        var isSame = false
        var text: PublishedText
        var format: PublishedFormat
    }

    /// The minimum time between progress reports, in milliseconds.
    private static let reportInterval: Int64 = 100

    /// Creates an upload that reports its progress to `send`.
    init(
        _ publication: Publication, _ context: RequestContext, _ send: @escaping (ConnectorReply.Content) -> Void
    ) {
        (self.publication, self.context, self.send) = (publication, context, send)
    }

    /// Uploads the catalog, unless the server already has it.
    func run() throws(ConnectorFailure) -> ConnectorReply.End {
        let target = try readTarget()
        let count = target.text.count
        if target.isSame { return .published(sent: 0, counted: count) }
        let conditions = try conditions(for: target.head)
        if publication.isDryRun { return .published(sent: count, counted: nil) }
        do throws(ConnectorFailure) {
            try put(target.text, as: target.format, if: conditions)
        } catch {
            // The server may have stored the file before the connection broke, and then refuses the retry of libcurl.
            guard error.kind == .offline || error.reason == .changed, (try? isStored(target.text)) == true else {
                throw error
            }
        }
        return .published(sent: count, counted: nil)
    }

    // MARK: - The target

    private func readTarget() throws(ConnectorFailure) -> Target {
        let request = HTTPRequest(url: publication.target)
        let content = try HTTPBytes(request, by: context)
        let path = context.scratch + "/upload.tmp"
        let named = PublishedFormat(endOf: publication.target)
        if content.head.status == 404 || content.head.status == 410 {
            guard let named else { throw ConnectorFailure(.refused, .noEnding) }
            return Target(text: try PublishedText(publication.path, as: named, to: path), format: named)
        }
        if let failure = ConnectorFailure(answer: content.head, host: request.host) { throw failure }
        let decoded = try ContentCoding.decoded(content, by: content.head)
        let beginning = try decoded.read(upTo: 1 << 12)
        let found = PublishedFormat(ofContent: beginning)
        // Another kind of file is never replaced, because the address is probably a mistake.
        guard let found = beginning.isEmpty ? named : found else {
            throw ConnectorFailure(.format, beginning.isEmpty ? .noEnding : .notACatalog)
        }
        let format = named ?? found
        let text = try PublishedText(publication.path, as: format, to: path)
        let mayBeSame =
            content.head["content-encoding"] != nil || content.head.contentLength.map { $0 == text.size } ?? true
        let isSame = mayBeSame ? try text.isSame(as: PrefixedBytes(beginning, before: decoded)) : false
        return Target(head: content.head, isSame: isSame, text: text, format: format)
    }

    /// Returns whether the server has the text.
    private func isStored(_ text: PublishedText) throws(ConnectorFailure) -> Bool {
        let content = try HTTPBytes(HTTPRequest(url: publication.target), by: context)
        guard content.head.status == 200 else { return false }
        return try text.isSame(as: ContentCoding.decoded(content, by: content.head))
    }

    /// Returns the header fields for a conditional request, so that the server replaces only the version that was read.
    private func conditions(for head: HTTPHead?) throws(ConnectorFailure) -> [(name: String, value: String)] {
        if publication.isForced { return [] }
        guard let head else { return [("If-None-Match", "*")] }
        let version = head.version
        if let known = publication.known?.etag, known != version.etag { throw ConnectorFailure(.busy, .changed) }
        if publication.known?.etag == nil, let known = publication.known?.modified, known != version.modified {
            throw ConnectorFailure(.busy, .changed)
        }
        // A weak tag never matches (RFC 9110, section 13.1.1).
        if let tag = version.etag, !tag.hasPrefix("W/") { return [("If-Match", tag)] }
        if let date = version.modified { return [("If-Unmodified-Since", date)] }
        throw ConnectorFailure(.refused, .noVersion)
    }

    // MARK: - Sending

    private func put(
        _ text: PublishedText, as format: PublishedFormat, if conditions: [(name: String, value: String)]
    ) throws(ConnectorFailure) {
        var request = HTTPRequest(url: publication.target, fields: conditions)
        request.upload = UploadedFile(path: text.path, size: text.size, type: format.mediaType)
        var lastReport: Int64 = 0
        let (_, head) = try context.http.begin(request) { sent in
            let now = context.now
            guard now - lastReport >= Self.reportInterval else { return }
            lastReport = now
            let rows = text.size > 0 ? Int(Double(text.count) * Double(sent) / Double(text.size)) : 0
            send(
                .progress(
                    CopyProgress(rows: rows, total: text.count, bytes: 0, received: sent, size: text.size)))
        }
        switch head.status {
        case 200, 201, 204: break
        case 412: throw ConnectorFailure(.busy, .changed)
        default: throw ConnectorFailure(answer: head, host: request.host) ?? ConnectorFailure(.refused, .redirect)
        }
    }
}

internal import ConnectorProtocol
internal import Glibc

/// Puts a catalog as one file of JSON or JSON Lines at an address, as WebDAV and S3 take it (RFC 9110, section 9.3.4).
///
/// What is there is replaced only if it is the version that was read (If-Match), and a new file only made if there is none
/// (If-None-Match), so that nobody's changes are lost.
struct FileUpload {
    private let publication: Publication
    private let context: RequestContext
    private let send: (ConnectorReply.Content) -> Void

    /// What is at the address.
    private struct Present {
        /// The head of the answer; nil if there is nothing.
        var head: HTTPHead?
        /// Whether it has the bytes that are to be sent.
        var isSame = false
        var text: PublishedText
        var format: PublishedFormat
    }

    /// The time between two reports of progress in milliseconds.
    private static let pause: Int64 = 100

    /// Describes what is sent; `send` is given the progress.
    init(
        _ publication: Publication, _ context: RequestContext, _ send: @escaping (ConnectorReply.Content) -> Void
    ) {
        (self.publication, self.context, self.send) = (publication, context, send)
    }

    /// Sends the catalog, unless the server has it already.
    func run() throws(ConnectorFailure) -> ConnectorReply.End {
        let present = try readTarget()
        let count = present.text.count
        if present.isSame { return .published(sent: 0, counted: count) }
        let conditions = try conditions(for: present.head)
        if publication.isDryRun { return .published(sent: count, counted: nil) }
        do throws(ConnectorFailure) {
            try put(present.text, as: present.format, if: conditions)
        } catch {
            // The server may have stored it before the connection broke, and then refuses it when libcurl tries again.
            guard error.kind == .offline || error.reason == .changed, (try? isStored(present.text)) == true else {
                throw error
            }
        }
        return .published(sent: count, counted: nil)
    }

    // MARK: - What is there

    private func readTarget() throws(ConnectorFailure) -> Present {
        let request = HTTPRequest(url: publication.target)
        let content = try HTTPBytes(request, by: context)
        let path = context.scratch + "/upload.tmp"
        let named = PublishedFormat(endOf: publication.target)
        if content.head.status == 404 || content.head.status == 410 {
            guard let named else { throw ConnectorFailure(.refused, .noEnding) }
            return Present(text: try PublishedText(publication.path, as: named, to: path), format: named)
        }
        if let failure = ConnectorFailure(answer: content.head, host: request.host) { throw failure }
        let decoded = try ContentCoding.decoded(content, by: content.head)
        let beginning = try decoded.read(upTo: 1 << 12)
        let found = PublishedFormat(ofContent: beginning)
        // What else is there is not to be replaced by a slip of the keyboard.
        guard let found = beginning.isEmpty ? named : found else {
            throw ConnectorFailure(.format, beginning.isEmpty ? .noEnding : .notACatalog)
        }
        let format = named ?? found
        let text = try PublishedText(publication.path, as: format, to: path)
        let mayBeSame =
            content.head["content-encoding"] != nil || content.head.contentLength.map { $0 == text.size } ?? true
        let isSame = mayBeSame ? try text.isSame(as: PrefixedBytes(beginning, before: decoded)) : false
        return Present(head: content.head, isSame: isSame, text: text, format: format)
    }

    /// Whether the server has the text.
    private func isStored(_ text: PublishedText) throws(ConnectorFailure) -> Bool {
        let content = try HTTPBytes(HTTPRequest(url: publication.target), by: context)
        guard content.head.status == 200 else { return false }
        return try text.isSame(as: ContentCoding.decoded(content, by: content.head))
    }

    /// Returns the fields by which the server replaces only what was read.
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
            guard now - lastReport >= Self.pause else { return }
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

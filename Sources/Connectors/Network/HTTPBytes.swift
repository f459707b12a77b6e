internal import ConnectorProtocol
internal import Glibc

/// The content at an address, as the server sends it. If the connection breaks, the rest is requested, provided that
/// the server can confirm that it belongs to the same version.
final class HTTPBytes: ByteSource {
    private let client: HTTPClient
    private let context: RequestContext
    private let request: HTTPRequest
    private var transfer: HTTPTransfer
    /// The header of the first response.
    let head: HTTPHead
    private var count = 0
    private var lastByte: UInt8 = 0
    private var resumptions = 0

    private(set) var isCut = false

    /// The maximum number of consecutive requests for the rest that return no data.
    private static let attempts = 4
    /// The maximum length in bytes; longer content is not a catalog of books.
    private static let limit = 1 << 36

    /// Starts a request and waits for the response header.
    ///
    /// - Throws: `ConnectorFailure` if there is no response. The caller checks the status code.
    init(_ request: HTTPRequest, by context: RequestContext) throws(ConnectorFailure) {
        (client, self.context, self.request) = (context.http, context, request)
        (transfer, head) = try client.begin(request)
        context.transferred = (0, head.contentLength)
    }

    /// The address of the response, after redirects.
    var url: String { transfer.finalURL ?? request.url }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        while true {
            let added = try transfer.read(into: buffer)
            note(buffer, added)
            if added > 0 || isCut || transfer.failure == nil {
                if added == 0 { noteEnd() }
                if count > Self.limit { throw ConnectorFailure(.refused, .tooLarge) }
                return added
            }
            guard try resume() else {
                isCut = true
                return 0
            }
        }
    }

    /// Returns the first bytes, at most `limit`, that arrive within a second of the first one.
    ///
    /// - Returns: The bytes, and whether they are the whole content.
    func beginning(upTo limit: Int) throws(ConnectorFailure) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        var deadline: Int64?
        var part = [UInt8](repeating: 0, count: limit)
        while bytes.count < limit {
            let isWaiting = deadline == nil
            var result: Result<Int, ConnectorFailure> = .success(0)
            part.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(limit - bytes.count)])
                do throws(ConnectorFailure) {
                    result = .success(isWaiting ? try read(into: rest) : try transfer.read(into: rest, waiting: false))
                    if !isWaiting, case .success(let added) = result { note(rest, added) }
                } catch {
                    result = .failure(error)
                }
            }
            let added = try result.get()
            bytes += part[..<added]
            // The next read detects the end or a broken connection.
            if added == 0, isWaiting || transfer.isAtEnd { return (bytes, isWaiting) }
            let now = context.now
            if let deadline, now >= deadline { return (bytes, false) }
            deadline = deadline ?? now + 1000
        }
        return (bytes, false)
    }

    private func note(_ buffer: UnsafeMutableRawBufferPointer, _ added: Int) {
        guard added > 0 else { return }
        count += added
        resumptions = 0
        lastByte = buffer[added - 1]
        context.transferred.bytes = count
    }

    /// Detects truncated content of unknown length, for which a broken connection looks like the end: content that ends
    /// within a line counts as truncated.
    private func noteEnd() {
        let ends: [UInt8] = [0x0A, UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">")]
        if !head.hasKnownEnd, count > 0, !ends.contains(lastByte) { isCut = true }
    }

    /// Requests the rest of the content.
    ///
    /// - Returns: Whether the server sends it.
    private func resume() throws(ConnectorFailure) -> Bool {
        guard count > 0, let validator = head.validator else { return false }
        while resumptions < Self.attempts {
            resumptions += 1
            try context.wait(milliseconds: 250 << resumptions)
            var rest = request
            rest.fields.removeAll { $0.name.hasPrefix("If-") }
            rest.fields += [("Range", "bytes=\(count)-"), ("If-Range", validator)]
            do throws(ConnectorFailure) {
                let (transfer, answer) = try client.begin(rest)
                // Any other response is a different version or an error.
                guard answer.firstByte == count, answer["content-encoding"] == head["content-encoding"] else {
                    if answer.status >= 500 { continue }
                    return false
                }
                self.transfer = transfer
                return true
            } catch {
                if error.kind != .offline { throw error }
            }
        }
        return false
    }
}

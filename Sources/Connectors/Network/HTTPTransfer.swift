internal import CCurl
internal import ConnectorProtocol
internal import Glibc

/// A request to an HTTP server and its response, whose body is read as it arrives.
final class HTTPTransfer {
    /// libcurl's handle.
    let handle: UnsafeMutableRawPointer
    private let client: HTTPClient
    /// The requested host.
    let host: String
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// The file to upload. libcurl reads it, from the start again if the server requires a password.
    private var uploaded: UnsafeMutablePointer<FILE>?
    /// The header received so far, of the last response after redirects.
    private var head = HTTPHead()
    /// The received bytes; those from `takenCount` on are unread.
    private var body: [UInt8] = []
    private var takenCount = 0
    private var hasBody = false
    /// Whether the transfer waits until the received bytes are read.
    private var isPaused = false
    /// The address to whose host redirects are limited, if they are.
    private let limitedTo: String?
    /// Whether the transfer was ended because a redirect leads to another host.
    private var isLedAway = false
    /// The result of the transfer; nil while it runs.
    private var ending: CURLcode?

    /// The maximum time to connect, in seconds.
    private static let connectTimeout = 15
    /// The time in seconds after which a transfer slower than `minimumSpeed` bytes per second fails.
    private static let idleTimeout = 20
    private static let minimumSpeed = 8
    /// The time that a server may take to store an upload, in seconds.
    private static let uploadIdleTimeout = 60
    private static let redirectLimit = 5
    /// The number of received bytes above which the transfer waits for its reader.
    private static let bodyLimit = 4 << 20
    /// Basic and Digest (RFC 7617, RFC 7616), as bits of libcurl, whose macros Swift does not import.
    private static let (basic, digest) = (1 << 0, 1 << 1)

    /// Prepares a request.
    ///
    /// - Throws: `ConnectorFailure` if the address is invalid.
    init(
        _ request: HTTPRequest, by client: HTTPClient, signingInBy signIn: SignIns.SignIn
    ) throws(ConnectorFailure) {
        guard let handle = curl_easy_init() else { throw ConnectorFailure(.helper, detail: "libcurl") }
        (self.handle, self.client, host) = (handle, client, request.host)
        limitedTo = request.staysOnHost ? request.url : nil
        let isEncrypted = request.url.lowercased().hasPrefix("https:")
        guard isEncrypted || request.url.lowercased().hasPrefix("http:") else {
            throw ConnectorFailure(.refused, .address)
        }
        cc_set_text(handle, CURLOPT_URL, request.url)
        cc_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // A redirect must not lead from an encrypted connection to an unencrypted one.
        cc_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, isEncrypted ? "https" : "http,https")
        cc_set_text(handle, CURLOPT_USERAGENT, "stacks/\(StacksVersion.number)")
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 1), (CURLOPT_MAXREDIRS, Self.redirectLimit), (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_CONNECTTIMEOUT, Self.connectTimeout), (CURLOPT_LOW_SPEED_TIME, Self.idleTimeout),
            (CURLOPT_LOW_SPEED_LIMIT, Self.minimumSpeed), (CURLOPT_BUFFERSIZE, 1 << 16),
            (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_TCP_KEEPALIVE, 1),
        ]
        for (option, value) in numbers { cc_set_number(handle, option, value) }
        cc_set_text(handle, CURLOPT_NOPROXY, ProxySettings().exceptions(for: request.url))
        cc_set_number(handle, CURLOPT_PROXYAUTH, Self.basic | Self.digest)
        if let authorities = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !authorities.isEmpty {
            cc_set_text(handle, CURLOPT_CAINFO, authorities)
        }
        // libcurl does not send them to another origin after a redirect.
        if let credential = signIn.credential {
            cc_set_number(handle, CURLOPT_HTTPAUTH, signIn.isBasic ? Self.basic : Self.basic | Self.digest)
            cc_set_text(handle, CURLOPT_USERNAME, credential.user)
            cc_set_text(handle, CURLOPT_PASSWORD, credential.secret)
        }
        var lines = request.fields.map { "\($0.name): \($0.value)" }
        lines.append("Accept-Encoding: \(ContentCoding.accepted)")
        if let body = request.body {
            lines.append("Content-Type: application/json")
            _ = body.withUnsafeBytes { cc_set_body(handle, $0.baseAddress, $0.count) }
            if let method = request.method { cc_set_text(handle, CURLOPT_CUSTOMREQUEST, method) }
        }
        if request.isUnrepeatable { cc_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }
        // Requests that change data do not follow redirects: they go only to the address that the user named.
        if request.body != nil || request.upload != nil { cc_set_number(handle, CURLOPT_FOLLOWLOCATION, 0) }
        if let upload = request.upload {
            lines.append("Content-Type: \(upload.type)")
            guard let file = fopen(upload.path, "re") else { throw .cannotRead(upload.path) }
            uploaded = file
            cc_set_number(handle, CURLOPT_UPLOAD, 1)
            cc_set_number(handle, CURLOPT_LOW_SPEED_TIME, Self.uploadIdleTimeout)
            cc_set_upload(handle, file, curl_off_t(upload.size))
        }
        if let patience = request.patience { cc_set_number(handle, CURLOPT_LOW_SPEED_TIME, patience) }
        if let patience = request.connectPatience { cc_set_number(handle, CURLOPT_CONNECTTIMEOUT, patience) }
        for line in lines { fields = curl_slist_append(fields, line) }
        cc_set_list(handle, CURLOPT_HTTPHEADER, fields)
        setReceivers()
    }

    deinit {
        client.drop(handle)
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        if let uploaded { fclose(uploaded) }
    }

    private func setReceivers() {
        let user = Unmanaged.passUnretained(self).toOpaque()
        cc_set_pointer(handle, CURLOPT_HEADERDATA, user)
        cc_set_pointer(handle, CURLOPT_WRITEDATA, user)
        cc_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
            guard let transfer = user.map({ Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }) else {
                return 0
            }
            // Trailer fields are not used.
            if transfer.hasBody { return size * count }
            guard transfer.head.add(UnsafeRawBufferPointer(start: bytes, count: size * count)) else { return 0 }
            transfer.isLedAway = transfer.leadsAway
            return transfer.isLedAway ? 0 : size * count
        }
        cc_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
            guard let transfer = user.map({ Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }) else {
                return 0
            }
            transfer.hasBody = true
            // While another transfer is read, a server may send this one without end.
            if transfer.body.count >= HTTPTransfer.bodyLimit {
                transfer.isPaused = true
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            transfer.body += UnsafeRawBufferPointer(start: bytes, count: size * count)
            return size * count
        }
    }

    /// Whether the header so far redirects to another host, which the request must not reach.
    private var leadsAway: Bool {
        guard let limitedTo, (300..<400).contains(head.status), let place = head["location"],
            let target = WebAddress.resolved(place, in: finalURL ?? limitedTo)
        else { return false }
        return HTTPRequest.name(ofHostIn: target) != HTTPRequest.name(ofHostIn: limitedTo)
    }

    /// Records the result of the transfer.
    func note(_ code: CURLcode) { ending = code }

    /// Waits for the header of the last response, after redirects.
    ///
    /// - Parameter report: A function that receives the number of bytes sent so far.
    /// - Throws: `ConnectorFailure` if there is no response or the request was cancelled.
    func waitForHead(reporting report: (Int) -> Void = { _ in }) throws(ConnectorFailure) -> HTTPHead {
        while !hasBody, ending == nil {
            try client.perform()
            report(Int(cc_sent(handle)))
        }
        if !hasBody, let failure { throw failure }
        if head.status == 407 { throw ConnectorFailure(.auth, .proxyPassword, detail: proxy ?? host) }
        return head
    }

    /// Moves the next bytes of the body to the start of a buffer.
    ///
    /// - Parameter isWaiting: Whether to wait for data. Without waiting, zero does not mean the end.
    /// - Returns: The number of bytes; zero at the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, waiting isWaiting: Bool = true
    ) throws(ConnectorFailure) -> Int {
        if takenCount == body.count {
            body.removeAll(keepingCapacity: true)
            takenCount = 0
            if isPaused {
                isPaused = false
                // This also restarts the measurement of the lowest speed, and may receive bytes at once.
                curl_easy_pause(handle, CURLPAUSE_CONT)
            }
            while body.isEmpty, ending == nil {
                try client.perform()
                if !isWaiting { break }
            }
        }
        let count = min(body.count - takenCount, buffer.count)
        buffer.copyBytes(from: body[takenCount..<takenCount + count])
        takenCount += count
        return count
    }

    /// Whether the transfer has ended and all bytes were read.
    var isAtEnd: Bool { ending != nil && takenCount == body.count }

    /// The reason why the transfer ended early, if it did.
    var failure: ConnectorFailure? {
        guard let ending, ending != CURLE_OK else { return nil }
        if isLedAway { return ConnectorFailure(.refused, .redirect) }
        if let proxy,
            let failure = ConnectorFailure(
                curl: ending, proxy: proxy, status: cc_number(handle, CURLINFO_HTTP_CONNECTCODE))
        {
            return failure
        }
        return ConnectorFailure(curl: ending, host: host, redirects: cc_number(handle, CURLINFO_REDIRECT_COUNT))
    }

    /// The host and port of the proxy for the last request, after redirects; nil if there is none.
    private var proxy: String? { finalURL.flatMap { ProxySettings().proxy(for: $0) } }

    /// The address of the last response, after redirects.
    var finalURL: String? { cc_text(handle, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) } }
}

/// The body of a transfer as a stream.
final class TransferBytes: ByteSource {
    private let transfer: HTTPTransfer

    /// Creates a stream of the body of `transfer`.
    init(_ transfer: HTTPTransfer) { self.transfer = transfer }

    var isCut: Bool { transfer.failure != nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        try transfer.read(into: buffer)
    }
}

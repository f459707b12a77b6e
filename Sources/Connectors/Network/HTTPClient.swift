internal import CCurl
internal import ConnectorProtocol
internal import Glibc

/// An HTTP client that reuses connections, for one thread at a time.
final class HTTPClient {
    fileprivate let multi: UnsafeMutableRawPointer?
    private unowned let context: RequestContext
    /// The running transfers by their handles.
    private var running: [UnsafeMutableRawPointer: Running] = [:]
    private let signIns: SignIns

    /// The maximum wait in milliseconds before checking for cancellation.
    private static let pause: Int32 = 50
    /// The maximum number of password prompts.
    private static let attempts = 3

    /// Creates a client that takes cancellation and credentials from `context`.
    init(_ context: RequestContext) {
        (self.context, signIns) = (context, context.signIns)
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        multi = curl_multi_init()
        cc_separate(multi)
    }

    deinit { curl_multi_cleanup(multi) }

    /// A weak reference: a transfer ends when its owner releases it.
    private struct Running { weak var transfer: HTTPTransfer? }

    /// Sends a request and waits for the response header.
    ///
    /// If the server requires a password, the request is repeated with the first known one for its origin: from an
    /// earlier request, from .netrc, or from stacks. Only the servers that the user's address names get one.
    ///
    /// - Parameter report: A function that receives the number of bytes sent so far, until the response arrives.
    /// - Throws: `ConnectorFailure` if there is no response, or another server requires a password. The caller checks
    ///   the status code.
    func begin(
        _ request: HTTPRequest, reporting report: (Int) -> Void = { _ in }
    ) throws(ConnectorFailure) -> (HTTPTransfer, HTTPHead) {
        guard let origin = ServerOrigin(of: request.url) else { throw ConnectorFailure(.refused, .address) }
        var signIn = signIns[origin]
        var (transfer, head) = try begin(request, signingInBy: signIn, report)
        var attempt = 0
        while head.status == 401 {
            let asking = ServerOrigin(of: transfer.finalURL ?? request.url) ?? origin
            guard asking == origin, context.origins.contains(origin) else {
                throw ConnectorFailure(.auth, .otherServer, detail: asking.description)
            }
            let known = signIns[origin]
            if known != signIn, known.credential != nil {
                // The request of another thread has signed in meanwhile.
                signIn = known
            } else if attempt == 0, signIn.credential == nil, let found = NetrcFile.credential(for: origin) {
                signIn = SignIns.SignIn(credential: found, isOfNetrc: true)
                signIns[origin] = signIn
            } else {
                guard attempt < Self.attempts else { break }
                attempt += 1
                guard let answer = try ask(origin, after: transfer, head, refusing: signIn) else { break }
                signIn = answer
            }
            (transfer, head) = try begin(request, signingInBy: signIn, report)
        }
        if head.status == 401 { signIns.forget(signIn, for: origin) }
        return (transfer, head)
    }

    /// Asks stacks for user and password after the response 401.
    ///
    /// - Parameter refused: How the request signed in.
    /// - Returns: How to sign in; nil if the user gives no password.
    /// - Throws: `ConnectorFailure` if the server accepts no password, but only other ways to sign in.
    private func ask(
        _ origin: ServerOrigin, after transfer: HTTPTransfer, _ head: HTTPHead, refusing refused: SignIns.SignIn
    ) throws(ConnectorFailure) -> SignIns.SignIn? {
        try signIns.asking.take(unless: context.isCancelled)
        defer { signIns.asking.end() }
        // The request of another thread may have asked meanwhile.
        let known = signIns[origin]
        if known != refused, known.credential != nil { return known }
        let content = try? ContentCoding.decoded(TransferBytes(transfer), by: head)
        let methods = SignInMethods(head, (try? content?.read(upTo: SignInMethods.documentLimit)) ?? [])
        guard methods.takesPassword else {
            throw ConnectorFailure(.auth, .signIn, subject: origin.place, detail: methods.otherNames)
        }
        let answer = context.ask(
            CredentialQuestion(
                realm: head.realm, origin: origin, isRepeated: refused.credential != nil && !refused.isOfNetrc,
                isNetrcIgnored: NetrcFile.isIgnored(for: origin), instructions: methods.instructions))
        guard let answer else { return nil }
        let signIn = SignIns.SignIn(credential: answer, isBasic: methods.isBasic)
        signIns[origin] = signIn
        return signIn
    }

    /// Fetches a small document completely.
    ///
    /// - Parameter limit: The maximum length in bytes.
    /// - Throws: `ConnectorFailure` if there is no response, its status is an error, or it is truncated or too large.
    func fetch(_ request: HTTPRequest, limit: Int) throws(ConnectorFailure) -> (HTTPHead, [UInt8]) {
        let (transfer, head) = try begin(request)
        return (head, try finish(transfer, limit: limit))
    }

    /// Starts a request for a small document, without waiting.
    ///
    /// - Throws: `ConnectorFailure` if the address is invalid.
    func start(_ request: HTTPRequest) throws(ConnectorFailure) -> HTTPTransfer {
        try start(request, signingInBy: ServerOrigin(of: request.url).map { signIns[$0] } ?? SignIns.SignIn())
    }

    /// Sends and receives pending data of all requests without waiting.
    func advance() { moveBytes() }

    /// Waits for the complete response to a started request.
    ///
    /// - Throws: `ConnectorFailure` if there is no response, its status is an error, or it is truncated or too large.
    func finish(_ transfer: HTTPTransfer, limit: Int) throws(ConnectorFailure) -> [UInt8] {
        let head = try transfer.waitForHead()
        if let failure = ConnectorFailure(answer: head, host: transfer.host) { throw failure }
        let content = try ContentCoding.decoded(TransferBytes(transfer), by: head)
        let body = try content.read(upTo: limit + 1)
        context.transferred.bytes += body.count
        if body.count > limit { throw ConnectorFailure(.refused, .tooLarge) }
        if let failure = transfer.failure { throw failure }
        if content.isCut { throw ConnectorFailure(.offline, .brokenOff, detail: transfer.host) }
        return body
    }

    private func begin(
        _ request: HTTPRequest, signingInBy signIn: SignIns.SignIn, _ report: (Int) -> Void
    ) throws(ConnectorFailure) -> (HTTPTransfer, HTTPHead) {
        let transfer = try start(request, signingInBy: signIn)
        return (transfer, try transfer.waitForHead(reporting: report))
    }

    private func start(
        _ request: HTTPRequest, signingInBy signIn: SignIns.SignIn
    ) throws(ConnectorFailure) -> HTTPTransfer {
        let transfer = try HTTPTransfer(request, by: self, signingInBy: signIn)
        curl_multi_add_handle(multi, transfer.handle)
        running[transfer.handle] = Running(transfer: transfer)
        return transfer
    }

    /// Waits until data can be sent or received, then transfers data of all requests.
    func perform() throws(ConnectorFailure) {
        if context.isCancelled() { throw ConnectorFailure(.cancelled) }
        // Polling comes first, because the caller reads what was received before it waits for more: a paused transfer is
        // not polled, and would cost the whole pause.
        curl_multi_poll(multi, nil, 0, Self.pause, nil)
        moveBytes()
    }

    /// Transfers data of all requests without waiting.
    private func moveBytes() {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        var code = CURLE_OK
        while let handle = cc_ended(multi, &code) {
            running[handle]?.transfer?.note(code)
            drop(handle)
        }
    }

    /// Stops a transfer that is no longer needed.
    func drop(_ handle: UnsafeMutableRawPointer) {
        guard running.removeValue(forKey: handle) != nil else { return }
        curl_multi_remove_handle(multi, handle)
    }
}

extension HTTPHead {
    /// The server's name for the protected area (RFC 9110, section 11.5).
    fileprivate var realm: String? {
        guard let challenge = self["www-authenticate"], let range = challenge.firstRange(of: "realm=\"") else {
            return nil
        }
        return String(challenge[range.upperBound...].prefix { $0 != "\"" })
    }
}

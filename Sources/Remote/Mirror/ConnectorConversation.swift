public import ConnectorProtocol
internal import Glibc
internal import Storage
internal import Threading

/// A conversation with the connector program, which reads sources that are not JSON files.
///
/// Requests are made one after another, each on any thread, which waits for the end of the reply.
public final class ConnectorConversation: Sendable {
    private let program: PipedProgram
    private let credentials: CredentialSource
    private let state = Locked(State())

    private struct State {
        var lastRequest = 0
        var lines = MessageLines()
        var waiting: [MessageLines.Line] = []
        var confinement = Confinement()
        /// The servers of the address that was opened last; only they get a password.
        var passwordOrigins: Set<ServerOrigin> = []
    }

    /// The maximum time without a reply, in milliseconds. A working program replies at least every second.
    private static let replyTimeout = 10_000

    /// Starts the program at `path`, which may only write to the directory `cache`.
    ///
    /// - Parameters:
    ///   - sources: The paths and addresses that the requests will name: the kernel keeps the program from other files
    ///     of the user, and if there are no addresses, from the network.
    ///   - limit: The maximum size of a copy in bytes; nil for that of the program.
    ///   - credentials: Returns the user and password that a server requires.
    /// - Throws: `ConnectorFailure` of the kind `helper`.
    public init(
        program path: String, cache: String, sources: [String], limit: Int? = nil,
        credentials: @escaping CredentialSource = { _ in nil }
    ) throws(ConnectorFailure) {
        self.credentials = credentials
        do throws(FileError) {
            program = try PipedProgram(path)
        } catch {
            // The file is there: what the system does not find is the loader of its libraries.
            if error.code == ENOENT { throw ConnectorFailure(.helper, .cannotStart) }
            throw ConnectorFailure(.helper, .programFailed, subject: path, detail: error.cause)
        }
        let hello = ConnectorRequest.Action.hello(
            version: ConnectorRequest.version, cache: cache, limit: limit, sources: sources)
        do throws(ConnectorFailure) {
            if case .greeted(let greeting) = try ask(hello) {
                state.withLock { $0.confinement = greeting.confinement }
                Self.latest.withLock { $0 = greeting.confinement }
            }
        } catch {
            guard error.reason == .programFailed else { throw error }
            // It ended before its first word, as the loader ends a program whose libraries are missing.
            throw ConnectorFailure(.helper, program.isKilled ? .programKilled : .cannotStart)
        }
    }

    /// What the kernel keeps the program from.
    public var confinement: Confinement { state.withLock { $0.confinement } }

    private static let latest = Locked<Confinement?>(nil)
    /// What the kernel keeps the program from, as the conversation that began last has told; nil before the first one.
    public static var latestConfinement: Confinement? { latest.withLock { $0 } }

    /// Sends a request and waits for the end of the reply.
    ///
    /// - Parameter receive: Called with the replies before the last one.
    /// - Throws: `ConnectorFailure`: the one in the reply, or one of the kind `helper` if the program fails.
    @discardableResult
    public func ask(
        _ action: ConnectorRequest.Action, receiving receive: (ConnectorReply.Content) -> Void = { _ in }
    ) throws(ConnectorFailure) -> ConnectorReply.End {
        let id = try begin(action)
        while true {
            let reply = try nextReply()
            guard reply.request == id else { continue }
            switch reply.content {
            case .ended(let end): return end
            case .failed(let failure): throw failure
            case .progress, .waiting, .rows, .refused, .asked: receive(reply.content)
            }
        }
    }

    /// Sends a request without waiting for the reply.
    ///
    /// - Returns: The number that the replies have.
    /// - Throws: `ConnectorFailure` of the kind `helper`.
    func begin(_ action: ConnectorRequest.Action) throws(ConnectorFailure) -> Int {
        let id = nextNumber
        if let origins = action.passwordOrigins { state.withLock { $0.passwordOrigins = origins } }
        try send(ConnectorRequest(id: id, action))
        return id
    }

    /// Waits for the next reply to any request, and answers the questions that come before it.
    ///
    /// - Throws: `ConnectorFailure` of the kind `helper` if there is none in time.
    func nextReply() throws(ConnectorFailure) -> ConnectorReply {
        while true {
            let reply = try ConnectorReply(parsing: try nextLine())
            guard case .asked(let question) = reply.content else { return reply }
            // A redirect or a link must not lead a password to another server, whatever the program asks.
            let isOwn = state.withLock { $0.passwordOrigins.contains(question.origin) }
            let answer = isOwn ? credentials(question) : nil
            try send(ConnectorRequest(id: reply.request, .answer(user: answer?.user, secret: answer?.secret)))
        }
    }

    /// Cancels the last request; on any thread.
    public func cancel() { cancel(state.withLock { $0.lastRequest }) }

    /// Cancels the request with this number; on any thread.
    func cancel(_ id: Int) {
        // If the program has ended, no request is running.
        try? send(ConnectorRequest(id: nextNumber, .cancel(of: id)))
    }

    private var nextNumber: Int {
        state.withLock { state in
            state.lastRequest += 1
            return state.lastRequest
        }
    }

    /// Stops the program.
    public func end() { program.end() }

    private func send(_ request: ConnectorRequest) throws(ConnectorFailure) {
        do throws(FileError) {
            try program.write(request.line + [UInt8(ascii: "\n")])
        } catch {
            throw ConnectorFailure(.helper, .programFailed, detail: error.cause)
        }
    }

    private func nextLine() throws(ConnectorFailure) -> [UInt8] {
        let deadline = MonotonicTime.milliseconds + Self.replyTimeout
        while true {
            if let line = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
                if case .message(let bytes) = line { return bytes }
                throw ConnectorFailure(.helper, .tooLong)
            }
            let bytes: [UInt8]?
            do throws(FileError) {
                bytes = try program.read(waiting: max(0, deadline - MonotonicTime.milliseconds))
            } catch {
                throw ConnectorFailure(.helper, .programFailed, detail: error.cause)
            }
            guard let bytes else {
                if MonotonicTime.milliseconds < deadline { continue }
                program.end()
                throw ConnectorFailure(.helper, .timeOut)
            }
            if bytes.isEmpty { throw ConnectorFailure(.helper, program.isKilled ? .programKilled : .programFailed) }
            state.withLock { $0.waiting += $0.lines.add(bytes) }
        }
    }
}

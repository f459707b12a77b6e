internal import CSystem
internal import ConnectorProtocol
internal import Glibc
internal import Threading

/// The connector program: reads requests from standard input and writes replies to standard output.
public enum ConnectorProgram {
    /// Runs until the input ends.
    public static func run() {
        signal(SIGPIPE, SIG_IGN)
        let output = MessageOutput(descriptor: STDOUT_FILENO)
        let requests = RequestQueue()
        let session = ConnectorSession(awaiting: { requests.answer(to: $0) }, { output.send($0) })
        // Landlock confines the calling thread and the threads that it starts later; therefore the first request, which
        // names the cache, is handled before other threads start.
        let reading = Reading(requests, output)
        reading.readUntilRequest()
        if let first = requests.next(ifAny: true) { answer(first, session, requests) }
        output.startHeartbeat { requests.current }
        BackgroundThread.start { reading.readToEnd() }
        while let request = requests.next(ifAny: false) { answer(request, session, requests) }
    }

    private static func answer(_ item: RequestQueue.Item, _ session: ConnectorSession, _ requests: RequestQueue) {
        switch item {
        case .request(let request):
            session.answer(request) { requests.isCancelled(request) }
            requests.endCurrent()
        case .malformed(let malformed): session.answer(malformed)
        }
    }
}

/// The queue of requests.
final class RequestQueue: Sendable {
    /// A line of the input.
    enum Item: Sendable {
        case request(ConnectorRequest)
        case malformed(MalformedRequest)
    }

    private struct State {
        var items: [Item] = []
        /// The answers to questions; they may arrive before a thread waits for them.
        var answers: [ConnectorRequest] = []
        var cancelled: Set<Int> = []
        var current: Int?
        var isAtEnd = false
    }

    private let state = Locked(State())

    /// Adds a line of the input.
    func add(_ item: Item) { state.change { $0.items.append(item) } }

    /// Records the end of the input and cancels unfinished long requests, because nobody waits for them.
    func end() { state.change { $0.isAtEnd = true } }

    /// Cancels the request with this number, if it is unfinished.
    func cancel(_ id: Int) {
        state.change { state in
            let isWaiting = state.items.contains {
                if case .request(let request) = $0 { request.id == id } else { false }
            }
            if isWaiting || state.current == id { state.cancelled.insert(id) }
        }
    }

    /// Returns whether the request was cancelled.
    func isCancelled(_ request: ConnectorRequest) -> Bool {
        state.withLock { $0.cancelled.contains(request.id) || $0.isAtEnd && request.action.isLong }
    }

    /// Adds the answer to a question of the running request.
    ///
    /// - Returns: Whether the request that it answers is running.
    func add(answer: ConnectorRequest) -> Bool {
        state.change { state in
            guard state.current == answer.id else { return false }
            state.answers.append(answer)
            return true
        }
    }

    /// Waits for the answer to a question of the request with this number; returns nil if the request was cancelled.
    func answer(to id: Int) -> ConnectorRequest? {
        state.wait { state -> ConnectorRequest?? in
            if !state.answers.isEmpty { return state.answers.removeFirst() }
            return state.isAtEnd || state.cancelled.contains(id) ? .some(nil) : nil
        }
    }

    /// The number of the running request.
    var current: Int? { state.withLock { $0.current } }

    /// Records the end of the current request.
    func endCurrent() {
        state.withLock { state in
            if let current = state.current { state.cancelled.remove(current) }
            state.current = nil
            state.answers = []
        }
    }

    /// Returns the next line; waits for it unless `ifAny` is set. Returns nil at the end of the input.
    func next(ifAny: Bool) -> Item? {
        state.wait { state -> Item?? in
            if state.items.isEmpty { return state.isAtEnd || ifAny ? .some(nil) : nil }
            let item = state.items.removeFirst()
            if case .request(let request) = item { state.current = request.id }
            return item
        }
    }
}

extension ConnectorRequest.Action {
    /// Whether the request can take long.
    fileprivate var isLong: Bool {
        switch self {
        case .open(let source, _, _): source.contains("://")
        case .mirror, .page, .books, .export, .publish: true
        case .hello, .answer, .cancel: false
        }
    }
}

/// Reads lines from the standard input.
private final class Reading: @unchecked Sendable {
    // Unchecked: first one thread reads, then another, never both.
    private let requests: RequestQueue
    private let output: MessageOutput
    private var lines = MessageLines()
    private var isAtEnd = false

    init(_ requests: RequestQueue, _ output: MessageOutput) {
        self.requests = requests
        self.output = output
    }

    /// Reads up to the first line.
    func readUntilRequest() {
        while !isAtEnd, !readPart() {}
    }

    /// Reads all lines.
    func readToEnd() {
        while !isAtEnd { _ = readPart() }
    }

    /// Reads the available input, or waits for some.
    ///
    /// - Returns: Whether it completed any lines.
    private func readPart() -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = part.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return false }
        let found = count > 0 ? lines.add(part[..<count]) : lines.end()
        for line in found { add(line) }
        if count <= 0 {
            isAtEnd = true
            requests.end()
        }
        return !found.isEmpty
    }

    private func add(_ line: MessageLines.Line) {
        do throws(MalformedRequest) {
            let request = try ConnectorRequest(line)
            if case .cancel(let id) = request.action {
                requests.cancel(id)
                output.send(ConnectorReply(to: request.id, .ended(.done)))
            } else if case .answer = request.action, requests.add(answer: request) {
                // The request that it belongs to has its own final reply.
            } else {
                requests.add(.request(request))
            }
        } catch {
            requests.add(.malformed(error))
        }
    }
}

/// Writes replies to the standard output, one at a time.
private final class MessageOutput: Sendable {
    private let descriptor: Int32
    /// The time of the last line.
    private let lastLine = Locked(cs_now())

    /// The time without a reply after which the program reports that it is working, in milliseconds.
    private static let heartbeatInterval: Int64 = 1000

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a reply. The program exits if stacks is gone.
    func send(_ reply: ConnectorReply) {
        let line = reply.line + [UInt8(ascii: "\n")]
        lastLine.withLock { last in
            last = cs_now()
            var written = 0
            while written < line.count {
                let count = line.withUnsafeBytes {
                    write(descriptor, $0.baseAddress.map { $0 + written }, line.count - written)
                }
                if count < 0, errno != EINTR { exit(0) }
                if count > 0 { written += count }
            }
        }
    }

    /// Reports that the program is working whenever it has sent nothing for a second during a request.
    func startHeartbeat(_ current: @escaping @Sendable () -> Int?) {
        BackgroundThread.start { [self] in
            while true {
                let silence = cs_now() - lastLine.withLock { $0 }
                usleep(UInt32(clamping: max(50, Self.heartbeatInterval - silence) * 1000))
                guard let request = current(), cs_now() - lastLine.withLock({ $0 }) >= Self.heartbeatInterval else {
                    continue
                }
                send(ConnectorReply(to: request, .waiting))
            }
        }
    }
}

extension ConnectorRequest {
    /// Reads a request from a line of the input.
    init(_ line: MessageLines.Line) throws(MalformedRequest) {
        switch line {
        case .message(let bytes): try self.init(parsing: bytes)
        case .tooLong: throw MalformedRequest(id: 0, failure: ConnectorFailure(.request, .tooLong))
        }
    }
}

internal import CSystem
internal import ConnectorProtocol
internal import Glibc
internal import Threading

/// The connector program: reads requests from standard input and writes replies to standard output.
public enum ConnectorProgram {
    /// Runs until the input ends.
    public static func run() {
        cs_protect_memory()
        signal(SIGPIPE, SIG_IGN)
        cs_limit_memory(UInt64(ConnectorLimits.memory) << 30)
        let output = MessageOutput(descriptor: STDOUT_FILENO)
        let requests = RequestQueue()
        let session = ConnectorSession(awaiting: { requests.answer(to: $0) }, { output.send($0) })
        // Landlock confines the calling thread and the threads that it starts later; therefore the first request, which
        // names the cache, is handled before other threads start.
        let reading = Reading(requests, output)
        reading.readUntilRequest()
        if let first = requests.next(ifAny: true) { answer(first, session, requests) }
        output.startHeartbeat { requests.running }
        BackgroundThread.start { reading.readToEnd() }
        while let item = requests.next(ifAny: false) {
            guard case .request(let request) = item, request.action.isOfPage else {
                answer(item, session, requests)
                continue
            }
            let isStarted = BackgroundThread.start(as: .interactive) { answer(item, session, requests) }
            if !isStarted { answer(item, session, requests) }
        }
    }

    private static func answer(_ item: RequestQueue.Item, _ session: ConnectorSession, _ requests: RequestQueue) {
        switch item {
        case .request(let request):
            session.answer(request) { requests.isCancelled(request) }
            requests.end(request)
        case .malformed(let malformed): session.answer(malformed)
        }
    }
}

/// The queue of requests. Those for pages run beside each other, all others alone, in the order in which they came.
final class RequestQueue: Sendable {
    /// The maximum number of requests that run at the same time.
    private static let parallelLimit = 3

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
        /// The numbers of the running requests.
        var running: [Int] = []
        /// Whether the running requests are for pages.
        var arePages = false
        var isAtEnd = false

        /// Whether the next item may start beside those that run.
        var mayStartNext: Bool {
            if running.isEmpty { return true }
            guard case .request(let request)? = items.first else { return false }
            return arePages && request.action.isOfPage && running.count < RequestQueue.parallelLimit
        }
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
            if isWaiting || state.running.contains(id) { state.cancelled.insert(id) }
        }
    }

    /// Returns whether the request was cancelled.
    func isCancelled(_ request: ConnectorRequest) -> Bool {
        state.withLock { $0.cancelled.contains(request.id) || $0.isAtEnd && request.action.isLong }
    }

    /// Adds the answer to a question of a running request.
    ///
    /// - Returns: Whether the request that it answers is running.
    func add(answer: ConnectorRequest) -> Bool {
        state.change { state in
            guard state.running.contains(answer.id) else { return false }
            state.answers.append(answer)
            return true
        }
    }

    /// Waits for the answer to a question of the request with this number; returns nil if the request was cancelled.
    func answer(to id: Int) -> ConnectorRequest? {
        state.wait { state -> ConnectorRequest?? in
            if let index = state.answers.firstIndex(where: { $0.id == id }) { return state.answers.remove(at: index) }
            return state.isAtEnd || state.cancelled.contains(id) ? .some(nil) : nil
        }
    }

    /// The numbers of the running requests.
    var running: [Int] { state.withLock { $0.running } }

    /// Records the end of a request.
    func end(_ request: ConnectorRequest) {
        state.change { state in
            if let index = state.running.firstIndex(of: request.id) { state.running.remove(at: index) }
            if state.running.contains(request.id) { return }
            state.cancelled.remove(request.id)
            state.answers.removeAll { $0.id == request.id }
        }
    }

    /// Returns the next line that can be handled; waits for it unless `ifAny` is set. Returns nil at the end of the input,
    /// when no request is running.
    func next(ifAny: Bool) -> Item? {
        state.wait { state -> Item?? in
            if state.items.isEmpty { return state.isAtEnd && state.running.isEmpty || ifAny ? .some(nil) : nil }
            guard state.mayStartNext else { return nil }
            let item = state.items.removeFirst()
            if case .request(let request) = item {
                state.running.append(request.id)
                state.arePages = request.action.isOfPage
            }
            return item
        }
    }
}

extension ConnectorRequest.Action {
    /// Whether the request asks an open source for a part of a list or for books, and can run beside others that do.
    fileprivate var isOfPage: Bool {
        switch self {
        case .page, .books: true
        default: false
        }
    }

    /// Whether the request can take long.
    fileprivate var isLong: Bool {
        switch self {
        case .open(let source, _, _, _): source.contains("://")
        case .mirror, .page, .books, .export, .convert, .publish, .fetch, .cover: true
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

    /// Reports that the program is working whenever it has sent nothing for a second during requests.
    func startHeartbeat(_ running: @escaping @Sendable () -> [Int]) {
        BackgroundThread.start { [self] in
            while true {
                let silence = cs_now() - lastLine.withLock { $0 }
                usleep(UInt32(clamping: max(50, Self.heartbeatInterval - silence) * 1000))
                guard cs_now() - lastLine.withLock({ $0 }) >= Self.heartbeatInterval else { continue }
                for request in running() { send(ConnectorReply(to: request, .waiting)) }
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

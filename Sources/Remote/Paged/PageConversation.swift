internal import ConnectorProtocol
internal import Glibc
internal import Storage
internal import Threading

/// The requests of a paged catalog, and the replies to them as events.
protocol PageExchange: AnyObject {
    /// Sends a request, as soon as the source is open.
    ///
    /// - Returns: The number of the request in the events.
    func send(_ action: ConnectorRequest.Action) -> Int
    /// Cancels a request; its last event may still be a result.
    func cancel(_ request: Int)
    /// Returns the events since the last call.
    func takeEvents() -> [PageConversation.Event]
    /// Calls the function for new events if there are any.
    func wakeIfNeeded()
    /// The number of events so far.
    var eventCount: Int { get }
    /// Waits until there are further events than `count`, at most `milliseconds`.
    ///
    /// - Returns: The number of events so far.
    func wait(after count: Int, milliseconds: Int) -> Int
    /// Ends the exchange.
    func end()
}

/// A conversation about an open paged source, in which several requests run at the same time and nothing waits for
/// their replies.
final class PageConversation: PageExchange, Sendable {
    /// A part of the replies.
    enum Event: Sendable {
        /// The source is open.
        case opened(OpenedSource)
        /// Some of the requested records.
        case rows(Int, PageRows)
        /// The request with this number is done; the end of a page has facts about its list.
        case ended(Int, PageEnd?)
        /// The request with this number failed.
        case failed(Int, ConnectorFailure)
        /// The source cannot be opened, or the program has ended. All unanswered requests are lost; the next one opens
        /// the source again.
        case lost(ConnectorFailure)

        /// Creates the event for a reply to the request with this number; nil for a reply without news.
        init?(_ content: ConnectorReply.Content, to request: Int) {
            switch content {
            case .rows(let rows): self = .rows(request, rows)
            case .ended(.paged(let end)): self = .ended(request, end)
            case .ended: self = .ended(request, nil)
            case .failed(let failure): self = .failed(request, failure)
            case .progress, .waiting, .asked, .refused: return nil
            }
        }
    }

    private let program: String
    private let cache: String
    private let source: String
    private let fields: [String: [String]]?
    private let credentials: CredentialSource
    private let events: Channel<Event>
    private let state = Locked(State())

    private struct State {
        var lastRequest = 0
        /// The conversation, once the source is open.
        var conversation: ConnectorConversation?
        /// The requests that wait for the source to be opened.
        var queue: [(request: Int, action: ConnectorRequest.Action)] = []
        /// The running requests by their numbers in the conversation.
        var running: [Int: Int] = [:]
        /// The state of the files with the settings of the network when the program was started, which cannot read those
        /// that have replaced them since.
        var settings: [RandomAccessInput.Fingerprint?] = []
        var isOpening = false
        var hasEnded = false
        /// The number of events that were posted.
        var eventCount = 0
    }

    /// Prepares a conversation about the source at an address; the first request starts the program at `program`, which
    /// may write only to the directory `cache`.
    ///
    /// - Parameters:
    ///   - fields: The paths of the fields of books in the records; nil if the connector is to find them.
    ///   - notify: Called on any thread when there are events.
    init(
        program: String, cache: String, source: String, fields: [String: [String]]?,
        credentials: @escaping CredentialSource,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        (self.program, self.cache, self.source, self.credentials) = (program, cache, source, credentials)
        self.fields = fields
        events = Channel(notify)
    }

    deinit { end() }

    func send(_ action: ConnectorRequest.Action) -> Int {
        let (request, isFirst) = state.change { state in
            state.lastRequest += 1
            let request = state.lastRequest
            if let conversation = state.conversation {
                if state.settings == Self.settings || !state.running.isEmpty, let id = try? conversation.begin(action) {
                    state.running[id] = request
                    return (request, false)
                }
                // If requests are running, its thread notices the end of the program.
                if state.running.isEmpty { state.conversation = nil }
            }
            state.queue.append((request, action))
            defer { state.isOpening = true }
            return (request, !state.isOpening && state.conversation == nil)
        }
        if isFirst { BackgroundThread.start(as: .interactive) { [self] in converse() } }
        return request
    }

    /// The current state of the files with the addresses and names of servers, and with the user's passwords:
    /// resolv.conf(5), hosts(5), nsswitch.conf(5) and netrc(5).
    private static var settings: [RandomAccessInput.Fingerprint?] {
        let netrc = getenv("HOME").map { String(cString: $0) + "/.netrc" }
        return ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", netrc].map { path in
            path.flatMap { .init(ofFileAt: $0) }
        }
    }

    func cancel(_ request: Int) {
        let cancelled = state.withLock { state in
            state.queue.removeAll { $0.request == request }
            return state.running.first { $0.value == request }.map { ($0.key, state.conversation) }
        }
        if let (id, conversation) = cancelled { conversation?.cancel(id) }
    }

    func takeEvents() -> [Event] { events.takeAll() }

    func wakeIfNeeded() { events.flush() }

    var eventCount: Int { state.withLock { $0.eventCount } }

    func wait(after count: Int, milliseconds: Int) -> Int {
        state.wait(milliseconds: milliseconds) { $0.eventCount > count }
        return eventCount
    }

    func end() {
        let conversation = state.change { state in
            state.hasEnded = true
            return state.conversation
        }
        conversation?.end()
    }

    // MARK: - The thread of the conversation

    private func converse() {
        do throws(ConnectorFailure) {
            let settings = Self.settings
            let conversation = try ConnectorConversation(
                program: program, cache: cache, sources: [source], credentials: credentials)
            defer { conversation.end() }
            guard case .opened(let opened) = try conversation.ask(.open(source: source, known: nil, fields: fields))
            else {
                throw ConnectorFailure(.helper, .programFailed)
            }
            post(.opened(opened))
            try begin(conversation, with: settings)
            while waitForRequest(to: conversation) { try report(conversation.nextReply()) }
        } catch {
            state.change { state in
                (state.conversation, state.isOpening) = (nil, false)
                (state.queue, state.running) = ([], [:])
            }
            post(.lost(error))
        }
    }

    /// Sends the requests that waited for the source.
    private func begin(
        _ conversation: ConnectorConversation, with settings: [RandomAccessInput.Fingerprint?]
    ) throws(ConnectorFailure) {
        try state.withLock { state throws(ConnectorFailure) in
            for (request, action) in state.queue { state.running[try conversation.begin(action)] = request }
            (state.queue, state.conversation, state.isOpening) = ([], conversation, false)
            state.settings = settings
        }
    }

    /// Waits until a request is running, because only then is the program expected to reply.
    ///
    /// - Returns: False at the end of the conversation, also because another one has taken its place.
    private func waitForRequest(to conversation: ConnectorConversation) -> Bool {
        state.wait { state -> Bool? in
            if state.hasEnded || state.conversation !== conversation { return false }
            return state.running.isEmpty ? nil : true
        }
    }

    private func report(_ reply: ConnectorReply) {
        guard let request = state.withLock({ $0.running[reply.request] }),
            let event = Event(reply.content, to: request)
        else { return }
        post(event)
        if case .rows = event { return }
        state.change { $0.running[reply.request] = nil }
    }

    private func post(_ event: Event) {
        events.post(event)
        // The reader waits for these rows: nothing is gained by collecting them.
        if case .rows = event {} else { events.flush() }
        state.change { $0.eventCount += 1 }
    }
}

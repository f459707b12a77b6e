public import ConnectorProtocol

/// A session with the connector in a program of its own, which is confined as stacks starts it.
public final class ConfinedSession {
    private let connector: RunningConnector
    private var answers: ArraySlice<(user: String?, secret: String?)>
    private var lastID = 1
    /// The replies to the last request, the last one ends it.
    public private(set) var replies: [ConnectorReply.Content] = []

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - cache: The directory in which it may write.
    ///   - sources: The paths and addresses that it may read.
    ///   - answers: The answers to questions for a user and password, one after the other.
    public init(cache: String, sources: [String], answers: [(user: String?, secret: String?)] = []) throws {
        connector = try RunningConnector()
        self.answers = answers[...]
        _ = try connector.greet(cache: cache, sources: sources)
    }

    deinit { connector.kill() }

    /// The questions for a user and password in the last replies.
    public var questions: [CredentialQuestion] {
        replies.compactMap { if case .asked(let question) = $0 { question } else { nil } }
    }

    /// The failure that ended the last request; `WrongCopy` if it ended otherwise.
    public var failure: any Error { if case .failed(let failure)? = replies.last { failure } else { WrongCopy() } }

    /// Sends a request and waits for its end.
    ///
    /// - Parameter isCancelled: Whether the request is cancelled, asked again and again.
    public func ask(_ action: ConnectorRequest.Action, isCancelled: () -> Bool = { false }) throws {
        lastID += 1
        let id = lastID
        replies = []
        try connector.ask(id, action)
        var asksToCancel = true
        while true {
            if asksToCancel, isCancelled() {
                lastID += 1
                try connector.ask(lastID, .cancel(of: id))
                asksToCancel = false
            }
            guard connector.hasOutput(within: 20) else { continue }
            guard let reply = try connector.next() else { throw WrongCopy() }
            guard reply.request == id else { continue }
            replies.append(reply.content)
            switch reply.content {
            case .ended, .failed: return
            case .asked:
                let answer = answers.popFirst()
                try connector.ask(id, .answer(user: answer?.user, secret: answer?.secret))
            case .progress, .waiting, .rows, .refused: break
            }
        }
    }
}

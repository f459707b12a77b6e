public import ConnectorProtocol
private import Connectors
private import TestSupport

/// What a session with the connector has said of a publication.
public struct Published {
    /// The number of rows that were sent.
    public let sent: Int
    /// The number of rows that were found afterwards.
    public let counted: Int?
    /// The rows that were not taken.
    public let refused: [RefusedRow]
    /// The questions for a user and password.
    public let questions: [CredentialQuestion]
    /// The reports of progress.
    public let progress: [CopyProgress]
    /// The statements that a dry run would have executed.
    public let statements: [String]

    /// Publishes rows, each a line of JSON.
    ///
    /// - Parameters:
    ///   - answers: The answers to questions for a user and password, one after the other.
    ///   - isCancelled: Whether it is stopped, asked again and again with the number of replies so far.
    /// - Throws: The `ConnectorFailure` that the session reported, or `WrongCopy`.
    public init(
        _ rows: [String], to target: String, as kind: Publication.Kind, known: SourceVersion? = nil,
        isDryRun: Bool = false, isForced: Bool = false, omitsUnsupported: Bool = false,
        answers: [(user: String?, secret: String?)] = [], isCancelled: @escaping (Int) -> Bool = { _ in false }
    ) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(rows.map { $0 + "\n" }.joined().utf8, to: "rows.jsonl")
        var replies: [ConnectorReply] = []
        var rest = answers[...]
        let session = ConnectorSession(
            confines: false,
            awaiting: { id in
                rest.popFirst().map { ConnectorRequest(id: id, .answer(user: $0.user, secret: $0.secret)) }
            }
        ) { replies.append($0) }
        session.answer(ConnectorRequest(id: 0, .hello(version: ConnectorRequest.version, cache: directory.path)))
        let publication = Publication(
            to: target, as: kind, from: path, rows: rows.count, known: known, isDryRun: isDryRun, isForced: isForced,
            omitsUnsupported: omitsUnsupported)
        session.answer(ConnectorRequest(id: 1, .publish(publication))) { isCancelled(replies.count) }
        questions = replies.compactMap { if case .asked(let question) = $0.content { question } else { nil } }
        refused = replies.flatMap { reply -> [RefusedRow] in
            if case .refused(let rows) = reply.content { rows } else { [] }
        }
        progress = replies.compactMap { if case .progress(let progress) = $0.content { progress } else { nil } }
        switch replies.last?.content {
        case .ended(.published(let sent, let counted, let statements))?:
            (self.sent, self.counted, self.statements) = (sent, counted, statements)
        case .failed(let failure)?: throw failure
        default: throw WrongCopy()
        }
    }
}

public import ConnectorProtocol
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
        let session = try ConfinedSession(cache: directory.path, sources: [target], answers: answers)
        let publication = Publication(
            to: target, as: kind, from: path, rows: rows.count, known: known, isDryRun: isDryRun, isForced: isForced,
            omitsUnsupported: omitsUnsupported)
        try session.ask(.publish(publication)) { isCancelled(session.replies.count) }
        questions = session.questions
        refused = session.replies.flatMap { reply -> [RefusedRow] in
            if case .refused(let rows) = reply { rows } else { [] }
        }
        progress = session.replies.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
        switch session.replies.last {
        case .ended(.published(let sent, let counted, let statements))?:
            (self.sent, self.counted, self.statements) = (sent, counted, statements)
        case .failed(let failure)?: throw failure
        default: throw WrongCopy()
        }
    }
}

public import ConnectorProtocol
private import Connectors
public import JSON

/// A session with the connector about a source that is queried for the rows on the screen.
public final class QueriedSource {
    /// The description of the source.
    public let opened: OpenedSource
    /// The questions for a user and password.
    public private(set) var questions: [CredentialQuestion] = []
    private let replies: Replies
    private let session: ConnectorSession
    private var lastID = 1

    private final class Replies { var all: [ConnectorReply] = [] }

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - fields: The paths of a profile by the names of the fields.
    ///   - answers: The answers to questions for a user and password, one after the other.
    /// - Throws: The `ConnectorFailure` that the session reported.
    public init(
        _ source: String, fields: [String: [String]]? = nil, answers: [(user: String?, secret: String?)] = []
    ) throws {
        let replies = Replies()
        var rest = answers[...]
        session = ConnectorSession(
            confines: false,
            awaiting: { id in
                rest.popFirst().map { ConnectorRequest(id: id, .answer(user: $0.user, secret: $0.secret)) }
            }
        ) { replies.all.append($0) }
        self.replies = replies
        session.answer(ConnectorRequest(id: 1, .open(source: source, known: nil, fields: fields)))
        guard case .ended(.opened(let opened))? = replies.all.last?.content else { throw Self.failure(replies.all) }
        self.opened = opened
        questions = replies.all.compactMap { if case .asked(let question) = $0.content { question } else { nil } }
    }

    private static func failure(_ replies: [ConnectorReply]) -> any Error {
        if case .failed(let failure)? = replies.last?.content { failure } else { WrongCopy() }
    }

    /// A part of a list.
    public struct Part {
        /// The rows.
        public var rows: [JSONValue]
        /// The number of the first row; nil without rows.
        public var first: Int?
        /// The facts about the whole list.
        public var end: PageEnd

        /// The ids of the books.
        public var ids: [String] { rows.map { $0["id"]?.string ?? "" } }
        /// The titles of the books.
        public var titles: [String] { rows.map { $0["title"]?.string ?? "" } }
    }

    /// Requests a part of a list.
    ///
    /// - Throws: The `ConnectorFailure` that the session reported.
    public func page(
        _ query: String? = nil, sort: [PageRequest.SortKey] = [], at position: PageRequest.Position = .row(0),
        limit: Int = 50, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Part {
        lastID += 1
        replies.all = []
        let request = PageRequest(query: query, sort: sort, at: position, limit: limit, generation: lastID)
        session.answer(ConnectorRequest(id: lastID, .page(request)), isCancelled: isCancelled)
        guard case .ended(.paged(let end))? = replies.all.last?.content else { throw Self.failure(replies.all) }
        let (rows, first) = rows()
        return Part(rows: rows, first: first, end: end)
    }

    /// Requests books by their ids.
    ///
    /// - Throws: The `ConnectorFailure` that the session reported.
    public func books(_ ids: [String]) throws -> [JSONValue] {
        lastID += 1
        replies.all = []
        session.answer(ConnectorRequest(id: lastID, .books(ids: ids)))
        guard case .ended? = replies.all.last?.content else { throw Self.failure(replies.all) }
        return rows().rows
    }

    private func rows() -> (rows: [JSONValue], first: Int?) {
        var (rows, first): ([JSONValue], Int?) = ([], nil)
        for case .rows(let part) in replies.all.map(\.content) {
            first = first ?? part.first
            rows += part.rows
        }
        return (rows, first)
    }
}

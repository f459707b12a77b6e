public import ConnectorProtocol
public import JSON
private import TestSupport

/// A session with the connector about a source that is queried for the rows on the screen.
public final class QueriedSource {
    /// The description of the source.
    public let opened: OpenedSource
    /// The questions for a user and password.
    public let questions: [CredentialQuestion]
    private let cache: TemporaryDirectory
    private let session: ConfinedSession
    private var lastGeneration = 1

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - fields: The paths of a profile by the names of the fields.
    ///   - answers: The answers to questions for a user and password, one after the other.
    /// - Throws: The `ConnectorFailure` that the session reported.
    public init(
        _ source: String, fields: [String: [String]]? = nil, answers: [(user: String?, secret: String?)] = []
    ) throws {
        cache = try TemporaryDirectory()
        session = try ConfinedSession(cache: cache.path, sources: [source], answers: answers)
        try session.ask(.open(source: source, known: nil, fields: fields))
        questions = session.questions
        guard case .ended(.opened(let opened))? = session.replies.last else { throw session.failure }
        self.opened = opened
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
        lastGeneration += 1
        let request = PageRequest(query: query, sort: sort, at: position, limit: limit, generation: lastGeneration)
        try session.ask(.page(request), isCancelled: isCancelled)
        guard case .ended(.paged(let end))? = session.replies.last else { throw session.failure }
        let (rows, first) = rows()
        return Part(rows: rows, first: first, end: end)
    }

    /// Requests books by their ids.
    ///
    /// - Throws: The `ConnectorFailure` that the session reported.
    public func books(_ ids: [String]) throws -> [JSONValue] {
        try session.ask(.books(ids: ids))
        guard case .ended? = session.replies.last else { throw session.failure }
        return rows().rows
    }

    private func rows() -> (rows: [JSONValue], first: Int?) {
        var (rows, first): ([JSONValue], Int?) = ([], nil)
        for case .rows(let part) in session.replies {
            first = first ?? part.first
            rows += part.rows
        }
        return (rows, first)
    }
}

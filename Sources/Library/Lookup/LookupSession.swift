public import Books
internal import Glibc
internal import Storage
internal import Threading

/// A catalog or library server in which books are looked up.
public struct LookupSource: Sendable {
    /// The reason why a source has no answer.
    public struct Failure: Error {
        /// The error message with the next step, without a full stop.
        public let sentence: String
        /// The exit status for a command.
        public let exitStatus: Int32
        /// Whether the source may answer to another query.
        public let isOfQuery: Bool

        /// Creates a reason.
        public init(sentence: String, exitStatus: Int32, isOfQuery: Bool = false) {
            (self.sentence, self.exitStatus, self.isOfQuery) = (sentence, exitStatus, isOfQuery)
        }
    }

    /// Returns the books of a source that match, without what holds in that catalog only. For one thread.
    public typealias Search = (LookupQuery) throws(Failure) -> [Book]

    /// The name for the person who looks books up.
    public let name: String
    /// The path or address.
    public let path: String
    /// Whether a server sees what is looked up.
    public let isServer: Bool
    /// Prepares a search, which opens the source when it is called first.
    let search: @Sendable () -> Search

    /// Creates a source.
    ///
    /// - Parameter search: Prepares a search, on the thread that calls it.
    public init(name: String, path: String, isServer: Bool, search: @escaping @Sendable () -> Search) {
        (self.name, self.path, self.isServer, self.search) = (name, path, isServer, search)
    }
}

/// Looks books up in several sources at once, each on a thread of its own, and hands out what they have as it comes.
public final class LookupSession: Sendable {
    /// A book that a source has.
    public struct Found: Hashable, Sendable {
        /// The name of the source.
        public let source: String
        /// The book, without what holds in that catalog only.
        public let book: Book

        /// Creates a book of a source.
        public init(source: String, book: Book) { (self.source, self.book) = (source, book) }
    }

    /// What the sources have answered.
    public struct Answer: Sendable {
        /// The books in the order of the sources.
        public var found: [Found] = []
        /// The sources that could not be asked, with the reason.
        public var failures: [(source: String, failure: LookupSource.Failure)] = []
        /// Whether all sources have answered.
        public var isComplete = false

        /// Creates an answer without books.
        public init() {}
    }

    private enum Reply: Sendable {
        case books([Book])
        case failed(LookupSource.Failure)
    }

    private struct State {
        /// The queries in the order in which they were added; nil for those that are not wanted any more.
        var queries: [LookupQuery?] = []
        /// The replies by the number of the query and of the source.
        var replies: [Int: [Int: Reply]] = [:]
        /// Whether the threads end.
        var hasEnded = false

        mutating func add(_ reply: Reply, to query: Int, from source: Int) {
            if queries[query] != nil { replies[query, default: [:]][source] = reply }
        }
    }

    private let sources: [LookupSource]
    private let state = Locked(State())

    /// The least time between two requests to a server, in milliseconds.
    private static let interval = 1000
    /// The time for which a server that failed is not asked again, in milliseconds.
    private static let rest = 60_000
    /// The time to wait for a reply before asking again whether there is one, in milliseconds.
    private static let patience = 60_000

    /// Creates a session; each source is opened by the first lookup.
    ///
    /// - Parameter notify: Called on any thread for each answer of a source.
    public init(in sources: [LookupSource], notifying notify: @escaping @Sendable () -> Void = {}) {
        self.sources = sources
        for (number, source) in sources.enumerated() {
            BackgroundThread.start(as: .interactive) { [state] in
                Self.answer(from: source, number, in: state, notify)
            }
        }
    }

    deinit { end() }

    /// Answers the queries from one source, one after the other, until the session ends.
    private static func answer(
        from source: LookupSource, _ number: Int, in state: Locked<State>, _ notify: @Sendable () -> Void
    ) {
        let search = source.search()
        var last: Int?
        var failure: (failure: LookupSource.Failure, time: Int)?
        for place in 0... {
            while !state.wait(milliseconds: patience, until: { $0.hasEnded || $0.queries.count > place }) {}
            let (query, hasEnded) = state.withLock { ($0.hasEnded ? nil : $0.queries[place], $0.hasEnded) }
            if hasEnded { return }
            guard let query else { continue }
            if source.isServer, let failure, MonotonicTime.milliseconds - failure.time < rest {
                // The others need not wait for a server that does not answer.
                state.change { $0.add(.failed(failure.failure), to: place, from: number) }
                notify()
                continue
            }
            if source.isServer, let last {
                let rest = interval - (MonotonicTime.milliseconds - last)
                if rest > 0 { usleep(UInt32(rest) * 1000) }
                // It may have been taken back meanwhile.
                if state.withLock({ $0.hasEnded || $0.queries[place] == nil }) { continue }
            }
            last = MonotonicTime.milliseconds
            let reply: Reply
            do throws(LookupSource.Failure) {
                reply = .books(try search(query))
            } catch {
                reply = .failed(error)
                if !error.isOfQuery { failure = (error, MonotonicTime.milliseconds) }
            }
            state.change { $0.add(reply, to: place, from: number) }
            notify()
        }
    }

    /// Looks a book up after those that were added before.
    ///
    /// - Returns: The number of the query, counted from 0.
    @discardableResult
    public func add(_ query: LookupQuery) -> Int {
        var number = 0
        state.change { state in
            number = state.queries.count
            state.queries.append(query)
        }
        return number
    }

    /// Takes back the query with this number, and forgets the answer.
    public func remove(_ number: Int) {
        state.change { state in
            state.queries[number] = nil
            state.replies[number] = nil
        }
    }

    /// Ends the threads, each once its source has answered.
    public func end() { state.change { $0.hasEnded = true } }

    /// Whether all sources have answered to the query with this number.
    public func hasAnswer(to number: Int) -> Bool { state.withLock { $0.replies[number]?.count == sources.count } }

    /// Waits until all sources have answered to the query with this number.
    public func wait(forAnswerTo number: Int) {
        while !state.wait(milliseconds: Self.patience, until: { $0.replies[number]?.count == sources.count }) {}
    }

    /// Returns what the sources have answered to the query with this number, waiting until all have.
    public func answer(to number: Int) -> Answer {
        wait(forAnswerTo: number)
        return answerSoFar(to: number)
    }

    /// Returns what the sources have answered so far to the query with this number.
    public func answerSoFar(to number: Int) -> Answer {
        let replies = state.withLock { $0.replies[number] ?? [:] }
        var answer = Answer()
        for (place, source) in sources.enumerated() {
            switch replies[place] {
            case .books(let books): answer.found += books.map { Found(source: source.name, book: $0) }
            case .failed(let failure): answer.failures.append((source.name, failure))
            case nil: break
            }
        }
        answer.isComplete = replies.count == sources.count
        return answer
    }
}

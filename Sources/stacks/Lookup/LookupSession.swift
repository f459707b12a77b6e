internal import Books
internal import Catalog
internal import Glibc
internal import Library
internal import Storage
internal import Text
internal import Threading

/// Looks books up in several sources at once, each on a thread of its own, and hands out what they have as soon as all have
/// answered.
final class LookupSession: Sendable {
    /// A book that a source has.
    struct Found: Hashable, Sendable {
        /// The name of the source.
        let source: String
        /// The book, without what holds in that catalog only.
        let book: Book
    }

    /// What all sources have answered.
    struct Answer: Sendable {
        /// The books in the order of the sources.
        var found: [Found] = []
        /// The sources that could not be asked, with the error.
        var failures: [(source: String, error: CommandError)] = []
    }

    private enum Reply: Sendable {
        case books([Book])
        case failed(CommandError)
    }

    private struct State {
        var queries: [LookupQuery] = []
        /// The replies by the number of the query and of the source.
        var replies: [Int: [Int: Reply]] = [:]
    }

    private let sources: [LookupSource]
    private let state = Locked(State())

    /// The least time between two requests to a server, in milliseconds.
    private static let interval = 1000
    /// The time for which a source that failed is not asked again, in milliseconds.
    private static let rest = 60_000
    /// The time to wait for a reply before asking again whether there is one, in milliseconds.
    private static let patience = 60_000

    /// Creates a session; each source is opened by the first lookup.
    ///
    /// - Parameter notify: Called on any thread for each answer of a source.
    init(
        in sources: [LookupSource], _ config: Config, _ directories: Directories,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        self.sources = sources
        for (number, source) in sources.enumerated() {
            BackgroundThread.start(as: .interactive) { [state] in
                let lookup = SourceLookup(in: source, config, directories)
                var last: Int?
                var failure: (error: CommandError, time: Int)?
                for place in 0... {
                    while !state.wait(milliseconds: Self.patience, until: { $0.queries.count > place }) {}
                    let query = state.withLock { $0.queries[place] }
                    if let failure, MonotonicTime.milliseconds - failure.time < Self.rest {
                        // The others need not wait for a server that does not answer.
                        state.change { $0.replies[place, default: [:]][number] = .failed(failure.error) }
                        notify()
                        continue
                    }
                    if source.isRemote, let last {
                        let rest = Self.interval - (MonotonicTime.milliseconds - last)
                        if rest > 0 { usleep(UInt32(rest) * 1000) }
                    }
                    last = MonotonicTime.milliseconds
                    let reply: Reply
                    do throws(CommandError) {
                        reply = .books(try lookup.books(matching: query))
                    } catch {
                        reply = .failed(error)
                        failure = (error, MonotonicTime.milliseconds)
                    }
                    state.change { $0.replies[place, default: [:]][number] = reply }
                    notify()
                }
            }
        }
    }

    /// Looks a book up after those that were added before.
    func add(_ query: LookupQuery) { state.change { $0.queries.append(query) } }

    /// Whether all sources have answered to the query with this number, counted from 0.
    func hasAnswer(to number: Int) -> Bool { state.withLock { $0.replies[number]?.count == sources.count } }

    /// Waits until all sources have answered to the query with this number.
    func wait(forAnswerTo number: Int) {
        while !state.wait(milliseconds: Self.patience, until: { $0.replies[number]?.count == sources.count }) {}
    }

    /// Returns what the sources have answered to the query with this number, waiting until all have.
    func answer(to number: Int) -> Answer {
        wait(forAnswerTo: number)
        let replies = state.withLock { $0.replies[number] ?? [:] }
        var answer = Answer()
        for (place, source) in sources.enumerated() {
            switch replies[place] {
            case .books(let books): answer.found += books.map { Found(source: source.name, book: $0) }
            case .failed(let error): answer.failures.append((source.name, error))
            case nil: break
            }
        }
        return answer
    }
}

/// What is known of a book that was looked up.
struct LookedUpBook {
    /// The records of the book, with their sources.
    let found: [LookupSession.Found]
    /// The values of the records, of which the best is chosen.
    let proposal: MergeProposal

    /// Joins records of one book.
    ///
    /// - Parameter isbn: The ISBN that was looked up, which all of them have.
    private init(_ found: [LookupSession.Found], isbn: ISBN?) {
        self.found = found
        proposal = MergeProposal(
            found.map { found in
                var book = found.book
                if let isbn { book.isbn = isbn }
                return book
            }, in: .ofEveryBook)
    }

    /// Returns the books of an answer: one for an ISBN, and for a title one for each ISBN, or title and authors.
    static func books(of answer: LookupSession.Answer, to query: LookupQuery) -> [LookedUpBook] {
        if answer.found.isEmpty { return [] }
        if case .isbn(let isbn) = query { return [LookedUpBook(answer.found, isbn: isbn)] }
        var places: [BookIdentity.Key: Int] = [:]
        var groups: [[LookupSession.Found]] = []
        for found in answer.found {
            let key = BookIdentity.Key(of: found.book)
            if let place = places[key] {
                groups[place].append(found)
            } else {
                places[key] = groups.count
                groups.append([found])
            }
        }
        return groups.map { LookedUpBook($0, isbn: nil) }
    }

    /// The book with the best values; its ISBN stands for a title that no source has.
    var book: Book {
        var book = Book(title: "")
        for choice in proposal.choices { choice.field.set(choice.value, in: &book) }
        // A number in another series is none in this one.
        let series = book.series?.folded
        book.seriesPosition =
            found.lazy.filter { $0.book.series?.folded == series }.compactMap(\.book.seriesPosition).first
        if book.title.isEmpty { book.title = book.isbn?.formatted ?? "" }
        return book
    }

    /// The values of a field, the chosen one first, each with the names of its sources.
    func values(of choice: MergeProposal.Choice) -> [(value: FieldValue, sources: [String])] {
        let chosen = choice.values[choice.chosen]
        let others = choice.isJoined ? [] : choice.values.filter { $0 != chosen && !$0.books.isEmpty }
        return ([chosen] + others).map { value in
            let numbers = value.books.isEmpty ? choice.values.flatMap(\.books) : value.books
            var names: [String] = []
            for number in numbers.sorted() where !names.contains(found[number].source) {
                names.append(found[number].source)
            }
            return (value.value, names)
        }
    }
}

internal import Books
internal import Catalog
internal import Glibc
internal import Library
internal import Storage
internal import Threading

/// Looks books up in several sources at once, and hands out what each of them has as soon as all have answered.
final class LookupSession {
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

    private let queries: [LookupQuery]
    private let sources: [LookupSource]
    /// The replies by the number of the query and of the source.
    private let replies = Locked<[Int: [Int: Reply]]>([:])

    /// The least time between two requests to a server, in milliseconds.
    private static let interval = 1000
    /// The time to wait for a reply before asking again whether there is one, in milliseconds.
    private static let patience = 60_000

    /// Starts to look the books up, in the order of `queries`.
    init(_ queries: [LookupQuery], in sources: [LookupSource], _ config: Config, _ directories: Directories) {
        (self.queries, self.sources) = (queries, sources)
        for (number, source) in sources.enumerated() {
            BackgroundThread.start(as: .interactive) { [queries, replies] in
                let lookup = SourceLookup(in: source, config, directories)
                var last: Int?
                for (place, query) in queries.enumerated() {
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
                    }
                    replies.change { $0[place, default: [:]][number] = reply }
                }
            }
        }
    }

    /// Returns what the sources have answered to the query with this number, waiting until all have.
    func answer(to number: Int) -> Answer {
        while !replies.wait(milliseconds: Self.patience, until: { $0[number]?.count == sources.count }) {}
        let replies = replies.withLock { $0[number] ?? [:] }
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

    /// The book with the best values.
    var book: Book {
        var book = Book(title: "")
        for choice in proposal.choices { choice.field.set(choice.value, in: &book) }
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

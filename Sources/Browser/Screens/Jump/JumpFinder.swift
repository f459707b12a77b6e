internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// Finds the lists, titles and names that match what is typed: the lists at once, the others in the background.
///
/// Of the catalog of a server, only the books on the screen are known here.
final class JumpFinder {
    /// A target of a jump.
    enum Target: Hashable {
        case list(NamedList, count: Int?)
        case candidate(JumpCandidate)
    }

    /// The targets that match, the best first.
    private(set) var targets: [Target] = []
    /// The number of all targets that match, also of those that are not among the best.
    private(set) var matchCount = 0
    /// What was typed.
    private(set) var pattern = FuzzyPattern("")
    /// Whether all titles and names were looked at.
    private(set) var isComplete = false
    /// The books on the screen, if they come from a server.
    let loaded: LoadedBooks?
    private let session: Session
    private var search: JumpSearch?
    /// The number of books that the search looks at, and whether it knows their names.
    private var basis = (bookCount: 0, hasNames: false)

    /// The time in milliseconds that a key waits for the first candidates of a large catalog, so that they are on the
    /// screen within a frame.
    private static let timeBudget = 5

    private var isLarge: Bool { session.library.store.index.count > 50_000 }

    /// Creates a finder in the catalog of `session`, and collects its names.
    init(_ session: Session) {
        self.session = session
        loaded = session.library.store.local == nil ? LoadedBooks(onScreenOf: session.books) : nil
        find("")
    }

    /// Finds the targets for what was typed. What is not found within a frame arrives later.
    func find(_ typed: String) {
        search?.stop()
        pattern = FuzzyPattern(typed)
        let index = loaded?.index ?? session.library.store.index
        let names = loaded?.names ?? session.library.distinctNames(notifying: session.wake)
        basis = (index.count, names != nil)
        let search = JumpSearch(pattern, in: index, names, notifying: session.wake)
        self.search = search
        search.wait(milliseconds: isLarge ? Self.timeBudget : session.books.timeBudget)
        take(search.result)
    }

    /// Takes over what was found since.
    ///
    /// - Returns: Whether anything changed.
    func receive(typed: String) -> Bool {
        if loaded == nil, !session.library.store.state.isLoading || isComplete {
            let index = session.library.store.index
            let hasNames = session.library.distinctNames(notifying: session.wake) != nil
            if index.count != basis.bookCount || hasNames != basis.hasNames {
                find(typed)
                return true
            }
        }
        guard let search else { return false }
        take(search.result)
        return true
    }

    /// Stops the search.
    func stop() {
        search?.stop()
        search = nil
    }

    private func take(_ result: JumpSearch.Result) {
        isComplete = result.isComplete && (basis.hasNames || session.library.store.state.isLoading)
        if result.isComplete { search = nil }
        let lists = lists
        matchCount = result.matchCount + lists.count
        // Without a pattern, there is nothing by which titles and names go before lists.
        targets = []
        var next = 0
        for candidate in result.candidates {
            while next < lists.count, pattern.isEmpty || lists[next].rank >= candidate.rank {
                targets.append(lists[next].target)
                next += 1
            }
            targets.append(.candidate(candidate))
        }
        targets += lists[next...].map(\.target)
    }

    /// The lists that match, the best first.
    private var lists: [(rank: UInt64, target: Target)] {
        let library = session.library
        // What is to be tidied up is found by its name only, and takes no room from names.
        let lists = pattern.isEmpty ? library.lists : library.everyList
        let found = lists.enumerated().compactMap { number, list -> (rank: UInt64, Int, Target)? in
            let count = library.count(of: list)?.total
            guard let rank = pattern.rank(of: list.name, bookCount: count ?? 0) else { return nil }
            return (rank, number, .list(list, count: count))
        }
        let sorted = pattern.isEmpty ? found : found.sorted { ($1.rank, $0.1) < ($0.rank, $1.1) }
        return sorted.map { ($0.rank, $0.2) }
    }

    /// Returns the id of the book of a candidate.
    func book(of candidate: JumpCandidate) -> BookID {
        loaded?.ids[candidate.book.index] ?? candidate.book
    }

    /// Returns the name of a candidate as its book writes it.
    func name(of candidate: JumpCandidate) -> String {
        if let loaded { return candidate.name(in: loaded) }
        return candidate.name(in: session.library.store)
    }

    /// Returns the query for the books that have the name of a candidate.
    func query(of candidate: JumpCandidate) -> String {
        if let loaded { return candidate.query(in: loaded) }
        return candidate.query(in: session.library.store)
    }
}

/// The books on the screen, from a server that has the others.
struct LoadedBooks: BookReader {
    /// The books.
    let books: [Book]
    /// Their ids.
    let ids: [BookID]
    /// Their index and names.
    let index: BookIndex
    let names: DistinctNames?

    /// The books in the visible rows of `model`.
    init(onScreenOf model: BookListModel) {
        let (rows, library) = (model.rows.books, model.library)
        let top = model.table.topRow
        var books: [Book] = []
        var ids: [BookID] = []
        for row in top..<max(top, min(top + model.table.frame.height, rows.rowCount.displayed)) {
            guard let id = rows.id(atRow: row).value, let summary = library.store.summary(of: id).value else {
                continue
            }
            books.append(library.store.bookAtHand(id) ?? Book(summary))
            ids.append(id)
        }
        (self.books, self.ids, index) = (books, ids, BookIndex(of: books))
        names = DistinctNames(of: index)
    }

    func bookAtHand(_ id: BookID) -> Book? { books.indices.contains(id.index) ? books[id.index] : nil }

    var isFetching: Bool { false }
}

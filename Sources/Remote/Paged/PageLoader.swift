internal import ConnectorProtocol
internal import Indexing

/// Decides which pages of paged lists are requested, and when.
///
/// Pages are requested in the order in which the screen asks for them, the last one first, so that fast scrolling
/// fetches little more than the place where it stops.
struct PageLoader {
    /// A running request.
    enum Job {
        /// A page of a list.
        case page(PagedRows, Int)
        /// The books with these identifiers.
        case books([BookID])
        /// The row of a book or value in a list.
        case row(PagedRows, PageRequest.Position)
    }

    /// The maximum number of pages that are requested at the same time.
    private static let parallelLimit = 3
    /// The maximum number of pages that wait; the screen asks again for one that is dropped and still displayed.
    private static let waitingLimit = 4
    /// The maximum distance of a requested page from the displayed one, in pages.
    private static let usefulDistance = 2

    /// The running requests by number.
    private(set) var running: [Int: Job] = [:]
    /// The pages to request, the most urgent one last.
    private var wanted: [(rows: PagedRows, page: Int)] = []

    /// Notes that a page is needed, unless it is requested already.
    mutating func want(_ page: Int, of rows: PagedRows) {
        if isRunning(page, of: rows) { return }
        wanted.removeAll { $0.rows === rows && $0.page == page }
        wanted.append((rows, page))
        if wanted.count > Self.waitingLimit { wanted.removeFirst() }
    }

    /// Returns and removes the page to request next; nil if there is none, or enough requests are running.
    mutating func next() -> (rows: PagedRows, page: Int)? {
        let count = running.values.count { if case .page = $0 { true } else { false } }
        return count < Self.parallelLimit ? wanted.popLast() : nil
    }

    /// Notes that a request was sent.
    mutating func start(_ request: Int, _ job: Job) { running[request] = job }

    /// Notes that a request is done.
    ///
    /// - Returns: What was requested; nil if it is not needed any more.
    mutating func end(_ request: Int) -> Job? { running.removeValue(forKey: request) }

    /// Whether the row of a book or value is being requested.
    func isLocating(_ position: PageRequest.Position, in rows: PagedRows) -> Bool {
        running.values.contains { if case .row(let other, position) = $0 { other === rows } else { false } }
    }

    /// Removes all requests, because they are lost.
    ///
    /// - Returns: What was requested.
    @discardableResult
    mutating func endAll() -> [Job] {
        defer { (running, wanted) = ([:], []) }
        return Array(running.values) + wanted.map { Job.page($0.rows, $0.page) }
    }

    /// Drops the pages that the screen does not need any more: those of other lists than `rows`, and those far from
    /// the displayed page.
    ///
    /// - Returns: The numbers of the requests to cancel.
    mutating func dropUseless(for rows: PagedRows) -> [Int] {
        func isUseless(_ other: PagedRows, _ page: Int) -> Bool {
            other !== rows || abs(page - rows.lastAskedPage) > Self.usefulDistance
        }
        wanted.removeAll { isUseless($0.rows, $0.page) }
        let dropped = running.compactMap { request, job in
            if case .page(let other, let page) = job, isUseless(other, page) { request } else { nil }
        }
        for request in dropped { running[request] = nil }
        return dropped
    }

    /// Whether no page is requested or waits.
    var isIdle: Bool {
        wanted.isEmpty && !running.values.contains { if case .page = $0 { true } else { false } }
    }

    private func isRunning(_ page: Int, of rows: PagedRows) -> Bool {
        running.values.contains { job in
            if case .page(let other, page) = job { other === rows } else { false }
        }
    }
}

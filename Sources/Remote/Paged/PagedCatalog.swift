public import Books
public import Catalog
public import ConnectorProtocol
internal import Glibc
public import Indexing
public import JSON
public import Search
internal import Threading

/// A catalog that stays on its server: books are loaded as they are displayed, and the server searches and sorts.
public final class PagedCatalog: RemotelyQueried {
    /// The settings for opening a catalog.
    public struct Options {
        /// The path of the connector program.
        public var program: String
        /// The user and password for the server.
        public var signIn: SignIn
        /// The profile chosen by the user; nil to detect it.
        public var profile: Profile?
        /// The profiles that the source may name.
        public var library: ProfileLibrary
        /// The time to wait for the first page when the catalog is opened, in milliseconds.
        public var openingTime: Int
        /// Returns the reason for a failure in a few words, for the rows that could not be loaded.
        public var reason: (ConnectorFailure) -> String
        /// Whether pages are kept for times without a network.
        public var keepsPages = true

        /// Creates settings.
        public init(
            program: String, signIn: SignIn, profile: Profile?, library: ProfileLibrary, openingTime: Int,
            reason: @escaping (ConnectorFailure) -> String
        ) {
            (self.program, self.signIn, self.profile, self.library) = (program, signIn, profile, library)
            (self.openingTime, self.reason) = (openingTime, reason)
        }
    }

    /// The name that the user gave the catalog, or its address without user and password.
    public let name: String
    /// The way the records are read; nil until the first ones are loaded.
    public private(set) var format: CatalogFormat?
    /// The state of the connection.
    public private(set) var connection = RemoteConnection.connecting {
        didSet {
            if connection == oldValue { return }
            // A page that arrives at the same time does not hide that another one failed.
            if case .failed(let failure, _) = connection { untoldFailure = failure }
            if connection == .connecting { untoldFailure = nil }
        }
    }

    let options: Options
    let store: PageStore
    private let conversation: any PageExchange
    private let wakeUp: Locked<@Sendable () -> Void>
    private var loader = PageLoader()
    private(set) var books = PagedBooks()
    private var lists = PagedLists()
    private var missing = UnloadedBooks()
    /// The records of running requests that have arrived, with the row of the first one.
    private var arrived: [Int: (first: Int, records: [JSONValue])] = [:]
    /// The description of the source; nil until it is open.
    private var opened: OpenedSource?
    /// Whether a book that is not loaded must keep its identifier.
    private var isKept: (BookID) -> Bool = { _ in false }
    /// The last failure that was not told yet.
    private var untoldFailure: ConnectorFailure?

    /// Prepares the catalog at an address, which is called `title`; its pages are kept in `directory`.
    public convenience init(
        at address: String, titled title: String? = nil, in directory: MirrorDirectory, _ options: Options
    ) {
        let wakeUp = Locked<@Sendable () -> Void>({})
        let conversation = PageConversation(
            program: options.program, cache: directory.path, source: address,
            fields: options.profile?.mapping.pathsByField,
            credentials: options.signIn.credentials,
            notifying: { wakeUp.withLock { $0 }() })
        self.init(called: title ?? address, in: directory, options, conversation, waking: wakeUp)
    }

    /// Prepares a catalog whose pages come through `conversation`, which calls `wakeUp` for new events.
    init(
        called name: String, in directory: MirrorDirectory, _ options: Options, _ conversation: any PageExchange,
        waking wakeUp: Locked<@Sendable () -> Void>
    ) {
        (self.name, self.options, self.conversation, self.wakeUp) = (name, options, conversation, wakeUp)
        store = PageStore(in: directory)
    }

    deinit { conversation.end() }

    // MARK: - CatalogSource

    /// Requests the first page and waits for it, at most the time of the options.
    public func open() {
        guard !lists.isOpen else { return }
        _ = all.id(atRow: 0)
        let deadline = MonotonicTime.milliseconds + options.openingTime
        var count = 0
        while connection == .connecting, MonotonicTime.milliseconds < deadline {
            count = conversation.wait(after: count, milliseconds: deadline - MonotonicTime.milliseconds)
            _ = receive()
        }
    }

    /// All books in the source's order.
    public var all: any RowSource { lists.all { [unowned self] in want($1, of: $0) } }

    /// The number of books, as far as the source has told.
    public var count: BookCount { all.rowCount }

    /// Always `ready`, because books are loaded on demand.
    public var state: SourceState { .ready }

    /// Always empty: a source tells its problems when it is asked.
    public var defects: CatalogDefects { CatalogDefects() }

    /// Returns the fields of a book that a row shows; requests the book if it was unloaded.
    public func summary(of id: BookID) -> Slot<BookSummary> { book(id).map(BookSummary.init(of:)) }

    /// Returns a book; requests it if it was unloaded.
    public func book(_ id: BookID) -> Slot<Book> {
        if let entry = books.entry(id) { return .ready(entry.book) }
        guard books.sourceID(of: id) != nil else { return .gone }
        let slot = missing.slot(of: id)
        if slot == .pending { requestBooks() }
        return slot
    }

    /// Returns the record of a loaded book.
    public func record(_ id: BookID) -> JSONValue? { books.entry(id)?.record }

    /// Sets the function that is called when books have arrived.
    public func start(waking wake: @escaping @Sendable () -> Void) {
        wakeUp.withLock { $0 = wake }
        // What arrived before has woken nobody.
        conversation.wakeIfNeeded()
    }

    /// Adopts the books that have arrived.
    public func receive() -> Bool {
        var isChanged = false
        for event in conversation.takeEvents() { isChanged = receive(event) || isChanged }
        if isChanged { requestPages() }
        return isChanged
    }

    /// Waits for a reply, at most `milliseconds`, and adopts what has arrived.
    ///
    /// - Returns: Whether there was one.
    func waitForReply(milliseconds: Int) -> Bool {
        let count = conversation.eventCount
        if receive() { return true }
        guard conversation.wait(after: count, milliseconds: milliseconds) > count else { return false }
        _ = receive()
        return true
    }

    // MARK: - Lists

    /// Returns the rows that match `request`; the source searches and sorts when they are displayed.
    public func rows(for request: ListRequest) -> any RowSource {
        let query = request.query.expression == .everything ? nil : request.query.text
        let sort = request.order.criteria.map { PageRequest.SortKey($0.key.rawValue, isDescending: $0.isReversed) }
        let rows = lists.rows(query: query, sort: sort) { [unowned self] in want($1, of: $0) }
        for request in loader.dropUseless(for: rows) { conversation.cancel(request) }
        return rows
    }

    /// The keys by which the source sorts; nil until it is open.
    public var sortKeys: Set<SortOrder.Key>? {
        opened.map { Set(($0.abilities?.sorts ?? []).compactMap { SortOrder.Key(rawValue: $0) }) }
    }

    /// The id of a loaded book in the source.
    public func sourceID(of id: BookID) -> String? { books.sourceID(of: id) }

    /// Returns the identifier of the book with an id in the source.
    public func id(ofSourceID sourceID: String) -> BookID { books.id(ofSourceID: sourceID) }

    /// Returns the row in which a list has the book with an id in the source; `gone` if it has not.
    public func row(ofBookWithSourceID sourceID: String, in rows: any RowSource) -> Slot<Int> {
        row(at: .book(sourceID), in: rows)
    }

    /// Returns the first row in which a sorted list has a book at a letter or number, or after it.
    public func row(ofFirstBookAt text: String, in rows: any RowSource) -> Slot<Int> { row(at: .value(text), in: rows) }

    private func row(at position: PageRequest.Position, in rows: any RowSource) -> Slot<Int> {
        guard let rows = rows as? PagedRows else { return .gone }
        let slot = lists.row(at: position, in: rows)
        if slot == .pending, !loader.isLocating(position, in: rows) {
            let request = pageRequest(for: rows, at: position)
            loader.start(conversation.send(.page(request)), .row(rows, position))
        }
        return slot
    }

    /// Keeps the identifiers of these books, such as selected ones, while they are not loaded.
    public func keepIDs(where isKept: @escaping (BookID) -> Bool) { self.isKept = isKept }

    /// Returns the most recent failure of the connection, once.
    public func takeFailure() -> ConnectorFailure? {
        defer { untoldFailure = nil }
        return untoldFailure
    }

    // MARK: - Requests

    private func want(_ page: Int, of rows: PagedRows) {
        // A list that is drawn until its successor has rows must not delay these.
        guard rows === lists.current else { return }
        loader.want(page, of: rows)
        for request in loader.dropUseless(for: rows) { conversation.cancel(request) }
        requestPages()
    }

    /// Requests the pages that are needed, and if there are none, those beside the displayed one.
    private func requestPages() {
        if loader.isIdle {
            guard let rows = lists.current else { return }
            for page in [rows.lastAskedPage + 1, rows.lastAskedPage - 1]
            where connection == .fresh && rows.isLoaded(rows.lastAskedPage) && !rows.has(page) && rows.mayHave(page) {
                loader.want(page, of: rows)
            }
        }
        while let (rows, page) = loader.next() {
            let request = pageRequest(for: rows, at: .row(page * PagedRows.pageSize))
            loader.start(conversation.send(.page(request)), .page(rows, page))
        }
    }

    private func pageRequest(for rows: PagedRows, at position: PageRequest.Position) -> PageRequest {
        PageRequest(
            query: rows.query, sort: rows.sort, at: position, limit: PagedRows.pageSize, generation: rows.generation)
    }

    private func requestBooks() {
        guard let ids = missing.next() else { return }
        let sourceIDs = ids.compactMap(books.sourceID(of:))
        loader.start(conversation.send(.books(ids: sourceIDs)), .books(ids))
    }

    // MARK: - Replies

    /// Returns whether anything visible may have changed.
    private func receive(_ event: PageConversation.Event) -> Bool {
        switch event {
        case .opened(let source):
            opened = source
            return false
        case .rows(let request, let rows):
            arrived[request, default: (rows.first, [])].records += rows.rows
            return false
        case .ended(let request, let end):
            let (first, records) = arrived.removeValue(forKey: request) ?? (0, [])
            guard let job = loader.end(request) else { return false }
            connection = .fresh
            take(records, from: first, end ?? PageEnd(count: nil), for: job)
            return true
        case .failed(let request, let failure):
            arrived[request] = nil
            guard let job = loader.end(request) else { return false }
            fail(job, failure)
            return true
        case .lost(let failure):
            arrived = [:]
            connection = .failed(failure, since: connection.dateOfPages)
            loader.endAll().forEach { fail($0, failure) }
            return true
        }
    }

    private func take(_ records: [JSONValue], from first: Int, _ end: PageEnd, for job: PageLoader.Job) {
        let ids = load(records, profile: opened?.profile)
        switch job {
        case .page(let rows, let page):
            rows.take(page, ids, end)
            if !options.keepsPages { break }
            let kept = PageStore.Page(time: time(nil), profile: opened?.profile, rows: records, total: end.count)
            store.keep(kept, of: pageRequest(for: rows, at: .row(page * PagedRows.pageSize)), kind: opened?.kind ?? "")
        case .books(let asked):
            let loaded = Set(ids)
            missing.end(asked.filter { !loaded.contains($0) }, .gone)
            requestBooks()
        case .row(let rows, .book(let sourceID)):
            let place = ids.firstIndex { books.sourceID(of: $0) == sourceID }
            lists.note(place.map { first + $0 }, at: .book(sourceID), in: rows)
        case .row(let rows, let position):
            // After the last book, there are no records.
            lists.note(records.isEmpty ? end.count?.value ?? 0 : first, at: position, in: rows)
        }
    }

    /// Takes a page from the store in place of one that failed, or says why there is none.
    private func fail(_ job: PageLoader.Job, _ failure: ConnectorFailure) {
        switch job {
        case .page(let rows, let page):
            let request = pageRequest(for: rows, at: .row(page * PagedRows.pageSize))
            guard options.keepsPages, failure.kind == .offline, let kept = store.page(of: request) else {
                if failure.kind == .cancelled { return }
                rows.fail(page, options.reason(failure))
                connection = .failed(failure, since: connection.dateOfPages)
                return
            }
            rows.take(page, load(kept.rows, profile: kept.profile), PageEnd(count: kept.total))
            connection = .failed(failure, since: min(kept.time, connection.dateOfPages ?? kept.time))
        case .books(let ids): missing.end(ids, .failed(options.reason(failure)))
        case .row(let rows, let position): lists.note(nil, at: position, in: rows)
        }
    }

    /// Loads records, and detects their profile from the first ones.
    private func load(_ records: [JSONValue], profile: String?) -> [BookID] {
        if format == nil, !records.isEmpty {
            format = CatalogFormat(
                of: records, by: options.profile, knownAs: profile.flatMap(options.library.profile(named:)),
                in: options.library)
            books.mapping = format?.mapping
        }
        let ids = records.map { books.load($0) }
        books.dropIDs { isKept($0) || lists.hasRow(of: $0) }
        return ids
    }
}

extension PagedCatalog: RecordBacked {}

extension FieldMapping {
    /// The paths of each field by its name, as in a profile.
    fileprivate var pathsByField: [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: rules.map { field, rule in
                (field.id, rule.candidates.map(\.path.description))
            })
    }
}

extension PagedCatalog: Reloadable {
    /// Always true.
    public var canReload: Bool { true }

    /// Always false: the server is asked again for what is displayed.
    public var isOutdated: Bool { false }

    /// Requests all displayed books again, and those that failed.
    public func reload() {
        loader.endAll()
        lists = PagedLists(after: lists)
        books.unload()
        missing = UnloadedBooks()
        connection = .connecting
        _ = all.id(atRow: 0)
    }

    /// Returns nil, because a server does not tell changes.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? { nil }
}

extension PagedCatalog: PasswordProtected {
    /// The question for a user and password that has no answer yet.
    public var passwordQuestion: CredentialQuestion? { options.signIn.openQuestion }

    /// Answers the questions of the server.
    public var credentials: CredentialSource { options.signIn.credentials }

    /// Asks the server again, as this user.
    public func signIn(with credential: SourceCredential) {
        options.signIn.answer(credential)
        reload()
    }

    /// Whether nothing has arrived since the catalog was opened or read again.
    public var isConnecting: Bool { connection == .connecting }

    /// Stops waiting for the server.
    public func stopConnecting() {
        let failure = ConnectorFailure(.cancelled)
        connection = .failed(failure, since: nil)
        loader.endAll().forEach { fail($0, failure) }
    }
}

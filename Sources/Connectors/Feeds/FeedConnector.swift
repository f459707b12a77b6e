internal import ConnectorProtocol

/// An OPDS catalog on a server. A copy has all books of its lists.
///
/// The lists are read one after another, page by page, each list once, within the origin of the catalog. Many lists
/// show the same books in another order; therefore the remaining lists are skipped when all announced books have
/// arrived and several consecutive pages had no new book.
final class FeedConnector: Connector {
    /// The versions of OPDS.
    enum Format {
        /// OPDS 1.2, in XML.
        case atom
        /// OPDS 2.0, in JSON.
        case publications
    }

    private let context: RequestContext
    private let format: Format
    /// The first page, and its address.
    private let first: (url: String, page: FeedPage)
    let opened: OpenedSource
    /// The server's version of the first page; empty if there are other pages, which may change independently.
    private(set) var version: SourceVersion

    private var ids: Set<String> = []
    private var visited: Set<String> = []
    /// The addresses of lists to read, as a stack: the lists that the current list links to are at the end.
    private var waiting: [String] = []
    /// The largest number of books announced by a list.
    private var promised = 0
    /// The number of consecutive pages without a new book.
    private var pagesWithoutNewBooks = 0
    private var isWhole = true
    /// The size of the ids and addresses above, in bytes.
    private var keptSize = 0

    /// The maximum length of a page in bytes.
    static let pageLimit = 1 << 25
    /// The maximum size of the ids and addresses of a feed, in bytes: those of a million books.
    private static let keptLimit = 1 << 26
    /// The approximate size of a text beside its bytes.
    private static let textOverhead = 32
    /// The number of pages without a new book after which reading stops, if the announced number has been reached, or
    /// if none was announced.
    private static let pagesBeforeStopping = (known: 8, unknown: 64)
    /// The maximum number of attempts to fetch a page.
    private static let attempts = 3

    /// Opens the catalog whose first page is `document`.
    ///
    /// - Throws: `ConnectorFailure` if the page is incomplete.
    init(
        _ document: [UInt8], at url: String, _ format: Format, version: SourceVersion, _ context: RequestContext
    ) throws(ConnectorFailure) {
        first = (url, try Self.page(document, of: format, at: url))
        (self.context, self.format, self.version) = (context, format, version)
        opened = OpenedSource(
            kind: "opds", profile: format == .atom ? "native" : "opds",
            facts: first.page.search == nil ? [:] : ["search": "server"])
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        visited = [first.url]
        let start = first.page
        if let words = context.words {
            version = SourceVersion()
            try walk(try results(of: words), to: rows)
            return isWhole
        }
        if start.next != nil || start.complete != nil || !start.lists.isEmpty { version = SourceVersion() }
        if let complete = start.complete, isAllowed(complete) {
            // One list has all books; the others are not needed.
            visited.insert(complete)
            try walk(complete, to: rows)
        } else {
            try walk(start, to: rows)
            while let list = waiting.popLast() {
                try rows.checkCancellation()
                if isDone { break }
                if visited.insert(list).inserted {
                    try walk(list, to: rows)
                } else {
                    keptSize -= Self.size(of: list)
                }
            }
        }
        return isWhole
    }

    /// Returns the address of the results of the catalog's own search.
    private func results(of words: String) throws(ConnectorFailure) -> String {
        var (template, base) = ("", first.url)
        switch first.page.search {
        case .template(let text): template = text
        case .description(let url):
            guard isAllowed(url) else { throw ConnectorFailure(.unsupported, .noSearch) }
            let (_, document) = try context.http.fetch(HTTPRequest(url: url), limit: Self.pageLimit)
            (template, base) = (try OpenSearchDescription.template(in: document), url)
        case nil: throw ConnectorFailure(.unsupported, .noSearch)
        }
        guard let address = FeedSearch.address(template, for: words).flatMap({ WebAddress.resolved($0, in: base) }),
            isAllowed(address)
        else { throw ConnectorFailure(.unsupported, .noSearch) }
        return address
    }

    /// Whether the remaining lists can be skipped.
    private var isDone: Bool {
        let limits = Self.pagesBeforeStopping
        return pagesWithoutNewBooks >= (promised > 0 && ids.count >= promised ? limits.known : limits.unknown)
    }

    private static func size(of text: String) -> Int { text.utf8.count + textOverhead }

    /// Counts the size of texts that are kept to the end.
    ///
    /// - Throws: `ConnectorFailure` if there are too many of them: a server can send new ones without end.
    private func keep(_ texts: [String]) throws(ConnectorFailure) {
        keptSize += texts.reduce(0) { $0 + Self.size(of: $1) }
        if keptSize > Self.keptLimit { throw ConnectorFailure(.refused, .tooLarge) }
    }

    private func isAllowed(_ url: String) -> Bool {
        ServerOrigin(of: url) == ServerOrigin(of: first.url)
    }

    private func walk(_ url: String, to rows: RowWriter) throws(ConnectorFailure) {
        if let page = try fetch(url, rows) { try walk(page, to: rows) }
    }

    /// Writes the books of a list, page by page.
    private func walk(_ start: FeedPage, to rows: RowWriter) throws(ConnectorFailure) {
        var page = start
        var count = 0
        var lists: [String] = []
        // A list of lists counts lists, not books.
        let total = page.publications.isEmpty ? nil : page.total
        if let total {
            promised = max(promised, total)
            rows.total = promised
        }
        while true {
            count += page.publications.count
            let hasNew = try add(page.publications, to: rows)
            lists += page.lists
            try keep(page.lists)
            // A list of known books in another order need not be read to its end.
            if !hasNew, ids.count >= promised, !page.publications.isEmpty, isDone { break }
            guard let next = page.next, isAllowed(next), visited.insert(next).inserted else {
                if let total, count < total { note(rows, "\(count) of \(total)") }
                break
            }
            try keep([next])
            guard let following = try fetch(next, rows) else { break }
            page = following
        }
        keptSize -= lists.reduce(0) { $0 + Self.size(of: $1) }
        let following = lists.compactMap { WebAddress.resolved($0, in: first.url) }.filter(isAllowed)
        waiting += following.reversed()
        try keep(following)
    }

    /// Writes the new books.
    ///
    /// - Returns: Whether there is a new book.
    private func add(_ publications: [FeedPage.Publication], to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        var hasNew = false
        for publication in publications where ids.insert(publication.id).inserted {
            hasNew = true
            try keep([publication.id])
            try rows.add { $0 += publication.json }
        }
        pagesWithoutNewBooks = hasNew ? 0 : pagesWithoutNewBooks + 1
        try rows.flush()
        return hasNew
    }

    /// Fetches a page; returns nil and records a defect if that fails.
    private func fetch(_ url: String, _ rows: RowWriter) throws(ConnectorFailure) -> FeedPage? {
        for attempt in 1...Self.attempts {
            do throws(ConnectorFailure) {
                let (_, document) = try context.http.fetch(HTTPRequest(url: url), limit: Self.pageLimit)
                return try Self.page(document, of: format, at: url)
            } catch {
                if error.kind == .cancelled || error.kind == .auth { throw error }
                let mayPass = error.kind == .offline || error.kind == .busy || error.kind == .server
                guard mayPass, attempt < Self.attempts, (error.retryAfter ?? 0) < 30 else {
                    note(rows, error.detail)
                    return nil
                }
                try context.wait(milliseconds: max(500 * attempt, (error.retryAfter ?? 0) * 1000))
            }
        }
        return nil
    }

    private static func page(
        _ document: [UInt8], of format: Format, at url: String
    ) throws(ConnectorFailure) -> FeedPage {
        switch format {
        case .atom: try AtomPage.page(document, at: url)
        case .publications: try PublicationsPage(document, at: url).page
        }
    }

    private func note(_ rows: RowWriter, _ detail: String?) {
        isWhole = false
        rows.note(.cut, detail: detail)
    }
}

internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Formats
internal import Graphemes
internal import Indexing
internal import Library
internal import Remote
internal import Search
internal import Text

/// Prints the requested books of a catalog that stays on a server: the server selects and sorts them.
struct PagedPrinter {
    private var catalog: OpenedCatalog
    private let paged: PagedCatalog
    private let request: BookRequest
    private let form: any BookFormatter
    private let formatLabel: String?
    private let limit: Int?
    private let listName: String?
    private let includesUserData: Bool

    /// The maximum number of books without a limit of the user, because a server may have a billion.
    private static let usualLimit = 10_000

    /// Prepares to print at most `limit` books.
    init(
        _ catalog: OpenedCatalog, _ paged: PagedCatalog, _ request: BookRequest, form: any BookFormatter,
        formatLabel: String? = nil, limit: Int? = nil, listName: String? = nil, includesUserData: Bool = true
    ) {
        (self.catalog, self.paged, self.request, self.form) = (catalog, paged, request, form)
        self.formatLabel = formatLabel
        (self.limit, self.listName, self.includesUserData) = (limit, listName, includesUserData)
    }

    /// Prints the books, and errors to standard error.
    ///
    /// - Returns: The exit status.
    func run(to output: any BookOutput = StandardOutput()) -> Int32 {
        if listName != nil {
            return CommandError(
                sentence: CommandMessage.needsWholeCatalog.text(catalog.path), exitStatus: ExitStatus.usage
            ).report()
        }
        let request: BookRequest
        do throws(CommandError) {
            request = try self.request.resolved(in: paged.format?.schema ?? .ofEveryBook)
        } catch {
            return error.report()
        }
        let asked = ListRequest(query: request.query ?? Query(""), order: request.order ?? .list)
        let rows = paged.rows(for: asked)
        var line = ProgressLine("reading")
        let maximum = limit ?? Self.usualLimit
        let found = paged.books(of: rows, limit: maximum, withRecords: form.needsRecords) {
            line.show($0, fraction: nil)
        }
        line.clear()
        if !rows.ignoredTerms.isEmpty {
            printError(Message.termsIgnored.text(rows.ignoredTerms.joined(separator: " ").sanitized))
        }
        var shown = catalog
        shown.show(InMemoryCatalog(name: catalog.path, books: found.books))
        var status: Int32 = 0
        if !found.books.isEmpty || request.asksForAll || output.isWrittenForNoMatch {
            let all = BookRequest.everything
            status = BookPrinter(
                catalog: shown, request: all, form: form, formatLabel: formatLabel, includesUserData: includesUserData,
                recordedBook: { id in
                    found.records[id.index].flatMap { paged.format?.mapping.recordedBook(from: $0) }
                }
            ).run(to: output)
        }
        if found.isIncomplete, case .failed(let failure, _) = paged.connection {
            printError(failure.sentence(of: catalog.path))
            return failure.exitStatus
        }
        if limit == nil, rows.rowCount.known > maximum {
            printError(CommandMessage.onlyFirstBooks.text(maximum.grouped, rows.rowCount.shown))
        }
        guard found.books.isEmpty, !request.asksForAll, status == 0 else { return status }
        printError(CommandMessage.nothingMatches.text(request.query?.text ?? "", catalog.shownPath))
        return ExitStatus.nothingFound
    }
}

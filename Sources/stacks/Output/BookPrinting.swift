internal import Books
internal import Catalog
internal import Formats
internal import Glibc
internal import Graphemes
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import Text

/// Prints the requested books of a catalog to standard output.
struct BookPrinting<Form: BookFormatter> {
    /// The catalog.
    let catalog: OpenedCatalog
    /// The requested books and their order.
    let request: BookRequest
    /// The output format.
    let form: Form
    /// The maximum number of books to print; nil prints all.
    var limit: Int?
    /// The name of the list to print; nil prints all books.
    var listName: String?

    private var store: BookStore { catalog.store }

    /// Prints the books, and errors to standard error.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        // A change of the file is noticed when a record has changed.
        catalog.source.readRestTellingProgress()
        defer { catalog.source.finishKeepingIndex() }
        let found: BookSelection
        do throws(CommandError) {
            found = try BookSelection(request, inListNamed: listName, of: store, library: openLibrary)
        } catch {
            return error.report()
        }
        let code = print(found)
        guard code == 0 else { return code }
        if let defects = catalog.defects { printError(defects) }
        let isMissed = found.count == 0 && !request.asksForAll
        if isMissed {
            printError(
                request.query?.impossibility ?? "nothing in \(catalog.shownPath) matches \(request.query?.text ?? "")")
        }
        let status = store.defects.exitStatus
        return status == 0 && isMissed ? ExitStatus.nothingFound : status
    }

    private func openLibrary() -> Library {
        var notices: [String] = []
        let shelves = UserData.saved(in: Directories.ofEnvironment(), notices: &notices)
        notices.forEach(printError)
        return Library(store: store, userData: shelves)
    }

    /// - Returns: The exit status.
    private func print(_ found: BookSelection) -> Int32 {
        var form = form
        var text: [UInt8] = []
        form.begin(&text)
        let limit = limit ?? found.count
        // On a terminal the books themselves show the progress.
        var progress = ProgressLine("writing", isShown: isatty(STDOUT_FILENO) == 0)
        defer { progress.clear() }
        let identities = form.needsIdentities ? identities(of: found.books, upTo: limit) : nil
        for row in 0..<min(limit, found.books.count) {
            let id = found.books[row]
            guard let book = form.needsWholeBooks ? store.bookAtHand(id) : store.summary(of: id).value.map(Book.init)
            else {
                _ = PlainList.write(&text)
                printError("\(store.name) was changed while it was read: start again")
                return ExitStatus.changed
            }
            form.append(PrintedBook(book: book, identity: identities?[id]), to: &text)
            if row.isMultiple(of: 1024) {
                progress.show(row, fraction: Double(row) / Double(min(limit, found.books.count)))
            }
            if text.count >= PlainList.pieceSize, let code = PlainList.write(&text) { return code }
        }
        for printed in found.missing.prefix(max(0, limit - found.books.count)) {
            form.append(printed, to: &text)
            if text.count >= PlainList.pieceSize, let code = PlainList.write(&text) { return code }
        }
        form.end(&text)
        return PlainList.write(&text) ?? 0
    }

    /// Returns the identities of the first `limit` books; for a few books this is much faster than computing those of
    /// the whole catalog.
    private func identities(of books: BookList, upTo limit: Int) -> IdentityTable? {
        let count = min(limit, books.count)
        if count == 0 { return nil }
        if count > 1000 { return IdentityTable(of: store.index) }
        return IdentityTable(of: (0..<count).map { books[$0] }, in: store.index)
    }
}

extension PrintedBook {
    /// Creates a book that is known only from user data.
    init(identity: BookIdentity, bookData: UserBookData) {
        var book = Book(title: bookData.title, authors: bookData.authors)
        book.isbn = bookData.keys.isbn.map { ISBN(String($0.description.drop { $0 != ":" }.dropFirst())) }
        self.init(book: book, identity: identity, isInCatalog: false)
    }
}

extension Library {
    /// Returns the list with this name.
    ///
    /// - Throws: `CommandError` with the existing lists if none has this name.
    func requiredList(named name: String) throws(CommandError) -> NamedList {
        if let list = list(named: name) { return list }
        throw CommandError(
            sentence: "there is no list called \"\(name.sanitized)\", but \(listNames.asChoice)",
            exitStatus: ExitStatus.usage)
    }
}

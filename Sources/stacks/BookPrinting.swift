internal import Browser
internal import Catalog
internal import Shelves
internal import Storage

/// Prints the books of a catalog that were asked for on standard output, as far as it can be read.
struct BookPrinting<Form: BookForm> {
    /// The catalog.
    let catalog: OpenedCatalog
    /// Which books, and in which order.
    let request: BookRequest
    /// The form in which they are printed.
    let form: Form
    /// The greatest number of books; nil where all are printed.
    var limit: Int?

    private var store: BookStore { catalog.store }

    /// Prints them; what is wrong is said on standard error.
    ///
    /// - Returns: The exit code.
    func run() -> Int32 {
        // A change is noticed where a record is not what it was.
        store.loadRest()
        defer { store.finishKeeping() }
        let found = found()
        let code = print(found)
        guard code == 0 else { return code }
        if let defects = catalog.defects { complain(defects) }
        let isMissed = found.count == 0 && !request.asksForAll
        if isMissed { complain("nothing in \(catalog.shownPath) matches \(request.query?.text ?? "")") }
        let status = store.defects.exitStatus
        return status == 0 && isMissed ? ExitStatus.nothingFound : status
    }

    private func found() -> BookList {
        let all = BookList(allOf: store.count)
        if request.isPlain { return all }
        let scope = BookSearch.Scope(all, of: store.index, order: order())
        let search = BookSearch(request.query ?? Query(""), in: scope, marks: marks(), by: WorkTeam())
        while !search.wait(milliseconds: 1000) {}
        return search.result.list
    }

    /// All books in the order that was asked for; nil for the catalog's own.
    private func order() -> [UInt32]? {
        guard let order = request.order, order != .list else { return nil }
        let sorter = BookSorter()
        while true {
            let made = sorter.order(order, of: store.index, isComplete: true, waiting: 1000, notifying: {})
            if let made, made.isFinal { return made.indices }
        }
    }

    private func marks() -> SearchMarks {
        guard let query = request.query, query.asksForMarks else { return SearchMarks() }
        var notices: [String] = []
        let shelves = Shelves.saved(in: Directories.ofEnvironment(), notices: &notices)
        notices.forEach(complain)
        return Library(store: store, shelves: shelves).searchMarks
    }

    /// - Returns: The exit code.
    private func print(_ list: BookList) -> Int32 {
        var form = form
        var text: [UInt8] = []
        form.begin(&text)
        for row in 0..<min(limit ?? list.count, list.count) {
            let index = list.index(atRow: row)
            guard let book = form.needsWholeBooks ? store.book(at: index) : store.heading(at: index) else {
                _ = PlainList.write(&text)
                complain("\(store.name) was changed while it was read: start again")
                return ExitStatus.changed
            }
            form.append(book, at: index, to: &text)
            if text.count >= PlainList.pieceSize, let code = PlainList.write(&text) { return code }
        }
        form.end(&text)
        return PlainList.write(&text) ?? 0
    }
}

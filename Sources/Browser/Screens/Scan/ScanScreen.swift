internal import Books
internal import Catalog
internal import Editing
internal import Graphemes
internal import Indexing
internal import Library
internal import Shelves
internal import TerminalUI

/// A line for the bar codes of books, one after the other, as a scanner types them, and what became of each, the latest
/// first.
final class ScanScreen: Picker, TableViewDataSource {
    let context = CommandContext.shelves
    let prompt = "ISBN "
    let verb = "scan"
    var size: Size { Size(rows: 18, columns: 76) }
    var editor = LineEditor()
    /// The table of the codes.
    let table = TableView(columns: [
        TableColumn("Code", width: .fixed(16), minimumWidth: 10),
        TableColumn("Book", width: .share(1), minimumWidth: 10),
    ])
    private let mode: ScanMode
    private let session: Session
    private let lookup: LookupSession?
    private var codes: [Code] = []
    /// The codes whose books are being added.
    private var adding: [Int] = []
    /// Whether the person wants to end although books are not added yet.
    private var isEnding = false

    /// A code, and what became of it.
    private struct Code {
        /// The ISBN of thirteen digits; nil for a damaged code.
        var isbn: ISBN?
        /// The code for display.
        var text: String
        var state: State
    }

    private enum State {
        /// The sources are asked by the query with this number.
        case lookedUp(Int)
        /// The book is to be added.
        case waiting(Book)
        /// What was done.
        case done(String, Outcome)
    }

    private enum Outcome {
        /// The book was added, found or put on the shelf.
        case taken
        /// It was added, but nothing is known of it.
        case unknown
        /// No book was.
        case failed
    }

    /// Starts to scan.
    ///
    /// - Parameter lookup: Looks the books that are added up; nil to add the ISBN alone.
    init(_ mode: ScanMode, _ session: Session, lookup: LookupSession?) {
        (self.mode, self.session, self.lookup) = (mode, session, lookup)
        table.dataSource = self
        table.surface = .popup
        table.placeholder = Message.scanBegins.text()
    }

    var title: String {
        switch mode {
        case .add: "Scan to add"
        case .find: "Scan to find"
        case .shelf(let name): "Scan for \(name)"
        }
    }

    func heading(_ app: App) -> Heading {
        Heading(title: title, position: codes.isEmpty ? "" : codes.count.of("code"))
    }

    func keyHints(_ app: App) -> [KeyHint]? { [KeyHint(.enter, "next"), .arrows("move"), KeyHint(.escape, "end")] }

    // MARK: - Codes

    func accepted(_ app: App) -> Effect {
        let text = editor.text
        (editor, isEnding) = (LineEditor(), false)
        take(text, app)
        return .none
    }

    /// Takes each line of a list in.
    func pasted(_ text: String, _ app: App) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in lines.dropLast() {
            editor.insert(String(line))
            _ = accepted(app)
        }
        editor.insert(lines.last.map(String.init) ?? "")
    }

    private func take(_ text: String, _ app: App) {
        switch ScannedCode(text) {
        case nil: return
        case .damaged(let text): add(nil, text, .done(Message.codeIsDamaged.text(), .failed))
        case .isbn(let isbn):
            let isDoubled = codes.contains { $0.isbn == isbn }
            add(isbn, isbn.formatted, isDoubled ? .done(Message.codeIsDoubled.text(), .failed) : begin(isbn, app))
        }
        advance()
        showCodes()
    }

    private func add(_ isbn: ISBN?, _ text: String, _ state: State) {
        codes.append(Code(isbn: isbn, text: text, state: state))
    }

    /// Finds the book, and does with it what the mode says.
    private func begin(_ isbn: ISBN, _ app: App) -> State {
        session.receiveEditsOfOthers()
        let ids = ids(with: isbn)
        let book = ids.first.flatMap(session.library.store.bookAtHand)
        switch mode {
        case .add:
            if let book { return .done(Message.isInCatalog.text(book.shownTitle), .failed) }
            if let lookup { return .lookedUp(lookup.add(.isbn(isbn))) }
            return .waiting(newBook(isbn, nil))
        case .find, .shelf:
            guard let id = ids.first, let book else { return .done(Message.isNotInCatalog.text(), .failed) }
            if case .shelf(let name) = mode {
                let target = ActionTarget(books: ids, missing: [], name: book.shownTitle)
                BookActions(session: session).apply(
                    .shelfNamed(name), to: target, saying: Message.addedToShelf.text(book.shownTitle, name))
            } else {
                app.main.goToBook(id, app)
            }
            return .done(book.shownTitle, .taken)
        }
    }

    private func ids(with isbn: ISBN) -> [BookID] {
        guard let key = BookIdentity.Key(isbn: isbn) else { return [] }
        return BookLookup(of: [key], in: session.library.store.index).ids(with: key)
    }

    // MARK: - Adding

    /// Takes over what was found, and adds the books that wait, all at once, unless an earlier change is still made.
    private func advance() {
        for (number, code) in codes.enumerated() {
            guard case .lookedUp(let query) = code.state, let lookup, lookup.hasAnswer(to: query), let isbn = code.isbn
            else { continue }
            codes[number].state = .waiting(newBook(isbn, lookup.answerSoFar(to: query)))
        }
        guard session.awaitBulkChange() else { return }
        noteAdded()
        adding = codes.indices.filter { if case .waiting = codes[$0].state { true } else { false } }
        let books = adding.compactMap { if case .waiting(let book) = codes[$0].state { NewBook(book) } else { nil } }
        guard let first = books.first else { return }
        let edit = BookEdit(
            .added, [], title: books.count == 1 ? first.book.shownTitle : books.count.of("book"),
            .single { catalog throws(CatalogEditError) in try catalog.add(books, after: nil) })
        if let refusal = session.edit(edit, Message.addingBook.text()) {
            for number in adding { codes[number].state = .done(refusal.sentence, .failed) }
            adding = []
        } else if session.changing.bulkChange == nil {
            noteAdded()
        }
    }

    /// The book as the sources know it, or with its ISBN for a title.
    private func newBook(_ isbn: ISBN, _ answer: LookupSession.Answer?) -> Book {
        let found = answer.flatMap { LookedUpBook.books(of: $0, to: .isbn(isbn)).first?.book }
        return found ?? Book(title: isbn.formatted, isbn: isbn)
    }

    /// Says of the books that were being added whether they are in the catalog now.
    private func noteAdded() {
        for number in adding {
            guard case .waiting(let book) = codes[number].state, let isbn = codes[number].isbn else { continue }
            if ids(with: isbn).isEmpty {
                codes[number].state = .done(session.status.text, .failed)
            } else if book.title == isbn.formatted {
                codes[number].state = .done(Message.addedWithISBN.text(), .unknown)
            } else {
                let authors = book.authors.isEmpty ? "" : ", " + book.authors.listed
                codes[number].state = .done(Message.addedBook.text(book.shownTitle + authors), .taken)
            }
        }
        adding = []
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        guard mode == .add else { return }
        advance()
        showCodes()
    }

    // MARK: - The end

    func cancelled(_ app: App) {
        let waiting = codes.count { if case .done = $0.state { false } else { true } }
        // Nothing that was scanned is lost by a key: the first one says what is left, the second one ends.
        if waiting > 0, !isEnding {
            isEnding = true
            return session.status.say(.stillScanned, waiting.of("book"))
        }
        endLookups()
        if codes.contains(where: { if case .done = $0.state { false } else { true } }) { return session.sayBusy() }
        app.close(self)
        let taken = codes.count { if case .done(_, .failed) = $0.state { false } else { true } }
        let problems = codes.filter { if case .done(_, .taken) = $0.state { false } else { true } }
        var sentences = [Message.booksScanned.text(taken.of("book"))]
        if !problems.isEmpty { sentences.append(Message.codesWithProblems.text(problems.map(\.text).listed)) }
        if case .shelf(let name) = mode { sentences += missing(on: name, app) }
        session.status.say(sentences.joined(separator: ". "))
    }

    /// Adds the books that are still looked up with what was found so far.
    private func endLookups() {
        for (number, code) in codes.enumerated() {
            guard case .lookedUp(let query) = code.state, let isbn = code.isbn else { continue }
            codes[number].state = .waiting(newBook(isbn, lookup?.answerSoFar(to: query)))
            lookup?.remove(query)
        }
        advance()
    }

    /// Opens the shelf with the books that were not scanned selected.
    private func missing(on name: String, _ app: App) -> [String] {
        let library = session.library
        guard let shelf = library.list(named: name), case .shelf = shelf.kind else { return [] }
        let scanned = Set(codes.compactMap(\.isbn).flatMap(ids))
        let books = library.books(in: shelf)
        let missing = (0..<books.count).map { books[$0] }.filter { !scanned.contains($0) }
        if missing.isEmpty { return [Message.nothingMissing.text(name)] }
        app.main.openList(shelf, app)
        for id in missing { session.books.rows.selection.books.insert(id) }
        return [Message.notScanned.text(missing.count.of("book"), name)]
    }

    // MARK: - Rows

    private func showCodes() {
        table.reloadData()
        table.select(0, top: 0)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { codes.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let code = codes[codes.count - 1 - indexPath.row]
        switch code.state {
        case .lookedUp:
            return TableViewCell([.init(code.text), .init(Message.beingLookedUp.text(), style: .secondary)])
        case .waiting: return TableViewCell([.init(code.text), .init(Message.addingBook.text(), style: .secondary)])
        case .done(let text, let outcome):
            return TableViewCell([.init(code.text), .init(text, style: outcome == .taken ? .plain : .warning)])
        }
    }
}

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
    /// The ISBNs of codes with which something was done.
    private var taken: Set<ISBN> = []
    /// The codes whose books are being added.
    private var adding: [Int] = []
    /// Whether the person wants to end although books are not added yet.
    private var isEnding = false

    /// The number of books that are put on a shelf together.
    private static let batchSize = 100

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
        /// The book is to be added; if nothing is known of it, the text says so.
        case waiting(Book, unknown: String?)
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
        editor = LineEditor()
        take([text], app)
        return .none
    }

    /// Takes the lines of a list in.
    func pasted(_ text: String, _ app: App) {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        let last = lines.popLast() ?? ""
        if lines.isEmpty { return editor.insert(last) }
        editor.insert(lines[0])
        lines[0] = editor.text
        editor = LineEditor(last)
        take(lines, app)
    }

    private func take(_ texts: [String], _ app: App) {
        isEnding = false
        session.receiveEditsOfOthers()
        let scanned = texts.compactMap { ScannedCode($0) }
        let isbns = scanned.compactMap { if case .isbn(let isbn) = $0 { isbn } else { nil } }
        let found = Dictionary(zip(isbns, ids(with: isbns))) { first, _ in first }
        var books: [BookID] = []
        for code in scanned {
            switch code {
            case .damaged(let text):
                codes.append(Code(isbn: nil, text: text, state: .done(Message.codeIsDamaged.text(), .failed)))
            case .isbn(let isbn):
                let ids = found[isbn] ?? []
                let isDoubled = mode != .find && taken.contains(isbn)
                let state = isDoubled ? .done(Message.codeIsDoubled.text(), .failed) : begin(isbn, ids)
                if case .done(_, .failed) = state {
                } else {
                    taken.insert(isbn)
                    books += ids
                }
                codes.append(Code(isbn: isbn, text: isbn.formatted, state: state))
            }
        }
        finish(books, app)
        advance()
        showCodes()
    }

    /// What becomes of a code that some books of the catalog have.
    private func begin(_ isbn: ISBN, _ ids: [BookID]) -> State {
        let title = ids.first.map { session.library.store.book($0).value?.shownTitle ?? isbn.formatted }
        switch (mode, title) {
        case (.add, let title?): return .done(Message.isInCatalog.text(title), .failed)
        case (.add, nil):
            if let lookup { return .lookedUp(lookup.add(.isbn(isbn))) }
            return .waiting(Self.book(isbn), unknown: Message.addedWithISBN.text())
        case (.find, let title?), (.shelf, let title?): return .done(title, .taken)
        case (.find, nil), (.shelf, nil): return .done(Message.isNotInCatalog.text(), .failed)
        }
    }

    /// Goes to the last of the books that were found, or puts all on the shelf.
    private func finish(_ books: [BookID], _ app: App) {
        switch mode {
        case .add: break
        case .find: if let last = books.last { app.main.goToBook(last, app) }
        case .shelf(let name):
            for start in stride(from: 0, to: books.count, by: Self.batchSize) {
                let part = Array(books[start..<min(books.count, start + Self.batchSize)])
                let target = ActionTarget(books: part, missing: [], name: part.count.of("book"))
                BookActions(session: session).apply(
                    .shelfNamed(name), to: target, saying: Message.addedToShelf.text(target.name, name))
            }
        }
    }

    private func ids(with isbn: ISBN) -> [BookID] { ids(with: [isbn])[0] }

    /// Returns the books with each of some ISBNs. Linear in the catalog.
    private func ids(with isbns: [ISBN]) -> [[BookID]] {
        if isbns.isEmpty { return [] }
        let keys = isbns.map { BookIdentity.Key(isbn: $0) }
        let lookup = BookLookup(of: keys.compactMap(\.self), in: session.library.store.index)
        return keys.map { $0.map(lookup.ids) ?? [] }
    }

    // MARK: - Adding

    /// A book of which nothing is known: its ISBN stands for its title.
    private static func book(_ isbn: ISBN) -> Book { Book(title: isbn.formatted, isbn: isbn) }

    /// Takes over what was found, and adds the books that wait, all at once, unless an earlier change is still made.
    private func advance() {
        for (number, code) in codes.enumerated() {
            guard case .lookedUp(let query) = code.state, let lookup, lookup.hasAnswer(to: query), let isbn = code.isbn
            else { continue }
            codes[number].state = state(of: isbn, after: lookup.answerSoFar(to: query))
        }
        // The session takes a change that lasts over when it has ended.
        if session.changing.bulkChange != nil { return }
        noteAdded()
        refuseKnown()
        adding = waiting
        let books = adding.compactMap { if case .waiting(let book, _) = codes[$0].state { NewBook(book) } else { nil } }
        guard let first = books.first else { return }
        let edit = BookEdit(
            .added, [], title: books.count == 1 ? first.book.shownTitle : books.count.of("book"),
            .single { catalog throws(CatalogEditError) in try catalog.add(books, after: nil) })
        if let refusal = session.edit(edit, Message.addingBook.text()) {
            for number in adding { fail(number, refusal.sentence) }
            adding = []
        } else if session.changing.bulkChange == nil {
            noteAdded()
        }
    }

    /// The codes whose books are to be added.
    private var waiting: [Int] {
        codes.indices.filter { if case .waiting = codes[$0].state { true } else { false } }
    }

    /// The book as the sources know it, or with its ISBN for a title.
    private func state(of isbn: ISBN, after answer: LookupSession.Answer) -> State {
        if let found = LookedUpBook.books(of: answer, to: .isbn(isbn)).first {
            return .waiting(found.book, unknown: nil)
        }
        let failure = answer.failures.first.map { $0.failure.sentence(of: $0.source) }
        let isUnknown = answer.isComplete && failure == nil
        let text = (isUnknown ? Message.addedUnknown : .addedWithISBN).text()
        return .waiting(Self.book(isbn), unknown: ([text] + [failure].compactMap(\.self)).joined(separator: ". "))
    }

    /// Does not add what another window has added meanwhile.
    private func refuseKnown() {
        let waiting = waiting
        for (number, ids) in zip(waiting, ids(with: waiting.compactMap { codes[$0].isbn })) where !ids.isEmpty {
            fail(number, Message.isInCatalog.text(codes[number].text))
        }
    }

    private func fail(_ number: Int, _ sentence: String) {
        codes[number].state = .done(sentence, .failed)
        if let isbn = codes[number].isbn { taken.remove(isbn) }
    }

    /// Says of the books that were being added whether they are in the catalog now.
    private func noteAdded() {
        if adding.isEmpty { return }
        let found = ids(with: adding.compactMap { codes[$0].isbn })
        for (number, ids) in zip(adding, found) {
            guard case .waiting(let book, let unknown) = codes[number].state else { continue }
            if ids.isEmpty {
                fail(number, session.status.text)
            } else if let unknown {
                codes[number].state = .done(unknown, .unknown)
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
            codes[number].state = state(of: isbn, after: lookup?.answerSoFar(to: query) ?? LookupSession.Answer())
            lookup?.remove(query)
        }
        guard session.awaitBulkChange() else { return }
        advance()
    }

    /// Opens the shelf with the books that were not scanned selected.
    private func missing(on name: String, _ app: App) -> [String] {
        let library = session.library
        guard let shelf = library.list(named: name), case .shelf = shelf.kind else { return [] }
        let scanned = Set(ids(with: codes.compactMap(\.isbn)).joined())
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

internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Shelves
internal import TerminalUI

/// The selected books with what other catalogs and library servers know of each, as they answer: Enter opens the form of a
/// book with the values, and all empty fields on which the sources agree are filled at once.
final class LookupScreen: TableScreen, TableViewDataSource {
    let context = CommandContext.lookup
    let table = TableView(columns: [
        TableColumn("Title", width: .share(1), minimumWidth: 10),
        TableColumn("Found", width: .share(1), minimumWidth: 10),
    ])
    private let session: Session
    private let lookup: LookupSession
    private let tracked: TrackedBooks
    private let selectedCount: Int
    /// What is looked up for each book; nil for a book with neither an ISBN nor a title, or one that is still read.
    private var lookups: [(query: LookupQuery, number: Int)?]
    /// The rows of books that are still read.
    private var unread: [Int]
    /// The books at their present places; nil if one of them is gone.
    private var ids: [BookID]?
    /// What the sources have answered so far.
    private var answers: [Int: LookupSession.Answer] = [:]
    private let fields: [BookField]

    /// The maximum number of books that are looked up together.
    private static let maximumCount = 1000

    /// Starts to look books up.
    init(_ targets: ActionTarget, fields: [BookField], in lookup: LookupSession, _ session: Session) {
        (self.session, self.lookup, self.fields, selectedCount) = (session, lookup, fields, targets.count)
        let ids = Array(targets.books.prefix(Self.maximumCount))
        tracked = TrackedBooks(ids, in: session)
        lookups = ids.map { _ in nil }
        unread = Array(ids.indices)
        self.ids = ids
        lookUpUnread()
        table.dataSource = self
        table.reloadData()
        table.select(0, top: 0)
    }

    /// Starts to look up the books that have been read meanwhile.
    private func lookUpUnread() {
        guard let ids else { return }
        unread = unread.filter { row in
            let slot = session.library.store.book(ids[row])
            if slot == .pending { return true }
            if let query = slot.value.flatMap(LookupQuery.init) { lookups[row] = (query, lookup.add(query)) }
            return false
        }
    }

    private var answeredCount: Int {
        lookups.count { $0.map { answers[$0.number]?.isComplete == true } ?? true } - unread.count
    }

    func heading(_ app: App) -> Heading {
        let count = lookups.count
        let books = count < selectedCount ? "\(count.grouped) of \(selectedCount.of("book"))" : count.of("book")
        let answered = answeredCount
        let progress = answered < count ? " · \(answered.grouped) answered" : ""
        return Heading(title: "Look up \(books)" + progress, position: table.positionText)
    }

    // MARK: - Rows

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { lookups.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = indexPath.row
        guard let book = book(at: row), !unread.contains(row) else { return TableViewCell([.init("…"), .init("")]) }
        let (text, isNews) = found(for: book, at: row)
        return TableViewCell([.init(book.shownTitle), .init(text, style: isNews ? .strong : .secondary)])
    }

    private func book(at row: Int) -> Book? {
        ids.flatMap { session.library.store.bookAtHand($0[row]) }
    }

    /// What the sources know that a book lacks, and whether that is anything.
    private func found(for book: Book, at row: Int) -> (text: String, isNews: Bool) {
        guard let (query, number) = lookups[row] else { return (Message.nothingToLookUp.text(), false) }
        let answer = answers[number] ?? LookupSession.Answer()
        let books = LookedUpBook.books(of: answer, to: query)
        guard let known = books.first else {
            if !answer.isComplete { return (Message.beingLookedUp.text(), false) }
            let failure = answer.failures.first.map { [$0.failure.sentence(of: $0.source)] } ?? []
            return (([Message.notFound.text()] + failure).joined(separator: ". "), false)
        }
        if books.count > 1 { return (Message.severalFound.text(books.count.of("book")), true) }
        let lacking = fields.filter { LookedUpBook.lacks($0, book) }
        let offers = lacking.flatMap { field in
            known.offers(for: field, inSeries: book.series).map { (field, $0) }
        }
        if offers.isEmpty { return (Message.nothingNew.text(known.sources.listed), false) }
        let texts = offers.map { field, offer in "\(field.info.label) \(offer.text(for: field))" }
        return (texts.joined(separator: "  "), true)
    }

    // MARK: - Commands

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .fillBooks: answers.values.contains { $0.isComplete && !$0.found.isEmpty }
        case .open: table.currentRow.flatMap { lookups[$0] }.flatMap { answers[$0.number] }?.isComplete ?? false
        default: true
        }
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open: open(app)
        case .fillBooks: fill()
        case .undo: session.undo()
        case .redo: session.redo()
        case .saveCatalog: session.saveCatalog()
        default: return .ignored
        }
        return .done
    }

    /// Opens the form of the current book with what was found.
    private func open(_ app: App) {
        guard let row = table.currentRow, let (query, number) = lookups[row], let answer = answers[number],
            answer.isComplete
        else {
            return session.status.say(.stillLookingUp)
        }
        follow()
        guard let ids, let book = book(at: row) else { return session.status.say(.booksGone) }
        let target = ActionTarget(books: [ids[row]], missing: [], name: book.shownTitle)
        CatalogActions(session: session).edit(target, app).show(BookFormFindings(query, answer))
    }

    /// The rows of books that lack values on which the sources agree, and these values by ISBN. A book that was found by its
    /// title may be another one, and needs a look.
    private var fillable: (rows: [Int], values: [ISBN: [BookField: FieldValue]]) {
        var fillable: (rows: [Int], values: [ISBN: [BookField: FieldValue]]) = ([], [:])
        for (row, lookup) in lookups.enumerated() {
            guard let (query, number) = lookup, case .isbn(let isbn) = query, let answer = answers[number],
                answer.isComplete, let known = LookedUpBook.books(of: answer, to: query).first,
                let book = ids.flatMap({ session.library.store.wholeBook($0[row]) })
            else { continue }
            var values: [BookField: FieldValue] = [:]
            let series = book.series ?? known.agreed(for: .series)?.value.text
            for field in fields where LookedUpBook.lacks(field, book) {
                values[field] = known.agreed(for: field, inSeries: series)?.value
            }
            if values.isEmpty { continue }
            fillable.rows.append(row)
            if let others = fillable.values[isbn], others[.seriesPosition] != values[.seriesPosition] {
                // Two books with one ISBN are in different series.
                values[.seriesPosition] = nil
                fillable.values[isbn]?[.seriesPosition] = nil
            }
            fillable.values[isbn, default: [:]].merge(values) { first, _ in first }
        }
        return fillable
    }

    private func fill() {
        guard session.awaitBulkChange() else { return session.sayBusy() }
        follow()
        guard let ids else { return session.status.say(.booksGone) }
        let (rows, values) = fillable
        guard let first = rows.first else { return session.status.say(.nothingToFill) }
        let title = book(at: first)?.shownTitle ?? ""
        let changed = Set(values.values.flatMap(\.keys))
        let edit = BookEdit(
            .changed, rows.map { ids[$0] }, title: title,
            .bulk(
                .set(changed) { book throws(CatalogEditError) in
                    guard let digits = book.isbn?.digits(length: 13), let values = values[ISBN(digits)] else { return }
                    for (field, value) in values where LookedUpBook.lacks(field, book) { field.set(value, in: &book) }
                }))
        if let refusal = session.edit(edit, Message.changing.text(rows.count.of("book"))) {
            session.status.say(refusal.sentence)
        }
    }

    // MARK: - Changes

    private func follow() { ids = tracked.current }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.reloaded) { follow() }
        lookUpUnread()
        for case let (_, number)? in lookups where answers[number]?.isComplete != true {
            answers[number] = lookup.answerSoFar(to: number)
        }
        table.reloadData()
    }

    func closed(_ app: App) {
        for case let (_, number)? in lookups where answers[number]?.isComplete != true { lookup.remove(number) }
    }
}

extension LookupQuery {
    /// Creates the query for a book of a catalog: its ISBN, or else its title and first author; fails if it has neither.
    init?(_ book: Book) {
        if let digits = book.isbn?.digits(length: 13) {
            self = .isbn(ISBN(digits))
        } else if book.title.contains(where: { $0.isLetter || $0.isNumber }) {
            self = .title(book.title, author: book.authors.first ?? "")
        } else {
            return nil
        }
    }
}

internal import Books
internal import Library
internal import Storage
internal import TerminalUI

/// The screen of the reader's readings, those of all books or of one; Enter shows the book.
final class LogScreen: FilterableScreen, TableScreen {
    /// Opens the screen of the readings of all books.
    static let opener = ScreenOpener(context: .log) { LogScreen($0.session, of: nil) }
    /// Opens the screen of the readings of the current book; nil without one.
    static let openerOfBook = ScreenOpener(context: .log) { app in
        guard let targets = BookActions(session: app.session).targets() else { return nil }
        guard let place = targets.place else {
            app.session.status.say(.logOfOneBook, targets.name)
            return nil
        }
        return LogScreen(app.session, of: (place, targets.name))
    }

    let context = CommandContext.log
    let isSpokenWhileFiltering = true
    private(set) var filter = ""
    let table = TableView(columns: LogDataSource.columns)
    private let source: LogDataSource
    /// The readings that the filter chooses from, the latest first.
    private var readings: [LoggedReading] = []
    /// The only book, with its name; nil for all.
    private let book: (place: LoggedBook.Place, name: String)?
    private let session: Session

    private init(_ session: Session, of book: (place: LoggedBook.Place, name: String)?) {
        (self.session, self.book) = (session, book)
        source = LogDataSource(today: session.today)
        table.dataSource = source
        reload()
    }

    /// Shows the readings with all words of `text` in their title, authors, days or outcome.
    func show(matching text: String) {
        filter = text
        showReadings()
        table.select(0, top: 0)
    }

    /// Reads the log again; the row stays.
    private func reload() {
        let row = table.currentRow
        if session.library.hasLocatedUserData {
            let books = book.map { [session.library.loggedBook(at: $0.place)].compactMap(\.self) }
            readings = (books ?? session.library.loggedBooks).latestReadings
        } else {
            session.library.startLocatingUserData(notifying: session.wake)
        }
        showReadings()
        if let row { table.select(row) }
    }

    private func showReadings() {
        let words = FilterWords(filter)
        source.readings = words.isEmpty ? readings : readings.filter { words.match($0.searchText) }
        table.placeholder = placeholder
        table.reloadData()
    }

    private var placeholder: String {
        let key = session.keyLabel(of: .status(.read))
        if !session.library.hasLocatedUserData { return Message.readingUserData.text() }
        if !filter.isEmpty { return Message.noMatchingReading.text() }
        return book.map { Message.noReadingsOf.text($0.name, key) } ?? Message.noReadings.text(key)
    }

    private var current: LoggedReading? { table.currentRow.map { source.readings[$0] } }

    func heading(_ app: App) -> Heading {
        let title = book.map { "Readings of " + $0.name } ?? "Reading log"
        return Heading(title: filter.isEmpty ? title : title + " / " + filter, position: table.positionText)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open: current.map { show($0.book, app) }
        case .editReading: current.map { app.push(ReadingPeriodDialog($0, above: self, in: session)) }
        case .removeReading: current.map(remove)
        case .undo: session.undo()
        case .redo: session.redo()
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        default: return .ignored
        }
        return .done
    }

    /// Goes to a book of the log.
    private func show(_ book: LoggedBook, _ app: App) {
        guard case .catalog(let id) = book.place else {
            session.status.say(.loggedBookMissing, book.title)
            return
        }
        app.close(self)
        app.main.goToBook(id, app)
    }

    private func remove(_ reading: LoggedReading) {
        guard let book = session.library.current(reading) else {
            session.status.say(.readingGone)
            return
        }
        var log = book.log
        let status = log.remove(at: reading.index, status: book.status)
        let text = ReadingSentence(reading.reading).sentence
        session.change(saying: Message.readingRemoved.text(book.title, text, session.keyLabel(of: .undo))) {
            () throws(FileError) in
            try session.library.setLog(log, status: status, at: book.place)
        }
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open, .editReading, .removeReading: current != nil
        case .search: !readings.isEmpty
        default: true
        }
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        // The rows of a catalog that was reloaded are other books.
        if changes.contains(.reloaded), book != nil { return app.close(self) }
        if !changes.isDisjoint(with: [.lists, .reloaded]) { reload() }
        if changes.contains(.background), readings.isEmpty { reload() }
    }
}

extension ActionTarget {
    /// Where the only book is; nil for several.
    fileprivate var place: LoggedBook.Place? {
        guard count == 1 else { return nil }
        return books.first.map { .catalog($0) } ?? missing.first.map { .missing($0) }
    }
}

extension Library {
    /// Returns the book of a reading as it is now; nil if the reading has changed since.
    func current(_ reading: LoggedReading) -> LoggedBook? {
        guard let book = loggedBook(at: reading.book.place), book.log.readings.indices.contains(reading.index),
            book.log.readings[reading.index] == reading.reading
        else { return nil }
        return book
    }
}

/// Provides readings as rows of a table.
final class LogDataSource: TableViewDataSource {
    /// The readings. The table must be reloaded when they change.
    var readings: [LoggedReading] = []
    private let today: CalendarDay

    /// Creates a source without readings.
    init(today: CalendarDay) { self.today = today }

    /// The columns of the cells.
    static let columns = [
        TableColumn("Started", width: .fixed(11), priority: 2),
        TableColumn("Ended", width: .fixed(11), priority: 4),
        TableColumn("", width: .fixed(19), priority: 3),
        TableColumn("Title", width: .share(3), minimumWidth: 16),
        TableColumn("Author", width: .share(2), minimumWidth: 12, priority: 0),
        TableColumn("Mine", width: .fixed(5), priority: 1),
    ]

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { readings.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let (book, reading) = (readings[indexPath.row].book, readings[indexPath.row].reading)
        return TableViewCell([
            .init(reading.start.map(today.shortName) ?? "", style: .secondary),
            .init(reading.end.map(today.shortName) ?? "", style: .secondary),
            .init(ReadingSentence(reading).state, style: .secondary),
            .init(book.title),
            .init(book.authors.listed, style: .secondary),
            .ownRating(book.rating),
        ])
    }
}

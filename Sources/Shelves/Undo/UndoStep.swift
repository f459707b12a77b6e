public import Books

/// One undo step: everything that the user did at once, for any number of books.
public struct UndoStep: Hashable, Sendable, Identifiable {
    /// The kind of a step.
    public enum Kind: Hashable, Sendable {
        /// Books were added to the favourites or removed.
        case favourite(Bool)
        /// Books were added to or removed from the shelf of this name.
        case shelf(name: String, Bool)
        /// The reading status of books was set or cleared.
        case status(Book.ReadingStatus?)
        /// The reader has come so far in books.
        case progress(ReadingProgress.Place)
        /// Readings in the log of books were changed, but not their status.
        case readings
        /// Books were rated, or their ratings removed.
        case rating(StarRating?)
        /// The ratings of several books were raised by half stars, or lowered by a negative number of them.
        case ratingStep(halves: Int)
        /// A note was written or, if nil, deleted.
        case note(String?)
        /// Several kinds of changes at once.
        case several
        /// User data was imported from the file with this name.
        case imported(file: String)
        /// A shelf was created, and the books of the step were added to it.
        case makeShelf(name: String)
        /// A shelf was renamed.
        case renameShelf(from: String, to: String)
        /// A shelf was moved among the shelves.
        case moveShelf(name: String)
        /// A shelf was deleted.
        case deleteShelf(name: String)
        /// A search was saved.
        case saveQuery(name: String)
        /// A saved search was renamed.
        case renameQuery(from: String, to: String)
        /// A saved search was moved among the saved searches.
        case moveQuery(name: String)
        /// The query or sort order of a saved search was changed.
        case changeQuery(name: String)
        /// A saved search was deleted.
        case deleteQuery(name: String)
        /// Books were said to be different ones, or that was taken back.
        case distinction(Bool)
        /// The number of books to read in a year was set; nil if it is the one of the settings again, 0 for none.
        case goal(year: Int, Int?)
        /// Books of a catalog were edited.
        case edit(CatalogEditStep.Kind)
        /// This many steps were undone at once.
        case goBack(stepCount: Int)
    }

    /// The sequence number of the step's first line in the journal.
    public let id: Int
    /// The time in UTC (RFC 3339), such as "2026-11-21T09:30:00Z".
    public let date: String
    /// The kind of the step.
    public let kind: Kind
    /// The title of the first book affected, if any.
    public let title: String?
    /// The number of books affected.
    public let bookCount: Int
    /// The book whose user data the step changes, if it changes that of one book only.
    public let book: ChangedBook?
    /// Whether the step is undone and not redone.
    public let isUndone: Bool

    /// The keys of a book, by which a catalog has it.
    public struct ChangedBook: Hashable, Sendable {
        /// The identity of its user data.
        public let identity: BookIdentity
        /// The keys that match it.
        public let keys: MatchKeys
    }
}

extension UndoStep {
    /// Creates the step of `record`; fails for an undo or redo.
    init?(_ record: StepRecord, isUndone: Bool) {
        guard let first = record.lines.first, var kind = Kind(first) else { return nil }
        if case .book = first.subject, record.lines.contains(where: { Kind($0) != kind }) { kind = .several }
        if let halves = first.ratingStep { kind = .ratingStep(halves: halves) }
        if let file = first.importedFile { kind = .imported(file: file) }
        // A step that creates a shelf begins with the shelf, and may have been torn behind it by a crash.
        let line = record.reversal == nil ? record.lines.first { $0.book != nil } : nil
        id = record.id
        date = first.date
        self.kind = kind
        title = record.edit?.title ?? line?.book?.title
        bookCount = record.edit?.bookCount ?? (line == nil ? 0 : first.bookCount ?? 1)
        book = record.edit == nil && bookCount == 1 ? line.flatMap(ChangedBook.init) : nil
        self.isUndone = isUndone
    }
}

extension UndoStep.ChangedBook {
    /// Creates the keys of the book of a line; fails for a line about no book.
    fileprivate init?(_ line: JournalEntry) {
        guard let identity = line.subject.identity, let book = line.book else { return nil }
        self.init(identity: identity, keys: book.keys)
    }
}

extension UndoStep.Kind {
    /// Creates the kind of a change of the reading status or log.
    private init(_ status: Book.ReadingStatus?, _ log: ReadingLog, after old: LineValue) {
        guard case .status(let oldStatus, let oldLog) = old else {
            let progress = log.current?.progress.last
            self = progress.map { .progress($0.place) } ?? (status == nil ? .readings : .status(status))
            return
        }
        if let last = log.current?.progress.last, last != oldLog.current?.progress.last,
            last.place != oldLog.current?.progress.last?.place
        {
            self = .progress(last.place)
        } else {
            self = status == oldStatus ? .readings : .status(status)
        }
    }

    fileprivate init?(_ line: JournalEntry) {
        let name = line.name ?? ""
        switch (line.subject, line.value) {
        case (.book(_, .favourite), let value): self = .favourite(value == .flag(true))
        case (.book(_, .shelf), let value): self = .shelf(name: name, value == .flag(true))
        case (.book(_, .status), .status(let status, let log)): self = Self(status, log, after: line.old)
        case (.book(_, .status), _): self = .status(nil)
        case (.book(_, .rating), .rating(let rating)): self = .rating(rating)
        case (.book(_, .rating), _): self = .rating(nil)
        case (.book(_, .note), .text(let note)): self = .note(note)
        case (.book(_, .note), _): self = .note(nil)
        case (.book(_, .distinction), let value): self = .distinction(value == .flag(true))
        case (.entry(let list, _, .existence), let value):
            let isThere = value != .nothing
            switch list {
            case .shelves: self = isThere ? .makeShelf(name: name) : .deleteShelf(name: name)
            case .queries: self = isThere ? .saveQuery(name: name) : .deleteQuery(name: name)
            }
        case (.entry(let list, _, .name), .text(let new)):
            self = list == .shelves ? .renameShelf(from: name, to: new) : .renameQuery(from: name, to: new)
        case (.entry(let list, _, .index), _):
            self = list == .shelves ? .moveShelf(name: name) : .moveQuery(name: name)
        case (.entry(_, _, .query), _): self = .changeQuery(name: name)
        case (.goal(let year), .number(let count)): self = .goal(year: year, count)
        case (.goal(let year), _): self = .goal(year: year, nil)
        case (.steps(.goBack), .steps(let steps)): self = .goBack(stepCount: steps.count)
        case (.edit(let kind, _), _): self = .edit(kind)
        case (.steps, _), (.entry, _): return nil
        }
    }
}

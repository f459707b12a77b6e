public import Books

/// What the reader did at once: one step of undo, however many books it was about.
public struct UndoStep: Hashable, Sendable, Identifiable {
    /// What was done.
    public enum Kind: Hashable, Sendable {
        /// Books were made favourites, or no longer.
        case favourite(Bool)
        /// Books were put on the shelf of this name, or taken off it.
        case shelf(name: String, Bool)
        /// The reader got so far with books.
        case status(Book.ReadingStatus?)
        /// Books were rated.
        case rating(Int?)
        /// A note was written; with nil it was taken away.
        case note(String?)
        /// Several things were said of books, as by an import.
        case several
        /// A shelf was made.
        case makeShelf(name: String)
        /// A shelf was given another name.
        case renameShelf(from: String, to: String)
        /// A shelf was put in another place among the shelves.
        case moveShelf(name: String)
        /// A shelf was deleted.
        case deleteShelf(name: String)
        /// A query was saved.
        case saveQuery(name: String)
        /// A saved query was given another name.
        case renameQuery(from: String, to: String)
        /// A saved query was put in another place among them.
        case moveQuery(name: String)
        /// A saved query asks for something else now, or in another order.
        case changeQuery(name: String)
        /// A saved query was deleted.
        case deleteQuery(name: String)
        /// So many steps were undone at once.
        case goBack(stepCount: Int)
    }

    /// The sequence number of its first line in the journal.
    public let id: Int
    /// When it was done, in UTC (RFC 3339): "2026-11-21T09:30:00Z".
    public let date: String
    /// What was done.
    public let kind: Kind
    /// The title of the first book that it was done to; nil where it was done to none.
    public let title: String?
    /// How many books it was done to.
    public let bookCount: Int
    /// Whether it was undone since, and not done again.
    public let isUndone: Bool
}

extension UndoStep {
    /// The step that `record` is of; nil where it is none that the reader knows as one.
    init?(_ record: StepRecord, isUndone: Bool) {
        guard let first = record.lines.first, var kind = Kind(first) else { return nil }
        if case .mark = first.subject, record.lines.contains(where: { Kind($0) != kind }) { kind = .several }
        id = record.id
        date = first.date
        self.kind = kind
        title = first.book?.title
        bookCount = first.book == nil ? 0 : first.bookCount ?? 1
        self.isUndone = isUndone
    }
}

extension UndoStep.Kind {
    fileprivate init?(_ line: JournalEntry) {
        let name = line.name ?? ""
        switch (line.subject, line.value) {
        case (.mark(_, .favourite), let value): self = .favourite(value == .flag(true))
        case (.mark(_, .shelf), let value): self = .shelf(name: name, value == .flag(true))
        case (.mark(_, .status), .status(let status, _)): self = .status(status)
        case (.mark(_, .status), _): self = .status(nil)
        case (.mark(_, .rating), .number(let rating)): self = .rating(rating)
        case (.mark(_, .rating), _): self = .rating(nil)
        case (.mark(_, .note), .text(let note)): self = .note(note)
        case (.mark(_, .note), _): self = .note(nil)
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
        case (.steps(.goBack), .steps(let steps)): self = .goBack(stepCount: steps.count)
        case (.steps, _), (.entry, _): return nil
        }
    }
}

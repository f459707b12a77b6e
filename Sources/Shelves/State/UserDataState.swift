internal import Books

/// All user data: the state after replaying the lines of a journal.
struct UserDataState: Hashable, Sendable {
    /// The user data of books.
    private(set) var books = UserDataTable()
    /// The shelves in the user's order.
    private(set) var shelves = EntryList()
    /// The saved searches in the user's order.
    private(set) var queries = EntryList()
    /// The number of books that the reader wants to read in a year, by year; 0 is none.
    private(set) var goals: [Int: Int] = [:]

    /// Creates an empty state.
    init() {}

    /// Creates a state of these parts.
    init(books: UserDataTable, shelves: EntryList, queries: EntryList, goals: [Int: Int] = [:]) {
        (self.books, self.shelves, self.queries, self.goals) = (books, shelves, queries, goals)
    }

    /// The current value of `subject`.
    subscript(subject: LineSubject) -> LineValue {
        switch subject {
        case .book(let identity, let field): books[identity]?[field] ?? field.nothing
        case .entry(let kind, let id, let field): self[kind][id, field]
        case .goal(let year): goals[year].map(LineValue.number) ?? .nothing
        case .steps, .edit: .nothing
        }
    }

    /// The shelves or the saved searches.
    subscript(kind: ListKind) -> EntryList {
        get { kind == .shelves ? shelves : queries }
        _modify { if kind == .shelves { yield &shelves } else { yield &queries } }
    }

    /// Whether there is something that only the current version of the snapshot has. Linear in the books.
    var isOfCurrentVersion: Bool { !goals.isEmpty || hasDistinctions }

    /// Whether some books are said not to be the same. Linear in the books.
    var hasDistinctions: Bool { books.contains { !$0.value.distinctions.isEmpty } }

    /// Makes room for the data of `count` more books.
    mutating func reserveCapacity(forMore count: Int) { books.reserveCapacity(forMore: count) }

    /// Applies the change of a line.
    mutating func apply(_ line: JournalEntry) {
        switch line.subject {
        case .book(let identity, let field): set(field, of: identity, to: line.value, book: line.book)
        case .entry(let kind, let id, let field): self[kind].set(field, of: id, to: line.value)
        case .goal(let year): goals[year] = if case .number(let count) = line.value { count } else { nil }
        case .steps, .edit: break
        }
    }

    private mutating func set(_ field: UserDataField, of identity: BookIdentity, to value: LineValue, book: StoredBook?)
    {
        // Change it in place: a copy would duplicate its sets and dictionaries.
        if let position = books.position(of: identity) {
            books[position][field] = value
            if books[position].isGone { books.remove(at: position) }
        } else if value != field.nothing, let book {
            var bookData = UserBookData(on: book)
            bookData[field] = value
            books.append(bookData, as: identity)
        }
    }

    /// Adds the data of `other` that is missing here.
    mutating func merge(_ other: UserDataState) {
        for (identity, bookData) in other.books {
            if let position = books.position(of: identity) {
                books[position].merge(bookData)
            } else {
                books.append(bookData, as: identity)
            }
        }
        shelves.merge(other.shelves)
        queries.merge(other.queries)
        goals.merge(other.goals) { own, _ in own }
    }

    /// Copies the unknown members from `other`, a later state of the same snapshot.
    mutating func mergeUnknown(_ other: UserDataState) {
        for (identity, bookData) in other.books where !bookData.unknownMembers.isEmpty {
            if let position = books.position(of: identity) { books[position].unknownMembers = bookData.unknownMembers }
        }
        shelves.mergeUnknown(other.shelves)
        queries.mergeUnknown(other.queries)
    }
}

extension UserBookData {
    /// Whether the record contains no data, known or unknown.
    fileprivate var isGone: Bool { isEmpty && unknownMembers.isEmpty }
}

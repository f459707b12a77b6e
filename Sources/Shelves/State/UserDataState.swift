internal import Books

/// All user data: the state after replaying the lines of a journal.
struct UserDataState: Hashable, Sendable {
    /// The user data of books.
    private(set) var marks = Marks()
    /// The shelves in the user's order.
    private(set) var shelves = EntryList()
    /// The saved searches in the user's order.
    private(set) var queries = EntryList()
    /// Creates an empty state.
    init() {}

    /// Creates a state of these parts.
    init(marks: Marks, shelves: EntryList, queries: EntryList) {
        (self.marks, self.shelves, self.queries) = (marks, shelves, queries)
    }

    /// The current value of `subject`.
    subscript(subject: LineSubject) -> LineValue {
        switch subject {
        case .mark(let identity, let field): marks[identity]?[field] ?? field.nothing
        case .entry(let kind, let id, let field): self[kind][id, field]
        case .steps: .nothing
        }
    }

    /// The shelves or the saved searches.
    subscript(kind: ListKind) -> EntryList {
        get { kind == .shelves ? shelves : queries }
        _modify { if kind == .shelves { yield &shelves } else { yield &queries } }
    }

    /// Applies the change of a line.
    mutating func apply(_ line: JournalEntry) {
        switch line.subject {
        case .mark(let identity, let field): set(field, of: identity, to: line.value, book: line.book)
        case .entry(let kind, let id, let field): self[kind].set(field, of: id, to: line.value)
        case .steps: break
        }
    }

    private mutating func set(_ field: MarkField, of identity: BookIdentity, to value: LineValue, book: MarkedBook?) {
        // Change it in place: a copy would duplicate its sets and dictionaries.
        if let place = marks.place(of: identity) {
            marks[place][field] = value
            if marks[place].isGone { marks.remove(at: place) }
        } else if value != field.nothing, let book {
            var mark = UserBookData(on: book)
            mark[field] = value
            marks.append(mark, as: identity)
        }
    }

    /// Adds the data of `other` that is missing here.
    mutating func merge(_ other: UserDataState) {
        for (identity, mark) in other.marks {
            if let place = marks.place(of: identity) {
                marks[place].merge(mark)
            } else {
                marks.append(mark, as: identity)
            }
        }
        shelves.merge(other.shelves)
        queries.merge(other.queries)
    }

    /// Copies the unknown members from `other`, a later state of the same snapshot.
    mutating func mergeUnknown(_ other: UserDataState) {
        for (identity, mark) in other.marks where !mark.unknownMembers.isEmpty {
            if let place = marks.place(of: identity) { marks[place].unknownMembers = mark.unknownMembers }
        }
        shelves.mergeUnknown(other.shelves)
        queries.mergeUnknown(other.queries)
    }
}

extension UserBookData {
    /// Whether the record contains no data, known or unknown.
    fileprivate var isGone: Bool { isEmpty && unknownMembers.isEmpty }
}

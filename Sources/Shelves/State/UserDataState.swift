internal import Books

/// All that is the reader's own: what the lines of a journal come to.
struct UserDataState: Hashable, Sendable {
    /// The marks.
    private(set) var marks = Marks()
    /// The shelves in the reader's order.
    private(set) var shelves = EntryList()
    /// The saved queries in the reader's order.
    private(set) var queries = EntryList()
    /// Nothing yet.
    init() {}

    /// These marks and lists.
    init(marks: Marks, shelves: EntryList, queries: EntryList) {
        (self.marks, self.shelves, self.queries) = (marks, shelves, queries)
    }

    /// What `subject` is now.
    subscript(subject: LineSubject) -> LineValue {
        switch subject {
        case .mark(let identity, let field): marks[identity]?[field] ?? field.nothing
        case .entry(let kind, let id, let field): self[kind][id, field]
        case .steps: .nothing
        }
    }

    /// The entries of a list.
    subscript(kind: ListKind) -> EntryList {
        get { kind == .shelves ? shelves : queries }
        _modify { if kind == .shelves { yield &shelves } else { yield &queries } }
    }

    /// Makes the change of a line.
    mutating func apply(_ line: JournalEntry) {
        switch line.subject {
        case .mark(let identity, let field): set(field, of: identity, to: line.value, book: line.book)
        case .entry(let kind, let id, let field): self[kind].set(field, of: id, to: line.value)
        case .steps: break
        }
    }

    private mutating func set(_ field: MarkField, of identity: BookIdentity, to value: LineValue, book: MarkedBook?) {
        // In place: a copy of the mark would be one of its sets and dictionaries, too.
        if let place = marks.place(of: identity) {
            marks[place][field] = value
            if marks[place].isGone { marks.remove(at: place) }
        } else if value != field.nothing, let book {
            var mark = UserBookData(on: book)
            mark[field] = value
            marks.append(mark, as: identity)
        }
    }

    /// Takes over from `other` what is not said here.
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

    /// Takes over from `other`, which a later version of the same snapshot holds, what is unknown here.
    mutating func mergeUnknown(_ other: UserDataState) {
        for (identity, mark) in other.marks where !mark.unknownMembers.isEmpty {
            if let place = marks.place(of: identity) { marks[place].unknownMembers = mark.unknownMembers }
        }
        shelves.mergeUnknown(other.shelves)
        queries.mergeUnknown(other.queries)
    }
}

extension UserBookData {
    /// Whether nothing would be lost with it.
    fileprivate var isGone: Bool { isEmpty && unknownMembers.isEmpty }
}

internal import Catalog

/// All that is the reader's own: what the lines of a journal come to.
struct Kept: Hashable, Sendable {
    /// The marks, by the identity that the book had when it was first marked.
    private(set) var marks: [BookIdentity: Mark] = [:]
    /// The shelves in the reader's order.
    private(set) var shelves = EntryList()
    /// The saved queries in the reader's order.
    private(set) var queries = EntryList()
    /// How many marks have a key.
    private var keyCounts: [BookIdentity.Key: Int] = [:]

    /// Nothing yet.
    init() {}

    /// These marks and lists. The marks are taken out of where they are: to copy each costs more than to find its place.
    init(taking marks: inout [[(BookIdentity, Mark)]], shelves: EntryList, queries: EntryList) {
        self.shelves = shelves
        self.queries = queries
        let markCount = marks.reduce(0) { $0 + $1.count }
        self.marks.reserveCapacity(markCount)
        keyCounts.reserveCapacity(2 * markCount)
        while var chunk = marks.popLast() {
            while let (identity, mark) = chunk.popLast() {
                let keys = mark.keys
                let known = self.marks.count
                self.marks[identity] = consume mark
                guard self.marks.count > known else { continue }
                keyCounts[keys.hash, default: 0] += 1
                if let isbn = keys.isbn { keyCounts[isbn, default: 0] += 1 }
            }
        }
    }

    /// Whether any mark has `key`.
    func contains(_ key: BookIdentity.Key) -> Bool { keyCounts[key] != nil }

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
    mutating func apply(_ line: JournalLine) {
        switch line.subject {
        case .mark(let identity, let field): set(field, of: identity, to: line.value, book: line.book)
        case .entry(let kind, let id, let field): self[kind].set(field, of: id, to: line.value)
        case .steps: break
        }
    }

    private mutating func set(_ field: MarkField, of identity: BookIdentity, to value: LineValue, book: MarkedBook?) {
        // In place: a copy of the mark would be one of its sets and dictionaries, too.
        if let index = marks.index(forKey: identity) {
            marks.values[index][field] = value
            if marks.values[index].isGone {
                count(marks.values[index].keys, by: -1)
                marks.remove(at: index)
            }
        } else if value != field.nothing, let book {
            var mark = Mark(on: book)
            mark[field] = value
            marks[identity] = mark
            count(book.keys, by: 1)
        }
    }

    /// Takes over from `other` what is not said here.
    mutating func merge(_ other: Kept) {
        for (identity, mark) in other.marks {
            if let index = marks.index(forKey: identity) {
                marks.values[index].merge(mark)
            } else {
                marks[identity] = mark
                count(mark.keys, by: 1)
            }
        }
        shelves.merge(other.shelves)
        queries.merge(other.queries)
    }

    /// Takes over from `other`, which a later version of the same snapshot holds, what is unknown here.
    mutating func mergeUnknown(_ other: Kept) {
        for (identity, mark) in other.marks where !mark.others.isEmpty {
            if let index = marks.index(forKey: identity) { marks.values[index].others = mark.others }
        }
        shelves.mergeUnknown(other.shelves)
        queries.mergeUnknown(other.queries)
    }

    private mutating func count(_ keys: BookKeys, by step: Int) {
        for key in keys.all {
            let count = keyCounts[key, default: 0] + step
            keyCounts[key] = count > 0 ? count : nil
        }
    }
}

extension Mark {
    /// Whether nothing would be lost with it.
    fileprivate var isGone: Bool { isEmpty && others.isEmpty }
}

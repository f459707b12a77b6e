public import Books
public import Storage

extension UserData {
    /// Applies a change to books as one undo step; when this method returns, either all of it is on disk or nothing.
    ///
    /// A book without user data gets new user data under its identity in the catalog or the next free occurrence of it.
    /// If several records of user data belong to one book, values are set in the first one and removed from all of
    /// them.
    /// - Returns: The identities of each target's user data, best match first.
    /// - Throws: `FileError` if the change could not be saved; it is kept in memory and saved with the next change that
    ///   succeeds.
    @discardableResult
    public func apply(_ change: MarkChange, to targets: [MarkTarget]) throws(FileError) -> [[BookIdentity]] {
        loadOnce()
        if case .shelf(let id, _) = change, ledger.kept.shelves.index(of: id) == nil { return targets.map(\.marks) }
        let moment = moment
        var step: Int?
        var changedCount = 0
        let marks = targets.map { target in
            let count = unsaved.count
            let marks = make(change, to: target, at: moment, day: moment.day, step: &step)
            if unsaved.count > count { changedCount += 1 }
            return marks
        }
        guard let step else { return marks }
        setBookCount(changedCount, ofStep: step)
        try commit()
        return marks.map { $0.map(savedName(of:)) }
    }

    /// Adds the lines of a change of one target, to be saved by `commit()`.
    ///
    /// - Parameter day: The date of a reading status, if known.
    /// - Returns: The identities of the target's user data after the change.
    func make(
        _ change: MarkChange, to target: MarkTarget, at moment: Timestamp, day: String?, step: inout Int?
    ) -> [BookIdentity] {
        let marks = target.marks.filter { ledger.kept.marks[$0] != nil }
        let field = change.field
        let value = value(of: change, on: merged(marks), day: day)
        func add(_ identity: BookIdentity, _ book: MarkedBook) {
            let line = JournalEntry(
                subject: .mark(identity, field), value: value, old: .nothing, book: book, name: shelfName(of: field))
            step = self.add(line, at: moment, step: step)
        }
        if value == field.nothing {
            for identity in marks { if let mark = ledger.kept.marks[identity] { add(identity, mark.book) } }
            return marks.filter { ledger.kept.marks[$0] != nil }
        }
        if let first = marks.first {
            if merged(marks)?[field] != value, let mark = ledger.kept.marks[first] { add(first, mark.book) }
            return marks
        }
        guard let book = target.book else { return [] }
        var identity = target.identity
        // The identity may be taken by the user data of a duplicate that has moved.
        while ledger.kept.marks[identity] != nil { identity.occurrence += 1 }
        add(identity, book)
        return [identity]
    }

    /// Returns the merged user data with these identities, which belong to one book.
    func merged(_ identities: [BookIdentity]) -> UserBookData? {
        guard let first = identities.first, var mark = ledger.kept.marks[first] else { return nil }
        for identity in identities.dropFirst() { if let other = ledger.kept.marks[identity] { mark.merge(other) } }
        return mark
    }

    private func value(of change: MarkChange, on mark: UserBookData?, day: String?) -> LineValue {
        switch change {
        case .favourite(let flag), .shelf(_, let flag): return .flag(flag)
        case .rating(let rating): return rating.map { .number(min(max(0, $0), 5)) } ?? .nothing
        case .note(let note):
            guard let note, !note.allSatisfy(\.isWhitespace) else { return .nothing }
            return .text(note)
        case .status(let status):
            guard let status else { return .nothing }
            var dates = mark?.statusDates ?? [:]
            // An unchanged status keeps its date.
            if mark?.status != status { dates[status] = day }
            return .status(status, dates)
        }
    }

    private func shelfName(of field: MarkField) -> String? {
        guard case .shelf(let id) = field, let index = ledger.kept.shelves.index(of: id) else { return nil }
        return ledger.kept.shelves.entries[index].name
    }
}

extension MarkChange {
    /// The field that it changes.
    fileprivate var field: MarkField {
        switch self {
        case .favourite: .favourite
        case .shelf(let id, _): .shelf(id)
        case .status: .status
        case .rating: .rating
        case .note: .note
        }
    }
}

public import Books
public import Storage

extension UserData {
    /// Applies a change to books as one undo step; when this method returns, either all of it is on disk or nothing.
    ///
    /// A book without user data gets a record under its identity in the catalog or the next free occurrence of it. If
    /// several records of user data belong to one book, values are set in the first one and removed from all of them.
    /// - Returns: The identities of each target's user data, best match first.
    /// - Throws: `FileError` if the change could not be saved; it is kept in memory and saved with the next change that
    ///   succeeds.
    @discardableResult
    public func apply(_ change: UserDataChange, to targets: [UserDataTarget]) throws(FileError) -> [[BookIdentity]] {
        try apply(change, to: targets) { _ in true } ?? []
    }

    /// Applies a change like `apply(_:to:)` unless `isWanted` returns false. `isWanted` is called before anything is
    /// written, with the number of targets changed so far, once every thousand targets.
    ///
    /// - Returns: The identities of each target's user data, or nil if the change is not wanted. In that case this
    ///   object contains part of the change and must not be used any more.
    public func apply(
        _ change: UserDataChange, to targets: [UserDataTarget], while isWanted: (Int) -> Bool
    ) throws(FileError) -> [[BookIdentity]]? {
        loadOnce()
        if case .shelfNamed = change { takeInOthers() }
        prepareForStep(of: targets.count)
        let moment = moment
        var step: Int?
        guard !targets.isEmpty, let change = withShelf(change, at: moment, step: &step) else {
            return targets.map(\.identities)
        }
        var changedCount = 0
        var identities: [[BookIdentity]] = []
        identities.reserveCapacity(targets.count)
        for target in targets {
            if identities.count % 1000 == 0, !isWanted(identities.count) { return nil }
            let count = unsaved.count
            identities.append(make(change, to: target, at: moment, step: &step))
            if unsaved.count > count { changedCount += 1 }
        }
        guard isWanted(targets.count) else { return nil }
        guard let step else { return identities }
        let ratingStep: Int? = if case .ratingStep(let halves) = change { halves } else { nil }
        describe(step: step, bookCount: changedCount, ratingStep: ratingStep)
        try commit()
        return hasRenamed ? identities.map { $0.map(savedName(of:)) } : identities
    }

    /// Returns `change` with the id of its shelf, which `step` creates if it is missing; nil if there is no such shelf.
    func withShelf(_ change: UserDataChange, at moment: Timestamp, step: inout Int?) -> UserDataChange? {
        switch change {
        case .shelf(let id, _): replay.state.shelves.index(of: id) == nil ? nil : change
        case .shelfNamed(let name): shelf(named: name, at: moment, step: &step).map { .shelf($0, true) }
        case .favourite, .status, .progress, .readingLog, .rating, .ratingStep, .note, .distinction: change
        }
    }

    /// Adds the lines of a change of one target, to be saved by `commit()`. The change has the id of its shelf.
    ///
    /// - Returns: The identities of the target's user data after the change.
    func make(
        _ change: UserDataChange, to target: UserDataTarget, at moment: Timestamp, step: inout Int?
    ) -> [BookIdentity] {
        let identities = target.identities.filter { replay.state.books[$0] != nil }
        guard let field = change.field else { return identities }
        let value = value(of: change, on: merged(identities), day: moment.day)
        func add(_ identity: BookIdentity, _ book: StoredBook) {
            let line = JournalEntry(
                subject: .book(identity, field), value: value, old: .nothing, book: book, name: shelfName(of: field))
            step = self.add(line, at: moment, step: step)
        }
        if value == field.nothing {
            for identity in identities {
                if let bookData = replay.state.books[identity] { add(identity, bookData.book) }
            }
            return identities.filter { replay.state.books[$0] != nil }
        }
        if case .status(nil, _) = value {
            // A status of another record would take the place of the one that is cleared.
            for identity in identities.dropFirst() {
                let line = JournalEntry(
                    subject: .book(identity, field), value: field.nothing, old: .nothing,
                    book: replay.state.books[identity]?.book)
                step = self.add(line, at: moment, step: step)
            }
        }
        if let first = identities.first {
            if merged(identities)?[field] != value, let bookData = replay.state.books[first] {
                add(first, bookData.book)
            }
            return identities
        }
        guard let book = target.book else { return [] }
        var identity = target.identity
        // A duplicate record that has moved may already use this identity for its user data.
        while replay.state.books[identity] != nil { identity.occurrence += 1 }
        add(identity, book)
        return [identity]
    }

    /// Returns the merged user data with these identities, which belong to one book.
    func merged(_ identities: [BookIdentity]) -> UserBookData? {
        guard let first = identities.first, var bookData = replay.state.books[first] else { return nil }
        for identity in identities.dropFirst() { if let other = replay.state.books[identity] { bookData.merge(other) } }
        return bookData
    }

    private func value(of change: UserDataChange, on bookData: UserBookData?, day: String) -> LineValue {
        switch change {
        case .favourite(let flag), .shelf(_, let flag), .distinction(_, let flag): return .flag(flag)
        case .shelfNamed: return .flag(true)
        case .rating(let rating): return rating.map(LineValue.rating) ?? .nothing
        case .ratingStep(let halves):
            let rating = bookData?.rating
            return rating.changed(byHalves: halves).map(LineValue.rating) ?? .nothing
        case .note(let note):
            guard let note, !note.allSatisfy(\.isWhitespace) else { return .nothing }
            return .text(note)
        case .status(let status, let given):
            var log = bookData?.readingLog ?? ReadingLog()
            let new = log.set(status, after: bookData?.status, on: given ?? day, isGiven: given != nil)
            return LineValue(new, log)
        case .progress(let place, let given):
            var log = bookData?.readingLog ?? ReadingLog()
            log.set(ReadingProgress(place, on: given ?? day))
            return LineValue(.reading, log)
        case .readingLog(let status, let log): return LineValue(status, log)
        }
    }

    private func shelfName(of field: UserDataField) -> String? {
        guard case .shelf(let id) = field, let index = replay.state.shelves.index(of: id) else { return nil }
        return replay.state.shelves.entries[index].name
    }
}

extension UserDataChange {
    /// The field that it changes; nil if its shelf has no id yet.
    fileprivate var field: UserDataField? {
        switch self {
        case .favourite: .favourite
        case .shelf(let id, _): .shelf(id)
        case .shelfNamed: nil
        case .status, .progress, .readingLog: .status
        case .rating, .ratingStep: .rating
        case .note: .note
        case .distinction(let id, _): .distinction(id)
        }
    }
}

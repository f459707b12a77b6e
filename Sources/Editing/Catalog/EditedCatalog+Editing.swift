public import Books
internal import Catalog
public import Indexing
internal import JSON
internal import Storage

/// The outcome of an edit.
public struct EditOutcome: Sendable {
    /// The number of its step in the journal, for undo.
    public let number: Int
    /// The number of changed, added, deleted or moved books.
    public let bookCount: Int
    /// The current position of the first of these books; for deleted ones, the former position of the first.
    public let position: Int

    init(of edits: [CatalogEdit], number: Int) {
        self.number = number
        bookCount = edits.reduce(0) { $0 + $1.bookCount }
        position = edits.first?.firstPosition ?? 0
    }
}

/// Editing the books. Each edit is on disk when the method returns; the file is unchanged until it is saved.
extension EditedCatalog {
    /// Throws the reason why no book can be edited, if there is one.
    public func checkEditable() throws(CatalogEditError) {
        guard journal != nil || direct != nil else { throw .notKept }
        if !target.keepsOrder, !isComplete { throw .loading }
        _ = try recordFormat()
    }

    /// Returns the fields that the catalog can store.
    ///
    /// - Throws: `CatalogEditError` if the catalog cannot be edited.
    public func heldFields() throws(CatalogEditError) -> Set<BookField> {
        Set(try recordFormat().mapping.rules.keys).subtracting(target.ownFields)
    }

    /// Replaces the text of the record of a book.
    ///
    /// - Returns: The outcome; nil if the record had this text already.
    /// - Throws: `CatalogEditError`, `notARecord` if the text is not a JSON object with a title.
    public func setRecord(of id: BookID, to text: [UInt8]) throws(CatalogEditError) -> EditOutcome? {
        try perform([id]) { ids throws(CatalogEditError) in
            guard let id = ids.first, let old = bytes(of: id) else { throw .recordGone(title: "") }
            guard let value = JSONValue(parsing: text), value.members != nil,
                let mapping = base.format?.mapping, !mapping.book(from: value).title.isEmpty
            else { throw .notARecord }
            let kept = target.kept(value, insteadOf: JSONValue(parsing: old))
            let new = try recordFormat().changes(of: old, to: kept).applied(to: old)
            return new == old ? [] : [.replace([.init(position: id.index, old: old, new: new)])]
        }
    }

    /// Adds books after the book `id`, or at the end, in the format of the existing records.
    ///
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func add(_ books: [Book], after id: BookID?) throws(CatalogEditError) -> EditOutcome? {
        try add(books.map { NewBook($0) }, after: id)
    }

    /// Adds books with what else their records say after the book `id`, or at the end.
    ///
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func add(_ books: [NewBook], after id: BookID?) throws(CatalogEditError) -> EditOutcome? {
        try perform(id.map { [$0] } ?? []) { ids throws(CatalogEditError) in
            let format = try recordFormat()
            // Without an order, the newest books are last.
            let id = target.keepsOrder ? ids.first : nil
            let position = id.map { $0.index + 1 } ?? index.count
            if base.index.count == 0 { return [.insert(try firstRecords(of: books, at: position, with: format))] }
            // A neighbour in the file shows the format.
            var neighbour = base.index.count - 1
            if position > 0, !isUnchanged, case .original(let numbers) = sequence[position - 1] {
                neighbour = numbers.lowerBound
            } else if position > 0, isUnchanged {
                neighbour = position - 1
            }
            var records: [CatalogEdit.PlacedRecord] = []
            var before = position > 0 ? bytes(of: BookID(position - 1)) : nil
            // Keyed records have no neighbours.
            try format.checkList(of: try format.range(of: BookID(neighbour)))
            if position == index.count { try format.checkEnd() }
            for record in try format.records(of: books, beside: BookID(neighbour)) {
                records.append(.init(position: position + records.count, bytes: record, neighbour: before))
                before = record
            }
            return [.insert(records)]
        }
    }

    /// Returns the records of books in an empty catalog.
    private func firstRecords(
        of books: [NewBook], at position: Int, with format: RecordFormat
    ) throws(CatalogEditError) -> [CatalogEdit.PlacedRecord] {
        var records: [CatalogEdit.PlacedRecord] = []
        for book in books {
            let bytes = try format.firstRecord(of: book)
            let before = records.last?.bytes ?? (position > 0 ? self.bytes(of: BookID(position - 1)) : nil)
            records.append(.init(position: position + records.count, bytes: bytes, neighbour: before))
        }
        return records
    }

    /// Moves a book before or after another one, directly if there are items between books that are not books.
    ///
    /// - Returns: The outcome; nil if it is there already.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func move(
        _ id: BookID, after isAfter: Bool, _ other: BookID
    ) throws(CatalogEditError) -> EditOutcome? {
        // The position of the other book once this one is taken out.
        let place = other.index + (isAfter ? 1 : 0) - (id.index < other.index ? 1 : 0)
        return try move(id, to: id == other ? id.index : place, isBehind: isAfter)
    }

    /// Moves a book to this position.
    ///
    /// - Parameter isBehind: Whether it belongs to the previous book, and not to the next one; by default, to the one
    ///   that it passes last.
    /// - Returns: The outcome; nil if it is there already.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func move(
        _ id: BookID, to position: Int, isBehind: Bool? = nil
    ) throws(CatalogEditError) -> EditOutcome? {
        if !target.keepsOrder { throw .unordered }
        return try perform([id]) { ids throws(CatalogEditError) in
            guard let id = ids.first, let bytes = bytes(of: id) else { throw .recordGone(title: "") }
            let target = min(max(0, position), index.count - 1)
            if id.index == target { return [] }
            try checkList()
            return [.move(.init(bytes: bytes, from: id.index, to: target, isBehind: isBehind))]
        }
    }

    /// Gives all books another order.
    ///
    /// Whether the records are in one list, which alone can have another order, is found out when it is saved.
    /// - Parameter order: All books in the new order.
    /// - Returns: The outcome; nil if they are in this order already.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func sort(into order: [BookID]) throws(CatalogEditError) -> EditOutcome? {
        if !target.keepsOrder { throw .unordered }
        return try perform([]) { _ throws(CatalogEditError) in
            if zip(order, 0...).allSatisfy({ $0.index == $1 }) { return [] }
            let (before, after) = (index.checksum, index.checksum(of: order))
            guard order.count == index.count,
                let reordering = CatalogEdit.Reordering(order: order.map(\.index), before: before, after: after)
            else { throw .changedSince }
            return [.reorder(reordering)]
        }
    }

    /// Undoes or redoes the step with this number, whether it was saved or not.
    ///
    /// - Returns: The outcome; nil if it has no effect any more.
    /// - Throws: `CatalogEditError.changedSince` if others have changed the same values; nothing is changed then.
    public func reverse(
        _ number: Int, redoing isRedo: Bool, unless isCancelled: () -> Bool = { false }
    ) throws(CatalogEditError) -> EditOutcome? {
        // A command may just have written the step to undo.
        try readChangedFile()
        return try perform([], as: isRedo ? .redo : .undo, of: number, unless: isCancelled) {
            _ throws(CatalogEditError) in
            guard let edits = history.steps[number] else { throw .stepGone }
            return isRedo ? edits : edits.reversed().map(\.reversed)
        }
    }

    /// Reloads the file if others have changed it.
    public func readChangedFile() throws(CatalogEditError) {
        guard isOutdated, isComplete else { return }
        do throws(CatalogError) {
            try reloadCompletely()
        } catch {
            throw .unreadable(error)
        }
    }

    /// Throws `notAList` if the records are keyed members of an object.
    public func checkList() throws(CatalogEditError) {
        if base.index.count > 0 { try recordFormat().checkList(of: try recordFormat().range(of: BookID(0))) }
    }

    // MARK: - The journal

    /// Adopts the edits of other instances, then makes edits of the books `ids`, applies them and records them in the
    /// journal, unless cancelled before that.
    func perform(
        _ ids: [BookID], as kind: EditJournal.Step.Kind = .edit, of known: Int? = nil,
        unless isCancelled: () -> Bool = { false }, _ make: ([BookID]) throws(CatalogEditError) -> [CatalogEdit]
    ) throws(CatalogEditError) -> EditOutcome? {
        guard isComplete else { throw .loading }
        guard saving == nil else { throw .saving }
        if direct != nil { return try performDirectly(try make(ids)) }
        guard let journal else { throw .notKept }
        readJournalNow()
        _ = try recordFormat()
        var transaction = EditTransaction(of: self, as: kind, of: known)
        var failure: CatalogEditError?
        do throws(FileError) {
            try journal.append { others in
                transaction.begin(after: others)
                do throws(CatalogEditError) {
                    try transaction.apply(try make(transaction.current(ids)))
                } catch {
                    failure = error
                }
                return failure != nil || isCancelled() ? [] : transaction.entries(in: journal)
            }
        } catch {
            failure = .journal(error)
        }
        if let failure {
            transaction.rollBack()
            throw failure
        }
        return transaction.commit()
    }

    private func performDirectly(_ edits: [CatalogEdit]) throws(CatalogEditError) -> EditOutcome? {
        guard var direct else { return nil }
        _ = try recordFormat()
        var transaction = EditTransaction(of: self, as: .edit, of: nil)
        do throws(CatalogEditError) {
            try transaction.apply(edits)
        } catch {
            transaction.rollBack()
            throw error
        }
        defer { self.direct = direct }
        return transaction.commit(to: &direct)
    }

    /// Adopts all lines of the journal; those up to the last save are part of the file.
    func takeAll(_ entries: [EditJournal.Entry]) {
        var lastSaved: RandomAccessInput.Fingerprint?
        for entry in entries {
            history.take(entry)
            if case .saved(let fingerprint) = entry { lastSaved = fingerprint }
        }
        isSavedElsewhere = lastSaved != nil && lastSaved != base.fingerprint
        for edit in history.pending { _ = apply(edit) }
        noteChangedRecords()
    }

    /// Adopts the entries of other instances.
    func take(_ entries: [EditJournal.Entry]) {
        if journal?.isShortened == true { return takeShortened(entries) }
        for entry in entries {
            guard history.take(entry) else { continue }
            switch entry {
            case .step(let step): for edit in history.edits(of: step) { _ = apply(edit) }
            case .saved(let fingerprint): isSavedElsewhere = fingerprint != base.fingerprint
            // The file is reloaded when its change is detected.
            case .saving, .rebased, .written, .sending: break
            }
        }
        if !entries.isEmpty { noteChangedRecords() }
    }

    /// Adopts all entries of a shortened journal: the removed steps are no longer known.
    private func takeShortened(_ entries: [EditJournal.Entry]) {
        let before = history.pending
        history = EditHistory()
        for entry in entries {
            history.take(entry)
            if case .saved(let fingerprint) = entry { isSavedElsewhere = fingerprint != base.fingerprint }
        }
        if let fingerprint = base.fingerprint { history.complete(fingerprint) }
        if history.pending != before { replay() }
    }

    /// Adopts the edits of other instances.
    ///
    /// - Returns: Whether there were any.
    public func receiveEdits() -> Bool {
        guard isComplete, saving == nil, let journal else { return false }
        if journal.isPutOff {
            guard journal.hasChanged else { return false }
            readJournalNow()
            return true
        }
        guard let entries = try? journal.newEntries() else { return false }
        if journal.isReplaced { restoreJournal() }
        if entries.isEmpty { return false }
        let (before, wasSavedElsewhere) = (revision, isSavedElsewhere)
        take(entries)
        return !journal.isShortened || revision != before || isSavedElsewhere != wasSavedElsewhere
    }

    /// Writes the unsaved edits again that a damaged or deleted journal has lost.
    private func restoreJournal() {
        let edits = history.pending
        // If this fails, the next edit tries again or reports it.
        try? journal?.append { _ in [.rebased(edits)] }
    }

    /// The edits that turn the records of the file into those of the edited catalog.
    var netEdits: [CatalogEdit] {
        let inPlace = sequence.piecesInPlace
        var replacements: [CatalogEdit.Replacement] = []
        var insertions: [CatalogEdit.PlacedRecord] = []
        var kept: Set<Int> = []
        var moved: [Int] = []
        var position = 0
        func insert(_ bytes: [UInt8]?) {
            let neighbour = position > 0 ? self.bytes(of: sequence[position - 1]) : nil
            if let bytes { insertions.append(.init(position: position, bytes: bytes, neighbour: neighbour)) }
        }
        for (number, piece) in sequence.pieces.enumerated() {
            switch piece {
            case .original(let numbers):
                if inPlace.contains(number) { break }
                for record in numbers {
                    insert(bytes(of: .original(record..<record + 1)))
                    moved.append(record)
                    position += 1
                }
                continue
            case .changed(let record):
                guard inPlace.contains(number), let origin = record.origin,
                    let old = bytes(of: .original(origin..<origin + 1))
                else {
                    insert(record.bytes)
                    if let origin = record.origin { moved.append(origin) }
                    position += 1
                    continue
                }
                kept.insert(origin)
                replacements.append(.init(position: origin, old: old, new: record.bytes))
            }
            position += piece.count
        }
        let removals = Set(missing.keys).union(moved).subtracting(kept).sorted().compactMap { record in
            bytes(of: .original(record..<record + 1)).map {
                CatalogEdit.PlacedRecord(
                    position: record, bytes: $0,
                    neighbour: record > 0 ? bytes(of: .original(record - 1..<record)) : nil)
            }
        }
        var edits: [CatalogEdit] = []
        if !replacements.isEmpty { edits.append(.replace(replacements)) }
        if !removals.isEmpty { edits.append(.remove(removals)) }
        if !insertions.isEmpty { edits.append(.insert(insertions)) }
        return edits
    }
}

extension CatalogEdit {
    /// The position of its first book.
    var firstPosition: Int {
        switch self {
        case .replace(let replacements): replacements.first?.position ?? 0
        case .insert(let records), .remove(let records): records.first?.position ?? 0
        case .move(let move): move.to
        case .reorder: 0
        }
    }
}

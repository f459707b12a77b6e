internal import Books
internal import Indexing
internal import JSON

/// Applying edits to the copy of a library on a server, which gives each book a number. The copy has the books in the
/// order of their numbers.
extension EditedCatalog {
    /// Returns the number that the server gave the book of this record; nil if it did not.
    private func serverNumber(in bytes: [UInt8]) -> Int? { JSONValue(parsing: bytes)?["id"]?.integer }

    /// Returns the position in the copy of the first book whose number on the server is at least this one. Reads a
    /// logarithmic number of records.
    private func firstPosition(fromServerNumber number: Int) -> Int {
        var (low, high) = (0, base.index.count)
        while low < high {
            let middle = (low + high) / 2
            if base.record(BookID(middle))?["id"]?.integer ?? 0 < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The number of the newest book in the copy; 0 if there are no books.
    var newestServerNumber: Int {
        base.index.count > 0 ? base.record(BookID(base.index.count - 1))?["id"]?.integer ?? 0 : 0
    }

    /// Returns the current position of the book of a record by its number on the server.
    ///
    /// - Returns: Nil if the keys of the book decide, because the server has not given it a number, or it has another
    ///   one since its deletion was undone.
    func position(onServerOf record: [UInt8]) -> (position: Int?, Void)? {
        guard let number = serverNumber(in: record) else { return nil }
        let origin = firstPosition(fromServerNumber: number)
        guard origin < base.index.count, base.record(BookID(origin))?["id"]?.integer == number else {
            guard isReplaying else { return nil }
            // A deleted book that returns keeps its former number until it is sent.
            return (sequence.position(ofNewRecordWhere: { serverNumber(in: $0.bytes) == number }), ())
        }
        return (sequence.position(ofOrigin: origin), ())
    }

    // MARK: - Comparison

    /// Merges two versions of a record. On a server, values that it keeps in the same way are equal, so that a value
    /// that was sent is not taken for a change of others.
    ///
    /// - Parameter choose: Returns the side that wins a conflict at these keys.
    /// - Returns: The record, and the values that both changed differently.
    func merge(
        _ old: JSONValue, _ mine: JSONValue, _ theirs: JSONValue,
        choosing choose: @escaping ([String]) -> JSONMerge.Side = { _ in .theirs }
    ) -> (JSONValue, [JSONMerge.Conflict]) {
        let merge = JSONMerge(base: old, mine: mine, theirs: theirs, choosing: choose)
        guard source.isOnServer, !merge.conflicts.isEmpty, let mapping = base.format?.mapping else {
            return (merge.value, merge.conflicts)
        }
        var sides: [String: JSONMerge.Side] = [:]
        for key in Set(merge.conflicts.compactMap(\.keys.first)) {
            func book(with value: JSONValue?) -> Book { mapping.book(from: theirs.setting(key, to: value)) }
            func areSame(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
                book(with: one).isSameOnServer(as: book(with: other), withComputed: true)
            }
            // A value of no field, such as one of a column of the user's, is compared as it is.
            if [old[key], mine[key], theirs[key]].allSatisfy({ areSame($0, nil) }) { continue }
            if areSame(mine[key], theirs[key]) || areSame(mine[key], old[key]) {
                sides[key] = .theirs
            } else if areSame(old[key], theirs[key]) {
                sides[key] = .mine
            }
        }
        let decided = JSONMerge(base: old, mine: mine, theirs: theirs) { [sides] keys in
            keys.first.flatMap { sides[$0] } ?? choose(keys)
        }
        return (decided.value, merge.conflicts.filter { $0.keys.first.flatMap { sides[$0] } == nil })
    }

    /// Whether a record of the server is that of a book that is to be deleted: what the server sets itself may differ.
    func isSameOnServer(_ theirs: [UInt8], as expected: [UInt8]) -> Bool {
        guard source.isOnServer, let theirs = book(from: theirs), let mine = book(from: expected) else { return false }
        // A book whose addition is undone has the values that the server computes, and no others.
        return mine.isSameOnServer(as: theirs)
    }

    // MARK: - Books that come

    /// Inserts records: deleted books that the server still has at their positions, and others behind all.
    func insertOnServer(_ records: [CatalogEdit.PlacedRecord]) -> CatalogEdit? {
        var applied: [CatalogEdit.PlacedRecord] = []
        var others: [CatalogEdit.PlacedRecord] = []
        var returning: [(origin: Int, record: CatalogEdit.PlacedRecord)] = []
        for record in records {
            if let number = serverNumber(in: record.bytes),
                case let origin = firstPosition(fromServerNumber: number), origin < base.index.count,
                base.record(BookID(origin))?["id"]?.integer == number
            {
                if missing[origin] != nil { returning.append((origin, record)) }
            } else {
                others.append(record)
            }
        }
        returning.sort { $0.origin < $1.origin }
        let positions = sequence.positions(forOrigins: returning.map(\.origin))
        var pieces: [(position: Int, piece: RecordSequence.Piece)] = []
        for (number, (origin, restored)) in returning.enumerated() {
            var record = restored
            guard let piece = missing.removeValue(forKey: origin) else { continue }
            record.position = positions[number] + pieces.count
            applied.append(record)
            pieces.append((record.position, piece))
        }
        guard let decoder = base.text()?.reader.decoder else { return nil }
        for var record in others {
            guard let changed = ChangedRecord(record.bytes, origin: nil, decoder: decoder) else { continue }
            (record.position, record.neighbour) = (sequence.count + pieces.count, nil)
            applied.append(record)
            pieces.append((record.position, .changed(changed)))
        }
        sequence.insert(pieces)
        return applied.isEmpty ? nil : .insert(applied)
    }

    // MARK: - Books that were sent

    /// Inserts new records that were sent to the server, except those that it has by now; these only get the values
    /// that the server lacks.
    func insertUnlessArrived(_ records: [CatalogEdit.PlacedRecord]) -> CatalogEdit? {
        // The server chooses the numbers, which may be as large as an Int.
        let newest = min(history.sent?.newest ?? 0, .max - 1)
        let arrivals = firstPosition(fromServerNumber: newest + 1)..<base.index.count
        var missing: [CatalogEdit.PlacedRecord] = []
        var replacements: [CatalogEdit.Replacement] = []
        var taken: Set<Int> = []
        for record in records {
            guard let book = book(from: record.bytes) else { continue }
            let kept = book.keptByCalibre
            let (keys, keysWhileAdded) = (MatchKeys(of: kept), MatchKeys(of: kept.halfAddedToCalibre))
            let matching = arrivals.filter { origin in
                let known = base.index.keys(of: BookID(origin))
                return !taken.contains(origin)
                    && (known.hash == keys.hash || known.hash == keysWhileAdded.hash
                        || known.isbn != nil && known.isbn == keys.isbn)
            }
            let origin = matching.first { base.index.keys(of: BookID($0)) == keys } ?? matching.first
            guard let origin, let position = sequence.position(ofOrigin: origin),
                let theirs = bytes(of: sequence[position])
            else {
                missing.append(record)
                continue
            }
            taken.insert(origin)
            let new = completed(theirs, with: book)
            if new != theirs { replacements.append(.init(position: position, old: theirs, new: new)) }
        }
        sequence.replace(pieces(of: replacements.sorted { $0.position < $1.position }))
        return insertOnServer(missing)
    }

    /// Returns a record with the values of `book` that it lacks, as far as it can hold them.
    private func completed(_ record: [UInt8], with book: Book) -> [UInt8] {
        guard var known = self.book(from: record) else { return record }
        let fields = book.fieldsOnServer(differingFrom: known)
        for field in fields { if let value = field.value(in: book) { field.set(value, in: &known) } }
        guard !fields.isEmpty, let changes = try? recordFormat().changes(of: record, setting: fields, to: known) else {
            return record
        }
        return changes.applied(to: record)
    }

    // MARK: - Unsaved edits

    /// The edits that turn the books of the file or of the server into those of the edited catalog.
    var unsavedEdits: [CatalogEdit] { source.isOnServer ? serverEdits : netEdits }

    /// The edits of the books of the server, which keeps no order. New books come last.
    private var serverEdits: [CatalogEdit] {
        var replacements: [CatalogEdit.Replacement] = []
        var insertions: [CatalogEdit.PlacedRecord] = []
        var kept: Set<Int> = []
        for piece in sequence.pieces {
            guard case .changed(let record) = piece else { continue }
            if let origin = record.origin {
                kept.insert(origin)
                if let old = bytes(of: .original(origin..<origin + 1)) {
                    replacements.append(.init(position: origin, old: old, new: record.bytes))
                }
            } else {
                insertions.append(.init(position: base.index.count + insertions.count, bytes: record.bytes))
            }
        }
        let removals = Set(missing.keys).subtracting(kept).sorted().compactMap { origin in
            bytes(of: .original(origin..<origin + 1)).map { CatalogEdit.PlacedRecord(position: origin, bytes: $0) }
        }
        replacements.sort { $0.position < $1.position }
        var edits: [CatalogEdit] = []
        if !replacements.isEmpty { edits.append(.replace(replacements)) }
        if !insertions.isEmpty { edits.append(.insert(insertions)) }
        if !removals.isEmpty { edits.append(.remove(removals)) }
        return edits
    }
}

internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Remote

/// A library on a server, to which edits are sent. The server gives each book a number; the copy has the books in the
/// order of their numbers.
struct EditedServer: EditTarget {
    let mirror: MirroredCatalog?
    /// The fork for another thread.
    private let fork: JSONFileCatalog?

    init(_ mirror: MirroredCatalog) { (self.mirror, fork) = (mirror, nil) }

    init(fork file: JSONFileCatalog) { (mirror, fork) = (nil, file) }

    var file: JSONFileCatalog {
        guard let file = mirror?.base ?? fork else { preconditionFailure("a server has a copy") }
        return file
    }
    var reloadable: any Reloadable { mirror ?? file }
    var isRead: Bool { file.format != nil && !reloadable.state.isLoading && mirror?.isWhole ?? true }
    var keepsOrder: Bool { false }
    // It gives the books numbers, and keeps pictures as files.
    var ownFields: Set<BookField> { [.sourceID, .cover] }

    func kept(_ new: JSONValue, insteadOf old: JSONValue?) -> JSONValue { new.setting("id", to: old?["id"]) }
    func keys(of book: Book) -> MatchKeys { MatchKeys(of: book.keptByCalibre) }
    // A book that was added is newer than another one with the same keys.
    func likely(of positions: [Int]) -> Int? { positions.last }

    func isSame(_ theirs: [UInt8], as expected: [UInt8], in catalog: EditedCatalog) -> Bool {
        if theirs == expected { return true }
        guard let theirs = catalog.book(from: theirs), let mine = catalog.book(from: expected) else { return false }
        // What the server sets itself may differ, and so may what it computes for a book whose addition is undone.
        return mine.isSameOnServer(as: theirs)
    }

    func insert(
        _ records: [CatalogEdit.PlacedRecord], isDoubtful: Bool, in catalog: EditedCatalog
    ) -> CatalogEdit? {
        isDoubtful ? insertUnlessArrived(records, in: catalog) : insert(records, in: catalog)
    }

    // MARK: - Numbers of books

    /// Returns the number that the server gave the book of this record; nil if it did not.
    private func serverNumber(in bytes: [UInt8]) -> Int? { JSONValue(parsing: bytes)?["id"]?.integer }

    /// Returns the position in the copy of the first book whose number on the server is at least this one. Reads a
    /// logarithmic number of records.
    private func firstPosition(fromServerNumber number: Int) -> Int {
        var (low, high) = (0, file.index.count)
        while low < high {
            let middle = (low + high) / 2
            if file.record(BookID(middle))?["id"]?.integer ?? 0 < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func position(of record: [UInt8], in catalog: EditedCatalog) -> RecordPosition {
        // The keys decide if the server has not given the book a number, or another one since its deletion was undone.
        guard let number = serverNumber(in: record) else { return .unknown }
        let origin = firstPosition(fromServerNumber: number)
        guard origin < file.index.count, file.record(BookID(origin))?["id"]?.integer == number else {
            guard catalog.isReplaying else { return .unknown }
            // A deleted book that returns keeps its former number until it is sent.
            return .known(catalog.sequence.position(ofNewRecordWhere: { serverNumber(in: $0.bytes) == number }))
        }
        return .known(catalog.sequence.position(ofOrigin: origin))
    }

    // MARK: - Comparison

    // Values that the server keeps in the same way are equal, so that a value that was sent is not taken for a change
    // of others.
    func merge(
        _ old: JSONValue, _ mine: JSONValue, _ theirs: JSONValue,
        choosing choose: @escaping ([String]) -> JSONMerge.Side
    ) -> (JSONValue, [JSONMerge.Conflict]) {
        let merge = JSONMerge(base: old, mine: mine, theirs: theirs, choosing: choose)
        guard !merge.conflicts.isEmpty, let mapping = file.format?.mapping else {
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

    // MARK: - Books that come

    /// Inserts records: deleted books that the server still has at their positions, and others behind all.
    private func insert(_ records: [CatalogEdit.PlacedRecord], in catalog: EditedCatalog) -> CatalogEdit? {
        var applied: [CatalogEdit.PlacedRecord] = []
        var others: [CatalogEdit.PlacedRecord] = []
        var returning: [(origin: Int, record: CatalogEdit.PlacedRecord)] = []
        for record in records {
            if let number = serverNumber(in: record.bytes),
                case let origin = firstPosition(fromServerNumber: number), origin < file.index.count,
                file.record(BookID(origin))?["id"]?.integer == number
            {
                if catalog.missing[origin] != nil { returning.append((origin, record)) }
            } else {
                others.append(record)
            }
        }
        returning.sort { $0.origin < $1.origin }
        let positions = catalog.sequence.positions(forOrigins: returning.map(\.origin))
        var pieces: [(position: Int, piece: RecordSequence.Piece)] = []
        for (number, (origin, restored)) in returning.enumerated() {
            var record = restored
            guard let piece = catalog.missing.removeValue(forKey: origin) else { continue }
            record.position = positions[number] + pieces.count
            applied.append(record)
            pieces.append((record.position, piece))
        }
        guard let decoder = CatalogText(file)?.reader.decoder else { return nil }
        for var record in others {
            guard let changed = ChangedRecord(record.bytes, origin: nil, decoder: decoder) else { continue }
            (record.position, record.neighbour) = (catalog.sequence.count + pieces.count, nil)
            applied.append(record)
            pieces.append((record.position, .changed(changed)))
        }
        catalog.sequence.insert(pieces)
        return applied.isEmpty ? nil : .insert(applied)
    }

    // MARK: - Books that were sent

    /// Inserts new records that were sent to the server, except those that it has by now; these only get the values
    /// that the server lacks.
    private func insertUnlessArrived(
        _ records: [CatalogEdit.PlacedRecord], in catalog: EditedCatalog
    ) -> CatalogEdit? {
        // The server chooses the numbers, which may be as large as an Int.
        let newest = min(catalog.history.sent?.newest ?? 0, .max - 1)
        let arrivals = firstPosition(fromServerNumber: newest + 1)..<file.index.count
        var missing: [CatalogEdit.PlacedRecord] = []
        var replacements: [CatalogEdit.Replacement] = []
        var taken: Set<Int> = []
        for record in records {
            guard let book = catalog.book(from: record.bytes) else { continue }
            let kept = book.keptByCalibre
            let (keys, keysWhileAdded) = (MatchKeys(of: kept), MatchKeys(of: kept.halfAddedToCalibre))
            let matching = arrivals.filter { origin in
                let known = file.index.keys(of: BookID(origin))
                return !taken.contains(origin)
                    && (known.hash == keys.hash || known.hash == keysWhileAdded.hash
                        || known.isbn != nil && known.isbn == keys.isbn)
            }
            let origin = matching.first { file.index.keys(of: BookID($0)) == keys } ?? matching.first
            guard let origin, let position = catalog.sequence.position(ofOrigin: origin),
                let theirs = catalog.bytes(of: catalog.sequence[position])
            else {
                missing.append(record)
                continue
            }
            taken.insert(origin)
            let new = completed(theirs, with: book, in: catalog)
            if new != theirs { replacements.append(.init(position: position, old: theirs, new: new)) }
        }
        catalog.sequence.replace(catalog.pieces(of: replacements.sorted { $0.position < $1.position }))
        return insert(missing, in: catalog)
    }

    /// Returns a record with the values of `book` that it lacks, as far as it can hold them.
    private func completed(_ record: [UInt8], with book: Book, in catalog: EditedCatalog) -> [UInt8] {
        guard var known = catalog.book(from: record) else { return record }
        let fields = book.fieldsOnServer(differingFrom: known)
        for field in fields { if let value = field.value(in: book) { field.set(value, in: &known) } }
        guard !fields.isEmpty, let changes = try? catalog.recordFormat().changes(of: record, setting: fields, to: known)
        else {
            return record
        }
        return changes.applied(to: record)
    }

    // MARK: - Unsaved edits

    // New books come last.
    func unsavedEdits(of catalog: EditedCatalog) -> [CatalogEdit] {
        var replacements: [CatalogEdit.Replacement] = []
        var insertions: [CatalogEdit.PlacedRecord] = []
        var kept: Set<Int> = []
        for piece in catalog.sequence.pieces {
            guard case .changed(let record) = piece else { continue }
            if let origin = record.origin {
                kept.insert(origin)
                if let old = catalog.bytes(of: .original(origin..<origin + 1)) {
                    replacements.append(.init(position: origin, old: old, new: record.bytes))
                }
            } else {
                insertions.append(.init(position: file.index.count + insertions.count, bytes: record.bytes))
            }
        }
        let removals = Set(catalog.missing.keys).subtracting(kept).sorted().compactMap { origin in
            catalog.bytes(of: .original(origin..<origin + 1)).map {
                CatalogEdit.PlacedRecord(position: origin, bytes: $0)
            }
        }
        replacements.sort { $0.position < $1.position }
        var edits: [CatalogEdit] = []
        if !replacements.isEmpty { edits.append(.replace(replacements)) }
        if !insertions.isEmpty { edits.append(.insert(insertions)) }
        if !removals.isEmpty { edits.append(.remove(removals)) }
        return edits
    }

    // MARK: - Saving

    // The copy with the direct edits, as if it were the file.
    func arrangement(of catalog: EditedCatalog) throws(CatalogEditError) -> CatalogArrangement {
        if catalog.direct?.areTooLarge == true { throw .tooManyAtOnce }
        let copy = EditedCatalog(file, journalPath: nil, isDirect: true)
        copy.receiveFile()
        for edit in catalog.direct?.edits ?? [] { _ = copy.apply(edit, isFresh: true) }
        return try copy.arrangement()
    }

    func startSaving(
        _ catalog: EditedCatalog, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> SaveProgress {
        guard let mirror else { throw .foreign }
        return try catalog.startSending(to: mirror, notifying: notify)
    }

    func save(
        _ direct: DirectEdits, of catalog: EditedCatalog, in journal: EditJournal?,
        reporting report: (SendingProgress, _ cleanUp: @escaping @Sendable () -> Void) -> Void
    ) throws(CatalogEditError) -> DirectSave? {
        guard let mirror else { throw .foreign }
        if direct.areTooLarge { throw .tooManyAtOnce }
        return try catalog.send(to: mirror, journal, report)
    }
}

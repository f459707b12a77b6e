internal import Books
internal import Catalog
internal import Indexing
internal import JSON

/// Applying edits to the records at their current positions.
extension EditedCatalog {
    /// Applies an edit. Records that have moved are searched for; conflicts with changes of others are recorded and the
    /// file's records kept.
    ///
    /// The index must be rebuilt afterwards.
    /// - Parameters:
    ///   - isFresh: Whether the edit refers to the current records, so that none needs to be searched for.
    ///   - isDoubtful: Whether the file may contain the edit already; existing books are not inserted again then.
    /// - Returns: The edit with the actual positions; nil if nothing changed.
    func apply(_ edit: CatalogEdit, isFresh: Bool = false, isDoubtful: Bool = false) -> CatalogEdit? {
        let applied: CatalogEdit? =
            switch edit {
            case .replace(let replacements): replace(replacements, isFresh: isFresh)
            case .insert(let records): target.insert(records, isDoubtful: isDoubtful, in: self)
            case .remove(let records): remove(records, isFresh: isFresh)
            case .move(let move): self.move(move)
            case .reorder(let order): reorder(order, isFresh: isFresh)
            }
        if let applied { note(applied) }
        return applied
    }

    private var decoder: RecordDecoder? { CatalogText(base)?.reader.decoder }

    /// Returns the book described by a record with these bytes.
    func book(from bytes: [UInt8]) -> Book? {
        JSONValue(parsing: bytes).flatMap { value in decoder?.mapping.book(from: value) }
    }

    // MARK: - Changed records

    private func replace(_ replacements: [CatalogEdit.Replacement], isFresh: Bool) -> CatalogEdit? {
        if isFresh {
            sequence.replace(pieces(of: replacements))
            return .replace(replacements)
        }
        let places = places(of: replacements.map { ($0.position, $0.old, $0.new) })
        var applied: [CatalogEdit.Replacement] = []
        for (replacement, place) in zip(replacements, places) {
            guard let place else {
                let old = withdrawClash(beforeEditOf: replacement.old, theirs: nil) ?? replacement.old
                noteClash(.deletedThere, old, mine: replacement.new, theirs: nil, at: replacement.position)
                continue
            }
            let position = place.position
            guard let theirs = place.bytes ?? bytes(of: sequence[position]), theirs != replacement.new,
                let new = merged(replacement, into: theirs, at: position), new != theirs
            else { continue }
            applied.append(.init(position: position, old: theirs, new: new))
        }
        if !zip(applied, applied.dropFirst()).allSatisfy({ $0.position < $1.position }) {
            applied.sort { $0.position < $1.position }
        }
        let pieces = pieces(of: applied)
        if pieces.count < applied.count {
            let positions = Set(pieces.map(\.position))
            applied.removeAll { !positions.contains($0.position) }
        }
        if applied.isEmpty { return nil }
        sequence.replace(pieces)
        return .replace(applied)
    }

    /// Returns a record with the changes of this edit and those of others, or nil if they conflict.
    private func merged(_ replacement: CatalogEdit.Replacement, into theirs: [UInt8], at position: Int) -> [UInt8]? {
        if theirs == replacement.old { return replacement.new }
        if let old = withdrawClash(beforeEditOf: replacement.old, theirs: theirs) {
            noteClash(.changed, old, mine: replacement.new, theirs: theirs, at: position)
            return nil
        }
        guard let base = JSONValue(parsing: replacement.old), let mine = JSONValue(parsing: replacement.new),
            let other = JSONValue(parsing: theirs)
        else { return nil }
        let (value, conflicts) = target.merge(base, mine, other) { _ in .theirs }
        guard conflicts.isEmpty, let format = try? recordFormat() else {
            noteClash(.changed, replacement.old, mine: replacement.new, theirs: theirs, at: position)
            return nil
        }
        return format.changes(of: theirs, to: value).applied(to: theirs)
    }

    /// Removes the conflict of the edit before one of the same book, because consecutive edits of a book are one
    /// conflict.
    ///
    /// - Returns: The record before all of these edits; nil if there is no such conflict.
    private func withdrawClash(beforeEditOf mine: [UInt8], theirs: [UInt8]?) -> [UInt8]? {
        guard isReplaying,
            let index = clashes.firstIndex(where: { $0.records.mine == mine && $0.records.theirs == theirs })
        else { return nil }
        return clashes.remove(at: index).records.old
    }

    /// Returns pieces for changed records: the file's records if the bytes are equal to them again. Bytes that are not
    /// a record have no piece.
    func pieces(
        of replacements: [CatalogEdit.Replacement]
    ) -> [(position: Int, piece: RecordSequence.Piece)] {
        guard let text = CatalogText(base) else { return [] }
        var pieces: [RecordSequence.Piece?] = []
        var changes: [(bytes: [UInt8], origin: Int?)] = []
        var places: [Int] = []
        pieces.reserveCapacity(replacements.count)
        for (number, replacement) in replacements.enumerated() {
            let current = sequence[replacement.position]
            // An unchanged record cannot be equal to the new bytes, since it would not be replaced.
            if case .changed = current, let origin = current.origin, text.hasRecord(replacement.new, at: BookID(origin))
            {
                pieces.append(.original(origin..<origin + 1))
                continue
            }
            pieces.append(nil)
            changes.append((replacement.new, current.origin))
            places.append(number)
        }
        for (number, record) in zip(places, ChangedRecord.records(of: changes, decoder: text.reader.decoder)) {
            pieces[number] = record.map(RecordSequence.Piece.changed)
        }
        return zip(replacements, pieces).compactMap { replacement, piece in piece.map { (replacement.position, $0) } }
    }

    func noteClash(
        _ kind: EditClash.Kind, _ old: [UInt8], mine: [UInt8]?, theirs: [UInt8]?, at position: Int
    ) {
        guard let oldBook = book(from: old) else { return }
        var conflicts: [JSONMerge.Conflict] = []
        if let base = JSONValue(parsing: old), let mine = mine.flatMap({ JSONValue(parsing: $0) }),
            let theirs = theirs.flatMap({ JSONValue(parsing: $0) })
        {
            (_, conflicts) = target.merge(base, mine, theirs) { _ in .theirs }
        }
        clashes.append(
            EditClash(
                kind: kind, old: oldBook, mine: mine.flatMap(book(from:)), theirs: theirs.flatMap(book(from:)),
                conflicts: conflicts, records: (old, mine, theirs), position: position))
    }

    // MARK: - Records that come and go

    private func remove(_ records: [CatalogEdit.PlacedRecord], isFresh: Bool) -> CatalogEdit? {
        if isFresh { return .remove(takeOut(records)) }
        let places = positions(of: records.map { ($0.position, $0.bytes, nil) })
        var applied: [CatalogEdit.PlacedRecord] = []
        for (record, position) in zip(records, places) {
            // A record that others deleted is already gone.
            guard let position, let theirs = bytes(of: sequence[position]) else { continue }
            if !target.isSame(theirs, as: record.bytes, in: self) {
                noteClash(.deletedHere, record.bytes, mine: nil, theirs: theirs, at: position)
                continue
            }
            let neighbour = position > 0 ? bytes(of: sequence[position - 1]) : nil
            applied.append(
                .init(position: position, bytes: theirs, neighbour: neighbour, surroundings: record.surroundings))
        }
        if applied.isEmpty { return nil }
        applied.sort { $0.position < $1.position }
        return .remove(takeOut(applied))
    }

    /// - Returns: The records with the text around them.
    private func takeOut(_ records: [CatalogEdit.PlacedRecord]) -> [CatalogEdit.PlacedRecord] {
        for record in records {
            let piece = sequence[record.position]
            if let origin = piece.origin { missing[origin] = piece }
        }
        guard let placement else {
            sequence.remove(at: records.map(\.position))
            return records
        }
        return records.surrounded(
            by: placement.remove(at: records.map(\.position), records.map(\.surroundings), from: &sequence))
    }

    /// The placement of records in the file; nil for a server, which keeps no order.
    private var placement: RecordPlacement? { target.keepsOrder ? try? recordFormat().placement : nil }

    /// Inserts records into a file, after their neighbours.
    func insert(_ records: [CatalogEdit.PlacedRecord], ifMissing: Bool) -> CatalogEdit? {
        guard let decoder else { return nil }
        var insertions: [(position: Int, piece: RecordSequence.Piece)] = []
        var applied: [CatalogEdit.PlacedRecord] = []
        let places = ifMissing ? positions(of: records.map { ($0.position, $0.bytes, nil) }) : []
        var returning = ReturningRecords(missing, in: sequence, fileCount: base.index.count) { [self] in bytes(of: $0) }
        for (number, record) in records.enumerated() {
            if ifMissing, places[number].flatMap({ bytes(of: sequence[$0]) }) == record.bytes { continue }
            let wanted = min(self.position(of: record, after: applied), sequence.count + applied.count)
            // They ascend except in a damaged journal.
            let position = max(wanted, applied.last.map { $0.position + 1 } ?? 0)
            guard
                let piece = returning.take(record.bytes, before: position - insertions.count)
                    ?? ChangedRecord(record.bytes, origin: nil, decoder: decoder).map(RecordSequence.Piece.changed)
            else { continue }
            insertions.append((position, piece))
            var placed = record
            placed.position = position
            applied.append(placed)
        }
        if applied.isEmpty { return nil }
        missing = returning.missing
        guard let placement else {
            sequence.insert(insertions)
            return .insert(applied)
        }
        return .insert(
            applied.surrounded(by: placement.insert(insertions, applied.map(\.surroundings), into: &sequence)))
    }

    /// Returns the position of an inserted record: after its neighbour, if that still exists.
    private func position(of record: CatalogEdit.PlacedRecord, after earlier: [CatalogEdit.PlacedRecord]) -> Int {
        guard let neighbour = record.neighbour else { return record.position }
        let last = earlier.last
        // After one another, in the order of insertion.
        if let last, last.bytes == neighbour { return last.position + 1 }
        let before = record.position - 1 - earlier.count
        if sequence.indices.contains(before), bytes(of: sequence[before]) == neighbour { return record.position }
        guard let found = positions(of: [(before, neighbour, nil)])[0] else { return record.position }
        return max(found + 1 + earlier.count, last.map { $0.position + 1 } ?? 0)
    }

    private func move(_ move: CatalogEdit.Move) -> CatalogEdit? {
        guard let from = positions(of: [(move.from, move.bytes, nil)])[0] else { return nil }
        let to = min(move.to, sequence.count - 1)
        if from == to { return nil }
        var moved = CatalogEdit.Move(bytes: move.bytes, from: from, to: to, isBehind: move.isBehind)
        if let placement {
            (moved.source, moved.target) = placement.move(
                from: from, to: to, isBehind: move.isBehind ?? (from < to), (move.source, move.target), in: &sequence)
        }
        return .move(moved)
    }

    /// Reorders all books. If the books are not those of the original order, they keep their order.
    private func reorder(_ reordering: CatalogEdit.Reordering, isFresh: Bool) -> CatalogEdit? {
        guard reordering.order.count == sequence.count else { return nil }
        if !isFresh {
            noteChangedRecords()
            guard index.checksum == reordering.before else { return nil }
        }
        sequence.reorder(reordering.order)
        placement?.recognizeGaps(of: &sequence)
        return .reorder(reordering)
    }

    // MARK: - Finding records

    /// The position of a record.
    private struct Place {
        var position: Int
        /// Its bytes, if they are as expected.
        var bytes: [UInt8]?
    }

    private func positions(of records: [(position: Int, bytes: [UInt8], other: [UInt8]?)]) -> [Int?] {
        places(of: records).map { $0?.position }
    }

    /// Returns the positions of records: the given positions if the records there have these bytes (or `other`, their
    /// intended bytes), or else those of the most similar records with the same keys; nil for records that are gone.
    private func places(of records: [(position: Int, bytes: [UInt8], other: [UInt8]?)]) -> [Place?] {
        var taken: Set<Int> = []
        let text = CatalogText(base)
        var found: [Place?] = records.map { record in
            guard sequence.indices.contains(record.position) else { return nil }
            let bytes = [record.bytes, record.other].lazy.compactMap(\.self).first { bytes in
                switch self.sequence[record.position] {
                case .original(let numbers): text?.hasRecord(bytes, at: BookID(numbers.lowerBound)) ?? false
                case .changed(let changed): changed.bytes == bytes
                }
            }
            guard let bytes, taken.insert(record.position).inserted else { return nil }
            return Place(position: record.position, bytes: bytes)
        }
        var lost = found.indices.filter { found[$0] == nil }
        lost.removeAll { number in
            guard case .known(let position) = target.position(of: records[number].bytes, in: self) else { return false }
            if let position, taken.insert(position).inserted { found[number] = Place(position: position) }
            return true
        }
        if lost.isEmpty { return found }
        noteChangedRecords()
        let keys = lost.map { number in
            [records[number].bytes, records[number].other].compactMap {
                $0.flatMap(book(from:)).map(target.keys)
            }
        }
        let lookup = BookLookup(of: keys.joined().flatMap(\.all), in: index)
        for (number, keys) in zip(lost, keys) {
            let candidates = keys.lazy.map(lookup.ids(bestMatching:)).first { !$0.isEmpty } ?? []
            let free = candidates.map(\.index).filter { !taken.contains($0) }
            let record = records[number]
            let exact = free.first { position in
                let bytes = bytes(of: sequence[position])
                return bytes == record.bytes || bytes == record.other
            }
            guard let position = exact ?? target.likely(of: free) else { continue }
            found[number] = Place(position: position)
            taken.insert(position)
        }
        return found
    }
}

extension [CatalogEdit.PlacedRecord] {
    /// Returns these records with the text around them.
    func surrounded(by surroundings: [RecordSurroundings?]) -> [CatalogEdit.PlacedRecord] {
        zip(self, surroundings).map { record, around in
            var record = record
            record.surroundings = around
            return record
        }
    }
}

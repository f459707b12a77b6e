internal import Indexing
internal import JSON

extension CatalogEditor {
    /// The offsets of the records in the changed file.
    struct Arrangement {
        /// The shifts of the records that were not written.
        fileprivate var shifts = OffsetShifts()
        /// The offsets of the written records, by piece and number within the piece.
        fileprivate var written: [Int: [Int]] = [:]
    }

    /// Changes the file so that it contains the records of `sequence`, in this order. The editor must not make any
    /// other change.
    ///
    /// - Returns: The new offsets of the records; nil if the changed file must be read to find them.
    func arrange(_ sequence: RecordSequence) throws(CatalogEditError) -> Arrangement? {
        if text.count == 0 {
            try fill(
                with: sequence.pieces.compactMap { piece in
                    if case .changed(let record) = piece { record } else { nil }
                })
            return nil
        }
        var plan = ArrangementPlan(count: text.count)
        let inPlace = sequence.piecesInPlace
        for (number, piece) in sequence.pieces.enumerated() {
            switch piece {
            case .original(let records) where inPlace.contains(number):
                try fill(&plan, before: records.lowerBound)
                plan.keep(records)
            case .original(let records):
                for (index, record) in records.enumerated() {
                    guard let (_, bytes) = try text.record(BookID(record)) else { throw .recordGone(title: "") }
                    plan.insertions.append(.init(piece: number, index: index, bytes: bytes))
                }
            case .changed(let record):
                if inPlace.contains(number), let origin = record.origin {
                    try fill(&plan, before: origin)
                    plan.keep(origin..<origin + 1)
                    try write(.init(piece: number, index: 0, bytes: record.bytes), over: origin, &plan)
                } else {
                    plan.insertions.append(.init(piece: number, index: 0, bytes: record.bytes))
                }
            }
        }
        try fill(&plan, before: text.count)
        if let first = plan.removed.first {
            removedCount = plan.removed.count
            plan.splices += try list(of: first).removal(of: plan.removed)
        }
        splices = plan.splices
        return plan.arrangement
    }

    /// Writes records to an empty array or file of lines, with their former surrounding text, if it is known.
    private func fill(with records: [ChangedRecord]) throws(CatalogEditError) {
        let known = records.compactMap(\.surroundings)
        if hasLines, known.count == records.count, zip(records, known).allSatisfy({ $0.isLine(in: $1) }),
            known.dropLast().allSatisfy({ $0.after.last == UInt8(ascii: "\n") })
        {
            return try addFirstLines(zip(records, known).flatMap { $1.before + $0.bytes + $1.after })
        }
        guard !hasLines, known.count == records.count, known.first?.before.allSatisfy(\.isJSONWhitespace) == true,
            known.dropFirst().allSatisfy({ $0.before.contains(UInt8(ascii: ",")) }),
            let list = try emptyList()
        else {
            return try addFirst(records.map(\.bytes))
        }
        let bytes = zip(records, known).flatMap { $1.before + $0.bytes } + (known.last?.after ?? [])
        splices.append(TextSplice(list.range, bytes))
    }

    /// Overwrites a record of the file.
    private func write(
        _ insertion: ArrangementPlan.Insertion, over record: Int, _ plan: inout ArrangementPlan
    ) throws(CatalogEditError) {
        let range = try range(of: BookID(record))
        plan.add(TextSplice(range, insertion.bytes), insertion, at: 0)
    }

    /// Removes the records of the file between the last kept one and `next`, and inserts the pending ones. Overwrites
    /// as many as possible, so that changes are not adjacent.
    private func fill(_ plan: inout ArrangementPlan, before next: Int) throws(CatalogEditError) {
        let gone = plan.end..<next
        let insertions = plan.insertions
        plan.insertions = []
        for (record, insertion) in zip(gone, insertions) { try write(insertion, over: record, &plan) }
        for record in gone.dropFirst(insertions.count) { plan.removed.append(try range(of: BookID(record))) }
        let rest = insertions.dropFirst(gone.count)
        if rest.isEmpty { return }
        // After the previous record, or, at the start of the file, before the next one.
        let isAfter = next > 0
        guard isAfter || next < text.count else { throw .notAList }
        let neighbour = try range(of: BookID(isAfter ? next - 1 : next))
        let list = try list(of: neighbour)
        for insertion in rest {
            let splice = try list.insertion(of: insertion.bytes, after: isAfter, neighbour)
            // A separator before the record never begins with the same byte as the record.
            let isFirst = splice.bytes.first == insertion.bytes.first
            plan.add(splice, insertion, at: isFirst ? 0 : splice.bytes.count - insertion.bytes.count)
        }
    }

    /// Returns the index of the changed file. Large segments of kept records share their memory with the old index.
    func index(of sequence: RecordSequence, arranged arrangement: Arrangement) -> [IndexSegment] {
        let index = text.reader.index
        var segments = SegmentJoiner()
        for (number, piece) in sequence.pieces.enumerated() {
            switch (piece, arrangement.written[number]) {
            case (.original(let records), nil):
                for segment in index.segments(of: records) {
                    segments.append(.init(segment, shift: arrangement.shifts[segment.offset(at: 0)]))
                }
            case (.original(let records), let offsets?):
                for (record, offset) in zip(records, offsets) {
                    for segment in index.segments(of: record..<record + 1) {
                        segments.append(.init(segment, shift: offset - segment.offset(at: 0)))
                    }
                }
            case (.changed(let record), let offsets):
                segments.append(.init(record.segment, shift: offsets?.first ?? 0))
            }
        }
        return segments.ended().map(\.segment)
    }
}

/// The plan for arranging the records of a file.
private struct ArrangementPlan {
    /// A record to be written.
    struct Insertion {
        /// The number of its piece, and its number within it.
        var piece: Int
        var index: Int
        var bytes: [UInt8]
    }

    /// The number of records in the file.
    let count: Int
    /// The number after the last record that stays in place.
    var end = 0
    /// The records to insert before the next record that stays.
    var insertions: [Insertion] = []
    /// The ranges of removed records.
    var removed: [Range<Int>] = []
    /// The changes.
    var splices: [TextSplice] = []
    /// The record written by the change with the same index, and its offset within that change.
    private var written: [(insertion: Insertion, start: Int)] = []

    init(count: Int) { self.count = count }

    /// Keeps records in place.
    mutating func keep(_ records: Range<Int>) { end = records.upperBound }

    /// Adds a change that writes a record.
    mutating func add(_ splice: TextSplice, _ insertion: Insertion, at start: Int) {
        splices.append(splice)
        written.append((insertion, start))
    }

    /// The offsets of the records after the changes.
    var arrangement: CatalogEditor.Arrangement {
        var arrangement = CatalogEditor.Arrangement()
        for index in splices.order {
            let offset = arrangement.shifts.append(splices[index])
            if index < written.count {
                let (insertion, start) = written[index]
                // The records of a piece are written in order.
                arrangement.written[insertion.piece, default: []].append(offset + start)
            }
        }
        return arrangement
    }
}

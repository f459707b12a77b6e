internal import Indexing
internal import JSON

extension CatalogEditor {
    /// Where the records stand in the changed file.
    struct Arrangement {
        /// By how much the records that were not written have moved.
        fileprivate var shifts = OffsetShifts()
        /// Where the records of pieces that are written stand, by piece and number in it.
        fileprivate var written: [Int: [Int]] = [:]
    }

    /// Changes the file so that it has the records of `sequence`, in this order. Nothing else may be changed by this editor.
    ///
    /// - Returns: Where the records stand then; nil if that is known only by reading the changed file.
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

    /// Puts records in an empty array or file of lines: as they stood there before, if that is known.
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

    /// Writes a record over one of the file.
    private func write(
        _ insertion: ArrangementPlan.Insertion, over record: Int, _ plan: inout ArrangementPlan
    ) throws(CatalogEditError) {
        let range = try range(of: BookID(record))
        plan.add(TextSplice(range, insertion.bytes), insertion, at: 0)
    }

    /// Takes out the records of the file between the last one that stays and `next`, and puts in what is to stand there. As
    /// many as possible are written over, so that no change touches another.
    private func fill(_ plan: inout ArrangementPlan, before next: Int) throws(CatalogEditError) {
        let gone = plan.end..<next
        let insertions = plan.insertions
        plan.insertions = []
        for (record, insertion) in zip(gone, insertions) { try write(insertion, over: record, &plan) }
        for record in gone.dropFirst(insertions.count) { plan.removed.append(try range(of: BookID(record))) }
        let rest = insertions.dropFirst(gone.count)
        if rest.isEmpty { return }
        // Behind the record before, or, at the start of the file, before the next one.
        let isAfter = next > 0
        guard isAfter || next < text.count else { throw .notAList }
        let neighbour = try range(of: BookID(isAfter ? next - 1 : next))
        let list = try list(of: neighbour)
        for insertion in rest {
            let splice = try list.insertion(of: insertion.bytes, after: isAfter, neighbour)
            // A separator before it never begins like a record.
            let isFirst = splice.bytes.first == insertion.bytes.first
            plan.add(splice, insertion, at: isFirst ? 0 : splice.bytes.count - insertion.bytes.count)
        }
    }

    /// Returns the index of the changed file. Large segments of records that stay share their memory with the index of the
    /// file as it was.
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
        return segments.ended()
    }
}

/// What becomes of the records of a file.
private struct ArrangementPlan {
    /// A record that is written.
    struct Insertion {
        /// The number of its piece, and its own number in it.
        var piece: Int
        var index: Int
        var bytes: [UInt8]
    }

    /// The number of records in the file.
    let count: Int
    /// The number behind the last record that stays in its place.
    var end = 0
    /// What is to be put in before the next record that stays.
    var insertions: [Insertion] = []
    /// The ranges of the records that are taken out.
    var removed: [Range<Int>] = []
    /// The changes.
    var splices: [TextSplice] = []
    /// What the changes with the same index write, and how many bytes behind their start.
    private var written: [(insertion: Insertion, start: Int)] = []

    init(count: Int) { self.count = count }

    /// Notes that records stay in their places.
    mutating func keep(_ records: Range<Int>) { end = records.upperBound }

    /// Adds a change that writes a record.
    mutating func add(_ splice: TextSplice, _ insertion: Insertion, at start: Int) {
        splices.append(splice)
        written.append((insertion, start))
    }

    /// Where the records stand afterwards.
    var arrangement: CatalogEditor.Arrangement {
        var arrangement = CatalogEditor.Arrangement()
        for index in splices.order {
            let offset = arrangement.shifts.append(splices[index])
            if index < written.count {
                let (insertion, start) = written[index]
                // The records of a piece are written in their order.
                arrangement.written[insertion.piece, default: []].append(offset + start)
            }
        }
        return arrangement
    }
}

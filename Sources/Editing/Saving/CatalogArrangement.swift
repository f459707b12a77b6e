internal import Catalog
internal import Indexing
public import JSON
internal import Storage

/// The changes of a catalog file that give it the records of an edited catalog. They are made by `replacement`.
public struct CatalogArrangement {
    private let format: RecordFormat
    private let sequence: RecordSequence
    /// The changes in file order; none if only the order of the records changes.
    private var splices: [TextSplice] = []
    /// The records that they write: the number of the piece, of the splice, and the offset in its bytes, which is
    /// negative if the splice need not write the beginning.
    private var writes: [(piece: Int, splice: Int, start: Int)] = []
    /// The records that stay, in runs between which the text changes, by piece.
    private var kept: [Int: [Range<Int>]] = [:]
    /// The new order of all records; nil if not only that changes.
    private var permutation: RecordPermutation?

    /// Finds the changes that give a file the records of `sequence`, with the text between them.
    ///
    /// - Parameter order: The new order of all records, if nothing else changes.
    /// - Throws: `CatalogEditError.notAList` if the text between two records is not known.
    init(of sequence: RecordSequence, in format: RecordFormat, order: [Int]?) throws(CatalogEditError) {
        (self.format, self.sequence) = (format, sequence)
        if let order {
            permutation = try RecordPermutation(order, in: format)
        } else {
            try arrange(try format.placement)
        }
    }

    /// Whether nothing changes.
    public var isEmpty: Bool { permutation?.isIdentity ?? splices.isEmpty }

    /// The changes of the file in file order.
    public var changes: [TextSplice] {
        get throws(CatalogEditError) {
            guard let permutation else { return splices }
            var changes: [TextSplice] = []
            for copy in permutation.splices {
                switch copy.content {
                case .bytes(let bytes): changes.append(TextSplice(copy.range, bytes))
                case .copy(let source): changes.append(TextSplice(copy.range, try bytes(in: source)))
                }
            }
            return changes
        }
    }

    /// The size of the unchanged file in bytes.
    public var size: Int { format.fingerprint.size }

    /// Returns bytes of the unchanged file.
    public func bytes(in range: Range<Int>) throws(CatalogEditError) -> [UInt8] { try format.text.bytes(in: range) }

    /// The state of the unchanged file.
    var fingerprint: RandomAccessInput.Fingerprint { format.fingerprint }

    /// The changed file, which can be written on any thread.
    var replacement: CatalogReplacement {
        let changes = splices.map { FileSplice(range: $0.range, content: .bytes($0.bytes)) }
        return CatalogReplacement(
            file: format.text.file, fingerprint: format.fingerprint,
            changes: permutation.map(CatalogReplacement.Changes.order) ?? .splices(changes),
            checking: isReadByName || format.text.count == 0 ? nil : format.siblings)
    }

    /// Whether the changed file is a catalog only by its name, because it has no lines.
    private var isReadByName: Bool { sequence.count == 0 && format.hasLines }

    // MARK: - The text of the file

    private mutating func arrange(_ placement: RecordPlacement) throws(CatalogEditError) {
        let text = format.text
        var plan = ArrangementPlan(of: text, from: placement.range.lowerBound)
        // Records that stay in place, so that as much as possible is copied.
        let inPlace = sequence.piecesInPlace
        var nextOrigins = [text.count]
        for (number, piece) in sequence.pieces.enumerated().reversed() {
            let next = nextOrigins[nextOrigins.count - 1]
            nextOrigins.append(inPlace.contains(number) ? piece.origin ?? next : next)
        }
        nextOrigins.reverse()
        var gaps = GapCursor(sequence.gaps)

        func addGap(before next: Int) throws(CatalogEditError) {
            switch gaps.next() {
            case .original(let numbers):
                guard let range = placement.range(ofGap: numbers.lowerBound) else { throw .recordGone(title: "") }
                if numbers.lowerBound <= next, try plan.keep(range) { return }
                plan.add(try text.bytes(in: range))
            case .changed(let bytes?): plan.add(bytes)
            case .changed(nil): throw .notAList
            }
        }

        for (number, piece) in sequence.pieces.enumerated() {
            switch piece {
            case .original(let records) where inPlace.contains(number):
                var start = records.lowerBound
                while start < records.upperBound {
                    try addGap(before: start)
                    let end = start + 1 + gaps.skip(originalsFrom: start + 1, records.upperBound)
                    let last = try format.range(of: BookID(end - 1))
                    _ = try plan.keep(text.reader.index.offset(at: start)..<last.upperBound)
                    kept[number, default: []].append(start..<end)
                    start = end
                }
            case .original(let records):
                for record in records {
                    try addGap(before: nextOrigins[number])
                    guard let (_, bytes) = try text.record(BookID(record)) else { throw .recordGone(title: "") }
                    plan.add(bytes, of: number)
                }
            case .changed(let record):
                try addGap(before: nextOrigins[number])
                plan.add(record.bytes, of: number)
            }
        }
        try addGap(before: text.count)
        _ = try plan.keep(placement.range.upperBound..<placement.range.upperBound)
        splices = plan.splices
        writes = plan.writes
    }

    // MARK: - The index

    /// Returns the index of the changed file, in segments that are joined only when they are used; nil if the file must
    /// be read, because its first records may show another format, or all records move.
    ///
    /// Large segments of kept records share their memory with the old index.
    func segments() -> [JoinedSegment]? {
        let index = format.text.reader.index
        if permutation != nil || index.count == 0 { return nil }
        var shifts = OffsetShifts()
        let starts = splices.map { shifts.append($0) }
        var written: [Int: [Int]] = [:]
        for write in writes { written[write.piece, default: []].append(starts[write.splice] + write.start) }
        var segments = SegmentJoiner()
        for (number, piece) in sequence.pieces.enumerated() {
            switch (piece, written[number]) {
            case (.original(let records), nil):
                for segment in (kept[number] ?? [records]).flatMap({ index.segments(of: $0) }) {
                    segments.append(.init(segment, shift: shifts[segment.offset(at: 0)]))
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

/// The text between records, read from the start to the end.
private struct GapCursor {
    private let pieces: [PieceTable<[UInt8]?>.Piece]
    private var (number, index) = (0, 0)

    init(_ gaps: PieceTable<[UInt8]?>) { pieces = gaps.pieces }

    mutating func next() -> PieceTable<[UInt8]?>.Piece {
        let piece = pieces[number]
        guard case .original(let numbers) = piece else {
            number += 1
            return piece
        }
        let gap = numbers.lowerBound + index
        index += 1
        if index == numbers.count { (number, index) = (number + 1, 0) }
        return .original(gap..<gap + 1)
    }

    /// Skips the gaps of the file with the numbers from `first` up to `end`, as far as they are next.
    ///
    /// - Returns: Their number.
    mutating func skip(originalsFrom first: Int, _ end: Int) -> Int {
        guard number < pieces.count, case .original(let numbers) = pieces[number],
            numbers.lowerBound + index == first
        else { return 0 }
        let count = max(0, min(end, numbers.upperBound) - first)
        index += count
        if index == numbers.count { (number, index) = (number + 1, 0) }
        return count
    }
}

/// The plan for writing the records of a file in another order: the text of the new file from the start to the end,
/// compared with the old one.
private struct ArrangementPlan {
    private let text: CatalogText
    /// The end of the text of the old file that is part of the new one, or replaced.
    private var end: Int
    /// The bytes that follow it.
    private var bytes: [UInt8] = []
    /// The records in these bytes.
    private var records: [(piece: Int, start: Int)] = []
    /// The changes of the old file in their order.
    private(set) var splices: [TextSplice] = []
    /// The records that they write: the number of the piece, of the splice, and the offset in its bytes, which is
    /// negative if the splice need not write the beginning.
    private(set) var writes: [(piece: Int, splice: Int, start: Int)] = []

    /// The number of bytes above which a change is written completely, even if it begins or ends like the old text.
    private static let comparedCount = 1 << 20

    init(of text: CatalogText, from start: Int) { (self.text, end) = (text, start) }

    /// Adds bytes; those of a record have the number of its piece.
    mutating func add(_ added: [UInt8], of piece: Int? = nil) {
        if let piece { records.append((piece, bytes.count)) }
        bytes += added
    }

    /// Adds a range of the old file.
    ///
    /// - Returns: False if an earlier part of the new file follows it in the old one.
    mutating func keep(_ range: Range<Int>) throws(CatalogEditError) -> Bool {
        guard range.lowerBound >= end else { return false }
        if range.lowerBound > end || !bytes.isEmpty { try replace(end..<range.lowerBound) }
        end = range.upperBound
        return true
    }

    /// Replaces a range of the old file with the added bytes, except for equal bytes at its start and end.
    private mutating func replace(_ range: Range<Int>) throws(CatalogEditError) {
        var start = 0
        var splice = TextSplice(range, bytes)
        if range.count <= Self.comparedCount, !bytes.isEmpty {
            let old = try text.bytes(in: range)
            start = zip(old, bytes).prefix { $0 == $1 }.count
            let rest = min(old.count, bytes.count) - start
            let same = zip(old.reversed(), bytes.reversed()).prefix { $0 == $1 }.prefix(rest).count
            splice = TextSplice(
                range.lowerBound + start..<range.upperBound - same, Array(bytes[start..<bytes.count - same]))
        }
        for record in records {
            writes.append((record.piece, splices.count, record.start - start))
        }
        splices.append(splice)
        (bytes, records) = ([], [])
    }
}

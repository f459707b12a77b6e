/// The records of an edited catalog in their order, and the text between them.
struct RecordSequence: Sendable {
    /// Consecutive records.
    typealias Piece = PieceTable<ChangedRecord>.Piece

    /// The records.
    private var records: PieceTable<ChangedRecord>
    /// The text before each record, and the text after the last one; nil if it is not known.
    private(set) var gaps: PieceTable<[UInt8]?>

    /// The pieces of the records in their order.
    var pieces: [Piece] { records.pieces }
    /// The number of records.
    var count: Int { records.count }
    /// The positions of the records.
    var indices: Range<Int> { 0..<count }

    /// Creates the sequence of all `count` records of a file.
    init(allOf count: Int) { (records, gaps) = (PieceTable(allOf: count), PieceTable(allOf: count + 1)) }

    /// Whether these are the first `count` records of the file, and no others.
    func isAll(of count: Int) -> Bool { records.isAll(of: count) }

    /// Whether the text between the records is that of a file with `count` records.
    func hasGaps(of count: Int) -> Bool { gaps.isAll(of: count + 1) }

    /// Returns the record at a position, as a piece of one. Logarithmic in the number of pieces.
    subscript(position: Int) -> Piece { records[position] }

    /// Returns the number of the piece that begins at a position, or the number of pieces for the end; nil for a
    /// position within a piece.
    func firstPiece(from position: Int) -> Int? {
        if position == count { return pieces.count }
        let number = records.pieceNumber(of: position)
        return records.starts[number] == position ? number : nil
    }

    // MARK: - Changes

    /// Replaces the records at these positions, which ascend. Linear in the pieces.
    mutating func replace(_ replacements: [(position: Int, piece: Piece)]) {
        records.replace(replacements.map { ($0.position..<$0.position + 1, [$0.piece]) })
    }

    /// Removes the records at these positions, which ascend and do not touch. Linear in the pieces.
    ///
    /// - Parameter runs: The positions, and the text that remains there instead of that around the records.
    mutating func remove(_ runs: [(positions: Range<Int>, gap: PieceTable<[UInt8]?>.Piece)]) {
        records.replace(runs.map { ($0.positions, []) })
        gaps.replace(runs.map { ($0.positions.lowerBound..<$0.positions.upperBound + 1, [$0.gap]) })
    }

    /// Replaces the text before the records at these positions, which ascend. Linear in the pieces.
    mutating func replaceGaps(_ replacements: [(position: Int, gap: PieceTable<[UInt8]?>.Piece)]) {
        gaps.replace(replacements.map { ($0.position..<$0.position + 1, [$0.gap]) })
    }

    /// Removes the records at these positions, which ascend; the text around them is not known. Linear in the pieces.
    mutating func remove(at positions: [Int]) {
        records.replace(positions.map { ($0..<$0 + 1, []) })
        gaps = PieceTable(allOf: count + 1)
    }

    /// Inserts records before those at these positions, which ascend. Linear in the pieces.
    ///
    /// - Parameter runs: The records, and the text around each of them, with which they replace that at the position.
    mutating func insert(_ runs: [(position: Int, pieces: [Piece], gaps: [PieceTable<[UInt8]?>.Piece])]) {
        records.replace(runs.map { ($0.position..<$0.position, $0.pieces) })
        gaps.replace(runs.map { ($0.position..<$0.position + 1, $0.gaps) })
    }

    /// Inserts records, so that they have these positions, which ascend; the text around them is not known. Linear in
    /// the pieces.
    mutating func insert(_ insertions: [(position: Int, piece: Piece)]) {
        records.replace(runs(of: insertions).map { ($0.position..<$0.position, $0.pieces) })
        gaps = PieceTable(allOf: count + 1)
    }

    /// Returns runs of insertions between the same records: the position of the record after them, and the records.
    ///
    /// - Parameter insertions: The records with their later positions, which ascend.
    func runs(of insertions: [(position: Int, piece: Piece)]) -> [(position: Int, pieces: [Piece])] {
        var runs: [(position: Int, pieces: [Piece])] = []
        for (number, insertion) in insertions.enumerated() {
            let position = min(count, max(insertion.position - number, runs.last?.position ?? 0))
            if let last = runs.last, last.position == position {
                runs[runs.count - 1].pieces.append(insertion.piece)
            } else {
                runs.append((position, [insertion.piece]))
            }
        }
        return runs
    }

    /// Reorders the records; `order` has the old number for each new position. The text between them stays in place.
    /// For n records, O(n log n).
    mutating func reorder(_ order: [Int]) { records.reorder(order) }

    /// Returns the order of the file's records, if the sequence has all of them unchanged; otherwise nil.
    func order(of fileCount: Int) -> [Int]? {
        if count != fileCount { return nil }
        var order: [Int] = []
        order.reserveCapacity(count)
        for piece in pieces {
            guard case .original(let numbers) = piece else { return nil }
            order += numbers
        }
        return order
    }

    // MARK: - Compared with the file

    /// Returns the positions behind the records before those with these numbers, which ascend and are not in the
    /// sequence. The records must be in the order of the file.
    func positions(forOrigins origins: [Int]) -> [Int] {
        var positions: [Int] = []
        var (number, end) = (0, 0)
        for origin in origins {
            while number < pieces.count {
                if let first = pieces[number].origin {
                    if first > origin { break }
                    end = records.starts[number] + pieces[number].count
                }
                number += 1
            }
            positions.append(end)
        }
        return positions
    }

    /// Returns the position of the file's record with this number, changed or not; nil if it was removed. Linear in the
    /// pieces.
    func position(ofOrigin origin: Int) -> Int? {
        for (piece, start) in zip(pieces, records.starts) {
            switch piece {
            case .original(let numbers):
                if numbers.contains(origin) { return start + origin - numbers.lowerBound }
            case .changed(let record): if record.origin == origin { return start }
            }
        }
        return nil
    }

    /// Returns the position of the first new record that `isMatch` accepts; nil if there is none. Linear in the pieces.
    func position(ofNewRecordWhere isMatch: (ChangedRecord) -> Bool) -> Int? {
        for (piece, start) in zip(pieces, records.starts) {
            if case .changed(let record) = piece, record.origin == nil, isMatch(record) { return start }
        }
        return nil
    }

    /// The numbers of the pieces that are in the same order as in the file: as many records as possible.
    var piecesInPlace: Set<Int> {
        var origins: [(number: Int, start: Int, count: Int)] = []
        for (number, piece) in pieces.enumerated() {
            switch piece {
            case .original(let numbers): origins.append((number, numbers.lowerBound, numbers.count))
            case .changed(let record): if let origin = record.origin { origins.append((number, origin, 1)) }
            }
        }
        if zip(origins, origins.dropFirst()).allSatisfy({ $0.start < $1.start }) { return Set(origins.map(\.number)) }
        // The heaviest ascending subsequence: for each piece the best that ends before its start.
        let ranks = origins.map(\.start).sorted()
        var best = MaximumTable(count: ranks.count)
        var former: [Int?] = []
        for (index, origin) in origins.enumerated() {
            let rank = ranks.partitioningIndex { $0 >= origin.start }
            let before = best.maximum(below: rank)
            former.append(before?.index)
            best.set(rank, to: (before?.weight ?? 0) + origin.count, index)
        }
        var kept: Set<Int> = []
        var index = best.maximum(below: ranks.count)?.index
        while let current = index {
            kept.insert(origins[current].number)
            index = former[current]
        }
        return kept
    }

    /// Returns the number of books that differ from the file: changed, added, deleted and moved ones.
    func unsavedCount(of fileCount: Int) -> Int {
        if isAll(of: fileCount) { return 0 }
        let inPlace = piecesInPlace
        var (unsaved, known) = (0, 0)
        for (number, piece) in pieces.enumerated() {
            switch piece {
            case .original(let numbers):
                known += numbers.count
                if !inPlace.contains(number) { unsaved += numbers.count }
            case .changed(let record):
                if record.origin != nil { known += 1 }
                unsaved += 1
            }
        }
        return unsaved + fileCount - known
    }
}

/// The largest weights below each rank (a Fenwick tree of maxima).
private struct MaximumTable {
    private var entries: [(weight: Int, index: Int)?]

    init(count: Int) { entries = Array(repeating: nil, count: count + 1) }

    /// Returns the largest weight of the ranks below `rank`, and the index for which it was set.
    func maximum(below rank: Int) -> (weight: Int, index: Int)? {
        var best: (weight: Int, index: Int)?
        var position = rank
        while position > 0 {
            if let entry = entries[position], entry.weight > best?.weight ?? 0 { best = entry }
            position -= position & -position
        }
        return best
    }

    /// Sets the weight of a rank.
    mutating func set(_ rank: Int, to weight: Int, _ index: Int) {
        var position = rank + 1
        while position < entries.count {
            if weight > entries[position]?.weight ?? 0 { entries[position] = (weight, index) }
            position += position & -position
        }
    }
}

extension [Int] {
    /// Returns the first index for which `isBehind` returns true, in an array that is partitioned by it.
    fileprivate func partitioningIndex(where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension PieceTable<ChangedRecord>.Piece {
    /// The number of the file's first record in the piece, or of the record that it replaces; nil for a new record.
    var origin: Int? {
        switch self {
        case .original(let numbers): numbers.lowerBound
        case .changed(let record): record.origin
        }
    }
}

/// The records of an edited catalog in their order: runs of the file's records, and changed and new ones between them
/// (a piece table, as editors of text have).
struct RecordSequence: Sendable {
    /// Consecutive records.
    enum Piece: Sendable {
        /// Records of the file with these numbers.
        case original(Range<Int>)
        /// A changed or new record.
        case changed(ChangedRecord)

        /// The number of records.
        var count: Int {
            switch self {
            case .original(let numbers): numbers.count
            case .changed: 1
            }
        }

        /// The number of the file's first record in the piece, or of the record that it replaces; nil for a new record.
        var origin: Int? {
            switch self {
            case .original(let numbers): numbers.lowerBound
            case .changed(let record): record.origin
            }
        }
    }

    /// The pieces in their order.
    private(set) var pieces: [Piece] = []
    /// The position of the first record of each piece.
    private var starts: [Int] = []
    /// The number of records.
    private(set) var count = 0

    /// The positions of the records.
    var indices: Range<Int> { 0..<count }

    /// Creates the sequence of all `count` records of a file.
    init(allOf count: Int) { append(.original(0..<count)) }

    /// Whether these are the first `count` records of the file, and no others.
    func isAll(of count: Int) -> Bool {
        if count == 0 { return pieces.isEmpty }
        guard pieces.count == 1, case .original(let numbers) = pieces[0] else { return false }
        return numbers == 0..<count
    }

    /// Returns the record at a position, as a piece of one. Logarithmic in the number of pieces.
    subscript(position: Int) -> Piece {
        let number = pieceNumber(of: position)
        switch pieces[number] {
        case .original(let numbers):
            let record = numbers.lowerBound + position - starts[number]
            return .original(record..<record + 1)
        case .changed(let record): return .changed(record)
        }
    }

    private func pieceNumber(of position: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the number of the piece that begins at a position, or the number of pieces for the end; nil for a
    /// position within a piece.
    func firstPiece(from position: Int) -> Int? {
        if position == count { return pieces.count }
        let number = pieceNumber(of: position)
        return starts[number] == position ? number : nil
    }

    /// Appends a piece; records that follow each other in the file become one.
    private mutating func append(_ piece: Piece) {
        if piece.count == 0 { return }
        if case .original(let numbers) = piece, case .original(let last)? = pieces.last,
            last.upperBound == numbers.lowerBound
        {
            pieces[pieces.count - 1] = .original(last.lowerBound..<numbers.upperBound)
        } else {
            pieces.append(piece)
            starts.append(count)
        }
        count += piece.count
    }

    /// Appends the records of `other` at `positions`.
    private mutating func append(_ positions: Range<Int>, of other: RecordSequence) {
        if positions.isEmpty { return }
        var number = other.pieceNumber(of: positions.lowerBound)
        while number < other.pieces.count, other.starts[number] < positions.upperBound {
            switch other.pieces[number] {
            case .original(let numbers):
                let start = other.starts[number]
                let taken = positions.clamped(to: start..<start + numbers.count)
                append(
                    .original(
                        taken.lowerBound - start + numbers.lowerBound..<taken.upperBound - start + numbers.lowerBound))
            case .changed: append(other.pieces[number])
            }
            number += 1
        }
    }

    // MARK: - Changes

    /// Replaces the records at these positions, which ascend. Linear in the pieces.
    mutating func replace(_ replacements: [(position: Int, piece: Piece)]) {
        let old = self
        self = RecordSequence(allOf: 0)
        var end = 0
        for (position, piece) in replacements {
            append(end..<position, of: old)
            append(piece)
            end = position + 1
        }
        append(end..<old.count, of: old)
    }

    /// Removes the records at these positions, which ascend. Linear in the pieces.
    mutating func remove(_ positions: [Int]) {
        let old = self
        self = RecordSequence(allOf: 0)
        var end = 0
        for position in positions {
            append(end..<position, of: old)
            end = position + 1
        }
        append(end..<old.count, of: old)
    }

    /// Inserts records, so that they have these positions, which ascend. Linear in the pieces.
    mutating func insert(_ insertions: [(position: Int, piece: Piece)]) {
        let old = self
        self = RecordSequence(allOf: 0)
        var end = 0
        for (position, piece) in insertions {
            let taken = min(old.count, end + max(0, position - count))
            append(end..<taken, of: old)
            end = taken
            append(piece)
        }
        append(end..<old.count, of: old)
    }

    /// Reorders the records; `order` has the old number for each new position. For n records, O(n log n).
    mutating func reorder(_ order: [Int]) {
        let old = self
        self = RecordSequence(allOf: 0)
        for number in order { append(old[number]) }
    }

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
                    end = starts[number] + pieces[number].count
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
        for (piece, start) in zip(pieces, starts) {
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
        for (piece, start) in zip(pieces, starts) {
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

/// Finds removed records of the file among inserted ones, so that they return to their original positions.
struct ReturningRecords {
    /// The records of the file that are still missing.
    private(set) var missing: [Int: RecordSequence.Piece]
    private let sequence: RecordSequence
    private let fileCount: Int
    private let bytes: (RecordSequence.Piece) -> [UInt8]?
    /// For each piece, the number after the last record of the file before it, and the number of the first one from it
    /// on.
    private lazy var surroundings = sequence.surroundingOrigins(fileCount: fileCount)
    /// The numbers of the missing records by their bytes, in ascending order.
    private lazy var numbers = numbersByBytes()
    /// The last record that returned, and its position.
    private var last: (position: Int, number: Int)?

    /// Prepares to find the `missing` records of a file with `fileCount` records among those inserted into `sequence`.
    ///
    /// - Parameter bytes: Returns the bytes of the record in a piece with one record.
    init(
        _ missing: [Int: RecordSequence.Piece], in sequence: RecordSequence, fileCount: Int,
        bytes: @escaping (RecordSequence.Piece) -> [UInt8]?
    ) {
        (self.missing, self.sequence, self.fileCount, self.bytes) = (missing, sequence, fileCount, bytes)
    }

    /// Returns the file's record with these bytes that preceded the record now at `position`; nil for a new record. The
    /// positions must ascend from call to call.
    mutating func take(_ record: [UInt8], before position: Int) -> RecordSequence.Piece? {
        if missing.isEmpty || !(0...sequence.count).contains(position) { return nil }
        guard var gap = sequence.gap(before: position, surroundings) else { return nil }
        if let last, last.position == position, gap.contains(last.number) { gap = last.number + 1..<gap.upperBound }
        // Records that return one after another are found at once.
        guard let first = gap.first else { return nil }
        let number =
            missing[first].flatMap(bytes) == record
            ? first : numbers[record]?.first { gap.contains($0) && missing[$0] != nil }
        guard let number else { return nil }
        last = (position, number)
        return missing.removeValue(forKey: number)
    }

    private func numbersByBytes() -> [[UInt8]: [Int]] {
        var numbers: [[UInt8]: [Int]] = [:]
        for number in missing.keys.sorted() {
            if let bytes = missing[number].flatMap(bytes) { numbers[bytes, default: []].append(number) }
        }
        return numbers
    }
}

extension RecordSequence {
    /// The records of the file before and after a piece.
    fileprivate typealias Surroundings = (end: Int, next: Int)

    /// Returns for each piece, and for the end, the number after the last record of the file before it, and the number
    /// of the first one from it on.
    fileprivate func surroundingOrigins(fileCount: Int) -> [Surroundings] {
        var surroundings: [Surroundings] = []
        surroundings.reserveCapacity(pieces.count + 1)
        var end = 0
        for piece in pieces {
            surroundings.append((end, 0))
            if let origin = piece.origin { end = origin + piece.count }
        }
        surroundings.append((end, fileCount))
        for number in pieces.indices.reversed() {
            surroundings[number].next = pieces[number].origin ?? surroundings[number + 1].next
        }
        return surroundings
    }

    /// Returns the possible numbers of file records between a position and the previous one, or nil if there are none.
    fileprivate func gap(before position: Int, _ surroundings: [Surroundings]) -> Range<Int>? {
        guard let piece = firstPiece(from: position) else { return nil }
        let (end, next) = surroundings[piece]
        return end < next ? end..<next : nil
    }
}

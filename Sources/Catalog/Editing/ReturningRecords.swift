/// Finds the records of the file that were taken out among those that come in, so that they are in their places again.
struct ReturningRecords {
    /// The records of the file that are still missing.
    private(set) var missing: [Int: RecordSequence.Piece]
    private let sequence: RecordSequence
    private let fileCount: Int
    private let bytes: (RecordSequence.Piece) -> [UInt8]?
    /// For each piece, the number behind the last record of the file before it, and that of the first one from it on.
    private lazy var surroundings = sequence.surroundingOrigins(fileCount: fileCount)
    /// The numbers of the missing records by their bytes, in ascending order.
    private lazy var numbers = numbersByBytes()
    /// The last record that came back, and the position at which it did.
    private var last: (position: Int, number: Int)?

    /// Prepares to find the `missing` records of a file with `fileCount` records among those that come into `sequence`.
    ///
    /// - Parameter bytes: Returns the bytes of the record in a piece of one.
    init(
        _ missing: [Int: RecordSequence.Piece], in sequence: RecordSequence, fileCount: Int,
        bytes: @escaping (RecordSequence.Piece) -> [UInt8]?
    ) {
        (self.missing, self.sequence, self.fileCount, self.bytes) = (missing, sequence, fileCount, bytes)
    }

    /// Returns the record with these bytes that stood before the record that is at `position` now; nil if it is a new one.
    /// The positions ascend from call to call.
    mutating func take(_ record: [UInt8], before position: Int) -> RecordSequence.Piece? {
        if missing.isEmpty || !(0...sequence.count).contains(position) { return nil }
        guard var gap = sequence.gap(before: position, surroundings) else { return nil }
        if let last, last.position == position, gap.contains(last.number) { gap = last.number + 1..<gap.upperBound }
        // Records that come back one after the other are found at once.
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
    /// The records of the file before and behind a piece.
    fileprivate typealias Surroundings = (end: Int, next: Int)

    /// Returns for each piece, and for the end, the number behind the last record of the file before it, and that of the
    /// first one from it on.
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

    /// Returns the numbers that records of the file between a position and the one before can have; nil if there are none.
    fileprivate func gap(before position: Int, _ surroundings: [Surroundings]) -> Range<Int>? {
        guard let piece = firstPiece(from: position) else { return nil }
        let (end, next) = surroundings[piece]
        return end < next ? end..<next : nil
    }
}

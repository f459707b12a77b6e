/// The elements of a file in an edited order: runs of the file's own, and others between them (a piece table, as editors
/// of text have).
struct PieceTable<Other: Sendable>: Sendable {
    /// Consecutive elements.
    enum Piece: Sendable {
        /// Elements of the file with these numbers.
        case original(Range<Int>)
        /// A changed or new element.
        case changed(Other)

        /// The number of elements.
        var count: Int {
            switch self {
            case .original(let numbers): numbers.count
            case .changed: 1
            }
        }
    }

    /// The pieces in their order.
    private(set) var pieces: [Piece] = []
    /// The position of the first element of each piece.
    private(set) var starts: [Int] = []
    /// The number of elements.
    private(set) var count = 0

    /// Creates the table of all `count` elements of a file.
    init(allOf count: Int) { append(.original(0..<count)) }

    /// Whether these are the first `count` elements of the file, and no others.
    func isAll(of count: Int) -> Bool {
        if count == 0 { return pieces.isEmpty }
        guard pieces.count == 1, case .original(let numbers) = pieces[0] else { return false }
        return numbers == 0..<count
    }

    /// Returns the element at a position, as a piece of one. Logarithmic in the number of pieces.
    subscript(position: Int) -> Piece {
        let number = pieceNumber(of: position)
        switch pieces[number] {
        case .original(let numbers):
            let element = numbers.lowerBound + position - starts[number]
            return .original(element..<element + 1)
        case .changed(let element): return .changed(element)
        }
    }

    /// Returns the number of the piece with the element at a position.
    func pieceNumber(of position: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// Appends a piece; elements that follow each other in the file become one.
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

    /// Appends the elements of `other` at `positions`.
    private mutating func append(_ positions: Range<Int>, of other: PieceTable) {
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

    /// Replaces the elements at these positions, which ascend. Linear in the pieces.
    mutating func replace(_ replacements: [(positions: Range<Int>, pieces: [Piece])]) {
        let old = self
        self = PieceTable(allOf: 0)
        var end = 0
        for (positions, pieces) in replacements {
            append(end..<positions.lowerBound, of: old)
            for piece in pieces { append(piece) }
            end = positions.upperBound
        }
        append(end..<old.count, of: old)
    }

    /// Reorders the elements; `order` has the old number for each new position. For n elements, O(n log n).
    mutating func reorder(_ order: [Int]) {
        let old = self
        self = PieceTable(allOf: 0)
        for number in order { append(old[number]) }
    }
}

internal import Books
internal import Indexing

/// The numbers by which books are sorted that are not in the index: what the reader says of them, and chance.
extension SortOrder.Key {
    /// Returns the sortable number of each book of `index`; none for keys whose numbers are in the index.
    func readerNumbers(of index: BookIndex, _ userData: UserDataFilter) -> [UInt32] {
        switch self {
        case .mine:
            var numbers = Self.unknown(index.count)
            for (rating, books) in userData.ratings {
                Self.set(SortableInteger.of(rating.halves), of: books, in: &numbers)
            }
            return numbers
        case .read:
            var days = [Double](repeating: 0, count: index.count)
            for (book, day) in userData.logs[.read] ?? [] where Int(book) < days.count {
                days[Int(book)] = max(days[Int(book)], day)
            }
            return days.map { $0 == 0 ? SortableInteger.unknown : SortableInteger.of(Int($0)) }
        case .status:
            var numbers = Self.unknown(index.count)
            for segment in index.segments.indices {
                let (start, content) = (index.starts[segment], index.segments[segment])
                if content.traits.isEmpty { continue }
                for position in 0..<content.count {
                    let traits = NumericFields.Traits(rawValue: content.traits[position])
                    guard let status = traits.status else { continue }
                    numbers[start + position] = SortableInteger.of(status.position)
                }
            }
            for (status, books) in userData.statuses {
                Self.set(SortableInteger.of(status.position), of: books, in: &numbers)
            }
            return numbers
        case .random(let seed):
            return (0..<UInt32(index.count)).map { Self.mixed($0, seed) }
        case .title, .author, .series, .year, .pages, .rating, .added, .own: return []
        }
    }

    private static func unknown(_ count: Int) -> [UInt32] { Array(repeating: SortableInteger.unknown, count: count) }

    private static func set(_ number: UInt32, of books: [UInt32], in numbers: inout [UInt32]) {
        for book in books where Int(book) < numbers.count { numbers[Int(book)] = number }
    }

    /// Returns a number that looks random (the finalizer of SplitMix64), but is the same each time.
    private static func mixed(_ number: UInt32, _ seed: UInt32) -> UInt32 {
        var mixed = (UInt64(seed) << 32 | UInt64(number)) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        // The greatest number is reserved for unknown values.
        return UInt32(truncatingIfNeeded: (mixed ^ mixed >> 31) >> 33)
    }
}

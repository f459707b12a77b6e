public import Books
internal import CText
public import Indexing
internal import Text
internal import Threading

/// The columns of fields that only the catalog has, by field.
public typealias FieldColumns = [BookField: FieldColumn]

// Unchecked, because the compiler cannot know that the ranks are never written after initialization.
/// The values of a column that meet a condition. Immutable.
final class ColumnMatches: @unchecked Sendable {
    let column: FieldColumn
    /// The rank of each entry, from 1 on; that of books without a value is first.
    private let ranks: [UInt8]

    /// Finds the values that meet `condition`. Linear in the distinct values.
    convenience init(_ column: FieldColumn, _ condition: Query.OwnCondition, needle: (([UInt8]) -> text_needle)) {
        var ofValues: [UInt8]
        switch condition {
        case .known: ofValues = Array(repeating: 0, count: column.valueCount)
        case .number(let range):
            ofValues = (0..<column.valueCount).map {
                range.contains(column.number(ofValue: $0)) ? 0 : SegmentMatcher.noMatch
            }
        case .text(let text, let isWhole):
            ofValues = Array(repeating: SegmentMatcher.noMatch, count: column.valueCount)
            if isWhole {
                for value in ofValues.indices where column.folded(ofValue: value).elementsEqual(text) {
                    ofValues[value] = 0
                }
            } else if let all = column.foldedText.baseAddress, let ends = column.foldedEnds.baseAddress {
                ofValues.withUnsafeMutableBufferPointer { ranks in
                    _ = text_rank_books(
                        all, column.foldedText.count, ends, column.valueCount, needle(text), ranks.baseAddress)
                }
            }
        case .regex(let pattern):
            var matcher = (try? RegularExpression(pattern)).map { RegularExpression.Matcher($0) }
            ofValues = (0..<column.valueCount).map {
                matcher?.matches(column.folded(ofValue: $0)) == .match ? 0 : SegmentMatcher.noMatch
            }
        }
        self.init(column, ofValues: ofValues)
    }

    /// Takes the ranks of the values. Linear in the entries.
    init(_ column: FieldColumn, ofValues: [UInt8]) {
        self.column = column
        var ranks = [SegmentMatcher.noMatch]
        ranks.reserveCapacity(column.entryCount + 1)
        for entry in 0..<column.entryCount {
            ranks.append(column.values(ofEntry: entry).reduce(SegmentMatcher.noMatch) { min($0, ofValues[$1]) })
        }
        self.ranks = ranks
    }

    /// Writes the ranks of the books from `start` on.
    ///
    /// - Returns: The number of matches.
    func rank(_ count: Int, from start: Int, into result: UnsafeMutablePointer<UInt8>) -> Int {
        let numbers = column.numbers
        var matchCount = 0
        ranks.withUnsafeBufferPointer { ranks in
            for index in 0..<count {
                let number = start + index < numbers.count ? Int(numbers[start + index]) : 0
                let rank = number < ranks.count ? ranks[number] : SegmentMatcher.noMatch
                result[index] = rank
                matchCount += rank == SegmentMatcher.noMatch ? 0 : 1
            }
        }
        return matchCount
    }

    /// Returns the rank of a book.
    func rank(of book: Int) -> UInt8 {
        guard book < column.numbers.count else { return SegmentMatcher.noMatch }
        let number = Int(column.numbers[book])
        return number < ranks.count ? ranks[number] : SegmentMatcher.noMatch
    }
}

/// Matches that the first thread works out that needs them, so that whoever starts the search does not wait for them.
final class WorkedMatches: Sendable {
    private let work: @Sendable () -> ColumnMatches
    private let found = Locked<ColumnMatches?>(nil)

    init(_ work: @escaping @Sendable () -> ColumnMatches) { self.work = work }

    /// The matches.
    var value: ColumnMatches {
        found.withLock { found in
            if let found { return found }
            let made = work()
            found = made
            return made
        }
    }
}

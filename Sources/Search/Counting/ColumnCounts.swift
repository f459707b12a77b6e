internal import Books
public import Indexing
internal import Text
public import Threading

extension FacetCounts {
    /// Counts the values of a field that only the catalog has. Linear in the books and the distinct values.
    init(of field: BookField, _ column: FieldColumn, in books: SelectionBySegment, limit: Int) {
        let counts = ColumnCounts(column, in: books)
        let values = counts.ranked(limit: limit).map { value in
            FacetValue(
                facet: .own(field), value: column.facetValue(value, of: field), count: Int(counts.tallies[value].count),
                book: BookID(counts.tallies[value].first))
        }
        self.init(
            values: values, distinctCount: counts.tallies.count { $0.count > 0 },
            unknownCount: books.count - counts.knownCount)
    }
}

/// The number of books of a list that have each value of a column.
struct ColumnCounts {
    /// The counts by the number of the value.
    let tallies: [FacetAccumulator.Tally]
    /// The number of books with a value.
    let knownCount: Int

    init(_ column: FieldColumn, in books: SelectionBySegment) {
        var knownCount = 0
        var tallies = [FacetAccumulator.Tally](repeating: .init(), count: column.valueCount)
        let (numbers, entryCount) = (column.numbers, column.entryCount)
        for segment in books.segments.indices {
            let start = books.starts[segment]
            books.forEach(inSegment: segment) { position in
                let book = start + position
                guard book < numbers.count, numbers[book] > 0, Int(numbers[book]) <= entryCount else { return }
                knownCount += 1
                for value in column.values(ofEntry: Int(numbers[book]) - 1) {
                    tallies[value].add(UInt32(truncatingIfNeeded: book))
                }
            }
        }
        (self.tallies, self.knownCount) = (tallies, knownCount)
    }

    /// Returns the most frequent values, then those of the first books.
    func ranked(limit: Int) -> [Int] {
        let found = tallies.indices.filter { tallies[$0].count > 0 }
        return Array(
            found.sorted { (tallies[$1].count, tallies[$0].first, $0) < (tallies[$0].count, tallies[$1].first, $1) }
                .prefix(limit))
    }
}

extension FieldColumn {
    /// Returns a value as `FacetValue.value` has it: normalized text, a number, a day, "yes" or "no".
    func facetValue(_ value: Int, of field: BookField) -> String {
        switch field.info.kind {
        case .boolean: number(ofValue: value) != 0 ? "yes" : "no"
        case .number: FieldValue.number(number(ofValue: value)).text
        default: String(decoding: folded(ofValue: value), as: UTF8.self)
        }
    }
}

/// A value of a field that only the catalog has, with the number of books that have it.
public struct OwnValueCompletion: Sendable {
    /// The value as its first book writes it.
    public let name: String
    /// The number of books.
    public let bookCount: Int
}

extension BookSearch.Scope {
    /// Starts searching for the values of a column with a word that starts with `typed`, the most frequent first; returns
    /// all values if `typed` contains nothing searchable. Linear in the books.
    public func completions(
        of column: FieldColumn, in index: BookIndex, startingWith typed: String, limit: Int = 24,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<[OwnValueCompletion]> {
        let list = members.map { BookList(numbers: $0) } ?? BookList(allOf: index.count)
        return BackgroundTask(notifying: notify) { isCancelled in
            let words = [UInt8](folding: typed)
            let counts = ColumnCounts(column, in: SelectionBySegment(list, of: index))
            if isCancelled() { return nil }
            let found = counts.ranked(limit: .max).lazy.filter {
                column.folded(ofValue: $0).hasWord(startingWith: words)
            }
            return found.prefix(limit).map {
                OwnValueCompletion(name: column.spelling(ofValue: $0), bookCount: Int(counts.tallies[$0].count))
            }
        }
    }
}

@testable import Indexing
@testable import Search
@testable import Text

/// The normalized titles and first authors of all books of a catalog, which are sorted.
struct ParallelStringSort: Sendable {
    private let titles: FoldedTexts
    private let authors: FoldedTexts

    init(of subject: Subject) {
        var titles = FoldedTexts.Builder()
        var authors = FoldedTexts.Builder()
        for segment in subject.segments() {
            for book in 0..<segment.count {
                let lines = segment.text(at: book).split(
                    separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
                titles.add(UnsafeBufferPointer(rebasing: lines[0]))
                authors.add(UnsafeBufferPointer(rebasing: lines.count > 2 ? lines[1] : lines[0].prefix(0)))
            }
        }
        (self.titles, self.authors) = (FoldedTexts(titles), FoldedTexts(authors))
    }

    /// Computes the sort keys of the titles.
    func makeTitleKeys(threads: Int) -> Sample {
        Sample {
            _ = titleKeys(threads)
            return (titles.byteCount, titles.count)
        }
    }

    /// Computes the sort keys of the titles and sorts by them.
    func sortTitles(threads: Int) -> Sample { sort(titles, threads) { titleKeys(threads) } }

    /// Computes the sort keys of the authors and sorts by them.
    func sortAuthors(threads: Int) -> Sample {
        sort(authors, threads) {
            SortKeys(count: authors.count, threadCount: threads) { books, builder in
                for book in books {
                    NameKey.append(authors[book], to: &builder.bytes)
                    builder.endKey()
                }
            }
        }
    }

    /// Sorts by numbers that are distributed like years.
    func sortNumbers(threads: Int) -> Sample {
        let numbers = (0..<titles.count).map { SortableInteger.of(1800 + $0 &* 7919 % 227) }
        return Sample {
            _ = Permutation(by: numbers, threadCount: threads)
            return (4 * numbers.count, numbers.count)
        }
    }

    /// Reverses an order.
    func reverse() -> Sample {
        guard let order = Permutation(by: (0..<UInt32(titles.count)).map { $0 ^ 0xFF }) else {
            return Sample { (0, 0) }
        }
        return Sample { (0, order.reversed.indices.count) }
    }

    private func titleKeys(_ threads: Int) -> SortKeys? {
        let english = LanguageCode("en".utf8)
        return SortKeys(count: titles.count, threadCount: threads) { books, builder in
            for book in books {
                TitleKey.append(titles[book], language: english, to: &builder.bytes)
                builder.endKey()
            }
        }
    }

    private func sort(_ texts: FoldedTexts, _ threads: Int, _ keys: () -> SortKeys?) -> Sample {
        Sample {
            let order = keys().flatMap { Permutation(by: $0, threadCount: threads) }
            return (texts.byteCount, order?.indices.count ?? 0)
        }
    }
}

/// Normalized texts, concatenated.
final class FoldedTexts: Sendable {
    struct Builder: ~Copyable {
        fileprivate var bytes: [UInt8] = []
        fileprivate var ends = [0]

        init() {}

        mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
            bytes.append(contentsOf: text)
            ends.append(bytes.count)
        }
    }

    private let bytes: [UInt8]
    private let ends: [Int]

    init(_ builder: consuming Builder) {
        (bytes, ends) = (builder.bytes, builder.ends)
    }

    var count: Int { ends.count - 1 }

    var byteCount: Int { bytes.count }

    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        // The array lives as long as this object and does not move.
        bytes.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[ends[index]..<ends[index + 1]]) }
    }
}

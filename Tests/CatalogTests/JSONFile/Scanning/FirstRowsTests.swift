import TestSupport
import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search

/// Rows shown before a search is complete must be those of the complete result.
@Suite("Search: final first rows") struct FirstRowsTests {
    private let scope = {
        var index = BookIndex()
        for segment in 0..<20 {
            for one in BookIndex(of: (0..<50).map { Book.make(title: "Book \(segment).\($0)") }).segments {
                index.append(one)
            }
        }
        return BookSearch.Scope(BookList(allOf: index.count), of: index)
    }()

    /// Returns hits with random ranks among the 50 books of each segment, `share` per cent of which match best.
    private func matches(bestShare share: Int, _ random: inout SplitMix) -> [SegmentHits] {
        (0..<20).map { segment in
            var ranks = (0..<50).map { _ in
                Int.random(in: 0..<100, using: &random) < share
                    ? 0 : UInt8.random(in: 1...4, using: &random) == 4 ? SegmentMatcher.noMatch : 3
            }
            let count = ranks.count { $0 != SegmentMatcher.noMatch }
            return ranks.withUnsafeMutableBufferPointer { ranks in
                ranks.baseAddress.map { SegmentHits($0, 50, count, from: 50 * segment) } ?? .none
            }
        }
    }

    @Test(arguments: 0..<200)
    func settledRowsStay(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let all = matches(bestShare: [0, 1, 10, 60][seed % 4], &random)
        let whole = all.ranked
        let anchor = seed % 3 == 0 ? nil : Int.random(in: 0..<1000, using: &random)
        let rowCount = Int.random(in: 1...40, using: &random)
        var found = FoundHits([], in: scope, showing: .init(count: rowCount, anchor: anchor.map { BookID($0) }))
        for segment in (0..<20).shuffled(using: &random) {
            found.set(all[segment], ofSegment: segment)
            guard found.hasFirstRows else { continue }
            let partial = found.matches.prefix { $0 != nil }.compactMap(\.self).ranked
            var rows = 0..<rowCount
            // The rows around a book, if it is one of the best hits; else the first rows.
            if let anchor, let row = partial.firstIndex(of: UInt32(anchor)), all[anchor / 50].isBest(anchor) {
                rows = max(0, row - rowCount + 1)..<(row + rowCount)
                #expect(whole.firstIndex(of: UInt32(anchor)) == row)
            }
            #expect(Array(partial[rows]) == Array(whole[rows]), "rows \(rows) after segment \(segment)")
        }
    }

    @Test func theyArriveBeforeTheRest() {
        var random = SplitMix(seed: 1)
        let all = matches(bestShare: 60, &random)
        var found = FoundHits([], in: scope, showing: .init(count: 40))
        found.set(all[1], ofSegment: 1)
        #expect(!found.hasFirstRows, "the first segment is not searched yet")
        found.set(all[0], ofSegment: 0)
        #expect(found.hasFirstRows)
    }

    @Test func withoutFirstRowsAllAreWaitedFor() {
        var random = SplitMix(seed: 1)
        var found = FoundHits(matches(bestShare: 60, &random), in: scope, showing: nil)
        #expect(!found.hasFirstRows)
        found = FoundHits(matches(bestShare: 0, &random), in: scope, showing: .init(count: 40))
        #expect(!found.hasFirstRows, "other matches may still come before these")
    }
}

extension SegmentHits {
    /// Whether the book with this index is one of the best hits.
    fileprivate func isBest(_ index: Int) -> Bool { indices.prefix(bestCount).contains(UInt32(index)) }
}

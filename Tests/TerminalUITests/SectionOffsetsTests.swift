import Testing

@testable import TerminalUI

@Suite("Table: offsets of sections") struct SectionOffsetsTests {
    private func rows(_ sections: [Int]) -> SectionOffsets {
        var rows = SectionOffsets()
        for section in sections { rows.appendSection(of: section) }
        return rows
    }

    @Test func thereAreNoRowsAtFirst() {
        #expect(SectionOffsets().count == 0)
        #expect(SectionOffsets().section(ofRow: 0) == 0)
    }

    @Test func rowsAreNumberedThroughAllSections() {
        let rows = rows([2, 0, 3, -1])
        #expect(rows.count == 5)
        #expect((0..<5).map(rows.section(ofRow:)) == [0, 0, 2, 2, 2])
        #expect((0..<4).map(rows.rows(ofSection:)) == [0..<2, 2..<2, 2..<5, 5..<5])
    }

    @Test func moreRowsThanThereAreNumbersAreLeftOut() {
        let rows = rows([.max, 5, 1])
        #expect(rows.count == .max)
        #expect(rows.section(ofRow: .max - 1) == 0)
    }

    @Test(
        arguments: [
            (1, 0, 2), (1, 1, 2), (2, 0, 5), (9, 0, 5), (.max, 0, 5), (1, 4, 5), (1, 5, nil), (9, 6, nil), (0, 3, nil),
        ] as [(Int, Int, Int?)])
    func theNextSectionIsTheNextWithRows(count: Int, row: Int, start: Int?) {
        #expect(rows([2, 0, 3, 0, 2, 0]).sectionStart(count, from: row) == start)
    }

    @Test(
        arguments: [
            (-1, 6, 5), (-1, 5, 2), (-2, 6, 2), (-3, 6, 0), (-9, 6, 0), (.min, 6, 0), (-1, 4, 2), (-1, 2, 0),
            (-1, 1, 0),
            (-1, 0, nil),
        ] as [(Int, Int, Int?)])
    func theSectionBeforeBeginsWithItsOwnBeginning(count: Int, row: Int, start: Int?) {
        #expect(rows([0, 2, 0, 3, 0, 2]).sectionStart(count, from: row) == start)
    }
}

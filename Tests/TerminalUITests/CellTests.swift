import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Cells") struct CellTests {
    @Test func aScreenOfCellsIsSmall() {
        #expect(MemoryLayout<Cell>.stride == 16)
    }

    @Test func eachStyleHasItsOwnNumber() {
        #expect(Set(Style.all.map(\.number)).count == Style.all.count)
        for style in Style.all {
            #expect((0..<Style.numberLimit).contains(style.number))
            #expect(Style(number: style.number) == style)
        }
    }

    /// The largest possible character in each position.
    @Test func aCellKeepsItsGlyphAndItsStyle() {
        let largest: Unicode.Scalar = "\u{10FFFF}"
        for (columns, markCount) in [(1, 0), (2, 1), (1, 2), (2, 3), (2, 4)] {
            var glyph = Grapheme(base: largest, columns: columns)
            for _ in 0..<markCount { glyph.append(mark: largest) }
            for style in Style.all {
                for isContinuation in [false, true] {
                    var cell = Cell(glyph: glyph, style: style, isContinuation: isContinuation)
                    #expect(cell.glyph == glyph)
                    #expect(cell.glyph.base == largest)
                    #expect((cell.glyph.columns, cell.glyph.markCount) == (columns, markCount))
                    #expect(cell.glyph.text.unicodeScalars.allSatisfy { $0 == largest })
                    #expect(cell.style == style)
                    #expect(cell.isContinuation == isContinuation)
                    cell.glyph = .space
                    #expect(cell == Cell(glyph: .space, style: style, isContinuation: isContinuation))
                }
            }
        }
    }
}

extension Style {
    /// All styles.
    fileprivate static var all: [Style] {
        Role.allCases.flatMap { role in
            Surface.allCases.flatMap { surface in
                [false, true].map { Style(role, on: surface, isHighlighted: $0) }
            }
        }
    }
}

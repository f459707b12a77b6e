import Testing

@testable import TerminalUI

@Suite("Canvas: pictures") struct PictureTests {
    private func picture(rows: Int = 2, columns: Int = 3) throws -> Picture {
        let cell = PictureCell(symbol: "▀", foreground: 1, background: 2)
        return try #require(
            Picture(
                size: Size(rows: rows, columns: columns), cells: Array(repeating: cell, count: rows * columns)))
    }

    @Test func aPictureIsBlankInTheText() throws {
        var canvas = Canvas(size: Size(rows: 3, columns: 5))
        canvas.write("abcde", row: 1, column: 0)
        try canvas.draw(picture(), row: 1, column: 1, clippedTo: canvas.bounds)
        #expect(canvas.text(ofRow: 1) == "a   e")
        #expect(canvas[1, 1].style == .picture)
        #expect(canvas.picture(row: 2, column: 3)?.row == 1 && canvas.picture(row: 2, column: 3)?.column == 2)
        #expect(canvas.picture(row: 0, column: 1) == nil)
    }

    @Test func textOverAPictureRemovesItThereAndThenWholly() throws {
        let size = Size(rows: 2, columns: 4)
        for text in ["abcd", "éêëè", "漢字"] {
            var canvas = Canvas(size: size)
            try canvas.draw(picture(), row: 0, column: 0, clippedTo: canvas.bounds)
            canvas.write(text, row: 0, column: 0)
            #expect(canvas.picture(row: 0, column: 2) == nil && canvas.picture(row: 1, column: 2) != nil)
            canvas.clear(canvas.bounds)
            #expect(!canvas.hasPictures && canvas == Canvas(size: size))
        }
    }

    @Test func clippingAndCopyingKeepThePartsInTheirPlaces() throws {
        var small = Canvas(size: Size(rows: 3, columns: 3))
        try small.draw(
            picture(rows: 3), row: -1, column: -1, clippedTo: Rect(row: 0, column: 0, height: 1, width: 9))
        #expect(small.picture(row: 0, column: 0)?.row == 1 && small.picture(row: 0, column: 0)?.column == 1)
        #expect(small.picture(row: 1, column: 0) == nil)
        var canvas = Canvas(size: Size(rows: 4, columns: 8))
        canvas.draw(small, in: Rect(row: 2, column: 5, height: 3, width: 3))
        #expect(canvas.picture(row: 2, column: 5) == small.picture(row: 0, column: 0))
    }

    @Test func anotherPictureInTheSamePlaceIsAChange() throws {
        func canvas(_ picture: Picture?) -> Canvas {
            var canvas = Canvas(size: Size(rows: 2, columns: 9))
            if let picture { canvas.draw(picture, row: 0, column: 4, clippedTo: canvas.bounds) }
            return canvas
        }
        let (first, second) = try (picture(), picture())
        #expect(canvas(first) == canvas(first) && canvas(first) != canvas(second))
        #expect(canvas(second).changedColumns(ofRow: 1, since: canvas(first)) == 4..<7)
        #expect(canvas(nil).changedColumns(ofRow: 1, since: canvas(first)) == 4..<7)
        #expect(canvas(first).changedColumns(ofRow: 1, since: canvas(first)) == nil)
    }

    @Test func aPictureThatDoesNotFitIsRefused() {
        let cell = PictureCell(symbol: "\u{1B}", foreground: 0xFFFF_FFFF, background: 0)
        #expect(cell.symbol == " " && cell.foreground == 0xFF_FFFF)
        #expect(Picture(size: Size(rows: 1, columns: 2), cells: [cell]) == nil)
        #expect(Picture(size: Size(rows: 0, columns: 0), cells: []) == nil)
        let hostile = PicturePixels.sixel(Array("\u{1B}Pq\u{1B}\\\u{1B}[2J\u{1B}\\".utf8))
        #expect(Picture(size: Size(rows: 1, columns: 1), cells: [cell], pixels: hostile)?.pixels == nil)
    }
}

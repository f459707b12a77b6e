import Testing

@testable import Pictures

@Suite("Pictures: cells and sixels") struct TerminalPictureTests {
    private struct NoHalfBlock: Error { var cell: PictureCell }

    /// The colours of the upper and the lower half.
    private func halves(of cell: PictureCell) throws -> [UInt32] {
        switch cell.symbol {
        case "▀": [cell.foreground, cell.background]
        case "▄": [cell.background, cell.foreground]
        case " ", "█": [cell.background, cell.foreground]
        default: throw NoHalfBlock(cell: cell)
        }
    }

    private func components(_ colour: UInt32) -> [UInt8] {
        [UInt8(colour >> 16), UInt8(colour >> 8 & 255), UInt8(colour & 255)]
    }

    /// The colours of xterm from 16: a cube, and greys.
    private static let palette: [[UInt8]] = {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        var colours: [[UInt8]] = []
        for red in levels {
            for green in levels { for blue in levels { colours.append([red, green, blue]) } }
        }
        for grey in UInt8(0)..<24 { colours.append([8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey]) }
        return colours
    }()

    /// Compares each half of each cell with the mean of its pixels in a picture of eight by eight for a cell.
    private func compare(
        _ bitmap: Bitmap, columns: Int, rows: Int, colours: CellColours, tolerance: Int,
        components: (UInt32) throws -> [UInt8], nearest: ([UInt8]) -> [UInt8]
    ) throws {
        let cells = try bitmap.cells(columns: columns, rows: rows, colours: colours)
        #expect(cells.count == columns * rows)
        let pixels = try bitmap.scaled(to: PixelSize(width: 8 * columns, height: 8 * rows))
        for (index, cell) in cells.enumerated() {
            let (x, y) = (8 * (index % columns), 8 * (index / columns))
            for (half, colour) in try halves(of: cell).enumerated() {
                let top = y + 4 * half
                let average = Array(pixels.average(x: x..<x + 8, y: top..<top + 4).prefix(3))
                let shown = try components(colour)
                #expect(difference(shown, nearest(average)) <= tolerance, "\(shown) for \(average) in \(index)")
            }
        }
    }

    @Test(arguments: [(80, 80), (300, 450), (7, 3), (1, 1)])
    func directCellsHaveTheMeansOfTheirHalves(width: Int, height: Int) throws {
        try compare(
            try .waves(width: width, height: height), columns: 10, rows: 10, colours: .direct, tolerance: 3,
            components: components, nearest: { $0 })
    }

    @Test func directCellsOfNoiseHaveTheMeansOfTheirHalves() throws {
        try compare(
            try .noise(width: 240, height: 160, isOpaque: true), columns: 30, rows: 20, colours: .direct, tolerance: 4,
            components: components, nearest: { $0 })
    }

    @Test func indexedCellsHaveColoursOfXterm() throws {
        for column in 0..<216 where column % 7 == 0 {
            let colour = Self.palette[column]
            let bitmap = try Bitmap(width: 8, height: 8) { _, y in y < 4 ? colour + [255] : [0, 0, 0, 255] }
            let cell = try bitmap.cells(columns: 1, rows: 1, colours: .indexed)[0]
            #expect(try halves(of: cell).map { Self.palette[Int($0) - 16] } == [colour, [0, 0, 0]])
        }
    }

    @Test func indexedCellsAreNearTheMeansOfTheirHalves() throws {
        let bitmap = try Bitmap.waves(width: 80, height: 80)
        let cells = try bitmap.cells(columns: 10, rows: 10, colours: .indexed)
        func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
            zip(first, second).reduce(0) { sum, pair in
                let difference = Int(pair.0) - Int(pair.1)
                return sum + difference * difference
            }
        }
        for (index, cell) in cells.enumerated() {
            #expect((16...255).contains(cell.foreground) && (16...255).contains(cell.background))
            for (half, colour) in try halves(of: cell).enumerated() {
                let (x, y) = (8 * (index % 10), 8 * (index / 10) + 4 * half)
                let average = Array(bitmap.average(x: x..<x + 8, y: y..<y + 4).prefix(3))
                let least = Self.palette.map { distance($0, average) }.min() ?? 0
                let shown = Self.palette[Int(colour) - 16]
                #expect(distance(shown, average) <= 2 * least + 600, "\(shown) for \(average)")
            }
        }
    }

    @Test func whatIsTransparentIsBlackInCells() throws {
        let bitmap = try Bitmap(width: 8, height: 8) { _, y in y < 4 ? [255, 255, 255, 0] : white }
        let cell = try bitmap.cells(columns: 1, rows: 1, colours: .direct)[0]
        #expect(try halves(of: cell) == [0, 0xFFFFFF])
    }

    @Test func oneColourIsOneColour() throws {
        let bitmap = try Bitmap(width: 8, height: 8) { _, _ in [10, 20, 30, 255] }
        for cell in try bitmap.cells(columns: 4, rows: 3, colours: .direct) {
            #expect(try halves(of: cell) == [0x0A141E, 0x0A141E])
        }
    }

    @Test(arguments: [(60, 90), (320, 480), (6, 6), (1, 6), (101, 12)])
    func sixelsHaveNearlyThePixels(width: Int, height: Int) throws {
        let bitmap = try Bitmap.waves(width: width, height: height)
        let decoded = try decodeSixels(try bitmap.sixel(to: bitmap.size))
        #expect(decoded.size == bitmap.size)
        #expect(meanDifference(decoded.pixels, bitmap.pixels) < 8, "\(meanDifference(decoded.pixels, bitmap.pixels))")
    }

    @Test func sixelsAreScaledAndAtMostAsHigh() throws {
        let bitmap = try PictureFiles.bitmap(of: "large.jpg")
        let decoded = try decodeSixels(try bitmap.sixel(to: PixelSize(width: 100, height: 83)))
        #expect(decoded.size == PixelSize(width: 100, height: 78))
        #expect(difference(decoded.quarters.joined(), [red, green, blue, white].joined()) <= 12)
        #expect(throws: PictureFailure.tooManyPixels) { try bitmap.sixel(to: PixelSize(width: 100, height: 5)) }
    }

    @Test func whatIsTransparentIsBlackInSixels() throws {
        let bitmap = try Bitmap(width: 12, height: 12) { x, _ in x < 6 ? [255, 255, 255, 0] : white }
        let decoded = try decodeSixels(try bitmap.sixel(to: bitmap.size))
        #expect(difference(decoded[2, 6], [0, 0, 0, 255]) <= 3 && difference(decoded[9, 6], white) <= 3)
    }

    /// A sequence with a byte that is none of sixels would be text on the screen.
    @Test func sixelsAreOneSequence() throws {
        let bytes = try Bitmap.noise(width: 60, height: 60, isOpaque: true).sixel(to: PixelSize(width: 60, height: 60))
        #expect(bytes.starts(with: "\u{1B}P".utf8) && bytes.suffix(2) == [0x1B, UInt8(ascii: "\\")])
        #expect(bytes.dropFirst().dropLast(2).allSatisfy { (0x20...0x7E).contains($0) })
    }

    /// Reads sixels as a terminal does: DEC's VT330/VT340 Programmer Reference Manual, chapter 14.
    private func decodeSixels(_ bytes: [UInt8]) throws -> Bitmap {
        var rest = bytes[...]
        func numbers() -> [Int] {
            let text = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ";") }
            rest = rest.dropFirst(text.count)
            return String(decoding: text, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false).map {
                Int($0) ?? 0
            }
        }
        try #require(rest.prefix(2) == [0x1B, UInt8(ascii: "P")])
        rest = rest.dropFirst(2)
        _ = numbers()
        try #require(rest.popFirst() == UInt8(ascii: "q") && rest.popFirst() == UInt8(ascii: "\""))
        let raster = numbers()
        try #require(raster.count == 4)
        let (width, height) = (raster[2], raster[3])
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        var colours: [Int: Colour] = [:]
        var (colour, x, y, count) = (0, 0, 0, 1)
        while let byte = rest.popFirst(), byte != 0x1B {
            switch byte {
            case UInt8(ascii: "#"):
                let values = numbers()
                colour = values[0]
                if values.count == 5 {
                    try #require(values[1] == 2)
                    colours[colour] = values[2...].map { UInt8(($0 * 255 + 50) / 100) } + [255]
                }
            case UInt8(ascii: "!"): count = numbers()[0]
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, y) = (0, y + 6)
            case 0x3F...0x7E:
                try #require(x + count <= width)
                for column in x..<x + count {
                    for bit in 0..<6 where (byte - 0x3F) >> bit & 1 == 1 {
                        try #require(y + bit < height)
                        let pixel = 4 * ((y + bit) * width + column)
                        pixels.replaceSubrange(pixel..<pixel + 4, with: try #require(colours[colour]))
                    }
                }
                (x, count) = (x + count, 1)
            default: try #require(Bool(false), "\(byte) is no sixel")
            }
        }
        try #require(rest == [UInt8(ascii: "\\")])
        return try #require(Bitmap(size: PixelSize(width: width, height: height), pixels: pixels))
    }
}

import Testing

@testable import Pictures

@Suite("Pictures: scaling, backgrounds and files") struct BitmapTests {
    @Test func aSmallerPictureHasTheAveragesOfAreas() throws {
        let bitmap = try Bitmap.noise(width: 64, height: 48, isOpaque: true)
        let scaled = try bitmap.scaled(to: PixelSize(width: 16, height: 12))
        #expect(scaled.size == PixelSize(width: 16, height: 12))
        for y in 0..<12 {
            for x in 0..<16 {
                let average = bitmap.average(x: 4 * x..<4 * x + 4, y: 4 * y..<4 * y + 4)
                #expect(difference(scaled[x, y], average) <= 1)
            }
        }
    }

    /// Red beside nothing is a paler red, not a darker one: nothing has no colour, though its bytes are those of black.
    @Test func transparentPixelsGiveNoColour() throws {
        let bitmap = try Bitmap(width: 64, height: 2) { x, _ in x % 2 == 0 ? red : [0, 0, 0, 0] }
        let scaled = try bitmap.scaled(to: PixelSize(width: 1, height: 1))
        #expect(difference(scaled.pixels, [255, 0, 0, 128]) <= 1)
    }

    @Test func aLargerPictureHasColoursBetween() throws {
        let bitmap = try Bitmap(width: 2, height: 1) { x, _ in x == 0 ? [0, 0, 0, 255] : white }
        let scaled = try bitmap.scaled(to: PixelSize(width: 9, height: 3))
        let row = (0..<9).map { scaled[$0, 1][0] }
        #expect(row == row.sorted() && row[0] == 0 && row[8] == 255 && (100...155).contains(row[4]), "\(row)")
    }

    @Test func anyRatioIsScaled() throws {
        let pixels = [UInt8](repeating: 200, count: 4 << 24)
        let bitmap = try #require(Bitmap(size: PixelSize(width: 1 << 24, height: 1), pixels: pixels))
        for size in [(1, 1), (7, 5), (1, 2000)].map({ PixelSize(width: $0, height: $1) }) {
            let scaled = try bitmap.scaled(to: size)
            #expect(difference(scaled[0, size.height - 1], [200, 200, 200, 200]) <= 1)
        }
    }

    @Test(arguments: [(0, 1), (1, -1), (.max, .max), (1 << 24, 2)]) func otherSizesAreRefused(width: Int, height: Int)
        throws
    {
        let bitmap = try Bitmap.waves(width: 8, height: 8)
        let size = PixelSize(width: width, height: height)
        #expect(throws: PictureFailure.tooManyPixels) { try bitmap.scaled(to: size) }
        #expect(throws: PictureFailure.tooManyPixels) { try bitmap.sixel(to: size) }
        #expect(throws: PictureFailure.tooManyPixels) {
            try bitmap.cells(columns: width, rows: height, colours: .direct)
        }
        #expect(Bitmap(size: size, pixels: []) == nil)
    }

    /// A picture that is used again must be what it was.
    @Test func thePictureItselfStays() throws {
        let bitmap = try Bitmap.noise(width: 20, height: 20, isOpaque: false)
        let pixels = bitmap.pixels.map { $0 }
        _ = try bitmap.scaled(to: PixelSize(width: 5, height: 5))
        _ = bitmap.onBackground(red: 1, green: 2, blue: 3)
        _ = try bitmap.cells(columns: 2, rows: 2, colours: .direct)
        #expect(bitmap.pixels == pixels)
    }

    @Test func aBackgroundIsSeenThroughThePicture() throws {
        let bitmap = try Bitmap(width: 3, height: 1) { x, _ in [200, 100, 0, [0, 128, 255][x]] }
        let flat = bitmap.onBackground(red: 0, green: 100, blue: 200)
        #expect(flat.pixels == [0, 100, 200, 255, 100, 100, 100, 255, 200, 100, 0, 255])
    }

    @Test(arguments: [true, false]) func aPNGHasTheVeryPixels(isOpaque: Bool) throws {
        for (width, height) in [(1, 1), (33, 7), (100, 100)] {
            let bitmap = try Bitmap.noise(width: width, height: height, isOpaque: isOpaque)
            let file = try bitmap.png()
            #expect(PictureFormat.of(file) == .png)
            #expect(try Bitmap(decoding: file, fitting: .large) == bitmap)
        }
    }

    @Test func aWebPHasNearlyThePixels() throws {
        let bitmap = try Bitmap.waves(width: 160, height: 240)
        let files = try [-1, 50, 90, 200].map { try bitmap.webP(quality: $0) }
        #expect(files.map(\.count) == files.map(\.count).sorted())
        let decoded = try Bitmap(decoding: files[2], fitting: .large)
        #expect(decoded.size == bitmap.size && meanDifference(decoded.pixels, bitmap.pixels) < 3)
    }

    @Test func aWebPKeepsAlpha() throws {
        let bitmap = try Bitmap(width: 32, height: 32) { x, _ in x < 16 ? red : [0, 0, 0, 0] }
        let decoded = try Bitmap(decoding: try bitmap.webP(quality: 80), fitting: .large)
        #expect(difference(decoded[4, 16], red) <= 12 && decoded[28, 16][3] == 0)
    }

    @Test func aSideBeyondTheLimitOfWebPIsRefused() throws {
        let bitmap = try Bitmap(size: PixelSize(width: 16384, height: 1))
        #expect(throws: PictureFailure.tooManyPixels) { try bitmap.webP(quality: 80) }
    }
}

extension Bitmap {
    /// The mean colour of an area without transparency.
    func average(x columns: Range<Int>, y rows: Range<Int>) -> Colour {
        var sums = [0, 0, 0, 0]
        for y in rows {
            for x in columns { for (channel, value) in self[x, y].enumerated() { sums[channel] += Int(value) } }
        }
        return sums.map { UInt8(($0 + columns.count * rows.count / 2) / (columns.count * rows.count)) }
    }
}

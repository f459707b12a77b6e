import Testing

@testable import Pictures

@Suite("Pictures: decoding files") struct DecodingTests {
    @Test func everyFileIsThere() {
        #expect(PictureFiles.names.count == 25)
    }

    @Test(arguments: [
        "rgb.png", "rgb16.png", "palette.png", "interlaced.png", "plain.gif", "interlaced.gif", "animated.gif",
        "lossless.webp",
    ])
    func losslessFormatsHaveTheVeryPixels(name: String) throws {
        let bitmap = try PictureFiles.bitmap(of: name)
        let expected = try Bitmap(width: 32, height: 16) { x, y in
            y < 8 ? (x < 16 ? red : green) : (x < 16 ? blue : white)
        }
        #expect(bitmap == expected)
    }

    @Test(arguments: [
        "plain.jpg", "subsampled.jpg", "progressive.jpg", "cmyk.jpg", "ycck.jpg", "large.jpg", "lossy.webp",
        "large.webp",
    ])
    func lossyFormatsHaveNearlyThePixels(name: String) throws {
        let bitmap = try PictureFiles.bitmap(of: name)
        #expect(
            bitmap.size
                == (name.hasPrefix("large") ? PixelSize(width: 320, height: 240) : PixelSize(width: 32, height: 16)))
        #expect(difference(bitmap.quarters.joined(), [red, green, blue, white].joined()) <= 12, "\(bitmap.quarters)")
    }

    /// ImageMagick makes greys with the weights of Rec. 709; white is white in any.
    @Test(arguments: ["grey.png", "grey16.png", "grey.jpg"]) func greysHaveThreeEqualColours(name: String) throws {
        let quarters = try PictureFiles.bitmap(of: name).quarters
        let expected = [54, 182, 18, 255].map { [UInt8]([$0, $0, $0, 255]) }
        #expect(difference(quarters.joined(), expected.joined()) <= 3, "\(quarters)")
    }

    @Test(arguments: ["alpha.png", "alpha.webp", "alphalossy.webp"]) func alphaIsNotPremultiplied(name: String) throws {
        let quarters = try PictureFiles.bitmap(of: name).quarters
        let expected: [Colour] = [[255, 0, 0, 128], green, [0, 0, 255, 128], white]
        #expect(difference(quarters.joined(), expected.joined()) <= (name == "alphalossy.webp" ? 12 : 0), "\(quarters)")
    }

    @Test func theTransparentColourOfAGIFIsTransparent() throws {
        #expect(try PictureFiles.bitmap(of: "transparent.gif").quarters == [red, green, [0, 0, 0, 0], white])
    }

    @Test func aGIFSmallerThanItsScreenIsAtItsPlace() throws {
        let bitmap = try PictureFiles.bitmap(of: "offset.gif")
        let expected = try Bitmap(width: 64, height: 48) { x, y in
            guard (16..<48).contains(x), (24..<40).contains(y) else { return [0, 0, 0, 0] }
            return y < 32 ? (x < 32 ? red : green) : (x < 32 ? blue : white)
        }
        #expect(bitmap == expected)
    }

    /// Some programs write a screen of no size.
    @Test func aScreenThatIsTooSmallIsExtended() throws {
        var bytes = PictureFiles.bytes(of: "plain.gif")
        bytes.replaceSubrange(6..<10, with: [0, 0, 0, 0])
        #expect(try Bitmap(decoding: bytes, fitting: .large) == PictureFiles.bitmap(of: "plain.gif"))
    }

    /// Only the first picture of a GIF is read, and that is simple; that of a WebP may depend on a canvas.
    @Test func animationsInWebPAreRefused() {
        #expect(throws: PictureFailure.animated) { try PictureFiles.bitmap(of: "animated.webp") }
    }

    /// Without Adobe's segment, CMYK is stored as it is: what was no black is all black.
    @Test func onlyAdobesCMYKIsInverted() throws {
        var bytes = PictureFiles.bytes(of: "cmyk.jpg")
        let name = try #require(bytes.firstRange(of: "Adobe".utf8))
        bytes[name.lowerBound] = UInt8(ascii: "a")
        let quarters = try Bitmap(decoding: bytes, fitting: .large).quarters
        #expect(difference(quarters.joined(), [[UInt8]](repeating: [0, 0, 0, 255], count: 4).joined()) <= 12)
    }

    @Test func decodersScaleToWhatIsEnough() throws {
        let sizes = [(320, 240), (319, 240), (160, 120), (159, 120), (80, 60), (79, 20), (40, 30), (10, 10), (0, 0)].map
        {
            PixelSize(width: $0, height: $1)
        }
        let expected = [320, 320, 160, 160, 80, 40, 40, 40, 40]
        for (box, width) in zip(sizes, expected) {
            let bitmap = try PictureFiles.bitmap(of: "large.jpg", fitting: box)
            #expect(bitmap.size == PixelSize(width: width, height: width * 3 / 4))
            #expect(difference(bitmap.quarters.joined(), [red, green, blue, white].joined()) <= 12)
            let webP = try PictureFiles.bitmap(of: "large.webp", fitting: box)
            #expect(webP.size == PixelSize(width: 320, height: 240).fitted(into: box))
        }
    }

    /// What is seen in the quarters for each orientation, by the places of the first row and column in EXIF.
    private static let orientations: [(Int, [Colour])] = [
        (1, [red, green, blue, white]), (2, [green, red, white, blue]), (3, [white, blue, green, red]),
        (4, [blue, white, red, green]), (5, [red, blue, green, white]), (6, [blue, red, white, green]),
        (7, [white, green, blue, red]), (8, [green, white, red, blue]), (0, [red, green, blue, white]),
        (9, [red, green, blue, white]),
    ]

    @Test(arguments: orientations, [true, false])
    func aJPEGIsTurnedAsItsCameraSays(orientation: (number: Int, quarters: [Colour]), isLittle: Bool) throws {
        let bytes = jpeg(orientation: orientation.number, isLittle: isLittle)
        let bitmap = try Bitmap(decoding: bytes, fitting: .large)
        let isTurned = (5...8).contains(orientation.number)
        #expect(bitmap.size == (isTurned ? PixelSize(width: 16, height: 32) : PixelSize(width: 32, height: 16)))
        #expect(difference(bitmap.quarters.joined(), orientation.quarters.joined()) <= 12, "\(bitmap.quarters)")
        // The box is for what is seen.
        let half = try Bitmap(
            decoding: bytes, fitting: isTurned ? PixelSize(width: 8, height: 100) : PixelSize(width: 100, height: 8))
        #expect(half.size == bitmap.size.divided(by: 2))
    }

    /// A JPEG with a segment of EXIF: two entries, of which the second is the orientation.
    private func jpeg(orientation: Int, isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
        }
        var tiff = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
        tiff += number(0x10F, 2) + number(2, 2) + number(4, 4) + number(0, 4)
        tiff += number(0x112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2) + number(0, 4)
        let content = Array("Exif\0\0".utf8) + tiff
        let segment = [0xFF, 0xE1, UInt8(0), UInt8(content.count + 2)] + content
        var bytes = PictureFiles.bytes(of: "plain.jpg")
        bytes.insert(contentsOf: segment, at: 2)
        return bytes
    }

    /// A directory that refers behind the segment, has more entries than it could, or none.
    @Test(
        arguments: [
            [0x49, 0x49, 42, 0, 0xFF, 0xFF, 0xFF, 0x7F], [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF, 0x12, 0x01],
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0], [0x4D, 0x4D], [],
        ] as [[UInt8]])
    func brokenEXIFTurnsNothing(tiff: [UInt8]) throws {
        let content = Array("Exif\0\0".utf8) + tiff
        var bytes = PictureFiles.bytes(of: "plain.jpg")
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content, at: 2)
        #expect(try Bitmap(decoding: bytes, fitting: .large) == PictureFiles.bitmap(of: "plain.jpg"))
    }

    @Test func otherFilesAreUnknown() {
        for text in ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<!DOCTYPE html>", "GIF", "RIFF1234WAVE", "BM"] {
            #expect(PictureFormat.of(Array(text.utf8)) == nil)
            #expect(throws: PictureFailure.unknownFormat) { try Bitmap(decoding: Array(text.utf8), fitting: .large) }
        }
    }

    @Test func sizesFitIntoABox() {
        let size = PixelSize(width: 600, height: 900)
        #expect(size.fitted(into: PixelSize(width: 320, height: 480)) == PixelSize(width: 320, height: 480))
        #expect(size.fitted(into: PixelSize(width: 320, height: 90)) == PixelSize(width: 60, height: 90))
        #expect(size.fitted(into: PixelSize(width: 1200, height: 9000)) == size)
        let enlarged = size.fitted(into: PixelSize(width: 1200, height: 9000), enlarging: true)
        #expect(enlarged == PixelSize(width: 1200, height: 1800))
        #expect(size.fitted(into: PixelSize(width: 0, height: -5)) == PixelSize(width: 1, height: 1))
        #expect(
            PixelSize(width: 10000, height: 1).fitted(into: .init(width: 10, height: 10)) == .init(width: 10, height: 1)
        )
        let greatest = PixelSize(width: .max, height: .max)
        #expect(PixelSize(width: 1, height: .max).fitted(into: greatest, enlarging: true).width >= 1)
        #expect(greatest.count(atMost: .max) == nil && greatest.fitted(into: .large) == .large)
    }
}

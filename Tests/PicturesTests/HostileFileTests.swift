import Testing

@testable import Pictures

@Suite("Pictures: files that are meant to harm") struct HostileFileTests {
    /// A file that decodes must give a picture whose pixels are all there. What it throws does not matter.
    private func decode(_ bytes: [UInt8], fitting box: PixelSize = .large) {
        guard let bitmap = try? Bitmap(decoding: bytes, fitting: box) else { return }
        #expect(bitmap.pixels.count == 4 * bitmap.width * bitmap.height)
    }

    @Test(arguments: PictureFiles.names) func aCutFileDoesNoHarm(name: String) {
        let bytes = PictureFiles.bytes(of: name)
        for count in 0..<bytes.count { decode(Array(bytes.prefix(count))) }
    }

    /// Of an animation, what follows the first picture is not read.
    @Test(arguments: PictureFiles.names.filter { !$0.hasSuffix(".jpg") && $0 != "animated.gif" })
    func aCutFileIsRefused(name: String) throws {
        let bytes = PictureFiles.bytes(of: name)
        // The last bytes are a trailer, or the padding of one.
        for count in stride(from: 16, to: bytes.count - 20, by: 3) {
            let error = #expect(throws: PictureFailure.self) {
                try Bitmap(decoding: Array(bytes.prefix(count)), fitting: .large)
            }
            #expect(error == PictureFormat.of(bytes).map { .broken($0) } || error == .animated)
        }
    }

    /// As browsers show it: the first rows, and grey.
    @Test func aCutJPEGIsShownAsFarAsItGoes() throws {
        let bytes = PictureFiles.bytes(of: "large.jpg")
        let bitmap = try Bitmap(decoding: Array(bytes.prefix(bytes.count * 2 / 3)), fitting: .large)
        #expect(difference(bitmap.quarters[0], red) <= 12 && difference(bitmap.quarters[3], white) > 12)
    }

    @Test(arguments: PictureFiles.names) func changedBytesDoNoHarm(name: String) {
        let bytes = PictureFiles.bytes(of: name)
        var numbers = Numbers(state: 1)
        for round in 0..<400 {
            var changed = bytes
            for _ in 0...round % 4 {
                changed[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            decode(changed, fitting: PixelSize(width: 20, height: 20))
        }
    }

    @Test func aFileBeyondTheLimitIsRefused() {
        let bytes = PictureFiles.bytes(of: "rgb.png")
        let long = bytes + [UInt8](repeating: 0, count: PictureLimits.fileSize + 1 - bytes.count)
        #expect(throws: PictureFailure.tooManyBytes) { try Bitmap(decoding: long, fitting: .large) }
        #expect(throws: Never.self) { try Bitmap(decoding: Array(long.dropLast()), fitting: .large) }
    }

    @Test(arguments: [(60000, 60000), (4097, 4096), (1 << 24, 2), (Int(Int32.max), 1)])
    func aPNGOfTooManyPixelsIsRefused(width: Int, height: Int) throws {
        var bytes = PictureFiles.bytes(of: "rgb.png")
        bytes.replaceSubrange(16..<24, with: bigEndian(width, 4) + bigEndian(height, 4))
        bytes.replaceSubrange(29..<33, with: bigEndian(Int(checksum(bytes[12..<29])), 4))
        let error = #expect(throws: PictureFailure.self) { try Bitmap(decoding: bytes, fitting: .large) }
        // libpng has a limit of a million for each side.
        #expect(error == (width > 1_000_000 ? .broken(.png) : .tooManyPixels))
    }

    /// Only the header, and all of its pixels are missing.
    @Test func aPNGWithinTheLimitIsReadUpToItsEnd() throws {
        var bytes = PictureFiles.bytes(of: "rgb.png")
        bytes.replaceSubrange(16..<24, with: bigEndian(4096, 4) + bigEndian(4096, 4))
        bytes.replaceSubrange(29..<33, with: bigEndian(Int(checksum(bytes[12..<29])), 4))
        #expect(throws: PictureFailure.broken(.png)) { try Bitmap(decoding: bytes, fitting: .large) }
    }

    /// Each chunk of text would be unpacked to megabytes, and kept.
    @Test func chunksBeforeThePixelsOfAPNGAreLeftOut() throws {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let named = Array(name.utf8) + content
            return bigEndian(content.count, 4) + named + bigEndian(Int(checksum(named[...])), 4)
        }
        for name in PictureFiles.names where name.hasSuffix(".png") {
            let bytes = PictureFiles.bytes(of: name)
            let content = Array("key\0\0".utf8) + [UInt8](repeating: 0, count: 3000)
            let asides = ["zTXt", "iTXt", "tEXt", "sPLT", "eXIf", "abCd"].flatMap { chunk($0, content) }
            let long = Array(bytes[..<33]) + asides + bytes[33...]
            #expect(Bitmap.withoutAsides(long).count <= bytes.count)
            #expect(Bitmap.withoutAsides(bytes) == bytes)
            #expect(try Bitmap(decoding: long, fitting: .large) == PictureFiles.bitmap(of: name))
        }
        let bytes = PictureFiles.bytes(of: "palette.png")
        // A length that reaches behind the file.
        let endless = Array(bytes[..<33]) + [0xFF, 0xFF, 0xFF, 0xFF] + "tEXt".utf8 + bytes[33...]
        #expect(throws: PictureFailure.broken(.png)) { try Bitmap(decoding: endless, fitting: .large) }
    }

    @Test func aGIFOfTooManyPixelsIsRefused() throws {
        var bytes = PictureFiles.bytes(of: "plain.gif")
        bytes.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: PictureFailure.tooManyPixels) { try Bitmap(decoding: bytes, fitting: .large) }
        // A small screen, and a picture far outside of it.
        let header = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let map: [UInt8] = [0, 0, 0, 255, 255, 255]
        let outside = header + [0x2C, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 1, 0, 0x80] + map + [2, 2, 0x4C, 1, 0, 0x3B]
        #expect(throws: PictureFailure.tooManyPixels) { try Bitmap(decoding: outside, fitting: .large) }
    }

    @Test func aGIFWithAnEmptyOrNoPictureIsRefused() {
        let header = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0]
        let empty = header + [0x2C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x3B]
        for bytes in [empty, header + [0x3B], header] {
            #expect(throws: PictureFailure.broken(.gif)) { try Bitmap(decoding: bytes, fitting: .large) }
        }
    }

    /// Colours that the map does not have are transparent, whatever is behind it in memory.
    @Test func anIndexBehindTheMapOfAGIFIsTransparent() throws {
        let header = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6]
        // In codes of nine bits: clear, 200, end.
        let codes: UInt32 = 256 | 200 << 9 | 257 << 18
        let data = (0..<4).map { UInt8(truncatingIfNeeded: codes >> (8 * $0)) }
        let bytes = header + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 8, 4] + data + [0, 0x3B]
        #expect(try Bitmap(decoding: bytes, fitting: .large).pixels == [0, 0, 0, 0])
    }

    @Test func aWebPOfTooManyPixelsIsRefused() throws {
        var bytes = PictureFiles.bytes(of: "lossless.webp")
        // Behind the signature 0x2F: 14 bits each of the width and the height less 1.
        #expect(bytes[20] == 0x2F)
        bytes.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, 0x0F])
        #expect(throws: PictureFailure.tooManyPixels) { try Bitmap(decoding: bytes, fitting: .large) }
    }

    /// Its greatest size, of which an eighth has 67 megapixels.
    @Test func aJPEGOfTooManyPixelsIsRefused() throws {
        #expect(throws: PictureFailure.tooManyPixels) {
            try Bitmap(decoding: jpeg("plain.jpg", width: 65500, height: 65500), fitting: .large)
        }
        let bitmap = try Bitmap(decoding: jpeg("plain.jpg", width: 8192, height: 8192), fitting: .large)
        #expect(bitmap.size == .large)
        // Progressive files need memory for all coefficients.
        #expect(throws: PictureFailure.tooManyPixels) {
            try Bitmap(decoding: jpeg("progressive.jpg", width: 8192, height: 8192), fitting: .large)
        }
    }

    /// A file whose components come one after another, needs that memory, too.
    @Test func scansOfSingleComponentsAreFound() throws {
        #expect(JPEGHeader(PictureFiles.bytes(of: "plain.jpg")).isOneScan)
        #expect(!JPEGHeader(PictureFiles.bytes(of: "progressive.jpg")).isOneScan)
        var bytes = PictureFiles.bytes(of: "plain.jpg")
        let scan = try #require(bytes.firstRange(of: [0xFF, 0xDA]))
        bytes[scan.upperBound + 2] = 1
        #expect(!JPEGHeader(bytes).isOneScan)
        #expect(!JPEGHeader(Array(bytes.prefix(scan.lowerBound))).isOneScan && !JPEGHeader([]).isOneScan)
    }

    /// The decoder steps over these bytes, and might find another frame than the one that follows them here.
    @Test(arguments: [[0], [0xFF, 0xD0], [0xFF, 0x00], [0xFF, 0x01], [0xFF, 0xD8]] as [[UInt8]])
    func whatTheDecoderStepsOverIsNotTrusted(between: [UInt8]) {
        var bytes = PictureFiles.bytes(of: "plain.jpg")
        bytes.insert(contentsOf: between, at: 2)
        #expect(!JPEGHeader(bytes).isOneScan)
        bytes = PictureFiles.bytes(of: "plain.jpg")
        // Any number of these bytes may stand before a marker.
        bytes.insert(contentsOf: [0xFF, 0xFF], at: 2)
        #expect(JPEGHeader(bytes).isOneScan)
    }

    /// TurboJPEG gives up after 500 scans: a small file could keep it busy for hours.
    @Test func aJPEGOfThousandsOfScansIsRefused() throws {
        let bytes = PictureFiles.bytes(of: "progressive.jpg")
        let scan = try #require(bytes.lastRange(of: [0xFF, 0xDA]))
        let content = bytes[scan.lowerBound..<bytes.count - 2]
        for (count, isRefused) in [(100, false), (1000, true)] {
            let bomb = bytes.dropLast(2) + [[UInt8]](repeating: Array(content), count: count).joined() + [0xFF, 0xD9]
            let bitmap = try? Bitmap(decoding: Array(bomb), fitting: .large)
            #expect((bitmap == nil) == isRefused)
        }
    }

    private func jpeg(_ name: String, width: Int, height: Int) throws -> [UInt8] {
        var bytes = PictureFiles.bytes(of: name)
        let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0]) ?? bytes.firstRange(of: [0xFF, 0xC2])).upperBound
        bytes.replaceSubrange(frame + 3..<frame + 7, with: bigEndian(height, 2) + bigEndian(width, 2))
        return bytes
    }

    private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The checksum of a chunk of PNG (CRC-32).
    private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

extension [UInt8] {
    func firstRange(of part: some Collection<UInt8>) -> Range<Int>? {
        indices.first { self[$0...].starts(with: part) }.map { $0..<$0 + part.count }
    }

    func lastRange(of part: some Collection<UInt8>) -> Range<Int>? {
        indices.last { self[$0...].starts(with: part) }.map { $0..<$0 + part.count }
    }
}

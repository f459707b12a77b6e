import ConnectorProtocol
import ConnectorTesting
import Foundation
import Glibc
import TestSupport
import Testing

/// Pictures of covers, made by the program as stacks starts it.
@Suite("Covers: pictures for a place on the screen", .disabled(if: isSanitized, "Sanitizers need memory"))
struct CoverMakerTests {
    private let directory: TemporaryDirectory
    private let cache: String

    init() throws {
        directory = try TemporaryDirectory()
        cache = directory.path + "/cache"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
    }

    /// A request for a place of 20 by 20 cells of 10 by 20 pixels.
    private func request(
        _ path: String, form: CoverFrame.Form = .cells, isDirect: Bool = true
    ) -> CoverRequest {
        CoverRequest(
            path: path, thumbnail: cache + "/thumbnail",
            frame: CoverFrame(
                columns: 20, rows: 20, cellWidth: 10, cellHeight: 20, form: form, hasDirectColours: isDirect))
    }

    /// Asks a new program.
    private func reply(
        to request: CoverRequest
    ) throws -> (content: ConnectorReply.Content?, confinement: Confinement) {
        let connector = try RunningConnector()
        let confinement = try connector.greet(cache: cache).confinement
        try connector.ask(2, .cover(request))
        let content = try connector.end()?.content
        #expect(try connector.close() == 0)
        return (content, confinement)
    }

    private func picture(_ request: CoverRequest) throws -> CoverPicture {
        guard case .ended(.pictured(let picture))? = try reply(to: request).content else { throw WrongReply() }
        return picture
    }

    /// Writes a file into the cache, where the program may read, and returns the reply for it.
    private func reply(toFile bytes: [UInt8]) throws -> ConnectorReply.Content? {
        try reply(to: request(try directory.write(bytes, to: "cache/picture"))).content
    }

    /// A picture of 400 by 600 pixels, white above and black below.
    private func cover() throws -> String {
        try directory.write(PNGFile(width: 400, height: 600).bytes, to: "cache/picture")
    }

    @Test("A picture has its own proportions in cells, and fills the place in one direction")
    func cells() throws {
        let picture = try picture(try request(cover()))
        // 400 : 600 is 20 * 10 : 15 * 20.
        #expect(picture.columns == 20 && picture.rows == 15)
        #expect(picture.pixels == [])
        try #require(picture.cells.count == 300)
        let (white, black) = (picture.cells[..<140], picture.cells[160...])
        // Scaling may round.
        let high: UInt32 = 0xFC_FCFC
        #expect(white.allSatisfy { $0.foreground & high == high && $0.background & high == high })
        #expect(black.allSatisfy { $0.foreground & high == 0 && $0.background & high == 0 })
    }

    @Test("A low place has a picture that is as high as the place")
    func lowPlace() throws {
        var request = try request(cover())
        request.frame.rows = 3
        let picture = try picture(request)
        // 3 * 20 pixels high, so 40 wide.
        #expect(picture.columns == 4 && picture.rows == 3)
        request.frame.rows = 1
        request.frame.cellHeight = 1
        let least = try self.picture(request)
        #expect(least.columns == 1 && least.rows == 1)
    }

    @Test("Colours are numbers of the palette of xterm for terminals without others")
    func palette() throws {
        let picture = try picture(try request(cover(), isDirect: false))
        let colours = Set(picture.cells.flatMap { [$0.foreground, $0.background] })
        #expect(colours.isSuperset(of: [16, 231]))
        #expect(colours.allSatisfy { (16...255).contains($0) })
    }

    @Test("A smaller copy is written as WebP, from which the same picture is made")
    func thumbnail() throws {
        let first = try picture(try self.request(cover()))
        let bytes = try #require(FileManager.default.contents(atPath: cache + "/thumbnail")).map(\.self)
        #expect(bytes.starts(with: "RIFF".utf8))
        #expect(bytes.dropFirst(8).starts(with: "WEBP".utf8))
        let copy = try directory.write(bytes, to: "cache/copy")
        var request = request(copy)
        request.thumbnail = nil
        try FileManager.default.removeItem(atPath: cache + "/thumbnail")
        let second = try picture(request)
        #expect(second.columns == first.columns && second.rows == first.rows)
        #expect(!FileManager.default.fileExists(atPath: cache + "/thumbnail"))
    }

    @Test("Only the owner may read a smaller copy")
    func privateThumbnail() throws {
        _ = try picture(try request(cover()))
        let attributes = try FileManager.default.attributesOfItem(atPath: cache + "/thumbnail")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("A PNG file has the size of its cells in pixels")
    func png() throws {
        let picture = try picture(try request(cover(), form: .png))
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(picture.pixels.starts(with: signature))
        // The width and height of 20 by 15 cells, in the header: 200 and 300.
        #expect(picture.pixels.dropFirst(16).prefix(8).elementsEqual([0, 0, 0, 200, 0, 0, 1, 44]))
        #expect(picture.cells.count == 300)
    }

    @Test("Sixels are one sequence of control characters")
    func sixel() throws {
        let picture = try picture(try request(cover(), form: .sixel))
        let escape: UInt8 = 0x1B
        #expect(picture.pixels.starts(with: [escape, UInt8(ascii: "P")]))
        #expect(picture.pixels.suffix(2).elementsEqual([escape, UInt8(ascii: "\\")]))
        #expect(picture.pixels.count { $0 == escape } == 2)
        #expect(picture.cells.count == 300)
    }

    @Test("A file that is no picture, or a damaged one, has none")
    func wrongFiles() throws {
        let vector = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
        #expect(try reply(toFile: vector) == .failed(ConnectorFailure(.format, .unknownFormat)))
        #expect(try reply(toFile: []) == .failed(ConnectorFailure(.format, .unknownFormat)))
        let whole = PNGFile(width: 400, height: 600).bytes
        let cut = Array(whole.prefix(whole.count / 2))
        #expect(try reply(toFile: cut) == .failed(ConnectorFailure(.format, .damaged)))
        #expect(!FileManager.default.fileExists(atPath: cache + "/thumbnail"))
    }

    @Test("A picture of more pixels than there is memory for is refused, however small its file is")
    func hugePicture() throws {
        let bytes = PNGFile(width: 400, height: 600, statedWidth: 60000, statedHeight: 60000).bytes
        #expect(bytes.count < 100_000)
        #expect(try reply(toFile: bytes) == .failed(ConnectorFailure(.refused, .tooLarge)))
    }

    @Test("A file of more than 32 MiB is refused")
    func hugeFile() throws {
        let path = try cover()
        #expect(truncate(path, 32 << 20) == 0)
        guard case .ended(.pictured)? = try reply(to: request(path)).content else { throw WrongReply() }
        #expect(truncate(path, 32 << 20 + 1) == 0)
        #expect(try reply(to: request(path)).content == .failed(ConnectorFailure(.refused, .tooLarge)))
    }

    @Test("A directory or a pipe is not a file, and nothing waits for a writer")
    func notAFile() throws {
        let (folder, pipe) = (cache + "/folder", cache + "/pipe")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [folder, pipe] {
            let failure = ConnectorFailure(.unsupported, .notAFile, subject: path)
            #expect(try reply(to: request(path)).content == .failed(failure))
        }
    }

    @Test("A file that does not exist is missing")
    func missing() throws {
        let path = cache + "/none"
        let failure = ConnectorFailure(.offline, .missing, subject: path)
        #expect(try reply(to: request(path)).content == .failed(failure))
    }

    @Test("A symbolic link is not followed, not even within the cache")
    func link() throws {
        let link = cache + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try cover())
        guard case .failed(let failure)? = try reply(to: request(link)).content else { throw WrongReply() }
        #expect(failure.kind == .offline && failure.subject == link)
    }

    @Test("A file outside of the cache cannot be read, nor a smaller copy written there")
    func outside() throws {
        let path = try directory.write(PNGFile(width: 4, height: 6).bytes, to: "outside.png")
        let (content, confinement) = try reply(to: self.request(path))
        guard confinement.landlock > 0 else { return }
        // The user may read it: for the program, it is as if another one had replaced it.
        #expect(content == .failed(ConnectorFailure(.busy, .replaced, subject: path)))
        var request = try request(cover())
        request.thumbnail = directory.path + "/thumbnail"
        guard case .ended(.pictured)? = try reply(to: request).content else { throw WrongReply() }
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/thumbnail"))
    }

    @Test("A picture that cannot be decoded does not end the program")
    func nextPicture() throws {
        let connector = try RunningConnector()
        _ = try connector.greet(cache: cache)
        let broken = try directory.write("GIF89a".utf8, to: "cache/broken")
        let whole = try cover()
        for (id, path) in [(2, broken), (3, whole), (4, broken), (5, whole)] {
            try connector.ask(id, .cover(request(path)))
            let reply = try connector.end()
            #expect(reply?.request == id)
            let isWhole = if case .ended(.pictured)? = reply?.content { true } else { false }
            #expect(isWhole == (path == whole))
        }
        #expect(try connector.close() == 0)
    }
}

/// A PNG file of one bit for each pixel: the upper half is white, the lower half black (ISO/IEC 15948).
private struct PNGFile {
    let bytes: [UInt8]

    /// Creates a file of this size, whose header states another one if it is given.
    init(width: Int, height: Int, statedWidth: Int? = nil, statedHeight: Int? = nil) {
        let columns = (width + 7) / 8
        let rows = (0..<height).flatMap { row in
            // The filter, and the pixels.
            [0] + [UInt8](repeating: row < height / 2 ? 0xFF : 0, count: columns)
        }
        let header =
            Self.bigEndian(statedWidth ?? width) + Self.bigEndian(statedHeight ?? height) + [1, 0, 0, 0, 0] as [UInt8]
        bytes =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return bigEndian(content.count) + named + bigEndian(Int(checksum(named)))
    }

    /// One block of zlib that is not compressed (RFC 1950, RFC 1951); at most 65,535 bytes.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        var block: [UInt8] = [0x78, 0x01, 0x01]
        for number in [count, ~count] { block += [UInt8(number & 0xFF), UInt8(number >> 8)] }
        return block + bytes + bigEndian(Int(high << 16 | low))
    }

    /// CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}

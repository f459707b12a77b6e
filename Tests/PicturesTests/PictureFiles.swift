import Foundation
import Testing

@testable import Pictures

/// The files of these tests, which are described beside them.
enum PictureFiles {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")

    /// The names of all files that have a picture.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return files.filter { PictureFormat.of(bytes(of: $0)) != nil }.sorted()
    }()

    static func bytes(of name: String) -> [UInt8] {
        (try? Data(contentsOf: directory.appending(path: name))).map { [UInt8]($0) } ?? []
    }

    static func bitmap(of name: String, fitting box: PixelSize = .large) throws(PictureFailure) -> Bitmap {
        try Bitmap(decoding: bytes(of: name), fitting: box)
    }
}

extension PixelSize {
    /// As large as any picture here.
    static let large = PixelSize(width: 4096, height: 4096)
}

/// Red, green, blue and alpha.
typealias Colour = [UInt8]

let (red, green, blue, white): (Colour, Colour, Colour, Colour) =
    ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255])

extension Bitmap {
    subscript(x: Int, y: Int) -> Colour { Array(pixels[(4 * (y * width + x))...].prefix(4)) }

    /// The colours in the middle of the upper left, upper right, lower left and lower right quarter.
    var quarters: [Colour] {
        [height / 4, 3 * height / 4].flatMap { y in [width / 4, 3 * width / 4].map { x in self[x, y] } }
    }

    /// A picture whose pixels have these colours.
    init(width: Int, height: Int, colour: (_ x: Int, _ y: Int) -> Colour) throws {
        let pixels = (0..<width * height).flatMap { colour($0 % width, $0 / width) }
        self = try #require(Bitmap(size: PixelSize(width: width, height: height), pixels: pixels))
    }

    /// Waves of colours over all of the picture, without transparency.
    static func waves(width: Int, height: Int) throws -> Bitmap {
        func wave(_ phase: Double) -> UInt8 { UInt8(127.5 + 127.5 * sin(phase)) }
        return try Bitmap(width: width, height: height) { x, y in
            let (x, y) = (Double(x) / Double(width), Double(y) / Double(height))
            return [wave(6 * x + y), wave(2 + 5 * y), wave(4 + 4 * (x - y)), 255]
        }
    }

    /// Pixels that have nothing to do with each other, the same in every run.
    static func noise(width: Int, height: Int, isOpaque: Bool) throws -> Bitmap {
        var numbers = Numbers(state: 7)
        return try Bitmap(width: width, height: height) { _, _ in
            var colour = (0..<4).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            if isOpaque { colour[3] = 255 }
            return colour
        }
    }
}

/// A generator of the same numbers in every run (SplitMix64).
struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}

/// The greatest difference between two bytes at the same place.
func difference(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Int {
    zip(first, second).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

/// The mean difference between two bytes at the same place.
func meanDifference(_ first: [UInt8], _ second: [UInt8]) -> Double {
    Double(zip(first, second).map { abs(Int($0) - Int($1)) }.reduce(0, +)) / Double(first.count)
}

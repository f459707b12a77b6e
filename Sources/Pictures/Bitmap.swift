/// A picture in memory: 8 bits each of red, green, blue and alpha, in sRGB, not premultiplied.
public struct Bitmap: Hashable, Sendable {
    /// The number of columns and rows, each at least 1, together at most `PictureLimits.pixels`.
    public let size: PixelSize
    /// Four bytes for each pixel, red first, row by row from the top left.
    public internal(set) var pixels: [UInt8]

    /// The number of columns.
    public var width: Int { size.width }
    /// The number of rows.
    public var height: Int { size.height }

    /// A picture of these pixels, or nil if there are not four bytes for each, or too many or no pixels.
    public init?(size: PixelSize, pixels: [UInt8]) {
        guard let count = size.count(atMost: PictureLimits.pixels), pixels.count == 4 * count else { return nil }
        self.size = size
        self.pixels = pixels
    }

    /// A transparent picture.
    init(size: PixelSize) throws(PictureFailure) {
        guard let count = size.count(atMost: PictureLimits.pixels) else { throw .tooManyPixels }
        self.size = size
        pixels = [UInt8](repeating: 0, count: 4 * count)
    }

    /// Decodes a file in any `PictureFormat`, told by its first bytes. A JPEG is turned as its camera says.
    ///
    /// Decoders that can scale give a smaller picture, for speed and memory: JPEG at 1/2, 1/4 or 1/8, the smallest that
    /// is not smaller than the picture fitted into the box; WebP at just that size. They go below it only for pictures
    /// that would need too much memory. PNG and GIF come at their own size. Scale the result to what is needed.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - box: The size into which the picture will be fitted, as in `PixelSize.fitted(into:enlarging:)`.
    /// - Throws: `PictureFailure`. The sizes are checked before memory is taken. A cut or broken file is refused, except
    ///   a JPEG of which TurboJPEG only warns: it has grey or wrong parts, and is better than no cover.
    public init(decoding bytes: [UInt8], fitting box: PixelSize) throws(PictureFailure) {
        guard bytes.count <= PictureLimits.fileSize else { throw .tooManyBytes }
        switch PictureFormat.of(bytes) {
        case .jpeg: self = try Bitmap(decodingJPEG: bytes, fitting: box)
        case .png: self = try Bitmap(decodingPNG: bytes)
        case .gif: self = try Bitmap(decodingGIF: bytes)
        case .webp: self = try Bitmap(decodingWebP: bytes, fitting: box)
        case nil: throw .unknownFormat
        }
    }

    /// The picture on a background of one colour: no pixel is transparent. It changes the picture in place if that is
    /// not used any more.
    public consuming func onBackground(red: UInt8, green: UInt8, blue: UInt8) -> Bitmap {
        let background = [Int(red), Int(green), Int(blue)]
        pixels.withUnsafeMutableBufferPointer { pixels in
            for pixel in stride(from: 0, to: pixels.count, by: 4) where pixels[pixel + 3] < 255 {
                let alpha = Int(pixels[pixel + 3])
                for channel in 0..<3 {
                    let sum = Int(pixels[pixel + channel]) * alpha + background[channel] * (255 - alpha)
                    pixels[pixel + channel] = UInt8((sum + 127) / 255)
                }
                pixels[pixel + 3] = 255
            }
        }
        return self
    }
}

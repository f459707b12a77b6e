internal import CTurboJPEG

extension Bitmap {
    /// Decodes a JPEG with TurboJPEG, scaled by its decoder, and turned upright.
    init(decodingJPEG bytes: [UInt8], fitting box: PixelSize) throws(PictureFailure) {
        guard let decoder = tjInitDecompress() else { throw .noMemory }
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, colours) = (CInt(0), CInt(0), CInt(-1), CInt(-1))
        // Fails for unusual subsampling, too, which the decoder can read: what it has read counts.
        tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &subsampling, &colours)
        guard width > 0, height > 0, colours >= 0 else { throw .broken(.jpeg) }

        let header = JPEGHeader(bytes)
        let size = PixelSize(width: Int(width), height: Int(height))
        let isCMYK = colours == TJCS_CMYK.rawValue || colours == TJCS_YCCK.rawValue
        // Two bytes for each coefficient, of which there are as many as samples.
        let samples = tjBufSizeYUV2(width, 1, height, subsampling)
        let sampleCount = samples == UInt.max ? 3 * size.width * size.height : Int(samples)
        let coefficients = header.isOneScan ? 0 : 2 * (sampleCount + (isCMYK ? size.width * size.height : 0))
        let scaled = try Self.scale(
            size, toFit: header.orientation > 4 ? box.turned : box,
            memory: PictureLimits.memory - coefficients, perPixel: header.orientation == 1 ? 4 : 8)

        var bitmap = try Bitmap(size: scaled)
        let status = bitmap.pixels.withUnsafeMutableBufferPointer { pixels in
            tjDecompress2(
                decoder, bytes, UInt(bytes.count), pixels.baseAddress, CInt(scaled.width), 0, CInt(scaled.height),
                CInt(isCMYK ? TJPF_CMYK.rawValue : TJPF_RGBA.rawValue), TJFLAG_LIMITSCANS)
        }
        guard status == 0 || tjGetErrorCode(decoder) == CInt(TJERR_WARNING.rawValue) else { throw .broken(.jpeg) }
        if isCMYK { bitmap.convertCMYK(isInverted: header.isAdobe) }
        self = try bitmap.upright(from: header.orientation)
    }

    /// The smallest size at which the decoder gives enough pixels for the box, or a smaller one that needs at most the
    /// memory.
    private static func scale(
        _ size: PixelSize, toFit box: PixelSize, memory: Int, perPixel: Int
    ) throws(PictureFailure) -> PixelSize {
        let wanted = size.fitted(into: box)
        // At these, the decoder is as fast as the pixels are few.
        let sizes = [1, 2, 4, 8].map(size.divided(by:))
        let first = sizes.lastIndex { $0.covers(wanted) } ?? 0
        let limit = min(PictureLimits.pixels, memory / perPixel)
        guard let affordable = sizes[first...].first(where: { $0.count(atMost: limit) != nil }) else {
            throw .tooManyPixels
        }
        return affordable
    }

    /// Turns cyan, magenta, yellow and black in place into red, green and blue, as for ink on white paper.
    private mutating func convertCMYK(isInverted: Bool) {
        pixels.withUnsafeMutableBufferPointer { pixels in
            for pixel in stride(from: 0, to: pixels.count, by: 4) {
                let mask: UInt8 = isInverted ? 0 : 255
                let light = Int(pixels[pixel + 3] ^ mask)
                for channel in 0..<3 {
                    pixels[pixel + channel] = UInt8((Int(pixels[pixel + channel] ^ mask) * light + 127) / 255)
                }
                pixels[pixel + 3] = 255
            }
        }
    }

    /// The picture as it is seen, if its pixels are stored in an orientation of EXIF: where the first row and the first
    /// column are (TIFF 6.0, Orientation).
    private consuming func upright(from orientation: Int) throws(PictureFailure) -> Bitmap {
        guard orientation > 1 else { return self }
        let (width, height) = (self.width, self.height)
        var bitmap = try Bitmap(size: orientation > 4 ? size.turned : size)
        let columns = bitmap.width
        pixels.withUnsafeBytes { source in
            bitmap.pixels.withUnsafeMutableBytes { target in
                for y in 0..<height {
                    for x in 0..<width {
                        let (left, top) = (x, y)
                        let (right, bottom) = (width - 1 - x, height - 1 - y)
                        let (column, row) =
                            switch orientation {
                            case 2: (right, top)
                            case 3: (right, bottom)
                            case 4: (left, bottom)
                            case 5: (top, left)
                            case 6: (bottom, left)
                            case 7: (bottom, right)
                            default: (top, right)
                            }
                        let pixel = source.load(fromByteOffset: 4 * (y * width + x), as: UInt32.self)
                        target.storeBytes(of: pixel, toByteOffset: 4 * (row * columns + column), as: UInt32.self)
                    }
                }
            }
        }
        return bitmap
    }
}

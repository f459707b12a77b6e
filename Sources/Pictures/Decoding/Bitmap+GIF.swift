internal import CGIF

extension Bitmap {
    /// Decodes the first picture of a GIF with giflib. What it leaves free of the screen is transparent.
    init(decodingGIF bytes: [UInt8]) throws(PictureFailure) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(PictureFailure) in
            var input = bytes[...]
            return try withUnsafeMutablePointer(to: &input) { input throws(PictureFailure) in
                guard let file = DGifOpen(input, { Self.read(from: $0, into: $1, count: $2) }, nil) else {
                    throw .broken(.gif)
                }
                defer { DGifCloseFile(file, nil) }
                return try Self.firstPicture(of: file)
            }
        }
    }

    /// Gives giflib the next bytes, as many as there are.
    private static func read(
        from file: UnsafeMutablePointer<GifFileType>?, into target: UnsafeMutablePointer<UInt8>?, count: CInt
    ) -> CInt {
        guard let target, let input = file?.pointee.UserData else { return 0 }
        let rest = input.assumingMemoryBound(to: Slice<UnsafeBufferPointer<UInt8>>.self)
        let part = rest.pointee.prefix(max(0, Int(count)))
        _ = UnsafeMutableBufferPointer(start: target, count: part.count).initialize(from: part)
        rest.pointee = rest.pointee.dropFirst(part.count)
        return CInt(part.count)
    }

    /// Reads up to the first picture and that: not with DGifSlurp, which takes memory for all pictures.
    private static func firstPicture(of file: UnsafeMutablePointer<GifFileType>) throws(PictureFailure) -> Bitmap {
        var transparent = Int(NO_TRANSPARENT_COLOR)
        while true {
            var record = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &record) == GIF_OK else { throw .broken(.gif) }
            switch record {
            case EXTENSION_RECORD_TYPE: try readExtension(of: file, transparent: &transparent)
            case IMAGE_DESC_RECORD_TYPE: return try readPicture(of: file, transparent: transparent)
            default: throw .broken(.gif)
            }
        }
    }

    /// Reads one extension in all its blocks. That for graphics says which colour is transparent.
    private static func readExtension(
        of file: UnsafeMutablePointer<GifFileType>, transparent: inout Int
    ) throws(PictureFailure) {
        var code: CInt = 0
        var block: UnsafeMutablePointer<UInt8>?
        guard DGifGetExtension(file, &code, &block) == GIF_OK else { throw .broken(.gif) }
        while let content = block {
            // The length of a block is its first byte.
            var graphics = GraphicsControlBlock()
            if code == GRAPHICS_EXT_FUNC_CODE, DGifExtensionToGCB(Int(content[0]), content + 1, &graphics) == GIF_OK {
                transparent = Int(graphics.TransparentColor)
            }
            guard DGifGetExtensionNext(file, &block) == GIF_OK else { throw .broken(.gif) }
        }
    }

    private static func readPicture(
        of file: UnsafeMutablePointer<GifFileType>, transparent: Int
    ) throws(PictureFailure) -> Bitmap {
        guard DGifGetImageDesc(file) == GIF_OK else { throw .broken(.gif) }
        let image = file.pointee.Image
        let (left, top) = (Int(image.Left), Int(image.Top))
        let (width, height) = (Int(image.Width), Int(image.Height))
        guard width > 0, height > 0, left >= 0, top >= 0, let map = image.ColorMap ?? file.pointee.SColorMap else {
            throw .broken(.gif)
        }
        // Some files state a screen that is too small, or none.
        let screen = PixelSize(
            width: max(Int(file.pointee.SWidth), left + width), height: max(Int(file.pointee.SHeight), top + height))
        var bitmap = try Bitmap(size: screen)

        // Four bytes for each index; transparent for those that the map does not have.
        var palette = [[UInt8]](repeating: [0, 0, 0, 0], count: 256)
        for index in 0..<min(256, Int(map.pointee.ColorCount)) where index != transparent {
            let colour = map.pointee.Colors[index]
            palette[index] = [colour.Red, colour.Green, colour.Blue, 255]
        }
        var line = [UInt8](repeating: 0, count: width)
        for row in rows(height, isInterlaced: image.Interlace) {
            guard DGifGetLine(file, &line, CInt(width)) == GIF_OK else { throw .broken(.gif) }
            let start = 4 * ((top + row) * screen.width + left)
            for (column, index) in line.enumerated() {
                let colour = palette[Int(index)]
                for channel in 0..<4 { bitmap.pixels[start + 4 * column + channel] = colour[channel] }
            }
        }
        return bitmap
    }

    /// The rows in the order of the file (GIF89a, appendix E).
    private static func rows(_ height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in stride(from: start, to: height, by: step) }
    }
}

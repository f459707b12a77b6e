internal import CPNG

extension Bitmap {
    /// Decodes a PNG of any kind with libpng, which converts it to 8 bits of sRGB.
    init(decodingPNG bytes: [UInt8]) throws(PictureFailure) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng reads from the bytes until the end, so they must stay where they are.
        self = try Self.withoutAsides(bytes).withUnsafeBufferPointer { bytes throws(PictureFailure) in
            guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
                throw .broken(.png)
            }
            image.format = cpng_format_rgba
            // As browsers do: libpng takes 16 bits for linear light if the file does not say.
            image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            var bitmap = try Bitmap(size: PixelSize(width: Int(image.width), height: Int(image.height)))
            let isRead = bitmap.pixels.withUnsafeMutableBytes { pixels in
                png_image_finish_read(&image, nil, pixels.baseAddress, 0, nil) != 0
            }
            guard isRead else { throw .broken(.png) }
            return bitmap
        }
    }

    /// A PNG without the chunks before its pixels that do not change them, if they are more than 8 KiB. libpng would hold
    /// them all, text unpacked: 8 MB of each of 1000 chunks, which a file of 8 MB can have.
    static func withoutAsides(_ bytes: [UInt8]) -> [UInt8] {
        var parts = [bytes.prefix(8)]
        var rest = bytes.dropFirst(8)
        // The length of the content, the name, the content, and a checksum (PNG, section 5.3).
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            if name == "IDAT" {
                parts.append(rest)
                break
            }
            if ["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT"].contains(name) {
                parts.append(rest.prefix(12 + length))
            }
            rest = rest.dropFirst(12 + length)
        }
        let count = parts.map(\.count).reduce(0, +)
        // A few bytes unpack to a thousand times as many at most, which is less than a copy of a large file.
        return bytes.count - count <= 8 << 10 ? bytes : Array(parts.joined())
    }
}

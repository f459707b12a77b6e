internal import CPNG

extension Bitmap {
    /// Decodes a PNG of any kind with libpng, which converts it to 8 bits of sRGB.
    init(decodingPNG bytes: [UInt8]) throws(PictureFailure) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng reads from the bytes until the end, so they must stay where they are.
        self = try bytes.withUnsafeBufferPointer { bytes throws(PictureFailure) in
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
}

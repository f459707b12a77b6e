internal import CPNG
internal import CWebP

extension Bitmap {
    /// The picture as a file in lossy WebP, with its alpha.
    ///
    /// - Parameter quality: 0 for the smallest file to 100 for the best picture.
    /// - Throws: `tooManyPixels` for more than 16,383 pixels on a side, the limit of the format; `noMemory`.
    public func webP(quality: Double) throws(PictureFailure) -> [UInt8] {
        guard max(width, height) <= Int(WEBP_MAX_DIMENSION) else { throw .tooManyPixels }
        var file: UnsafeMutablePointer<UInt8>?
        defer { WebPFree(file) }
        let count = WebPEncodeRGBA(
            pixels, CInt(width), CInt(height), CInt(4 * width), Float(min(max(quality, 0), 100)), &file)
        guard count > 0, let file else { throw .noMemory }
        return Array(UnsafeBufferPointer(start: file, count: count))
    }

    /// The picture as a PNG file of 8 bits in sRGB with alpha, compressed for speed: it is sent to a terminal, not kept.
    ///
    /// - Throws: `noMemory`.
    public func png() throws(PictureFailure) -> [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = cpng_format_rgba
        image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        var isWritten = false
        let file = [UInt8](unsafeUninitializedCapacity: cpng_greatest_file_size(image)) { file, count in
            count = file.count
            isWritten = png_image_write_to_memory(&image, file.baseAddress, &count, 0, pixels, 0, nil) != 0
            if !isWritten { count = 0 }
        }
        guard isWritten else { throw .noMemory }
        return file
    }
}

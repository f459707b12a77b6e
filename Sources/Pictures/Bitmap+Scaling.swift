internal import CWebP

extension Bitmap {
    /// The picture at another size, whatever its ratio: an average of the area when it becomes smaller, a linear
    /// interpolation when it becomes larger, of premultiplied colours. libwebp does it.
    ///
    /// It changes the picture in place if that is not used any more, so that there is no second copy of a large one.
    ///
    /// - Throws: `tooManyPixels` for a size without pixels or beyond `PictureLimits.pixels`; `noMemory`.
    public consuming func scaled(to target: PixelSize) throws(PictureFailure) -> Bitmap {
        guard target != size else { return self }
        var result = try Bitmap(size: target)
        let (width, height) = (CInt(size.width), CInt(size.height))
        let isScaled = pixels.withUnsafeMutableBytes { pixels in
            var picture = WebPPicture()
            guard WebPPictureInit(&picture) != 0 else { return false }
            defer { WebPPictureFree(&picture) }
            // libwebp has blue where red is here. Alpha is in the same place, and only that matters.
            picture.use_argb = 1
            picture.width = width
            picture.height = height
            picture.argb = pixels.bindMemory(to: UInt32.self).baseAddress
            picture.argb_stride = width
            // Puts memory of its own in place of this.
            guard WebPPictureRescale(&picture, CInt(target.width), CInt(target.height)) != 0 else { return false }
            result.pixels.withUnsafeMutableBytes { result in
                result.copyMemory(from: UnsafeRawBufferPointer(start: picture.argb, count: result.count))
            }
            return true
        }
        guard isScaled else { throw .noMemory }
        return result
    }
}

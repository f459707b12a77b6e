internal import CWebP

extension Bitmap {
    /// Decodes a WebP with libwebp, which scales it.
    init(decodingWebP bytes: [UInt8], fitting box: PixelSize) throws(PictureFailure) {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0, WebPGetFeatures(bytes, bytes.count, &config.input) == VP8_STATUS_OK
        else { throw .broken(.webp) }
        guard config.input.has_animation == 0 else { throw .animated }
        let size = PixelSize(width: Int(config.input.width), height: Int(config.input.height))
        guard let count = size.count(atMost: PictureLimits.pixels) else { throw .tooManyPixels }

        // The decoder of lossless pictures holds four bytes for each pixel; with alpha, that of lossy ones holds five.
        let limit = (PictureLimits.memory - 5 * count) / 4
        var scaled = size.fitted(into: box)
        while scaled.count(atMost: limit) == nil { scaled = scaled.divided(by: 2) }

        var bitmap = try Bitmap(size: scaled)
        config.options.use_scaling = scaled == size ? 0 : 1
        config.options.scaled_width = CInt(scaled.width)
        config.options.scaled_height = CInt(scaled.height)
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        let status = bitmap.pixels.withUnsafeMutableBufferPointer { pixels in
            config.output.u.RGBA.rgba = pixels.baseAddress
            config.output.u.RGBA.stride = CInt(4 * scaled.width)
            config.output.u.RGBA.size = pixels.count
            return WebPDecode(bytes, bytes.count, &config)
        }
        guard status != VP8_STATUS_OUT_OF_MEMORY else { throw .noMemory }
        guard status == VP8_STATUS_OK else { throw .broken(.webp) }
        self = bitmap
    }
}

import Pictures

/// A cover in any format: the decoder is told by the first bytes. What it gives is scaled, flattened, and drawn.
func readAsPicture(_ bytes: [UInt8]) {
    // Small, so that most of the time goes into reading; PNG and GIF come at their own size.
    let box = PixelSize(width: 40, height: 60)
    do throws(PictureFailure) {
        let bitmap = try Bitmap(decoding: bytes, fitting: box)
        precondition(bitmap.width > 0 && bitmap.height > 0 && bitmap.width * bitmap.height <= PictureLimits.pixels)
        precondition(bitmap.pixels.count == 4 * bitmap.width * bitmap.height, "\(bitmap.size) has other pixels")
        let scaled = try bitmap.scaled(to: bitmap.size.fitted(into: box))
        let file = try scaled.png()
        let isSame = try Bitmap(decoding: file, fitting: box) == scaled
        precondition(isSame, "PNG changes the pixels")
        let cells = try scaled.cells(columns: 5, rows: 4, colours: bytes.count % 2 == 0 ? .direct : .indexed)
        precondition(cells.count == 20 && cells.allSatisfy { " ▀▄█".unicodeScalars.contains($0.symbol) }, "\(cells)")
        _ = try scaled.sixel(to: PixelSize(width: 20, height: 12))
    } catch {
        precondition(error != .noMemory && error != .tooManyBytes, "\(error) for a small file")
    }
}

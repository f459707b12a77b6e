internal import CChafa

/// One cell of text of a picture: two pixels, one above the other.
public struct PictureCell: Hashable, Sendable {
    /// The upper half "▀" or the lower half "▄" in the foreground colour, or all or nothing of it: "█", " ".
    public var symbol: Unicode.Scalar
    /// The colour of the symbol: 0xRRGGBB for `CellColours.direct`, the number of a colour for `.indexed`.
    public var foreground: UInt32
    /// The colour behind the symbol. Both colours are the same for "█" and " ".
    public var background: UInt32

    /// A cell of any symbol and colours.
    public init(symbol: Unicode.Scalar, foreground: UInt32, background: UInt32) {
        self.symbol = symbol
        self.foreground = foreground
        self.background = background
    }
}

/// The colours that a terminal has for cells.
public enum CellColours: Hashable, Sendable {
    /// The colours 16 to 255 of xterm: a cube of 216 and 24 greys. The first 16 are left out, as users change them.
    case indexed
    /// All 24 bits.
    case direct
}

extension Bitmap {
    /// The picture as cells of text, row by row, each of two pixels. It fills all cells, whatever its ratio.
    /// What is transparent is black: use `onBackground` before.
    ///
    /// - Throws: `tooManyPixels` for no cells or more than `PictureLimits.cells`; `noMemory`.
    public func cells(columns: Int, rows: Int, colours: CellColours) throws(PictureFailure) -> [PictureCell] {
        guard PixelSize(width: columns, height: rows).count(atMost: PictureLimits.cells) != nil else {
            throw .tooManyPixels
        }
        let config = chafa_canvas_config_new()
        defer { chafa_canvas_config_unref(config) }
        let symbols = chafa_symbol_map_new()
        defer { chafa_symbol_map_unref(symbols) }
        for symbol in " ▀▄█".unicodeScalars { chafa_symbol_map_add_by_range(symbols, symbol.value, symbol.value) }
        chafa_canvas_config_set_symbol_map(config, symbols)
        chafa_canvas_config_set_geometry(config, CInt(columns), CInt(rows))
        chafa_canvas_config_set_canvas_mode(
            config, colours == .direct ? CHAFA_CANVAS_MODE_TRUECOLOR : CHAFA_CANVAS_MODE_INDEXED_240)

        // Eight by eight pixels are what chafa has for a cell.
        let canvas = try drawn(by: config, at: PixelSize(width: 8 * columns, height: 8 * rows))
        defer { chafa_canvas_unref(canvas) }
        return (0..<rows * columns).map { index in
            let (row, column) = (CInt(index / columns), CInt(index % columns))
            var (foreground, background) = (CInt(0), CInt(0))
            chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background)
            let symbol = Unicode.Scalar(chafa_canvas_get_char_at(canvas, column, row)) ?? " "
            if symbol == " " { foreground = background }
            if symbol == "█" { background = foreground }
            return PictureCell(
                symbol: symbol, foreground: UInt32(max(0, foreground)), background: UInt32(max(0, background)))
        }
    }

    /// The picture as sixels, the graphics of DEC's VT340: one sequence for a terminal, from ESC P to ESC \, in up to
    /// 256 colours that are chosen for the picture. What is transparent is black: use `onBackground` before.
    ///
    /// - Parameter size: The size in pixels, whatever the ratio of the picture. Sixels are six pixels high, so the
    ///   height is rounded down to a multiple of six: the picture must not reach into a row of text below it.
    /// - Throws: `tooManyPixels` for a size of less than six rows or beyond `PictureLimits.sixelPixels`; `noMemory`.
    public func sixel(to size: PixelSize) throws(PictureFailure) -> [UInt8] {
        let size = PixelSize(width: size.width, height: size.height - size.height % 6)
        guard size.count(atMost: PictureLimits.sixelPixels) != nil else { throw .tooManyPixels }
        let config = chafa_canvas_config_new()
        defer { chafa_canvas_config_unref(config) }
        chafa_canvas_config_set_pixel_mode(config, CHAFA_PIXEL_MODE_SIXELS)
        // One cell of the size of the picture.
        chafa_canvas_config_set_geometry(config, 1, 1)
        chafa_canvas_config_set_cell_geometry(config, CInt(size.width), CInt(size.height))
        chafa_canvas_config_set_canvas_mode(config, CHAFA_CANVAS_MODE_TRUECOLOR)

        let canvas = try drawn(by: config, at: size)
        defer { chafa_canvas_unref(canvas) }
        guard let text = chafa_canvas_print(canvas, nil) else { throw .noMemory }
        defer { g_string_free(text, 1) }
        return Array(UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len)))
    }

    /// A canvas with the picture, which must be released. The picture is scaled before, because chafa is only meant for
    /// pictures of a usual ratio.
    private func drawn(by config: OpaquePointer?, at size: PixelSize) throws(PictureFailure) -> OpaquePointer? {
        chafa_set_n_threads(1)
        // Colours are those of the picture: no dots of other ones, no contrast.
        chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_NONE)
        chafa_canvas_config_set_preprocessing_enabled(config, 0)
        chafa_canvas_config_set_work_factor(config, 1)
        let bitmap = try scaled(to: size).onBackground(red: 0, green: 0, blue: 0)
        guard let canvas = chafa_canvas_new(config) else { throw .noMemory }
        chafa_canvas_draw_all_pixels(
            canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, bitmap.pixels, CInt(size.width), CInt(size.height),
            CInt(4 * size.width))
        return canvas
    }
}

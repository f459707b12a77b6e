internal import Synchronization

/// A picture for a rectangle of cells, in the forms in which a terminal can show it.
public final class Picture: Sendable {
    /// The number of the picture, 1...0xFF_FFFF, distinct for each picture of the process; also its id in kitty's
    /// graphics protocol.
    public let id: UInt32
    /// The size in cells.
    public let size: Size
    /// The picture in half blocks, row by row: `size.rows * size.columns` cells.
    public let cells: [PictureCell]
    /// The picture in pixels, if the terminal shows them.
    public let pixels: PicturePixels?

    /// Creates a picture; fails if it is empty, higher or wider than `maximumLength`, or has another number of cells.
    ///
    /// - Parameters:
    ///   - size: The size in cells.
    ///   - cells: The picture in half blocks, row by row.
    ///   - pixels: The picture in pixels; a sequence that could do anything else to a terminal is dropped.
    public init?(size: Size, cells: [PictureCell], pixels: PicturePixels? = nil) {
        let lengths = 1...Self.maximumLength
        guard lengths.contains(size.rows), lengths.contains(size.columns), cells.count == size.rows * size.columns
        else { return nil }
        id = Self.nextID()
        self.size = size
        self.cells = cells
        self.pixels = pixels.flatMap { $0.isSafe ? $0 : nil }
    }

    /// The maximum height and width in cells, which kitty's table of diacritics limits.
    public static let maximumLength = 255

    private static let lastID = Atomic<UInt32>(UInt32.random(in: 0..<0xFF_FFFF))

    /// The ids begin anywhere, because all programs in the panes of one tmux share the pictures of its terminal.
    private static func nextID() -> UInt32 {
        lastID.wrappingAdd(1, ordering: .relaxed).newValue % 0xFF_FFFF + 1
    }
}

extension Picture: Hashable {
    /// Returns whether both are the same picture.
    public static func == (first: Picture, second: Picture) -> Bool { first.id == second.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// One cell of a picture: a block in two colours.
public struct PictureCell: Hashable, Sendable {
    /// A blank or a block element (U+2580...U+259F), such as ▀, ▄ and █.
    public let symbol: Unicode.Scalar
    /// The colour of the block: 0xRRGGBB, or an index of 16...255 in the xterm palette, as `PictureSupport.colours` says.
    public let foreground: UInt32
    /// The colour of the rest, in the same form.
    public let background: UInt32

    /// Creates a cell; any other symbol is replaced by a blank.
    public init(symbol: Unicode.Scalar, foreground: UInt32, background: UInt32) {
        self.symbol = (0x2580...0x259F).contains(symbol.value) ? symbol : " "
        self.foreground = foreground & 0xFF_FFFF
        self.background = background & 0xFF_FFFF
    }
}

/// A picture in pixels, encoded for a terminal.
public enum PicturePixels: Hashable, Sendable {
    /// A complete sixel sequence, from "ESC P" to "ESC \".
    case sixel([UInt8])
    /// A PNG file of this size, for kitty's graphics protocol.
    case png([UInt8], width: Int, height: Int)

    /// Whether a sixel sequence is one sequence and nothing else; a PNG file is sent as Base64.
    fileprivate var isSafe: Bool {
        guard case .sixel(let bytes) = self else { return true }
        guard bytes.count > 4, bytes.starts(with: [0x1B, UInt8(ascii: "P")]),
            bytes.suffix(2).elementsEqual([0x1B, UInt8(ascii: "\\")])
        else { return false }
        return bytes[2..<bytes.count - 2].allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }
    }
}

/// The way in which a terminal shows pictures.
public struct PictureSupport: Hashable, Sendable {
    /// The form of pictures.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// The terminal shows no pictures.
        case none
        /// Half blocks.
        case cells
        /// Pixels in cells of text, the Unicode placeholders of kitty's graphics protocol.
        case placeholders
        /// Pixels over the cells, kitty's graphics protocol without placeholders.
        case kitty
        /// Pixels over the cells, as sixels.
        case sixel
    }

    /// The colours of half blocks.
    public enum Colours: Hashable, Sendable {
        /// Indices of 16...255 in the xterm palette.
        case indexed
        /// 24-bit colours, 0xRRGGBB.
        case direct
    }

    /// The form of pictures.
    public var form: Form
    /// The colours of half blocks, which every form but `none` needs: for parts of pictures that are covered.
    public var colours: Colours
    /// The size of a cell in pixels, if the terminal says it.
    public var cellPixels: CellPixels?

    /// Creates a support of this form.
    public init(form: Form, colours: Colours = .direct, cellPixels: CellPixels? = nil) {
        self.form = form
        self.colours = colours
        self.cellPixels = cellPixels
    }

    /// No pictures.
    public static let none = PictureSupport(form: .none)

    /// The width of a cell divided by its height.
    public var cellAspect: Double { cellPixels.map { Double($0.width) / Double($0.height) } ?? 0.5 }
}

/// The size of a cell in pixels.
public struct CellPixels: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Creates a size; fails for sizes that no cell has.
    public init?(width: Int, height: Int) {
        guard (2...512).contains(width), (2...512).contains(height) else { return nil }
        self.width = width
        self.height = height
    }
}

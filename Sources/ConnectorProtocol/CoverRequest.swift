internal import FoundationEssentials
internal import JSON

/// The request for the picture of a cover in a form that a terminal can show.
public struct CoverRequest: Hashable, Sendable {
    /// The form of a picture in addition to its half blocks.
    public enum Form: String, CaseIterable, Sendable {
        /// Only half blocks.
        case cells
        /// A PNG file, for the protocols of kitty.
        case png
        /// A sixel sequence (DEC STD 070, chapter 9).
        case sixel
    }

    /// The path of the file with the picture, in the directory of the greeting.
    public var path: String
    /// The path of the file to write a smaller picture to, from which the next one is made sooner; nil for none.
    public var thumbnail: String?
    /// The width of the place in cells, 1 to `limit`.
    public var columns: Int
    /// The height of the place in cells, 1 to `limit`.
    public var rows: Int
    /// The width of a cell in pixels, 1 to `cellLimit`.
    public var cellWidth: Int
    /// The height of a cell in pixels, 1 to `cellLimit`.
    public var cellHeight: Int
    /// The form.
    public var form: Form
    /// Whether the colours of the half blocks have 24 bits; otherwise they are numbers of the xterm palette, 16 to 255.
    public var hasDirectColours: Bool

    /// The maximum width and height of a place in cells.
    public static let limit = 200
    /// The maximum width and height of a cell in pixels.
    public static let cellLimit = 100

    /// Creates a request for a place of `columns` and `rows`.
    public init(
        path: String, thumbnail: String? = nil, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int, form: Form,
        hasDirectColours: Bool
    ) {
        self.path = path
        self.thumbnail = thumbnail
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        self.form = form
        self.hasDirectColours = hasDirectColours
    }
}

/// A picture of a cover that fits into the place of the request.
public struct CoverPicture: Hashable, Sendable {
    /// A cell of half blocks.
    public struct Cell: Hashable, Sendable {
        /// The number of the symbol in `symbols`.
        public var symbol: UInt8
        /// The colour of the symbol: 0xRRGGBB, or the number in the xterm palette.
        public var foreground: UInt32
        /// The colour behind the symbol.
        public var background: UInt32

        /// Creates a cell.
        public init(symbol: UInt8, foreground: UInt32, background: UInt32) {
            (self.symbol, self.foreground, self.background) = (symbol, foreground, background)
        }
    }

    /// The symbols of half blocks: none, the upper half, the lower half, both.
    public static let symbols: [Unicode.Scalar] = [" ", "▀", "▄", "█"]

    /// The width in cells.
    public var columns: Int
    /// The height in cells.
    public var rows: Int
    /// The half blocks, row by row.
    public var cells: [Cell]
    /// The PNG file or sixel sequence; empty if only half blocks were requested.
    public var pixels: [UInt8]

    /// The width and height in pixels of the PNG file, as its header says (PNG specification, section 11.2.1); nil for
    /// another form.
    public var size: (width: Int, height: Int)? {
        guard pixels.count >= 24, pixels.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        func number(at offset: Int) -> Int { pixels[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(at: 16), number(at: 20))
    }

    /// Creates a picture.
    public init(columns: Int, rows: Int, cells: [Cell], pixels: [UInt8] = []) {
        self.columns = columns
        self.rows = rows
        self.cells = cells
        self.pixels = pixels
    }
}

// MARK: - Messages

extension CoverRequest {
    /// Adds the members of this request to a message.
    func add(to message: inout ObjectWriter) {
        message.add("path", path)
        message.add("thumbnail", thumbnail)
        message.add("columns", JSONValue(columns))
        message.add("rows", JSONValue(rows))
        message.add("cellWidth", JSONValue(cellWidth))
        message.add("cellHeight", JSONValue(cellHeight))
        message.add("form", form.rawValue)
        message.add("direct", .boolean(hasDirectColours))
    }

    /// Parses a request from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        func size(_ key: String, limit: Int) throws(ConnectorFailure) -> Int {
            let number = try message.number(key)
            guard (1...limit).contains(number) else { throw ConnectorFailure(.request, .member, detail: key) }
            return number
        }
        guard let form = Form(rawValue: try message.text("form")) else {
            throw ConnectorFailure(.request, .member, detail: "form")
        }
        self.init(
            path: try message.text("path"), thumbnail: try message.optionalText("thumbnail"),
            columns: try size("columns", limit: Self.limit), rows: try size("rows", limit: Self.limit),
            cellWidth: try size("cellWidth", limit: Self.cellLimit),
            cellHeight: try size("cellHeight", limit: Self.cellLimit), form: form,
            hasDirectColours: message["direct"]?.boolean ?? false)
    }
}

extension CoverPicture {
    /// The length of a cell in a message: its symbol and two colours of three bytes.
    private static let cellLength = 7

    /// Adds the members of this picture to a message.
    func add(to message: inout ObjectWriter) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cells.count * Self.cellLength)
        for cell in cells {
            bytes.append(cell.symbol)
            for colour in [cell.foreground, cell.background] {
                bytes += [
                    UInt8(truncatingIfNeeded: colour >> 16), UInt8(truncatingIfNeeded: colour >> 8),
                    UInt8(truncatingIfNeeded: colour),
                ]
            }
        }
        message.add("columns", JSONValue(columns))
        message.add("rows", JSONValue(rows))
        message.add("cells", Data(bytes).base64EncodedString())
        if !pixels.isEmpty { message.add("pixels", Data(pixels).base64EncodedString()) }
    }

    /// Parses a picture from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        let (columns, rows) = (try message.number("columns"), try message.number("rows"))
        guard (1...CoverRequest.limit).contains(columns), (1...CoverRequest.limit).contains(rows),
            let bytes = Data(base64Encoded: try message.text("cells")).map([UInt8].init),
            bytes.count == columns * rows * Self.cellLength
        else { throw ConnectorFailure(.request, .member, detail: "cells") }
        func colour(at offset: Int) -> UInt32 {
            UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
        }
        let cells = stride(from: 0, to: bytes.count, by: Self.cellLength).map { offset in
            Cell(symbol: bytes[offset] & 3, foreground: colour(at: offset + 1), background: colour(at: offset + 4))
        }
        guard let pixels = Data(base64Encoded: try message.optionalText("pixels") ?? "").map([UInt8].init) else {
            throw ConnectorFailure(.request, .member, detail: "pixels")
        }
        self.init(columns: columns, rows: rows, cells: cells, pixels: pixels)
    }
}

internal import FoundationEssentials
internal import JSON

/// The request for the picture of a cover in a form that a terminal can show.
public struct CoverRequest: Hashable, Sendable {
    /// The path of the file with the picture, in the directory of the greeting.
    public var path: String
    /// The path of the file to write a smaller picture to, from which the next one is made sooner; nil for none.
    public var thumbnail: String?
    /// The place that the picture is made for.
    public var frame: CoverFrame

    /// Creates a request for the picture in a file.
    public init(path: String, thumbnail: String? = nil, frame: CoverFrame) {
        (self.path, self.thumbnail, self.frame) = (path, thumbnail, frame)
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
        frame.add(to: &message)
    }

    /// Parses a request from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        self.init(
            path: try message.text("path"), thumbnail: try message.optionalText("thumbnail"),
            frame: try CoverFrame(in: message))
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
        guard (1...CoverFrame.limit).contains(columns), (1...CoverFrame.limit).contains(rows),
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

internal import JSON

/// The place on the screen that a cover is made for, and what the terminal shows there.
public struct CoverFrame: Hashable, Sendable {
    /// The form of a picture in addition to its half blocks.
    public enum Form: String, CaseIterable, Sendable {
        /// Only half blocks.
        case cells
        /// A PNG file, for the protocols of kitty.
        case png
        /// A sixel sequence (DEC STD 070, chapter 9).
        case sixel
    }

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

    /// Creates a frame of `columns` and `rows`.
    public init(
        columns: Int, rows: Int, cellWidth: Int, cellHeight: Int, form: Form, hasDirectColours: Bool
    ) {
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        self.form = form
        self.hasDirectColours = hasDirectColours
    }
}

// MARK: - Messages

extension CoverFrame {
    /// Adds the members of this frame to a message.
    func add(to message: inout ObjectWriter) {
        message.add("columns", JSONValue(columns))
        message.add("rows", JSONValue(rows))
        message.add("cellWidth", JSONValue(cellWidth))
        message.add("cellHeight", JSONValue(cellHeight))
        message.add("form", form.rawValue)
        message.add("direct", .boolean(hasDirectColours))
    }

    /// Parses a frame from a message.
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
            columns: try size("columns", limit: Self.limit), rows: try size("rows", limit: Self.limit),
            cellWidth: try size("cellWidth", limit: Self.cellLimit),
            cellHeight: try size("cellHeight", limit: Self.cellLimit), form: form,
            hasDirectColours: message["direct"]?.boolean ?? false)
    }
}

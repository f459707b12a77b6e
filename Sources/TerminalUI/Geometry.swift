/// A height and width in rows and columns, never negative.
public struct Size: Hashable, Sendable {
    /// The height in rows.
    public var rows: Int
    /// The width in columns.
    public var columns: Int

    /// Creates a size; negative numbers count as zero.
    public init(rows: Int, columns: Int) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }
}

/// A cell position on the screen, counted from zero at the top left.
public struct Position: Hashable, Sendable {
    /// The row, counted from the top.
    public var row: Int
    /// The column, counted from the left.
    public var column: Int

    /// Creates the position at `row` and `column`.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A rectangle of cells on the screen.
public struct Rect: Hashable, Sendable {
    /// The top row.
    public var row: Int
    /// The leftmost column.
    public var column: Int
    /// The height in rows, never negative.
    public var height: Int
    /// The width in columns, never negative.
    public var width: Int

    /// Creates a rectangle with its top left corner at `row` and `column`; a negative height or width counts as zero.
    public init(row: Int, column: Int, height: Int, width: Int) {
        self.row = row
        self.column = column
        self.height = max(0, height)
        self.width = max(0, width)
    }

    /// The empty rectangle at the origin.
    public static let empty = Rect(row: 0, column: 0, height: 0, width: 0)

    /// Whether the rectangle contains no cell.
    public var isEmpty: Bool { height == 0 || width == 0 }

    /// The row below the last one.
    public var endRow: Int { row + height }

    /// The column to the right of the last one.
    public var endColumn: Int { column + width }

    /// Returns whether the cell at `position` is inside the rectangle.
    public func contains(_ position: Position) -> Bool {
        (row..<endRow).contains(position.row) && (column..<endColumn).contains(position.column)
    }

    /// Returns the part of the rectangle that is in `other`.
    public func intersection(_ other: Rect) -> Rect {
        let (top, left) = (max(row, other.row), max(column, other.column))
        return Rect(
            row: top, column: left, height: min(endRow, other.endRow) - top,
            width: min(endColumn, other.endColumn) - left)
    }

    /// Returns this rectangle without its first `count` rows.
    public func droppingFirstRows(_ count: Int) -> Rect {
        Rect(row: row + min(count, height), column: column, height: height - count, width: width)
    }
}

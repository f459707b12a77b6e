/// A number of rows and columns of the screen, never negative.
public struct Size: Hashable, Sendable {
    /// The height, in rows.
    public var rows: Int
    /// The width, in columns.
    public var columns: Int

    /// A size of so many rows and columns; what is below zero counts as zero.
    public init(rows: Int, columns: Int) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }
}

/// A place on the screen, counted from zero at the top left.
public struct Position: Hashable, Sendable {
    /// The row, counted from the top.
    public var row: Int
    /// The column, counted from the left.
    public var column: Int

    /// The place in `row` and `column`.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A rectangle of the screen, in rows and columns.
public struct Rect: Hashable, Sendable {
    /// The top row.
    public var row: Int
    /// The leftmost column.
    public var column: Int
    /// The height, in rows, never negative.
    public var height: Int
    /// The width, in columns, never negative.
    public var width: Int

    /// The rectangle at `row` and `column`; a height or width below zero counts as zero.
    public init(row: Int, column: Int, height: Int, width: Int) {
        self.row = row
        self.column = column
        self.height = max(0, height)
        self.width = max(0, width)
    }

    /// The rectangle without anything in it.
    public static let empty = Rect(row: 0, column: 0, height: 0, width: 0)

    /// Whether nothing fits in it.
    public var isEmpty: Bool { height == 0 || width == 0 }

    /// The row after the last.
    public var endRow: Int { row + height }

    /// The column after the last.
    public var endColumn: Int { column + width }

    /// Whether the cell at `position` is in it.
    public func contains(_ position: Position) -> Bool {
        (row..<endRow).contains(position.row) && (column..<endColumn).contains(position.column)
    }

    /// The rectangle that is this one without `count` rows at its top.
    public func droppingFirstRows(_ count: Int) -> Rect {
        Rect(row: row + min(count, height), column: column, height: height - count, width: width)
    }
}

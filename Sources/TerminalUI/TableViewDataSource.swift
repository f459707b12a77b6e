/// The source of a table's rows: their number, and the cells and headers of the visible ones.
public protocol TableViewDataSource: AnyObject {
    /// Returns the number of sections, 1 by default; called when the table reloads.
    func numberOfSections(in tableView: TableView) -> Int

    /// Returns the number of rows of a section; called once per section when the table reloads.
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int

    /// Returns the header text of a section, or nil for no header, which is the default.
    ///
    /// Called whenever the table is drawn or scrolled, and only for sections on or next to the screen.
    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?

    /// Returns the number beside the header of a section, or nil for the number of its rows, which is the default.
    func tableView(_ tableView: TableView, countForHeaderInSection section: Int) -> Int?

    /// Returns what a header says of its rows before their number, or nil for nothing, which is the default.
    ///
    /// Called whenever the table is drawn, and only for sections on the screen.
    func tableView(_ tableView: TableView, summaryForHeaderInSection section: Int) -> String?

    /// Returns the finished cell of a row; called for visible rows each time they are drawn.
    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell
}

extension TableViewDataSource {
    /// Returns one section.
    public func numberOfSections(in tableView: TableView) -> Int { 1 }

    /// Returns no header.
    public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { nil }

    /// Returns nil.
    public func tableView(_ tableView: TableView, countForHeaderInSection section: Int) -> Int? { nil }

    /// Returns nil.
    public func tableView(_ tableView: TableView, summaryForHeaderInSection section: Int) -> String? { nil }
}

/// An object that a table notifies of changes of the current row.
public protocol TableViewDelegate: AnyObject {
    /// Called when the current row has changed and after each reload; `indexPath` is nil if the table is empty.
    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?)
}

/// The content of a row: one field per column of the table.
public struct TableViewCell: Hashable, Sendable {
    /// The content of one column.
    public struct Field: Hashable, Sendable {
        /// The text, cut to the column's width when drawn.
        public var text: String
        /// The style of the text.
        public var style: Style
        /// The highlighted ranges of UTF-8 bytes of the text, ascending and disjoint.
        public var highlights: [Range<Int>]
        /// What a screen reader says in place of the text; nil for the text itself.
        public var spoken: String?

        /// Creates a field that shows `text` in `style`.
        public init(
            _ text: String, style: Style = .plain, highlights: [Range<Int>] = [], spoken: String? = nil
        ) {
            self.text = text
            self.style = style
            self.highlights = highlights
            self.spoken = spoken
        }
    }

    /// The fields in the order of the table's columns; missing ones are blank.
    public var fields: [Field]
    /// Whether the row belongs to the selection, shown by a symbol before the first column.
    public var isSelected: Bool
    /// The figure above the fields, if the rows are tiles.
    public var figure: Figure?

    /// Creates a row of these fields.
    public init(_ fields: [Field], isSelected: Bool = false, figure: Figure? = nil) {
        self.fields = fields
        self.isSelected = isSelected
        self.figure = figure
    }
}

/// A column of a table.
public struct TableColumn: Hashable, Sendable {
    /// The width of a column.
    public enum Width: Hashable, Sendable {
        /// A fixed number of screen columns.
        case fixed(Int)
        /// A share of the width that fixed columns leave, proportional to this weight.
        case share(Int)
    }

    /// The column heading.
    public var title: String
    /// The width of the column.
    public var width: Width
    /// The minimum width in screen columns; equal to the width of a fixed column.
    public var minimumWidth: Int
    /// The width up to which a column that shares the room grows before the rest is shared; the column with the largest
    /// share grows first.
    public var comfortableWidth: Int
    /// The priority in a table that is too narrow: the lowest is hidden first, and the rightmost of equals; nil means
    /// never hidden.
    public var priority: Int?
    /// Whether the text is right-aligned, as numbers are.
    public var isRightAligned: Bool
    /// The line of the row that shows the column, counted from zero.
    public var line = 0
    /// The blanks before the column if it is the first of its line.
    public var indent = 0

    /// The weight of the column among those that share the room; nil for a fixed column.
    var weight: Int? { if case .share(let weight) = width { weight } else { nil } }

    /// Creates a column with `title` as its heading.
    public init(
        _ title: String, width: Width, minimumWidth: Int = 1, comfortableWidth: Int = 0, priority: Int? = nil,
        isRightAligned: Bool = false
    ) {
        self.title = title
        self.width = width
        self.comfortableWidth = comfortableWidth
        self.priority = priority
        self.isRightAligned = isRightAligned
        if case .fixed(let fixed) = width { self.minimumWidth = fixed } else { self.minimumWidth = minimumWidth }
    }
}

/// What a table asks for its rows: how many there are, and the cells and headers of those on the screen, and nothing
/// else.
public protocol TableViewDataSource: AnyObject {
    /// How many sections the table has; one unless the data source says otherwise. Asked when the table reloads.
    func numberOfSections(in tableView: TableView) -> Int

    /// How many rows a section has. Asked once a section when the table reloads.
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int

    /// What stands in the header of a section, or nil for a section without one, as all are unless the data source says
    /// otherwise. Asked for sections on the screen, and next to it, only, each time the table is drawn or scrolled.
    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?

    /// The finished cell of a row. Asked for rows on the screen only, each time they are drawn.
    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell
}

extension TableViewDataSource {
    /// One section.
    public func numberOfSections(in tableView: TableView) -> Int { 1 }

    /// No header.
    public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { nil }
}

/// What a table tells of its selection.
public protocol TableViewDelegate: AnyObject {
    /// Another row is selected now, or the same one after a reload; nil when there is no row.
    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?)
}

/// A finished row: the text for each of the table's columns.
public struct TableViewCell: Hashable, Sendable {
    /// The text of one column.
    public struct Field: Hashable, Sendable {
        /// What is shown, cut to the column's width.
        public var text: String
        /// How it looks.
        public var style: Style
        /// What of the text stands out: ranges of its UTF-8 bytes, ascending and apart.
        public var highlights: [Range<Int>]

        /// A field that shows `text` in `style`.
        public init(_ text: String, style: Style = .plain, highlights: [Range<Int>] = []) {
            self.text = text
            self.style = style
            self.highlights = highlights
        }
    }

    /// The fields, in the order of the table's columns; missing ones are blank.
    public var fields: [Field]
    /// Whether the reader marked the row, which it shows by a sign before its first column.
    public var isMarked: Bool

    /// A cell of these fields.
    public init(_ fields: [Field], isMarked: Bool = false) {
        self.fields = fields
        self.isMarked = isMarked
    }
}

/// A column of a table.
public struct TableColumn: Hashable, Sendable {
    /// How wide a column is.
    public enum Width: Hashable, Sendable {
        /// Always so many columns of the screen.
        case fixed(Int)
        /// A share of what fixed columns leave, in proportion to the weights of the others.
        case share(Int)
    }

    /// What stands at its head.
    public var title: String
    /// How wide it is.
    public var width: Width
    /// How many columns of the screen it has at least; of a fixed width, that width.
    public var minimumWidth: Int
    /// Where the table is too narrow for all, the columns with the lowest priority are left out first, of equals those
    /// further right; nil for a column that never is.
    public var priority: Int?
    /// Whether its text stands at its right end, as numbers do.
    public var isRightAligned: Bool

    /// A column with `title` at its head.
    public init(
        _ title: String, width: Width, minimumWidth: Int = 1, priority: Int? = nil, isRightAligned: Bool = false
    ) {
        self.title = title
        self.width = width
        self.priority = priority
        self.isRightAligned = isRightAligned
        if case .fixed(let fixed) = width { self.minimumWidth = fixed } else { self.minimumWidth = minimumWidth }
    }
}

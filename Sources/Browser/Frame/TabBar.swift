internal import Books
internal import Catalog
internal import Graphemes
internal import Indexing
internal import Library
internal import TerminalUI

/// The row of lists with their counts under the title bar: the built-in lists, the shelves and the saved searches.
final class TabBar {
    private let session: Session
    private var tabs: [Tab] = []
    /// The list for which the tabs were made: an open list that has no tab otherwise gets one.
    private var openList: NamedList?
    /// Whether the names and counts have to be computed again. They change with the lists, not with the keys.
    private var hasChanged = true
    private var placed: [PlacedTab] = []
    private var rect = Rect.empty

    /// A list in the row.
    private struct Tab {
        let list: NamedList
        /// The number with which a command goes to the list; "" for none.
        let number: String
        let label: String
        let count: String
        let group: Int

        /// The longest label that is not cut, in columns.
        static let maximumLabelWidth = 20

        var labelWidth: Int { min(label.displayColumns, Self.maximumLabelWidth) }

        /// The width with a column at each side for the brackets of the open list.
        var width: Int {
            [number.displayColumns, labelWidth, count.displayColumns].filter { $0 > 0 }.reduce(1) { $0 + $1 + 1 }
        }
    }

    /// A tab and its first column.
    private struct PlacedTab {
        let tab: Tab
        let column: Int
        /// What stands before it: "│" between groups, "…" for tabs that do not fit, or "".
        let sign: String
    }

    /// Creates the row of lists of `session`.
    init(_ session: Session) { self.session = session }

    /// Notes that names and counts have to be computed again.
    func forgetCounts() { hasChanged = true }

    // MARK: - Lists

    /// The lists that have a number, in its order.
    var numberedLists: [NamedList] { Array(Self.lists(of: session.library).prefix(9)) }

    /// Returns the list with a number, if there is one.
    func list(numbered number: Character) -> NamedList? {
        let lists = numberedLists
        guard let number = number.wholeNumberValue, lists.indices.contains(number - 1) else { return nil }
        return lists[number - 1]
    }

    /// Returns the list whose tab is at `position`, if there is one.
    func list(at position: Position) -> NamedList? {
        guard rect.contains(position) else { return nil }
        let placed = placed.first { ($0.column..<$0.column + $0.tab.width).contains(position.column) }
        return placed?.tab.list
    }

    /// The lists of the row. Abandoned books, and those up next, are on the lists screen only.
    private static func lists(of library: Library) -> [NamedList] {
        library.lists.filter { $0.kind != .status(.abandoned) && $0 != .upNext }
    }

    private func makeTabs() {
        let (library, open) = (session.library, session.books.list)
        (hasChanged, openList) = (false, open)
        let numbered = numberedLists
        let shown = Self.lists(of: library)
        tabs = library.everyList.filter { shown.contains($0) || $0 == open }.map { list in
            Tab(
                list: list, number: numbered.firstIndex(of: list).map { String($0 + 1) } ?? "",
                label: Self.label(of: list),
                count: library.countText(of: list), group: Self.group(of: list))
        }
    }

    private static func label(of list: NamedList) -> String {
        switch list.kind {
        case .all: "All"
        case .favourites: list.sign
        case .shelf: list.name
        default: list.sign.isEmpty ? list.name : "\(list.sign) \(list.name)"
        }
    }

    private static func group(of list: NamedList) -> Int {
        switch list.kind {
        case .shelf: 1
        case .query, .tidyUp: 2
        default: 0
        }
    }

    // MARK: - Drawing

    /// Sets the frame, and shows the changes.
    func layout(in rect: Rect) {
        let isMoved = rect != self.rect
        let isOutdated = hasChanged || session.books.list != openList
        self.rect = rect
        if isOutdated { makeTabs() }
        if isMoved || isOutdated { placed = placedTabs(in: rect.width) }
    }

    /// Returns the tabs that fit, from the left. What does not fit is left out at the right, but not the open list.
    private func placedTabs(in width: Int) -> [PlacedTab] {
        let open = tabs.firstIndex { $0.list == openList } ?? 0
        for count in stride(from: tabs.count, through: 0, by: -1) {
            var shown = Array(tabs.indices.prefix(count))
            if count <= open, tabs.indices.contains(open) { shown.append(open) }
            let placed = place(shown)
            let end = placed.last.map { $0.column + $0.tab.width } ?? 0
            // The sign after the last tab says that there are more.
            let isWhole = shown.last == tabs.indices.last
            if end + (isWhole ? 0 : 2) <= width || count == 0 { return placed }
        }
        return []
    }

    private func place(_ shown: [Int]) -> [PlacedTab] {
        var column = 0
        var previous: Int?
        return shown.map { index in
            var sign = ""
            if let previous, index > previous + 1 {
                sign = "…"
            } else if let previous, tabs[previous].group != tabs[index].group {
                sign = "│"
            }
            column += sign.displayColumns
            defer {
                column += tabs[index].width
                previous = index
            }
            return PlacedTab(tab: tabs[index], column: column, sign: sign)
        }
    }

    /// Draws the row.
    func draw(on canvas: inout Canvas) {
        for placed in placed {
            let style: Style = placed.sign == "│" ? .line : .secondary
            canvas.write(placed.sign, row: rect.row, column: placed.column - placed.sign.displayColumns, style: style)
            draw(placed, on: &canvas)
        }
        guard let last = placed.last, last.tab.list != tabs.last?.list else { return }
        canvas.write("…", row: rect.row, column: last.column + last.tab.width, style: .secondary)
    }

    private func draw(_ placed: PlacedTab, on canvas: inout Canvas) {
        let (tab, isOpen) = (placed.tab, placed.tab.list == openList)
        var column = placed.column + 1
        func write(_ text: String, width: Int, _ style: Style) {
            if text.isEmpty { return }
            canvas.write(text, row: rect.row, column: column, width: width, style: isOpen ? .strong : style)
            column += width + 1
        }
        write(tab.number, width: tab.number.displayColumns, .secondary)
        write(tab.label, width: tab.labelWidth, .plain)
        write(tab.count, width: tab.count.displayColumns, .secondary)
        guard isOpen else { return }
        canvas.write("[", row: rect.row, column: placed.column, style: .strong)
        canvas.write("]", row: rect.row, column: placed.column + tab.width - 1, style: .strong)
    }
}

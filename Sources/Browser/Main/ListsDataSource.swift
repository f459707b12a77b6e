internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// Provides the lists of a catalog as rows of a table: sign, name and count, in groups on a screen of their own. The last
/// group, of what is to be tidied up, has a row that opens and closes it.
final class ListsDataSource: TableViewDataSource {
    /// Whether the lists are grouped: the reader's progress, the shelves, and the saved searches.
    var isGrouped = false
    /// Whether the lists of what is to be tidied up have rows.
    var isTidyUpOpen = false
    private let library: Library
    private let bindings: KeyBindings
    /// The groups that have lists, in order, with their numbers of lists.
    private var groups: [(group: Group, count: Int)] = []

    /// A group of lists.
    private enum Group: Int {
        case builtIn, shelves, searches, tidyUp

        init(of list: NamedList) {
            switch list.kind {
            case .shelf: self = .shelves
            case .query: self = .searches
            case .tidyUp: self = .tidyUp
            default: self = .builtIn
            }
        }
    }

    /// Creates a data source for the lists of `library`.
    init(library: Library, bindings: KeyBindings) {
        (self.library, self.bindings) = (library, bindings)
    }

    // MARK: - Columns

    /// The columns in a pane beside the list, whose width the user sets.
    static let paneColumns = [
        TableColumn("", width: .fixed(1)),
        TableColumn("List", width: .share(1), minimumWidth: 8),
        TableColumn("Books", width: .fixed(10), priority: 0, isRightAligned: true),
    ]

    /// Returns the columns of a screen of their own: the name, the query of a saved search, and the count. The heading
    /// of the names is that of the first group.
    func columns(in width: Int, _ place: ListsPane.Place) -> [TableColumn] {
        let (names, queries) = (library.listNames + (isTidyUpOpen ? library.tidyUpLists.map(\.name) : []), queryTexts)
        let countWidth = place == .alone ? 12 : max(8, library.countText(of: .all).displayColumns)
        // The other columns are for the sign, the counts and the gaps.
        let room = width - countWidth - 8
        let nameWidth = max(16, min(names.map(\.displayColumns).max() ?? 0, room))
        let queryRoom = room - nameWidth - 1
        let queryWidth = min(max(Self.minimumQueryWidth, queries.map(\.displayColumns).max() ?? 0), queryRoom)
        let hasQueries = !queries.isEmpty && queryRoom >= Self.minimumQueryWidth
        let isFilled = place == .besidePreview
        var columns = [
            TableColumn("", width: .fixed(1)),
            TableColumn(
                "YOUR READING", width: isFilled && !hasQueries ? .share(1) : .fixed(nameWidth), minimumWidth: 16),
        ]
        if hasQueries {
            columns.append(
                TableColumn("", width: isFilled ? .share(1) : .fixed(queryWidth), minimumWidth: Self.minimumQueryWidth))
        }
        columns.append(TableColumn("Books", width: .fixed(countWidth), isRightAligned: true))
        hasQueryColumn = hasQueries
        return columns
    }

    /// The queries of the searches that have rows.
    private var queryTexts: [String] {
        library.userData.queries.map(\.text) + (isTidyUpOpen ? TidyUpSearch.allCases.map(\.text) : [])
    }

    private static let minimumQueryWidth = 8
    private var hasQueryColumn = false

    // MARK: - Rows

    /// The row that opens and closes the last group, if there is one.
    var tidyUpRow: Int? { library.tidyUpLists.isEmpty ? nil : library.lists.count }

    /// Returns the list of a row; nil for the row that opens the last group.
    func list(atRow row: Int) -> NamedList? {
        let lists = library.lists
        if row < lists.count { return lists[row] }
        let (rest, number) = (library.tidyUpLists, row - lists.count - 1)
        return rest.indices.contains(number) ? rest[number] : nil
    }

    /// Returns the row of a list, if it has one.
    func row(of list: NamedList) -> Int? {
        if let row = library.lists.firstIndex(of: list) { return row }
        guard isTidyUpOpen, let number = library.tidyUpLists.firstIndex(of: list) else { return nil }
        return library.lists.count + 1 + number
    }

    func numberOfSections(in tableView: TableView) -> Int {
        groups = []
        for group in library.lists.map(Group.init) {
            if isGrouped && groups.last?.group != group || groups.isEmpty { groups.append((group, 0)) }
            groups[groups.count - 1].count += 1
        }
        let tidyUpCount = library.tidyUpLists.count
        if tidyUpCount > 0 {
            if isGrouped { groups.append((.tidyUp, 0)) }
            groups[groups.count - 1].count += 1 + (isTidyUpOpen ? tidyUpCount : 0)
        }
        return groups.count
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { groups[section].count }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        guard isGrouped else { return nil }
        return switch groups[section].group {
        case .builtIn: nil
        case .shelves: heading("SHELVES", .newShelf, "new")
        case .searches: heading("SAVED SEARCHES", .saveSearch, "saves one")
        case .tidyUp: ""
        }
    }

    /// Returns the heading of a group with the key of the command that adds a list to it.
    private func heading(_ title: String, _ command: Command, _ text: String) -> String {
        bindings.labels(of: command).first.map { "\(title)  \($0) \(text)" } ?? title
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        guard let list = list(atRow: groups[..<indexPath.section].reduce(indexPath.row) { $0 + $1.count }) else {
            return TableViewCell(
                [
                    .init(
                        isTidyUpOpen ? "▾" : "▸", style: .secondary, spoken: isTidyUpOpen ? "open" : "closed"),
                    .init("Tidy up"),
                ]
                    + (isGrouped && hasQueryColumn ? [.init("")] : []) + [.init("")])
        }
        var fields: [TableViewCell.Field] = [
            // The sign of a list does not mean a book.
            .init(list.sign.isEmpty ? " " : list.sign, style: list.signStyle, spoken: ""),
            .init(list.name),
        ]
        if isGrouped && hasQueryColumn {
            fields.append(.init(library.query(of: list)?.text ?? "", style: .secondary, spoken: ""))
        }
        return TableViewCell(fields + [.init(library.countText(of: list))])
    }
}

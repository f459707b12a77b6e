internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// Provides the lists of a catalog as rows of a table: sign, name and count, in groups on a screen of their own.
final class ListsDataSource: TableViewDataSource {
    /// Whether the lists are grouped: the reader's progress, the shelves, and the saved searches.
    var isGrouped = false
    private let library: Library
    private let bindings: KeyBindings
    /// The groups that have lists, in order, with their numbers of lists.
    private var groups: [(group: Group, count: Int)] = []

    /// A group of lists.
    private enum Group: Int {
        case builtIn, shelves, searches

        init(of list: NamedList) {
            switch list.kind {
            case .shelf: self = .shelves
            case .query: self = .searches
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
        let (names, queries) = (library.listNames, library.userData.queries.map(\.text))
        let countWidth = place == .alone ? 12 : 8
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

    private static let minimumQueryWidth = 8
    private var hasQueryColumn = false

    // MARK: - Rows

    func numberOfSections(in tableView: TableView) -> Int {
        groups = []
        for group in library.lists.map(Group.init) {
            if isGrouped && groups.last?.group != group || groups.isEmpty { groups.append((group, 0)) }
            groups[groups.count - 1].count += 1
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
        }
    }

    /// Returns the heading of a group with the key of the command that adds a list to it.
    private func heading(_ title: String, _ command: Command, _ text: String) -> String {
        bindings.labels(of: command).first.map { "\(title)  \($0) \(text)" } ?? title
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let list = library.lists[groups[..<indexPath.section].reduce(indexPath.row) { $0 + $1.count }]
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

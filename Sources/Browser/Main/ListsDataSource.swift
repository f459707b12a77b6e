internal import Library
internal import TerminalUI

/// Provides the lists of a catalog as rows of a table: name and count.
final class ListsDataSource: TableViewDataSource {
    /// The columns of a table without lists.
    static let columns = columns(forNamesOf: 0, in: 0)

    /// Returns the columns for names of at most `nameWidth` columns, in a window of `width`.
    static func columns(forNamesOf nameWidth: Int, in width: Int) -> [TableColumn] {
        [
            TableColumn("", width: .fixed(1)),
            // The other 20 columns are for the sign, the counts and the gaps.
            TableColumn("List", width: .fixed(max(16, min(nameWidth, width - 20)))),
            TableColumn("Books", width: .fixed(12), isRightAligned: true),
        ]
    }

    /// The columns in a pane beside the list, whose width the user sets.
    static let paneColumns = [
        TableColumn("", width: .fixed(1)),
        TableColumn("List", width: .share(1), minimumWidth: 8),
        TableColumn("Books", width: .fixed(10), priority: 0, isRightAligned: true),
    ]

    private let library: Library

    /// Creates a data source for the lists of `library`.
    init(library: Library) {
        self.library = library
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { library.lists.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let list = library.lists[indexPath.row]
        return TableViewCell([
            list == .favourites ? .favourite : .init(" "),
            .init(list.name),
            .init(library.countText(of: list)),
        ])
    }
}

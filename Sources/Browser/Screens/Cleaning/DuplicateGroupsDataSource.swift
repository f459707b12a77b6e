internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI
internal import Text

/// Provides groups of duplicates as rows of a table, in a section for each reason.
final class DuplicateGroupsDataSource: TableViewDataSource {
    private var sections: [(reason: DuplicateGroup.Reason, groups: [DuplicateGroup])] = []
    private let store: BookStore

    /// The columns of the cells.
    static let columns = [
        TableColumn("Title", width: .share(1), minimumWidth: 12),
        TableColumn("Records", width: .fixed(7), priority: 1, isRightAligned: true),
    ]

    /// Creates a source without groups.
    init(_ store: BookStore) { self.store = store }

    /// Shows the groups with a book whose title matches. The table must be reloaded then.
    func show(_ groups: [DuplicateGroup], matching words: FilterWords) {
        let shown = words.isEmpty ? groups : groups.filter { $0.books.contains { words.match(title(of: $0)) } }
        let byReason = Dictionary(grouping: shown, by: \.reason)
        sections = DuplicateGroup.Reason.allCases.compactMap { reason in byReason[reason].map { (reason, $0) } }
    }

    /// The group of a row.
    subscript(path: IndexPath) -> DuplicateGroup { sections[path.section].groups[path.row] }

    private func title(of id: BookID) -> String { store.bookAtHand(id)?.shownTitle ?? "" }

    func numberOfSections(in tableView: TableView) -> Int { max(1, sections.count) }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        sections.isEmpty ? 0 : sections[section].groups.count
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        sections.isEmpty ? nil : sections[section].reason.heading
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let group = self[indexPath]
        return TableViewCell([
            .init(title(of: group.books[0])),
            .init(group.books.count.grouped, style: .secondary, spoken: group.books.count.of("record")),
        ])
    }
}

internal import Catalog
internal import Library
internal import Search
internal import TerminalUI

/// Gives a table the values that the books of a list have, in a section for each kind, with counts and bars.
final class FacetsDataSource: TableViewDataSource {
    /// The columns that its cells fill.
    static let columns = [
        TableColumn("Value", width: .share(2), minimumWidth: 15),
        TableColumn("Books", width: .fixed(11), isRightAligned: true),
        TableColumn("", width: .fixed(barWidth), priority: 0),
    ]

    /// How many columns the longest bar has.
    private static let barWidth = 20

    /// A row of the table.
    struct Row {
        /// The value; nil for the books of which it is not known.
        var value: FacetValue?
        var facet: Facet
        var count: Int
    }

    /// What was counted. The table must be reloaded when it changes.
    var facets: Facets? {
        didSet {
            names = [:]
            sections = Facet.allCases.compactMap { facet in
                guard let counts = facets?[facet], !counts.values.isEmpty else { return nil }
                var rows = counts.values.map { Row(value: $0, facet: facet, count: $0.count) }
                if counts.unknownCount > 0 { rows.append(Row(facet: facet, count: counts.unknownCount)) }
                return (facet, rows, counts.distinctCount)
            }
        }
    }

    private var sections: [(facet: Facet, rows: [Row], distinctCount: Int)] = []
    /// The names of values that were on the screen, by section and row.
    private var names: [IndexPath: String] = [:]
    private let store: BookStore

    /// A data source for the values of books in `store`.
    init(store: BookStore) {
        self.store = store
    }

    /// The row at `indexPath`.
    func row(at indexPath: IndexPath) -> Row { sections[indexPath.section].rows[indexPath.row] }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].rows.count }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        let (facet, rows, distinctCount) = sections[section]
        let shownCount = rows.count { $0.value != nil }
        let rest = distinctCount > shownCount ? ", the first \(shownCount.grouped) of \(distinctCount.grouped)" : ""
        return facet.label + rest
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = row(at: indexPath)
        // The longest bar is that of what most books have.
        let share = Double(row.count) / Double(sections[indexPath.section].rows.reduce(1) { max($0, $1.count) })
        return TableViewCell([
            .init(name(of: row, at: indexPath), style: row.value == nil ? .secondary : .plain),
            .init(row.count.grouped),
            .init(Bar.text(fraction: share, width: Self.barWidth)),
        ])
    }

    private func name(of row: Row, at indexPath: IndexPath) -> String {
        if let known = names[indexPath] { return known }
        let name = row.value?.name(in: store) ?? Facet.unknownName
        names[indexPath] = name
        return name
    }
}

extension Facet {
    /// What its values are called together.
    fileprivate var label: String {
        switch self {
        case .author: "Authors"
        case .subject: "Subjects"
        case .language: "Languages"
        case .decade: "Decades"
        case .series: "Series"
        case .fiction: "Kinds"
        case .status: "Status"
        }
    }
}

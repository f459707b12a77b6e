internal import Catalog
internal import Library
internal import Search
internal import TerminalUI
internal import Text

/// Provides the values of the listed books as rows of a table: a section for each facet, with counts and bars.
final class FacetsDataSource: TableViewDataSource {
    /// The columns of the cells.
    static let columns = [
        TableColumn("Value", width: .share(2), minimumWidth: 15),
        TableColumn("Books", width: .fixed(11), isRightAligned: true),
        TableColumn("", width: .fixed(barWidth), priority: 0),
    ]

    /// The width of the longest bar.
    private static let barWidth = 20

    /// A row of the table.
    struct Row {
        /// The value; nil for the books without one.
        var value: FacetValue?
        /// The facet of the value.
        var facet: Facet
        /// The number of books.
        var count: Int
    }

    private struct Section {
        let facet: Facet
        let rows: [Row]
        /// The number of values; the rows may be only the most frequent ones.
        let valueCount: Int
        /// The count of the most frequent value.
        let maximum: Int
    }

    /// The counts. The table must be reloaded when they change.
    var facets: Facets? {
        didSet { arrange() }
    }
    /// The words that values must contain; "" shows all. The table must be reloaded when it changes.
    var filter = "" {
        didSet { arrange() }
    }

    private var sections: [Section] = []
    /// The names of values that were on the screen, by section and row.
    private var names: [IndexPath: String] = [:]
    private let store: BookStore
    private let shelfName: (String) -> String?

    /// Creates a data source for the values of books in `store`; `shelfName` returns the name of the shelf with a key.
    init(store: BookStore, shelfName: @escaping (String) -> String?) {
        self.store = store
        self.shelfName = shelfName
    }

    private func arrange() {
        names = [:]
        let words = [UInt8](folding: filter).split(separator: UInt8(ascii: " ")).map(Array.init)
        let isFiltered = filter.contains { !$0.isWhitespace }
        sections = Facet.allCases.compactMap { facet in
            guard let counts = facets?[facet], !counts.values.isEmpty else { return nil }
            // A filter of symbols only has no words and matches nothing.
            let values = isFiltered ? counts.arranged.filter { !words.isEmpty && matches($0, words) } : counts.arranged
            var rows = values.map { Row(value: $0, facet: facet, count: $0.count) }
            if !isFiltered, counts.unknownCount > 0 { rows.append(Row(facet: facet, count: counts.unknownCount)) }
            if rows.isEmpty { return nil }
            return Section(
                facet: facet, rows: rows, valueCount: isFiltered ? rows.count : counts.distinctCount,
                maximum: rows.reduce(1) { max($0, $1.count) })
        }
    }

    /// Whether the name of a value contains all of these normalized words.
    private func matches(_ value: FacetValue, _ words: [[UInt8]]) -> Bool {
        // These values are normalized names already; the names for display would have to be read from books.
        let name =
            switch value.facet {
            case .author, .subject, .series: Array(value.value.utf8)
            case .rating: Array("\(value.value) stars".utf8)
            case .language, .decade, .fiction, .status, .shelf: [UInt8](folding: name(of: value))
            }
        return words.allSatisfy { name.contains($0) }
    }

    /// Returns the row at `indexPath`.
    func row(at indexPath: IndexPath) -> Row { sections[indexPath.section].rows[indexPath.row] }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].rows.count }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        let section = sections[section]
        let shownCount = section.rows.count { $0.value != nil }
        let label = section.facet.label
        return section.valueCount > shownCount ? "\(label), the \(shownCount.grouped) most frequent" : label
    }

    func tableView(_ tableView: TableView, countForHeaderInSection section: Int) -> Int? {
        sections[section].valueCount
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = row(at: indexPath)
        let share = Double(row.count) / Double(sections[indexPath.section].maximum)
        return TableViewCell([
            .init(name(of: row, at: indexPath), style: row.value == nil ? .secondary : .plain),
            .init(row.count.grouped),
            .init(Bar.text(fraction: share, width: Self.barWidth)),
        ])
    }

    private func name(of row: Row, at indexPath: IndexPath) -> String {
        if let known = names[indexPath] { return known }
        let name = row.value.map(name) ?? row.facet.absenceName
        names[indexPath] = name
        return name
    }

    private func name(of value: FacetValue) -> String {
        value.facet == .shelf ? shelfName(value.value) ?? value.value : value.name(in: store)
    }
}

extension Facet {
    /// The header of the section.
    fileprivate var label: String {
        switch self {
        case .author: "Authors"
        case .subject: "Subjects"
        case .language: "Languages"
        case .decade: "Decades"
        case .series: "Series"
        case .fiction: "Kinds"
        case .status: "Status"
        case .rating: "Ratings"
        case .shelf: "Shelves"
        }
    }
}

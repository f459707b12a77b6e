internal import Books
internal import Catalog
internal import Glibc
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Text

/// Provides the values of the listed books as rows of a table: a section for each facet, with ticks, counts and bars.
final class FacetsDataSource: TableViewDataSource {
    /// Returns the columns of the cells.
    ///
    /// - Parameters:
    ///   - isCounting: Whether the counts are about to change.
    ///   - showsFilter: Whether the heading of the values is the filter, if there is one.
    func columns(isCounting: Bool, showsFilter: Bool) -> [TableColumn] {
        let digits = sections.reduce(1) { max($0, $1.maximum) }.grouped.utf8.count
        return [
            TableColumn("", width: .fixed(3)),
            TableColumn(showsFilter && !filter.isEmpty ? "“\(filter)”" : "Value", width: .share(2), minimumWidth: 15),
            TableColumn(isCounting ? "…" : "Books", width: .fixed(max(5, digits)), isRightAligned: true),
            TableColumn("", width: .fixed(Self.barWidth), priority: 0),
        ]
    }

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
        didSet {
            matching = nil
            arrange()
        }
    }
    /// The words that values must contain; "" shows all. The table must be reloaded when it changes.
    var filter = "" {
        didSet { arrange() }
    }

    /// The ticked values. The table must be reloaded when they change.
    var ticks = FacetFilter() {
        didSet {
            matching = nil
            arrange()
        }
    }

    private var sections: [Section] = []
    /// The values that match the latest filter; one that continues it searches only these.
    private var matching: (filter: String, values: [Facet: [FacetValue]])?
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
        let earlier = matching.flatMap { isFiltered && filter.hasPrefix($0.filter) ? $0.values : nil }
        var found: [Facet: [FacetValue]] = [:]
        defer { matching = isFiltered ? (filter, found) : nil }
        sections = (Facet.allCases + store.schema.facets.map(Facet.own)).compactMap { facet in
            guard let counts = facets?[facet] else { return nil }
            let ticked = ticks.ticks.filter { $0.facet == facet }
            if counts.values.isEmpty && ticked.isEmpty { return nil }
            // In a catalog without ratings, all ratings are the user's own.
            if facet == .rating && !store.index.hasRatings { return nil }
            var values = earlier?[facet] ?? counts.arranged
            if earlier == nil {
                // Ticked values that no book has any more can be unticked.
                for tick in ticked.compactMap(\.value) where !counts.values.contains(where: { $0.value == tick.value })
                {
                    values.append(tick.counted(0))
                }
            }
            // A filter of symbols only has no words and matches nothing.
            if isFiltered { values = values.filter { !words.isEmpty && matches($0, words) } }
            found[facet] = values
            var rows = values.map { Row(value: $0, facet: facet, count: $0.count) }
            if !isFiltered, counts.unknownCount > 0 || ticks.contains(facet, nil) {
                rows.append(Row(facet: facet, count: counts.unknownCount))
            }
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
            case .author, .subject, .series, .own: value.value
            case .rating, .ownRating: "\(value.value) stars"
            case .language, .decade, .fiction, .status, .shelf, .yearRead:
                String(decoding: [UInt8](folding: self.name(of: value)), as: UTF8.self)
            }
        return name.contains(all: words)
    }

    /// Returns the row at `indexPath`.
    func row(at indexPath: IndexPath) -> Row { sections[indexPath.section].rows[indexPath.row] }

    /// Returns the number of a row through all sections; nil if no row has the value, or for nil shows the books without
    /// one.
    func rowNumber(of facet: Facet, _ value: String?) -> Int? {
        guard let section = sections.firstIndex(where: { $0.facet == facet }),
            let row = sections[section].rows.firstIndex(where: { $0.value?.value == value })
        else { return nil }
        return sections[..<section].reduce(row) { $0 + $1.rows.count }
    }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].rows.count }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        let section = sections[section]
        let shownCount = section.rows.count { $0.value != nil }
        let label = section.facet.label
        return section.valueCount > shownCount ? "\(label), top \(shownCount.grouped)" : label
    }

    func tableView(_ tableView: TableView, countForHeaderInSection section: Int) -> Int? {
        sections[section].valueCount
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = row(at: indexPath)
        let share = Double(row.count) / Double(sections[indexPath.section].maximum)
        let isTicked = ticks.contains(row.facet, row.value)
        return TableViewCell([
            .init(isTicked ? "[x]" : "[ ]", style: isTicked ? .sign : .secondary, spoken: isTicked ? "ticked" : ""),
            .init(name(of: row, at: indexPath), style: row.value == nil ? .secondary : .plain),
            .init(row.count.grouped),
            // The bar repeats the count.
            .init(Bar.text(fraction: share, width: Self.barWidth), spoken: ""),
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

extension String {
    /// Whether each of `words` occurs in the UTF-8 text. A hundred thousand names take a few milliseconds, because no
    /// bytes are copied.
    fileprivate func contains(all words: [[UInt8]]) -> Bool {
        var text = self
        return text.withUTF8 { bytes in words.allSatisfy { Self.find($0, in: bytes) } }
    }

    private static func find(_ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = word.first, let base = bytes.baseAddress else { return word.isEmpty }
        var offset = 0
        while offset + word.count <= bytes.count,
            let found = memchr(base + offset, Int32(first), bytes.count - word.count - offset + 1)
        {
            if memcmp(found, word, word.count) == 0 { return true }
            offset = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        }
        return false
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
        case .ownRating: "My ratings"
        case .shelf: "Shelves"
        case .yearRead: "Read in"
        case .own(let field): field.info.label
        }
    }
}

internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Text

/// Provides the values of the listed books as rows of a table: a section of those ticked, and one for each facet, with
/// ticks, counts and bars. A folded section is one row.
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
        /// What a row stands for.
        enum Kind {
            /// A ticked value, above all facets.
            case ticked
            /// A facet without its values.
            case folded
            /// The further values of a facet.
            case more
            /// A value of an open facet.
            case value
        }

        /// What the row stands for.
        var kind = Kind.value
        /// The value; nil for the books without one, and for no single value.
        var value: FacetValue?
        /// The facet of the value.
        var facet: Facet
        /// The number of books, or of the values that are not shown.
        var count: Int

        /// Whether it stands for values that are not shown.
        var isFolded: Bool { kind == .folded || kind == .more }

        /// Whether it stands for the same as another one, with other counts.
        func isSame(as other: Row) -> Bool {
            (kind, facet, value?.value) == (other.kind, other.facet, other.value?.value)
        }
    }

    private struct Section {
        /// The facet; nil for the ticked values.
        let facet: Facet?
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

    /// The numbers of values that are shown of facets that are folded, unless values are filtered; nil before they are
    /// chosen. The table must be reloaded when they change.
    private var shown: [Facet: Int]? {
        didSet { arrange() }
    }
    /// The height for which facets were folded; nil before that.
    private var foldedHeight: Int?
    /// Whether the user has folded a facet, or shown its values.
    private var hasChosenFolds = false
    /// Whether the decades before 1900 are one value; nil before there are counts.
    private var joinsEarlyDecades: Bool?
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
        let words = FilterWords(filter)
        let isFiltered = !words.isEmpty
        let earlier = matching.flatMap { isFiltered && filter.hasPrefix($0.filter) ? $0.values : nil }
        var found: [Facet: [FacetValue]] = [:]
        defer { matching = isFiltered ? (filter, found) : nil }
        if joinsEarlyDecades == nil, let decades = facets?[.decade] {
            joinsEarlyDecades =
                decades.isMostlyLater || ticks.ticks.contains { $0.value?.value == FacetValue.earlyDecades }
        }
        sections = (Facet.allCases + store.schema.facets.map(Facet.own)).compactMap { facet in
            guard var counts = facets?[facet] else { return nil }
            if facet == .decade, joinsEarlyDecades == true { counts = counts.joiningEarlyDecades }
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
            if isFiltered { values = values.filter { words.match(folded: foldedName(of: $0)) } }
            found[facet] = values
            var rows = values.map { Row(value: $0, facet: facet, count: $0.count) }
            if !isFiltered, counts.unknownCount > 0 || ticks.contains(facet, nil) {
                rows.append(Row(facet: facet, count: counts.unknownCount))
            }
            if rows.isEmpty { return nil }
            let valueCount = isFiltered ? rows.count : counts.distinctCount
            let maximum = rows.reduce(1) { max($0, $1.count) }
            if !isFiltered, let shown = shown?[facet], shown == 0 || rows.count > shown {
                let hidden = Row(
                    kind: shown == 0 ? .folded : .more, facet: facet,
                    count: (shown == 0 ? valueCount : max(valueCount, rows.count)) - shown)
                rows = rows.prefix(shown) + [hidden]
            }
            return Section(facet: facet, rows: rows, valueCount: valueCount, maximum: maximum)
        }
        if !isFiltered && !ticks.isEmpty { sections.insert(sectionOfTicks, at: 0) }
    }

    /// The ticked values with the numbers of books that they add.
    private var sectionOfTicks: Section {
        let rows = ticks.ticks.map { tick in
            let counts = facets?[tick.facet]
            let values =
                (tick.value?.value == FacetValue.earlyDecades ? counts?.joiningEarlyDecades : counts)?.values ?? []
            let count =
                tick.value.map { ticked in values.first { $0.value == ticked.value }?.count ?? 0 }
                ?? counts?.unknownCount ?? 0
            return Row(kind: .ticked, value: tick.value, facet: tick.facet, count: count)
        }
        return Section(
            facet: nil, rows: rows, valueCount: rows.count, maximum: rows.reduce(1) { max($0, $1.count) })
    }

    // MARK: - Folding

    /// Folds the facets with the most values, so that the names of all, the values of the others and some of the first
    /// fit in `height` lines: for the first counts, and for another height, until the user folds one.
    func fold(within height: Int) {
        foldedHeight = height
        shown = nil
        shown = folds(within: height, reserving: Self.roomForFirst)
    }

    /// Lets facets be folded again, because other books are counted.
    func forgetFolds() { foldedHeight = nil }

    /// Whether `fold(within:)` has to be called.
    func needsFolds(within height: Int) -> Bool {
        facets != nil && filter.isEmpty && !hasChosenFolds && height != foldedHeight
    }

    /// Returns the numbers of values that are shown of the facets that do not fit in `height` lines; the first facet has at
    /// least `reserve` of them, if there are as many.
    private func folds(within height: Int, reserving reserve: Int) -> [Facet: Int] {
        if sections.reduce(0, { $0 + 1 + $1.rows.count }) <= height { return [:] }
        let open = sections.filter { $0.facet != nil }
        guard let first = open.first, let firstFacet = first.facet else { return [:] }
        let folded = open.count + (sections.first.map { $0.facet == nil ? $0.rows.count + 1 : 0 } ?? 0)
        let reserved = min(first.rows.count, reserve)
        var room = height - folded - reserved
        var found: [Facet: Int] = [:]
        for section in open.dropFirst().sorted(by: { $0.rows.count < $1.rows.count }) {
            if section.rows.count <= room { room -= section.rows.count } else { section.facet.map { found[$0] = 0 } }
        }
        room += reserved
        if first.rows.count > room {
            // One line says how many more there are.
            let isWorthIt = room > Self.roomForFirst / 2
            if !isWorthIt && reserve > 0 { return folds(within: height, reserving: 0) }
            found[firstFacet] = isWorthIt ? room - 1 : 0
        }
        return found
    }

    /// The lines that the values of the first facet get at least, if the window has room for them.
    private static let roomForFirst = 8

    /// Shows all values of a facet, or only its name.
    func setFolded(_ facet: Facet, _ isFolded: Bool) {
        hasChosenFolds = true
        shown?[facet] = isFolded ? 0 : nil
    }

    // MARK: - Rows

    /// The name of a value, normalized.
    private func foldedName(of value: FacetValue) -> String {
        switch value.facet {
        // These values are normalized names already; the names for display would have to be read from books.
        case .author, .subject, .series, .own: value.value
        case .rating, .ownRating: "\(value.value) stars"
        case .language, .decade, .fiction, .status, .shelf, .yearRead: name(of: value).folded
        }
    }

    /// Returns the row at `indexPath`.
    func row(at indexPath: IndexPath) -> Row { sections[indexPath.section].rows[indexPath.row] }

    /// Returns the number of the row that stands for the same as `row`, through all sections; nil if none does.
    func rowNumber(of row: Row) -> Int? {
        guard let section = sections.firstIndex(where: { $0.facet == (row.kind == .ticked ? nil : row.facet) }),
            let number = sections[section].rows.firstIndex(where: { $0.isSame(as: row) })
        else { return nil }
        return firstRow(ofSection: section) + number
    }

    /// Returns the number of the first row of a facet, through all sections; nil if it has none.
    func firstRow(of facet: Facet) -> Int? { sections.firstIndex { $0.facet == facet }.map(firstRow(ofSection:)) }

    private func firstRow(ofSection section: Int) -> Int { sections[..<section].reduce(0) { $0 + $1.rows.count } }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].rows.count }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        let section = sections[section]
        guard let facet = section.facet else { return "    Filter" }
        if section.rows.first?.kind == .folded { return nil }
        let shownCount = section.rows.count { $0.value != nil }
        // The label is in line with the values.
        let label = "▾   " + facet.label
        return section.valueCount > shownCount ? "\(label), top \(shownCount.grouped)" : label
    }

    func tableView(_ tableView: TableView, countForHeaderInSection section: Int) -> Int? {
        sections[section].valueCount
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = row(at: indexPath)
        if row.kind == .folded {
            return TableViewCell([
                .init("▸", style: .strong, spoken: "folded"), .init(row.facet.label, style: .strong),
                .init(row.count.grouped), .init(""),
            ])
        }
        if row.kind == .more {
            return TableViewCell([
                .init(""), .init("… \(row.count.grouped) more", style: .secondary), .init(""), .init(""),
            ])
        }
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

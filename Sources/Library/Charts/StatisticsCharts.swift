internal import Books
public import Catalog
public import Search

/// The statistics of a list as charts, with their order and wording.
public struct StatisticsCharts: Hashable, Sendable {
    /// The number of books.
    public let bookCount: Int
    /// A one-line summary of the books, without a full stop.
    public let summary: String
    /// The charts in display order; fields without values have none.
    public private(set) var charts: [Chart] = []
    /// A sentence that lists the fields without values, if any.
    public let missing: String?

    /// The sentence for a list without books.
    public static let emptySentence = "This list is empty."

    private static let decadeCount = 12
    private static let yearCount = 8
    private static let valueCount = 10
    private static let languageCount = 7
    private static let seriesCount = 5

    /// Creates the charts of `statistics`, decoding a few dozen books of `store` for the spelling of names.
    public init(_ statistics: Statistics, in store: BookStore) {
        bookCount = statistics.bookCount
        summary = Self.summary(of: statistics)
        missing = Self.sentence(ofMissing: statistics)
        if bookCount == 0 { return }
        charts =
            [
                Self.decades(statistics), Self.pages(statistics.pages),
                Self.values(.author, "Authors", statistics, Self.valueCount, in: store),
                Self.values(.subject, "Subjects", statistics, Self.valueCount, in: store),
                Self.values(.language, "Languages", statistics, Self.languageCount, in: store),
                Self.values(.series, "Series", statistics, Self.seriesCount, in: store),
                Self.kinds(statistics), Self.statuses(statistics), Self.ratings(statistics),
                Self.added(statistics.yearsAdded),
            ].compactMap(\.self)
            + store.schema.described.compactMap { field in
                statistics.own.first { $0.field == field }.flatMap { Self.own($0, statistics.bookCount, in: store) }
            } + [Self.fields(statistics, store.schema)]
    }

    // MARK: - Summary

    private static func summary(of statistics: Statistics) -> String {
        var parts = [statistics.bookCount.of("book")]
        for (facet, noun) in [(Facet.author, "author"), (.subject, "subject"), (.language, "language")] {
            let count = statistics.facets[facet].distinctCount
            if count > 0 { parts.append(count.of(noun)) }
        }
        let seriesCount = statistics.facets[.series].distinctCount
        if seriesCount > 0 { parts.append("\(seriesCount.grouped) series") }
        if statistics.favouriteCount > 0 { parts.append(statistics.favouriteCount.of("favourite")) }
        return parts.joined(separator: ", ")
    }

    private static func sentence(ofMissing statistics: Statistics) -> String? {
        if statistics.bookCount == 0 { return nil }
        var nouns: [String] = []
        func note(_ isMissing: Bool, _ noun: String) { if isMissing { nouns.append(noun) } }
        note(statistics.years.bookCount == 0, "year")
        note(statistics.pages.bookCount == 0, "pages")
        note(statistics.facets[.author].distinctCount == 0, "author")
        note(statistics.facets[.subject].distinctCount == 0, "subject")
        note(statistics.facets[.language].distinctCount == 0, "language")
        note(statistics.facets[.series].distinctCount == 0, "series")
        note(statistics.fictionCount + statistics.nonFictionCount == 0, "kind")
        note(statistics.withoutStatusCount == statistics.bookCount, "status")
        note(statistics.ratings.bookCount == 0, "rating")
        note(statistics.yearsAdded.bookCount == 0, "date added")
        return nouns.isEmpty ? nil : "No data for: " + nouns.joined(separator: ", ") + "."
    }

    // MARK: - Years

    private static func decades(_ statistics: Statistics) -> Chart? {
        let all = statistics.decades
        guard let window = Window(of: all.map { ($0.decade.number, $0.count) }, length: decadeCount),
            let first = statistics.years.entries.first, let last = statistics.years.entries.last
        else { return nil }
        let (start, end) = (Decade(number: window.range.lowerBound), Decade(number: window.range.upperBound))
        var rows = window.counts.map { Chart.Row(label: Decade(number: $0.number).name, count: $0.count) }
        window.addRemainders(to: &rows, from: start.years.lowerBound, to: end.years.upperBound)
        let unknown = statistics.bookCount - statistics.years.bookCount
        if unknown > 0 { rows.append(.init(label: Facet.decade.absenceName, count: unknown, isRest: true)) }
        let median = statistics.years.quantile(0.5).map { ", median \(PartialDate.name(ofYear: $0))" } ?? ""
        return Chart(
            "Decades", rows,
            summary: first.number == last.number
                ? "All of \(PartialDate.name(ofYear: first.number))"
                : "\(PartialDate.name(ofYear: first.number))–\(PartialDate.name(ofYear: last.number))\(median)",
            timeline: timeline(of: statistics.years, in: start.years.lowerBound...end.years.upperBound))
    }

    private static func added(_ years: Histogram) -> Chart? {
        guard let window = Window(of: years.entries.map { ($0.number, $0.count) }, length: yearCount) else {
            return nil
        }
        var rows = window.counts.map { Chart.Row(label: PartialDate.name(ofYear: $0.number), count: $0.count) }
        window.addRemainders(to: &rows, from: window.range.lowerBound, to: window.range.upperBound)
        return Chart("Added", rows)
    }

    /// Returns the timeline from the first to the last year in `range` that has books, or nil for less than four years.
    private static func timeline(of years: Histogram, in range: ClosedRange<Int>) -> Chart.Timeline? {
        let inside = years.entries.filter { range.contains($0.number) }
        guard let first = inside.first?.number, let last = inside.last?.number, last - first >= 3 else { return nil }
        return Chart.Timeline(histogram: years, range: first...last)
    }

    // MARK: - Pages

    private static func pages(_ pages: Histogram) -> Chart? {
        guard let low = pages.quantile(0.25), let median = pages.quantile(0.5), let high = pages.quantile(0.75) else {
            return nil
        }
        let bins = PageBin.all.map { Chart.Row(label: $0.name, count: pages.count(in: $0.pages)) }
        let filled = bins.indices.filter { bins[$0].count > 0 }
        let rows = Array(bins[(filled.first ?? 0)...(filled.last ?? 0)])
        return Chart(
            "Pages", rows,
            summary: low == high
                ? "Median \(median.of("page"))"
                : "Median \(median.grouped); middle 50 %: \(low.grouped)–\(high.grouped)")
    }

    // MARK: - Values

    private static func values(
        _ facet: Facet, _ title: String, _ statistics: Statistics, _ limit: Int, in store: BookStore
    ) -> Chart? {
        let counts = statistics.facets[facet]
        if counts.values.isEmpty { return nil }
        // Values with one book each have no meaningful order.
        let isRanked = counts.values[0].count > 1 || counts.distinctCount <= limit / 2
        let shown = isRanked ? counts.values.prefix(limit) : []
        var rows = shown.map { Chart.Row(label: $0.name(in: store), count: $0.count) }
        let isCut = isRanked && counts.distinctCount > rows.count
        if counts.unknownCount > 0 {
            rows.append(.init(label: facet.absenceName, count: counts.unknownCount, isRest: true))
        }
        return Chart(
            title, rows, summary: isRanked ? "" : "\(counts.distinctCount.grouped), with one book each",
            extent: isCut ? "top \(shown.count) of \(counts.distinctCount.grouped)" : "")
    }

    private static func kinds(_ statistics: Statistics) -> Chart? {
        let (fiction, other) = (statistics.fictionCount, statistics.nonFictionCount)
        if fiction + other == 0 { return nil }
        var rows = [Chart.Row(label: "Fiction", count: fiction), Chart.Row(label: "Non-fiction", count: other)]
        let unknown = statistics.bookCount - fiction - other
        if unknown > 0 { rows.append(.init(label: Facet.fiction.absenceName, count: unknown)) }
        return Chart("Kinds", rows, scale: statistics.bookCount)
    }

    // MARK: - User data

    private static func statuses(_ statistics: Statistics) -> Chart? {
        if statistics.withoutStatusCount == statistics.bookCount { return nil }
        let rows = Book.ReadingStatus.allCases.map {
            Chart.Row(label: FacetValue.name(of: $0), count: statistics.statuses[$0] ?? 0)
        }
        let rest = statistics.withoutStatusCount
        return Chart(
            "Status", rows + (rest > 0 ? [.init(label: Facet.status.absenceName, count: rest, isRest: true)] : []))
    }

    private static func ratings(_ statistics: Statistics) -> Chart? {
        let ratings = statistics.halfStars
        guard let mean = statistics.meanRating else { return nil }
        // Each whole star from one on has a row, and what lies between them if a book has it.
        let rows = (0...10).reversed().compactMap { halves in
            let count = ratings.count(in: halves...halves)
            let isWhole = halves > 0 && halves.isMultiple(of: 2)
            return isWhole || count > 0 ? Chart.Row(label: StarRating(halves: halves).text, count: count) : nil
        }
        let rest = statistics.bookCount - ratings.bookCount
        return Chart(
            "Ratings", rows + (rest > 0 ? [.init(label: "Not rated", count: rest, isRest: true)] : []),
            summary: "\(mean.shown) stars on average")
    }

    // MARK: - The catalog's own fields

    /// Returns the chart of a field that only the catalog has; nil if all values are different texts.
    private static func own(_ statistics: OwnStatistics, _ bookCount: Int, in store: BookStore) -> Chart? {
        let title = statistics.field.info.label
        let rest = bookCount - statistics.knownCount
        let unknown = rest > 0 ? [Chart.Row(label: Facet.unknownName, count: rest, isRest: true)] : []
        if statistics.knownCount == 0 { return nil }
        if let numbers = statistics.numbers {
            func shown(_ number: Double) -> String { FieldValue.number((number * 100).rounded() / 100).text }
            let rows = numbers.bins.map { bin in
                let isOne = bin.range.lowerBound == bin.range.upperBound
                return Chart.Row(
                    label: isOne
                        ? shown(bin.range.lowerBound) : "\(shown(bin.range.lowerBound))–\(shown(bin.range.upperBound))",
                    count: bin.count)
            }
            return Chart(
                title, rows + unknown,
                summary: "\(shown(numbers.range.lowerBound)) to \(shown(numbers.range.upperBound)), mean "
                    + "\(shown(numbers.mean(of: statistics.knownCount))), sum \(shown(numbers.sum))")
        }
        if let years = statistics.years {
            guard let window = Window(of: years.entries.map { ($0.number, $0.count) }, length: yearCount) else {
                return nil
            }
            var rows = window.counts.map { Chart.Row(label: PartialDate.name(ofYear: $0.number), count: $0.count) }
            window.addRemainders(to: &rows, from: window.range.lowerBound, to: window.range.upperBound)
            return Chart(title, rows + unknown)
        }
        guard let values = statistics.values, let first = values.values.first,
            first.count > 1 || values.distinctCount <= valueCount / 2
        else { return nil }
        let shown = values.values.prefix(valueCount)
        return Chart(
            title, shown.map { Chart.Row(label: $0.name(in: store), count: $0.count) } + unknown,
            extent: values.distinctCount > shown.count ? "top \(shown.count) of \(values.distinctCount.grouped)" : "")
    }

    // MARK: - Fields

    private static func fields(_ statistics: Statistics, _ schema: Schema) -> Chart {
        let rows =
            statistics.fields.map { Chart.Row(label: label(of: $0.field), count: $0.count) }
            + schema.own.compactMap { field in
                statistics.own.first { $0.field == field }.map {
                    Chart.Row(label: field.info.label, count: $0.knownCount)
                }
            }
        return Chart("Field coverage", rows, scale: statistics.bookCount)
    }

    private static func label(of field: BookField) -> String {
        switch field {
        case .isbn: "Valid ISBN"
        case .published: "Year"
        case .fiction: "Kind"
        default: field.info.label
        }
    }
}

/// A range of page counts.
public struct PageBin: Hashable, Sendable {
    /// The page counts.
    public let pages: ClosedRange<Int>
    /// Whether the range has no upper limit.
    public let isOpen: Bool

    /// All ranges in ascending order: hundreds of pages up to 999, and 1,000 or more.
    public static let all =
        (0..<10).map { PageBin(pages: max(1, $0 * 100)...($0 * 100 + 99), isOpen: false) }
        + [PageBin(pages: 1000...Int.max, isOpen: true)]

    /// The display name: "100–199", "1,000 or more".
    var name: String {
        isOpen ? "\(pages.lowerBound.grouped) or more" : "\(pages.lowerBound)–\(pages.upperBound)"
    }
}

/// The range of numbers that contains the most books, so that a mistyped year does not displace all others.
private struct Window {
    /// The range, from the first to the last number that a book in it has.
    var range: ClosedRange<Int>
    /// All numbers in the range, with the number of books.
    var counts: [(number: Int, count: Int)]
    /// The number of books below and above the range.
    var before = 0
    var after = 0

    /// Finds the best range of at most `length` numbers in ascending `entries`, the last one if several are equal;
    /// fails without entries.
    init?(of entries: [(number: Int, count: Int)], length: Int) {
        guard var best = entries.indices.first else { return nil }
        var (bestSum, sum, end) = (0, 0, 0)
        for start in entries.indices {
            while end < entries.count, entries[end].number < entries[start].number + length {
                sum += entries[end].count
                end += 1
            }
            if sum >= bestSum { (best, bestSum) = (start, sum) }
            sum -= entries[start].count
        }
        let first = entries[best].number
        let shown = entries[best...].prefix { $0.number < first + length }
        range = first...(shown.last?.number ?? first)
        let known = Dictionary(uniqueKeysWithValues: shown.map { ($0.number, $0.count) })
        counts = range.map { ($0, known[$0] ?? 0) }
        before = entries[..<best].reduce(0) { $0 + $1.count }
        after = entries[shown.endIndex...].reduce(0) { $0 + $1.count }
    }

    /// Adds rows for the books outside the range, labelled with the years `first` and `last`.
    func addRemainders(to rows: inout [Chart.Row], from first: Int, to last: Int) {
        func label(_ word: String, _ year: Int) -> String { "\(word) \(PartialDate.name(ofYear: year))" }
        if before > 0 { rows.insert(.init(label: label("before", first), count: before, isRest: true), at: 0) }
        if after > 0 { rows.append(.init(label: label("after", last), count: after, isRest: true)) }
    }
}

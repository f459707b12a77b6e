internal import Books
internal import Catalog
internal import JSON
internal import Library
internal import Search

/// The JSON output of statistics, whose members are never removed or renamed.
struct StatisticsReport {
    private let statistics: Statistics
    private let store: BookStore
    private let list: String?
    private let query: String?
    private let missingCount: Int
    private let reading: ReadingStatistics
    private let goal: Int?

    /// Creates the report on `statistics` of the books of `store` in `list` that match `query`.
    ///
    /// - Parameters:
    ///   - missingCount: The number of books in the list that are not in the catalog.
    ///   - reading: The reader's statistics, which do not depend on list and query.
    ///   - goal: The number of books to read in a year, if the reader has set one.
    init(
        _ statistics: Statistics, in store: BookStore, list: String?, query: String?, missingCount: Int,
        reading: ReadingStatistics, goal: Int?
    ) {
        (self.reading, self.goal) = (reading, goal)
        (self.statistics, self.store, self.list, self.query) = (statistics, store, list, query)
        self.missingCount = missingCount
    }

    /// The sentence about the books that were not counted; nil if all were.
    var remark: String? {
        missingCount == 0
            ? nil
            : "\(missingCount.of("book")) of this list \(missingCount == 1 ? "is" : "are") not in this catalog, "
                + "and not counted."
    }

    /// The report as a JSON object with one member per line.
    var json: String {
        let members: [(String, JSONValue)] = [
            ("catalog", .string(store.name)), ("list", list.map(JSONValue.string) ?? .null),
            ("query", query.map(JSONValue.string) ?? .null), ("books", number(statistics.bookCount)),
            ("notInCatalog", number(missingCount)), ("years", years), ("pages", pages),
            ("authors", values(of: .author)), ("subjects", values(of: .subject)), ("languages", values(of: .language)),
            ("series", values(of: .series)), ("fiction", fiction), ("status", status),
            ("favourites", number(statistics.favouriteCount)), ("ratings", ratings), ("added", added),
            ("fields", fields), ("own", own), ("reading", ReadingReport(reading, goal: goal).value),
        ]
        var text: [UInt8] = Array("{".utf8)
        for (index, (key, value)) in members.enumerated() {
            text += "\(index == 0 ? "" : ",")\n\"\(key)\":".utf8
            value.writeHarmlessly(to: &text)
        }
        return String(decoding: text, as: UTF8.self) + "\n}\n"
    }

    private func number(_ number: Int?) -> JSONValue { number.map { .number(String($0)) } ?? .null }

    private var years: JSONValue {
        let decades = statistics.decades.map { counted in
            let years = counted.decade.years
            return jsonObject([
                "name": .string(counted.decade.name), "from": number(years.lowerBound), "to": number(years.upperBound),
                "count": number(counted.count),
            ])
        }
        return .object(spread(of: statistics.years) + [.init(key: "decades", value: .array(decades))])
    }

    private var pages: JSONValue {
        let bins = PageBin.all.map { bin in
            jsonObject([
                "from": number(bin.pages.lowerBound), "to": number(bin.isOpen ? nil : bin.pages.upperBound),
                "count": number(statistics.pages.count(in: bin.pages)),
            ])
        }
        return .object(spread(of: statistics.pages) + [.init(key: "bins", value: .array(bins))])
    }

    /// Returns the number of books that have a number, and the minimum, quartiles and maximum of these numbers.
    private func spread(of histogram: Histogram) -> [JSONValue.Member] {
        [
            .init(key: "known", value: number(histogram.bookCount)),
            .init(key: "least", value: number(histogram.entries.first?.number)),
            .init(key: "lowerQuartile", value: number(histogram.quantile(0.25))),
            .init(key: "median", value: number(histogram.quantile(0.5))),
            .init(key: "upperQuartile", value: number(histogram.quantile(0.75))),
            .init(key: "greatest", value: number(histogram.entries.last?.number)),
        ]
    }

    /// The fields that only the catalog has, by name.
    private var own: JSONValue {
        func number(_ number: Double) -> JSONValue { .number(FieldValue.number(number).text) }
        return .object(
            store.schema.own.compactMap { field in
                guard let own = statistics.own.first(where: { $0.field == field }) else { return nil }
                var members: [JSONValue.Member] = [
                    .init(key: "label", value: .string(field.info.label)),
                    .init(key: "kind", value: .string(field.info.own?.kind.rawValue ?? "")),
                    .init(key: "known", value: self.number(own.knownCount)),
                ]
                if let numbers = own.numbers {
                    members += [
                        .init(key: "sum", value: number(numbers.sum)),
                        .init(key: "mean", value: number(numbers.mean(of: own.knownCount))),
                        .init(key: "least", value: number(numbers.range.lowerBound)),
                        .init(key: "greatest", value: number(numbers.range.upperBound)),
                    ]
                }
                if let years = own.years { members += spread(of: years).dropFirst() }
                if let values = own.values { members += self.values(values).members?.dropFirst() ?? [] }
                return .init(key: field.id, value: .object(members))
            })
    }

    private func values(of facet: Facet) -> JSONValue { values(statistics.facets[facet]) }

    private func values(_ counts: FacetCounts) -> JSONValue {
        let values = counts.values.map { value in
            jsonObject(["name": .string(value.name(in: store)), "count": number(value.count)])
        }
        return jsonObject([
            "known": number(statistics.bookCount - counts.unknownCount), "distinct": number(counts.distinctCount),
            "top": .array(values),
        ])
    }

    private var fiction: JSONValue {
        let (fiction, other) = (statistics.fictionCount, statistics.nonFictionCount)
        return jsonObject([
            "fiction": number(fiction), "nonFiction": number(other),
            "unknown": number(statistics.bookCount - fiction - other),
        ])
    }

    private var status: JSONValue {
        .object(
            Book.ReadingStatus.allCases.map {
                JSONValue.Member(key: $0.rawValue, value: number(statistics.statuses[$0] ?? 0))
            } + [.init(key: "none", value: number(statistics.withoutStatusCount))])
    }

    private var ratings: JSONValue {
        let ratings = statistics.ratings
        return jsonObject([
            "known": number(ratings.bookCount),
            "mean": statistics.meanRating.map { .number(String(($0 * 100).rounded() / 100)) } ?? .null,
            "stars": .array((0...5).map { number(ratings.count(in: $0...$0)) }),
        ])
    }

    private var added: JSONValue {
        let years = statistics.yearsAdded
        return jsonObject([
            "known": number(years.bookCount),
            "years": .array(years.entries.map { jsonObject(["year": number($0.number), "count": number($0.count)]) }),
        ])
    }

    private var fields: JSONValue {
        .object(
            statistics.fields.map { field in
                let share = statistics.bookCount == 0 ? 0 : Double(field.count) / Double(statistics.bookCount)
                return JSONValue.Member(
                    key: field.field.id,
                    value: jsonObject([
                        "count": number(field.count), "share": .number(String((share * 10_000).rounded() / 10_000)),
                    ]))
            })
    }
}

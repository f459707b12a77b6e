internal import Books
internal import Browser
internal import Formats
internal import Graphemes
internal import JSON
internal import Library
internal import Storage
internal import TerminalUI
internal import Text

/// Prints what was read in a year.
struct YearReview {
    /// The catalog to open.
    var catalog: CatalogRequest
    /// The year.
    var year: Int
    /// The output format; nil prints text.
    var format: CatalogStatistics.Format?

    /// Prints the review.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            let opened = try OpenedLibrary(catalog)
            let library = opened.library
            let setting =
                library.today.year == year ? ConfigFile(in: Directories.ofEnvironment()).read().readingGoal : nil
            let books = library.identifiedBooks
            let review = YearInReview(
                of: year, books.map(\.book), library.readingStatistics(today: library.today),
                target: library.readingGoal(of: year, else: setting))
            let code: Int32
            switch format {
            case .json: code = PlainList.write(Self.json(of: review, books))
            case .text, nil:
                if review.isEmpty { printError(CommandMessage.nothingRead.text(String(year))) }
                code = review.isEmpty ? 0 : PlainList.write(Self.text(of: review, width: outputSize().columns))
            }
            if code != 0 { return code }
            let status = opened.finish()
            return status == 0 && review.isEmpty ? ExitStatus.nothingFound : status
        } catch {
            return error.report()
        }
    }

    // MARK: - Text

    /// Returns the review in lines of at most `width` columns.
    static func text(of review: YearInReview, width: Int) -> String {
        var lines = ["\(review.year): \(review.summary)"]
        if let target = review.target {
            let share = review.finished.count.percentage(of: target)
            lines.append("Goal: \(review.finished.count.grouped) of \(target.of("book")), \(share)")
        }
        lines += [""] + months(of: review, width: width) + [""]
        lines += entries(of: review)
        return lines.map { $0.sanitized.clipped(to: max(1, width)).text + "\n" }.joined()
    }

    private static func months(of review: YearInReview, width: Int) -> [String] {
        let mostBooks = review.months.map(\.books).reduce(1, max)
        let bookWidth = review.months.map(\.books.grouped.count).reduce(1, max)
        let pageWidth = review.months.map(\.shownPages.count).reduce(1, max)
        return review.months.map { month in
            let books = String(repeating: " ", count: bookWidth - month.books.grouped.count) + month.books.grouped
            let pages = String(repeating: " ", count: pageWidth - month.shownPages.count) + month.shownPages
            let start = "\(month.month.shortName)  \(books) \(month.books == 1 ? "book " : "books")  \(pages) pages  "
            let bar = Bar.text(
                fraction: Double(month.books) / Double(mostBooks), width: max(0, min(40, width - start.count)))
            return month.books == 0 ? start.trimmingBlankEnd : start + bar
        }
    }

    /// The lines about single books and authors, each with its label in the first column.
    private static func entries(of review: YearInReview) -> [String] {
        func name(_ reading: LoggedReading) -> String {
            ([reading.book.title] + reading.book.authors.prefix(1)).joined(separator: ", ")
        }
        func pages(_ reading: LoggedReading) -> String {
            (reading.book.pageCount ?? 0).of("page") + "  " + name(reading)
        }
        func pace(_ pace: YearInReview.Pace) -> String {
            "\(Int(pace.pagesPerDay.rounded()).of("page")) a day, \(pace.dayCount.of("day"))  \(name(pace.reading))"
        }
        let groups: [(label: String, lines: [String])] = [
            ("Best", review.best.map { ($0.book.rating?.text ?? "") + "  " + name($0) }),
            ("Longest", review.longest.map { [pages($0)] } ?? []),
            ("Shortest", review.shortest.map { [pages($0)] } ?? []),
            ("Fastest", review.fastest.map { [pace($0)] } ?? []),
            ("Slowest", review.slowest.map { [pace($0)] } ?? []),
            ("Authors", review.authors.map { "\($0.name), \($0.count.of("book"))" }),
        ]
        return groups.flatMap { group in
            group.lines.enumerated().map { ($0.offset == 0 ? group.label : "").padded(to: 10) + $0.element }
        }
    }

    // MARK: - JSON

    /// Returns the review as a JSON object, whose members are never removed or renamed.
    static func json(of review: YearInReview, _ books: [IdentifiedBook]) -> String {
        let ids = Dictionary(books.map { ($0.book.place, $0.id) }) { first, _ in first }
        func number(_ number: Int?) -> JSONValue { number.map { JSONValue($0) } ?? .null }
        func decimal(_ number: Double) -> JSONValue { .number(String((number * 100).rounded() / 100)) }
        func book(_ reading: LoggedReading?) -> JSONValue {
            guard let reading else { return .null }
            let (book, days) = (reading.book, reading.reading)
            return jsonObject([
                "id": JSONValue(ids[book.place]?.description) ?? .null, "title": .string(book.title),
                "authors": JSONValue(book.authors), "pages": number(book.pageCount),
                "stars": book.rating.map { .number($0.number) } ?? .null, "start": JSONValue(days.start) ?? .null,
                "end": JSONValue(days.end) ?? .null,
            ])
        }
        func pace(_ pace: YearInReview.Pace?) -> JSONValue {
            guard let pace else { return .null }
            return jsonObject([
                "book": book(pace.reading), "days": number(pace.dayCount), "pagesPerDay": decimal(pace.pagesPerDay),
            ])
        }
        let value = jsonObject([
            "year": number(review.year), "goal": number(review.target), "books": number(review.finished.count),
            "withoutPageCount": number(review.pagelessCount), "pages": decimal(review.pageCount),
            "days": number(review.dayCount), "abandoned": number(review.abandonedCount),
            "months": .array(
                review.months.map { month in
                    jsonObject([
                        "month": .string(month.month.text), "books": number(month.books), "pages": number(month.pages),
                        "days": number(month.days),
                    ])
                }),
            "best": .array(review.best.map(book)), "longest": book(review.longest), "shortest": book(review.shortest),
            "fastest": pace(review.fastest), "slowest": pace(review.slowest),
            "authors": .array(
                review.authors.map { jsonObject(["name": .string($0.name), "books": number($0.count)]) }),
            "readings": .array(review.finished.map(book)),
        ])
        var text: [UInt8] = []
        value.writeHarmlessly(to: &text)
        return String(decoding: text, as: UTF8.self) + "\n"
    }
}

extension String {
    /// The text without blanks at its end.
    fileprivate var trimmingBlankEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}

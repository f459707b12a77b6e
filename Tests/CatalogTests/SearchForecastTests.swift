import CSystem
import CatalogTesting
import RandomTesting
import Storage
import Testing

@testable import Catalog

/// What is found out before a key is pressed against what is found when it is.
struct SearchForecastTests {
    private static let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let kinds = SearchPlan.kinds(of: nil)

    /// The ranks of the books if each character is typed behind `beginning`, by the forecast.
    private func forecast(
        _ text: [UInt8], _ ends: [UInt32], _ beginning: [UInt8],
        _ make: (UnsafePointer<UInt8>, UnsafePointer<UInt32>, Int, text_needle, UnsafeMutablePointer<UInt64>) -> Void
    ) -> [[UInt8]] {
        // What is not written to shows.
        var words = [UInt64](repeating: 0x5555_5555_5555_5555, count: forecast_size(ends.count) + 1)
        beginning.withUnsafeBufferPointer { beginning in
            let needle = text_needle(
                bytes: beginning.baseAddress, count: beginning.count, kinds: Self.kinds, begins_line: false)
            make(text, ends, ends.count, needle, &words)
        }
        #expect(words.last == 0x5555_5555_5555_5555)
        return Self.characters.map { character in
            let number = forecast_number(character)
            var counts = [Int](repeating: 0, count: Int(FORECAST_RANKS))
            let total = forecast_count(words, ends.count, number, &counts)
            #expect(total == counts.reduce(0, +))
            var books = [UInt32](repeating: 0, count: total + 1)
            books.withUnsafeMutableBufferPointer { books in
                var places: [UnsafeMutablePointer<UInt32>?] = []
                var end = 0
                for count in counts {
                    places.append(books.baseAddress.map { $0 + end })
                    end += count
                }
                forecast_list(words, ends.count, number, 1000, &places)
            }
            var ranks = [UInt8](repeating: SegmentSearch.noMatch, count: ends.count)
            var next = 0
            for (rank, count) in counts.enumerated() {
                let found = books[next..<next + count]
                #expect(Array(found) == found.sorted())
                for book in found { ranks[Int(book) - 1000] = UInt8(rank) }
                next += count
            }
            return ranks
        }
    }

    /// The same, book by book.
    private func ranks(_ text: [UInt8], _ ends: [UInt32], _ word: [UInt8]) -> [UInt8] {
        word.withUnsafeBufferPointer { word in
            let needle = text_needle(bytes: word.baseAddress, count: word.count, kinds: Self.kinds, begins_line: false)
            return text.withUnsafeBufferPointer { text in
                ends.indices.map { book in
                    let start = book == 0 ? 0 : Int(ends[book - 1])
                    return text_rank_plain(text.baseAddress.map { $0 + start }, Int(ends[book]) - start, needle)
                }
            }
        }
    }

    @Test(arguments: ["", "e", "th", "k", "1", "97", "ek", "é", "-", "漢", "king "])
    func eachCharacterFindsWhatWasForecast(beginning: String) {
        var random = SplitMix(seed: UInt64(beginning.utf8.count) + 0xF0CA)
        let beginning = Array(beginning.utf8)
        for round in 0..<40 {
            let (text, ends) = TextSearchTests.frequentTexts(upTo: 200, round, &random)
            let expected = Self.characters.map { ranks(text, ends, beginning + [$0]) }
            for (name, make) in [("fast", forecast_make), ("plain", forecast_make_plain)] {
                let found = forecast(text, ends, beginning, make)
                for (index, character) in Self.characters.enumerated() where found[index] != expected[index] {
                    Issue.record("\(name), round \(round): \(Unicode.Scalar(character)) finds other books")
                }
            }
        }
    }

    @Test func onlyLettersAndDigitsAreForecast() {
        let numbers = (0...255).map { forecast_number($0) }.filter { $0 < FORECAST_CHARACTERS }
        #expect(numbers.sorted() == Array(0..<UInt32(FORECAST_CHARACTERS)))
        #expect(Self.characters.map { forecast_number($0) } == Array(0..<UInt32(FORECAST_CHARACTERS)))
    }

    // MARK: In searches

    private let index = SearchedIndex(
        BookIndex(of: [
            .make(title: "Emma", authors: ["Jane Austen"]), .make(title: "The Egg"), .make(title: "Größe"),
        ]))
    private let team = WorkTeam(threadCount: 0)

    private func forecast(after text: String, in list: BookList? = nil) -> SearchForecast? {
        let scope = BookSearch.Scope(list ?? BookList(allOf: index.index.count), of: index.index)
        return SearchForecast(after: Query(text), in: scope, by: team)
    }

    @Test func thereIsOneForWhatIsBegunAndForNothingElse() {
        for text in ["", "e", "EM", "größ", "\"the e\"", "97"] { #expect(forecast(after: text) != nil, "\(text)") }
        for text in ["e m", "-e", "author:e", "e|m", "/e/", "year:1990", "is:favourite"] {
            #expect(forecast(after: text) == nil, "\(text)")
        }
        #expect(forecast(after: "e", in: BookList([0, 2])) == nil)
        #expect(SearchForecast(after: Query(""), in: BookSearch.Scope(BookList([]), of: BookIndex()), by: team) == nil)
    }

    @Test(arguments: [
        ("", "e", true), ("e", "em", true), ("e", "eg", true), ("EM", "emm", true), ("e", "EM", true),
        ("e", "emm", false), ("e", "me", false), ("em", "e", false), ("e", "e", false), ("e", "e m", false),
        ("gro", "groß", false), ("e", "e-", false), ("e", "author:em", false), ("", "é", true),
    ])
    func itAnswersWhereOneCharacterWasTypedBehind(before: String, after: String, isAnswered: Bool) throws {
        let forecast = try #require(self.forecast(after: before))
        #expect((forecast.answer(to: SearchPlan(Query(after).expression)) != nil) == isAnswered)
        #expect(index.search(Query(after), with: forecast).list.rows == index.search(Query(after)).list.rows)
    }

    @Test func whatItSaysOfOtherBooksIsNotTaken() throws {
        let forecast = try #require(self.forecast(after: "e"))
        let others = SearchedIndex(BookIndex(of: [.make(title: "Emil"), .make(title: "Ems"), .make(title: "Egg")]))
        #expect(others.search(Query("em"), with: forecast).list.rows == [0, 1])
    }

    @Test func wordsThatAreTypedFindTheSameWithItAndWithout() {
        let books = RandomQueries.books(400, seed: 0xF0CA)
        let comparison = SearchComparison(books, SearchComparison.index(of: books, segments: [64, 1, 200]))
        var queries = RandomQueries(of: books, seed: 12)
        for _ in 0..<200 {
            let word = queries.word()
            if let complaint = comparison.complaintOfForecasts(whenTyping: word) { Issue.record("\(complaint)") }
        }
    }
}

import TestSupport
import Testing
import Threading

@testable import Books
@testable import Library

@Suite("Looking books up in several sources") struct LookupSessionTests {
    private static let game = LookupQuery.isbn(ISBN("9780553103540"))
    private static let other = LookupQuery.isbn(ISBN("9780141439587"))

    private static func book(_ title: String, pages: Int? = nil, _ change: (inout Book) -> Void = { _ in }) -> Book {
        var book = Book(title: title, isbn: ISBN("9780553103540"))
        book.pageCount = pages
        change(&book)
        return book
    }

    /// A source that answers with a book, or fails, once its gate is open.
    private static func source(
        _ name: String, _ book: Book?, isServer: Bool = false, gate: Locked<Bool> = Locked(true),
        asked: Locked<[LookupQuery]> = Locked([])
    ) -> LookupSource {
        LookupSource(name: name, path: name, isServer: isServer) {
            { query throws(LookupSource.Failure) in
                asked.change { $0.append(query) }
                while !gate.wait(milliseconds: 10_000, until: { $0 }) {}
                guard let book else { throw LookupSource.Failure(sentence: "\(name) is gone", exitStatus: 69) }
                return [book]
            }
        }
    }

    @Test func answersComeAsSoonAsASourceHasOne() throws {
        let gate = Locked(false)
        let notices = Locked(0)
        let session = LookupSession(
            in: [Self.source("slow", Self.book("B"), gate: gate), Self.source("fast", Self.book("A"))]
        ) { notices.change { $0 += 1 } }
        let number = session.add(Self.game)
        let isNotified = notices.wait(milliseconds: 10_000) { $0 == 1 }
        #expect(isNotified)
        let first = session.answerSoFar(to: number)
        #expect(first.found.map(\.source) == ["fast"] && !first.isComplete && !session.hasAnswer(to: number))
        gate.change { $0 = true }
        let all = session.answer(to: number)
        // In the order of the sources, not in that of the answers.
        #expect(all.found.map(\.source) == ["slow", "fast"] && all.isComplete)
    }

    @Test func aServerThatFailedIsNotAskedAgainAtOnceAndHidesNoOther() {
        let asked = Locked<[LookupQuery]>([])
        let session = LookupSession(in: [
            Self.source("down", nil, isServer: true, asked: asked), Self.source("up", Self.book("A")),
        ])
        let numbers = [Self.game, Self.other].map { session.add($0) }
        for number in numbers {
            let answer = session.answer(to: number)
            #expect(answer.failures.map(\.source) == ["down"] && answer.found.map(\.source) == ["up"])
            #expect(answer.failures.first?.failure.exitStatus == 69)
        }
        #expect(asked.withLock { $0 } == [Self.game])
    }

    @Test func aServerThatCannotAnswerOneQueryIsAskedTheNext() {
        let source = LookupSource(name: "titles", path: "titles", isServer: true) {
            { query throws(LookupSource.Failure) in
                if case .title = query { return [Self.book("A")] }
                throw LookupSource.Failure(sentence: "no index", exitStatus: 64, isOfQuery: true)
            }
        }
        let session = LookupSession(in: [source])
        let (first, second) = (session.add(Self.game), session.add(.title("A", author: "")))
        #expect(session.answer(to: first).failures.count == 1)
        #expect(session.answer(to: second).found.map(\.source) == ["titles"])
    }

    @Test func aQueryThatWasTakenBackIsNotAsked() {
        let gate = Locked(false)
        let asked = Locked<[LookupQuery]>([])
        let session = LookupSession(in: [Self.source("a", Self.book("A"), gate: gate, asked: asked)])
        session.add(Self.game)
        let number = session.add(Self.other)
        session.remove(number)
        let last = session.add(Self.game)
        gate.change { $0 = true }
        #expect(session.answer(to: last).found.count == 1)
        #expect(asked.withLock { $0 } == [Self.game, Self.game])
        #expect(session.answerSoFar(to: number).found.isEmpty)
    }

    @Test func threadsEndWithTheSession() {
        let asked = Locked<[LookupQuery]>([])
        let session = LookupSession(in: [Self.source("a", Self.book("A"), asked: asked)])
        session.wait(forAnswerTo: session.add(Self.game))
        session.end()
        session.add(Self.other)
        #expect(!session.hasAnswer(to: 1))
    }

    // MARK: - Values

    private static func found(_ books: (String, Book)...) -> LookedUpBook {
        var answer = LookupSession.Answer()
        answer.found = books.map { LookupSession.Found(source: $0.0, book: $0.1) }
        return LookedUpBook.books(of: answer, to: game)[0]
    }

    @Test func valuesThatDifferInTheirSpellingOnlyAreOne() {
        let known = Self.found(
            ("loc", Self.book("A game of thrones") { $0.authors = ["Martin, George R. R."] }),
            ("dnb", Self.book("A Game of Thrones.") { $0.authors = ["George R.R. Martin"] }))
        #expect(known.offers(for: .title).map(\.sources) == [["loc", "dnb"]])
        #expect(known.agreed(for: .authors)?.sources == ["loc", "dnb"])
    }

    @Test func whatDiffersIsNotAgreed() {
        let known = Self.found(
            ("loc", Self.book("A", pages: 694)), ("dnb", Self.book("A", pages: 700)),
            ("bnf", Self.book("A", pages: 694)))
        #expect(known.offers(for: .pageCount).map(\.sources) == [["loc", "bnf"], ["dnb"]])
        #expect(known.agreed(for: .pageCount) == nil)
        #expect(known.agreed(for: .title)?.value == .text("A"))
    }

    @Test func aYearAndADayInItAgree() {
        let known = Self.found(
            ("loc", Self.book("A") { $0.published = PartialDate(year: 1996) }),
            ("dnb", Self.book("A") { $0.published = PartialDate(year: 1996, month: 8) }))
        #expect(known.agreed(for: .published)?.value == .date(PartialDate(year: 1996, month: 8)))
    }

    @Test func theItemsOfListsAreJoined() {
        let known = Self.found(
            ("loc", Self.book("A") { $0.subjects = ["Fantasy"] }), ("dnb", Self.book("A") { $0.subjects = ["Dragons"] })
        )
        #expect(known.agreed(for: .subjects)?.value.texts == ["Fantasy", "Dragons"])
    }

    @Test func aNumberBelongsToItsSeries() {
        let known = Self.found(("loc", Self.book("A") { ($0.series, $0.seriesPosition) = ("Ice and fire", 1) }))
        #expect(known.agreed(for: .seriesPosition)?.value.text == "1")
        #expect(known.agreed(for: .seriesPosition, inSeries: "ice and Fire") != nil)
        #expect(known.agreed(for: .seriesPosition, inSeries: "Penguin Classics") == nil)
    }

    @Test func numbersThatDifferAreShownAndThoseOfAnotherSeriesAreNot() {
        func inSeries(_ series: String, _ number: Double) -> Book {
            Self.book("A") { ($0.series, $0.seriesPosition) = (series, number) }
        }
        let differing = Self.found(("l", inSeries("Ice", 1)), ("m", inSeries("ICE", 2)))
        #expect(differing.offers(for: .seriesPosition).map(\.value.text) == ["1", "2"])
        #expect(differing.agreed(for: .seriesPosition) == nil)
        let undecided = Self.found(("l", inSeries("Foo", 1)), ("m", inSeries("Bar", 7)))
        #expect(undecided.offers(for: .seriesPosition).isEmpty)
        #expect(undecided.offers(for: .seriesPosition, inSeries: "bar").map(\.value.text) == ["7"])
    }

    @Test func oneISBNIsOneHoweverItIsWritten() {
        #expect(FieldValue.isbn(ISBN("0-553-10354-7")).isSpelling(of: .isbn(ISBN("9780553103540")), in: .isbn))
        #expect(!FieldValue.isbn(ISBN("9780141439587")).isSpelling(of: .isbn(ISBN("9780553103540")), in: .isbn))
    }

    @Test func whatHoldsInOneCatalogOnlyIsNotOffered() {
        let known = Self.found(("loc", Self.book("A") { ($0.sourceID, $0.rating, $0.status) = ("7", 4, .read) }))
        for field in [BookField.sourceID, .rating, .status] { #expect(known.offers(for: field).isEmpty) }
    }

    @Test func aBookThatWasScannedLacksATitle() {
        let isbn = ISBN("9780553103540")
        #expect(LookedUpBook.lacks(.title, Book(title: isbn.formatted, isbn: isbn)))
        #expect(!LookedUpBook.lacks(.title, Self.book("A")))
        #expect(LookedUpBook.lacks(.pageCount, Self.book("A")))
    }
}

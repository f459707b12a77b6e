import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Text
@testable import Threading

/// A job that occupies two threads until it may end.
private final class Gate: ParallelJob {
    let isOpen = Locked(false)
    let begunCount = Locked(0)
    let partCount = 2

    func perform(part: Int) {
        begunCount.change { $0 += 1 }
        _ = isOpen.wait(for: { $0 ? true : nil })
    }

    func complete() -> Bool? { true }
}

@Suite("Sections: grouping a list") struct SectionBuilderTests {
    private func sections(
        of books: [Book], by key: SectionKey, _ list: BookList? = nil, _ order: SectionOrder = .folded,
        isDescending: Bool = false, segmentSize: Int = 3, threadCount: Int = 2,
        userData: UserDataFilter = UserDataFilter()
    ) throws -> BookSections {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        let pool = ThreadPool(threadCount: threadCount)
        let grouping = index.sections(
            of: list ?? BookList(allOf: books.count), by: key, order, isDescending: isDescending, userData: userData,
            on: pool)
        #expect(grouping.wait(milliseconds: 20_000) != nil)
        return try #require(grouping.value)
    }

    /// Returns the sections as text: the title, and the indices of the books.
    private func described(_ sections: BookSections, _ books: [Book]) -> [String] {
        let titles = SectionTitles(of: sections, in: BookStore(of: books))
        return (0..<sections.count).map { section in
            let indices = sections.rows(ofSection: section).map { String(sections.list[$0].number) }
            return "\(titles[section]): \(indices.joined(separator: " "))"
        }
    }

    private func book(
        _ title: String = "Emma", authors: [String] = [], subjects: [String] = [], series: String? = nil,
        year: Int? = nil,
        fiction: Bool? = nil, status: Book.ReadingStatus? = nil, sortTitle: String? = nil
    ) -> Book {
        var book = Book.make(title: title, authors: authors, fiction: fiction)
        (book.subjects, book.series, book.status, book.sortTitle) = (subjects, series, status, sortTitle)
        book.published = year.map { PartialDate(year: $0) }
        return book
    }

    @Test func titlesStandUnderTheirFirstLetters() throws {
        let books = ["Ulysses", "Émile", "2001", "", "emma", "Жизнь", "8½", "雪国", "'Salem"].map { book($0) }
        let sections = try sections(of: books, by: .letter)
        #expect(
            described(sections, books) == [
                "0–9: 2 6", "#: 8", "E: 1 4", "U: 0", "Ж: 5", "雪: 7", "Not known: 3",
            ])
        #expect(sections.hasUnknown)
    }

    @Test func aSortTitleCountsBeforeTheTitle() throws {
        let books = [book("The Stand", sortTitle: "Stand, The"), book("Tea"), book("", sortTitle: "Xa"), book("Sun")]
        #expect(described(try sections(of: books, by: .letter), books) == ["S: 0 3", "T: 1", "X: 2"])
    }

    @Test func letterSectionsCanBeCustomized() throws {
        // By the length of the title, the longest first, and English titles later.
        let order = SectionOrder(
            letter: { title, language in 1000 - UInt64(title.count) + (language.text == "en" ? 10_000 : 0) },
            letterTitle: { "\($0)" }, appendKey: nil)
        var english = book("aa")
        english.languages = ["en"]
        let books = [book("a"), book("aaa"), english, book("bb"), book("cc")]
        #expect(
            described(try sections(of: books, by: .letter, nil, order), books)
                == ["997: 1", "998: 3 4", "999: 0", "10998: 2"])
    }

    @Test func decadesAscend() throws {
        let books = [1999, -5, nil, 3, 1990, -750, 2024].map { book(year: $0) }
        #expect(
            described(try sections(of: books, by: .decade), books) == [
                "750s BC: 5", "0s BC: 1", "0s: 3", "1990s: 0 4", "2020s: 6", "Not known: 2",
            ])
    }

    @Test func descendingSectionsGoFromTheLastToTheFirstAndTheUnknownStayLast() throws {
        let books = [1999, -5, nil, 3, 1990].map { book(authors: $0 == nil ? [] : ["Author \($0 ?? 0)"], year: $0) }
        #expect(
            described(try sections(of: books, by: .decade, isDescending: true), books) == [
                "1990s: 0 4", "0s: 3", "0s BC: 1", "Not known: 2",
            ])
        #expect(
            described(try sections(of: books, by: .author, isDescending: true), books) == [
                "Author 3: 3", "Author 1999: 0", "Author 1990: 4", "Author -5: 1", "Not known: 2",
            ])
        #expect(try sections(of: [book()], by: .decade, isDescending: true).starts == [0])
        #expect(try sections(of: [], by: .decade, isDescending: true).starts == [])
    }

    @Test(arguments: [
        (SectionKey.letter, "-title", true), (.letter, "title", false), (.decade, "-year,title", true),
        (.decade, "author,-year", true), (.decade, "-rating", false), (.author, "-author", true),
        (.author, "-rating,author", false), (.series, "-series", true), (.status, "-title", false),
        (.subject, "-title", false), (.letter, "list", false),
    ])
    func sectionsFollowTheDirectionOfWhatTheyShow(key: SectionKey, order: String, isDescending: Bool) throws {
        #expect(try key.isDescending(in: #require(SortOrder(order))) == isDescending)
    }

    @Test func fictionIsBeforeAllElseAndStatusInItsOrder() throws {
        let books = [
            book(fiction: nil, status: .abandoned), book(fiction: false, status: .read),
            book(fiction: true, status: .reading),
            book(fiction: false, status: .toRead), book(fiction: true),
        ]
        #expect(
            described(try sections(of: books, by: .fiction), books) == [
                "Fiction: 2 4", "Non-fiction: 1 3", "Not known: 0",
            ])
        #expect(
            described(try sections(of: books, by: .status), books) == [
                "To read: 3", "Reading: 2", "Read: 1", "Abandoned: 0", "No status: 4",
            ])
    }

    @Test func userStatusOverridesTheCatalogs() throws {
        let books = [
            book(status: .abandoned), book(status: .read), book(), book(status: .toRead), book(), book(status: .read),
            book(),
        ]
        var userData = UserDataFilter()
        userData.statuses = [.read: [2, 3], .reading: [6], .toRead: [1], .abandoned: [0]]
        #expect(
            described(try sections(of: books, by: .status, userData: userData), books) == [
                "To read: 1", "Reading: 6", "Read: 2 3 5", "Abandoned: 0", "No status: 4",
            ])
        #expect(
            described(try sections(of: books, by: .status, BookList([6, 4, 3]), userData: userData), books) == [
                "Reading: 6", "Read: 3", "No status: 4",
            ])
        #expect(
            described(try sections(of: books, by: .fiction, userData: userData), books) == ["Not known: 0 1 2 3 4 5 6"])
    }

    @Test func authorsSubjectsAndSeriesAreInAlphabeticalOrderAndTheFirstCounts() throws {
        let books = [
            book(authors: ["Zoë", "Ann"], subjects: ["y"], series: "B, 2"),
            book(authors: ["", "Ann"], subjects: ["X", "y"]),
            book(authors: ["ann", "Zoë"], series: "b (1)"), book(subjects: ["Xa", "x"], series: "A #1"),
            book(authors: ["Annabel"], series: "A"),
        ]
        #expect(
            described(try sections(of: books, by: .author), books) == [
                "Ann: 1 2", "Annabel: 4", "Zoë: 0", "Not known: 3",
            ])
        #expect(described(try sections(of: books, by: .subject), books) == ["X: 1", "Xa: 3", "y: 0", "Not known: 2 4"])
        #expect(described(try sections(of: books, by: .series), books) == ["A: 3 4", "B: 0 2", "No series: 1"])
    }

    @Test func seriesStandUnderTheWordAfterTheirArticle() throws {
        let books = ["The Expanse", "A Court of Thorns", "Dune", "Expanse", "The Expanse, 2", "Cosmere", "Farseer"].map
        {
            book(series: $0)
        }
        let sections = try sections(of: books, by: .series, nil, .collated)
        #expect(
            described(sections, books) == [
                "Cosmere: 5", "A Court of Thorns: 1", "Dune: 2", "Expanse: 3", "The Expanse: 0 4", "Farseer: 6",
            ])
        #expect(sections.section(at: "c") == 0 && sections.section(at: "e") == 3 && sections.section(at: "f") == 5)
    }

    @Test func namesWithOneKeyAreOneSection() throws {
        // By the last word.
        let order = SectionOrder(
            letter: { _, _ in nil }, letterTitle: { _ in "" },
            appendKey: { key, name, buffer in
                #expect(key == .author)
                for byte in name.reversed().prefix(while: { $0 != UInt8(ascii: " ") }).reversed() {
                    buffer.append(byte)
                }
            })
        let books = ["Stephen King", "Émile Zola", "Carole King", "Jane Austen"].map { book(authors: [$0]) }
        #expect(
            described(try sections(of: books, by: .author, nil, order), books)
                == ["Jane Austen: 3", "Stephen King: 0 2", "Émile Zola: 1"])
    }

    @Test func aSectionKeepsTheOrderOfTheList() throws {
        let books = ["b", "a", "b", "a", "c"].map { book(authors: [$0]) }
        let sections = try sections(of: books, by: .author, BookList([4, 2, 3, 0, 1]))
        #expect(described(sections, books) == ["a: 3 1", "b: 2 0", "c: 4"])
        #expect(sections.starts == [0, 2, 4])
        #expect((0..<5).map(sections.section(ofRow:)) == [0, 0, 1, 1, 2])
        #expect(!sections.hasUnknown)
    }

    @Test func theListMayHaveMoreThanTheIndexOrNothing() throws {
        let books = ["b", "a"].map { book(authors: [$0]) }
        #expect(try sections(of: books, by: .author, BookList([7, 1, 0])).starts == [0, 1, 2])
        #expect(try sections(of: books, by: .fiction, BookList(allOf: 4)).starts == [0])
        for key in SectionKey.ofEveryBook {
            let none = try sections(of: books, by: key, BookList(allOf: 0))
            #expect(none.count == 0 && none.list.count == 0 && !none.hasUnknown)
            #expect(try sections(of: [], by: key).count == 0)
        }
    }

    @Test(arguments: SectionKey.ofEveryBook) func manyBooksAreDividedAsOneByOne(key: SectionKey) throws {
        let books = RandomShelves.books(3000, seed: 77)
        let rows = (0..<3000).map { $0 * 1301 % 3000 }.filter { $0 % 7 > 0 }
        let naive = Dictionary(grouping: rows) { NaiveSection(key, books[$0]) }.sorted { $0.key < $1.key }
        let expected = naive.flatMap(\.value)
        for (segmentSize, threadCount) in [(1, 3), (100, 1), (100, 2), (5000, 2)] {
            let sections = try sections(
                of: books, by: key, BookList(rows), segmentSize: segmentSize, threadCount: threadCount)
            #expect((0..<sections.list.count).map { sections.list[$0].index } == expected)
            #expect(sections.starts.count == naive.count)
            #expect((0..<sections.count).map { sections.rows(ofSection: $0).count } == naive.map(\.value.count))
            #expect(sections.hasUnknown == (naive.last?.key.isUnknown ?? false))
        }
    }

    @Test(arguments: SectionKey.ofEveryBook) func stoppedGroupingHasNoResult(key: SectionKey) {
        let index = BookIndex(of: RandomShelves.books(2000, seed: 3), segmentSize: 1)
        let pool = ThreadPool(threadCount: 2)
        for _ in 0..<10 {
            // The threads are busy until the grouping is stopped, so that it cannot be complete before.
            let gate = Gate()
            let waiting = pool.start(gate)
            #expect(gate.begunCount.wait(milliseconds: 10_000) { $0 == 2 })
            let grouping = index.sections(of: BookList(allOf: 2000), by: key, on: pool) {
                Issue.record("a stopped division is not complete")
            }
            grouping.cancel()
            gate.isOpen.change { $0 = true }
            #expect(waiting.wait(milliseconds: 10_000) != nil)
            #expect(grouping.wait(milliseconds: 10_000) == nil)
            #expect(grouping.value == nil)
        }
        #expect(index.sections(of: BookList(allOf: 2000), by: key, on: pool).wait(milliseconds: 10_000) != nil)
    }

    @Test func titlesComeFromTheIndexWhereTheRecordIsGone() throws {
        let books = [book(authors: ["Zoë"], year: 1990)]
        let none = BookStore(of: [])
        let sections = try sections(of: books, by: .decade)
        #expect(sections.title(ofSection: 0, in: none) == "1990s")
    }
}

/// The section of a book: a number, a text, or neither.
private struct NaiveSection: Hashable, Comparable {
    var number = 0
    var text: [UInt8] = []
    var isUnknown = false

    init(_ key: SectionKey, _ book: Book) {
        func take(_ text: String?) {
            isUnknown = text == nil
            self.text = Array((text ?? "").utf8)
        }
        func take(_ number: Int?) {
            isUnknown = number == nil
            self.number = number ?? 0
        }
        func firstFolded(_ texts: [String]) -> String? { texts.map(ByteBuffer.folded).first { !$0.isEmpty } }
        switch key {
        case .author: take(firstFolded(book.authors))
        case .subject: take(firstFolded(book.subjects))
        case .series: take(firstFolded(book.series.map { [SeriesName.name(of: $0)] } ?? []))
        case .decade: take(book.published.map { Decade(ofYear: $0.year).number })
        case .fiction: take(book.fiction.map { $0 ? 0 : 1 })
        case .own: isUnknown = true
        case .status: take(book.status.flatMap(Book.ReadingStatus.allCases.firstIndex(of:)))
        case .letter:
            let title = firstFolded([book.sortTitle ?? "", book.title])
            take(
                title?.unicodeScalars.first.map {
                    ("0"..."9").contains($0) ? 0 : $0.properties.isAlphabetic ? Int($0.value) : 1
                })
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.isUnknown != right.isUnknown { return right.isUnknown }
        if left.number != right.number { return left.number < right.number }
        return left.text.lexicographicallyPrecedes(right.text)
    }
}

import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import Library

@Suite("Duplicates") struct DuplicateSearchTests {
    private static func groups(of books: [Book]) -> [DuplicateGroup] {
        var search = DuplicateSearch(in: BookIndex(of: books)) { books[$0.index].withoutSourceID }
        return search.findCertain() + search.findLikely()
    }

    private func book(
        _ title: String, _ authors: [String] = ["Jane Austen"], isbn: String? = nil, year: Int? = nil,
        volume: Double? = nil
    ) -> Book {
        var book = Book(title: title, authors: authors)
        book.isbn = isbn.map(ISBN.init)
        book.published = year.map { PartialDate(year: $0) }
        book.seriesPosition = volume
        return book
    }

    private func reasons(_ books: Book...) -> [String] {
        Self.groups(of: books).map { "\($0.reason.rawValue) \($0.books.map { String($0.number) }.joined())" }
    }

    @Test("what two records have in common tells how sure it is that they are one book") func pairs() {
        let isbn = "9780141439587"
        #expect(reasons(book("Emma"), book("Emma")) == ["same-record 01"])
        #expect(reasons(book("Emma", isbn: isbn), book("EMMA", ["J. A."], isbn: isbn)) == ["same-isbn-and-title 01"])
        #expect(reasons(book("Emma", isbn: isbn), book("Emma, vol. 2", isbn: isbn)) == ["same-isbn 01"])
        #expect(
            reasons(book("Set", isbn: isbn, volume: 1), book("Set", isbn: isbn, volume: 2)) == ["same-isbn 01"])
        #expect(reasons(book("Emma", year: 1815), book("Emma")) == ["same-title-and-authors 01"])
        #expect(reasons(book("Emma", year: 1815), book("Emma", year: 1816)) == ["editions 01"])
        #expect(reasons(book("Emma", isbn: isbn), book("Emma", isbn: "9780393039764")) == ["editions 01"])
        #expect(reasons(book("Persuasion"), book("Persuasoin")) == ["similar-title 01"])
        #expect(reasons(book("Pride & Prejudice"), book("Pride, Prejudice!", ["Austen, J."])) == ["similar-title 01"])
        #expect(reasons(book("Northanger Abbey", []), book("Northanger-Abbey")) == ["similar-title 01"])
    }

    @Test("what tells books apart keeps them apart") func others() {
        #expect(reasons(book(""), book("")) == [])
        #expect(reasons(book("Emma", volume: 1), book("Emma", volume: 2)) == [])
        #expect(reasons(book("Works 1"), book("Works 2"), book("Works II"), book("Works III")) == [])
        #expect(reasons(book("1984"), book("1985")) == [])
        #expect(reasons(book("初刻拍案驚奇", ["凌濛初"]), book("二刻拍案驚奇", ["凌濛初"])) == [])
        #expect(reasons(book("Emma"), book("Emma", ["Kate Beaton"])) == [])
        #expect(reasons(book("Persuasion", ["A"]), book("Persuasoin", ["B"])) == [])
        #expect(reasons(book("X", []), book("X!", [])) == [])
        #expect(reasons(book("Persuasion", year: 1817), book("Persuasoin", year: 2003)) == [])
    }

    @Test("titles in other scripts are compared by their letters") func scripts() {
        #expect(reasons(book("ノルウェイの森", ["村上春樹"]), book("ノルウェイの 森", ["村上春樹"])) == ["similar-title 01"])
        #expect(
            reasons(book("Война и мир", ["Толстой, Л. Н."]), book("Война и мир", ["Л. Н. Толстой"])) == [
                "similar-title 01"
            ])
        #expect(reasons(book("ألف ليلة وليلة", []), book("ألف ليلة، وليلة", [])) == ["similar-title 01"])
    }

    @Test("numbers, symbols and syllables tell titles apart, however they are written") func numbers() {
        let pairs = [
            ("One Piece 1-3", "One Piece 13"), ("Java 1.1 Guide", "Java 11 Guide"), ("Naruto 1 1", "Naruto 11"),
            ("Volume I II", "Volume III"), ("رواية ١٩٨٤", "رواية ١٩٨٥"), ("C++ Primer", "C# Primer"),
            ("C Primer", "C++ Primer"),
            ("홍길동전상", "홍길동전하"),
        ]
        for (one, other) in pairs { #expect(reasons(book(one), book(other)) == [], "\(one), \(other)") }
    }

    @Test("all books of a group are alike, not only neighbours") func chains() {
        #expect(
            reasons(
                book("Collected Poems", []), book("Collected-Poems", ["W. B. Yeats"]),
                book("Collected, Poems", ["Larkin"]))
                == ["similar-title 01"])
        #expect(
            reasons(book("Selected Works", volume: 1), book("Selected works!"), book("Selected Works.", volume: 2))
                == ["similar-title 01"])
        #expect(
            reasons(book("Annals", ["Anne Lee"]), book("Annals.", ["A. Lee"]), book("Annals!", ["Arthur Lee"])) == [
                "similar-title 01"
            ])
        #expect(
            reasons(book("Bold"), book("Bald"), book("Bale"), book("Tale")) == ["similar-title 01", "similar-title 23"])
    }

    @Test("certain duplicates are of one edition, whatever their years") func certainEditions() {
        let isbn = "9780141439587"
        #expect(
            reasons(book("Emma", isbn: isbn, year: 1815), book("Emma", isbn: isbn, year: 2005))
                == ["same-isbn-and-title 01"])
    }

    @Test(
        "long names and words, and thousands of editions, volumes and issues, take no more than linear time",
        .timeLimit(.minutes(5)))
    func large() {
        let name = (0..<5000).map { "name\($0)" }
        let long = String(repeating: "a", count: 30_000)
        #expect(
            reasons(book("Emma", [name.joined(separator: " ")]), book("Emma", [name.reversed().joined(separator: " ")]))
                == [])
        #expect(Self.groups(of: (0..<20).map { book("\(long)\($0)") }).isEmpty)
        let editions = (0..<5000).map { number in
            var edition = book("The Collected Stories")
            edition.isbn = .thirteen(978_100_000_000 + number)
            return edition
        }
        #expect(Self.groups(of: editions).map(\.books.count) == [5000])
        #expect(Self.groups(of: (0..<5000).map { book("Works", volume: Double($0)) }).isEmpty)
        let issues = (0..<5000).map { number in
            var issue = book("Annals", [])
            issue.description = "issue \(number)"
            return issue
        }
        #expect(Self.groups(of: issues).map(\.reason) == [.sameTitle])
    }

    /// Makes books, some of which are copies of earlier ones with the kinds of differences that catalogs have.
    private static func books(count: Int, seed: UInt64) -> [Book] {
        var random = SplitMix(seed: seed)
        let words = [
            "shadow", "night", "garden", "Straße", "été", "война", "水", "森", "king", "kings", "1984", "II", "the",
            "of", "persuasion", "ليلة",
        ]
        let names = [
            "Jane Austen", "Austen, J.", "J. R. R. Tolkien", "Tolkien, JRR", "村上春樹", "X", "Ann Lee", "Kate Lee",
        ]
        let isbns = (0..<6).map { ISBN.thirteen(978_014_143_950 + $0) }
        func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
        var books: [Book] = []
        while books.count < count {
            if var copy = books.randomElement(using: &random), Int.random(in: 0..<3, using: &random) > 0 {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: copy.title = copy.title.uppercased()
                    case 1 where copy.title.count > 3:
                        copy.title.remove(at: one(of: Array(copy.title.indices)))
                    case 2: copy.title += one(of: ["!", " 2", ", vol. 1", ""])
                    case 3: copy.authors = [one(of: names)]
                    case 4: copy.isbn = Bool.random(using: &random) ? isbns.randomElement(using: &random) : nil
                    case 5:
                        copy.published = one(of: [nil, PartialDate(year: 1900), PartialDate(year: 1950)])
                    case 6: copy.seriesPosition = one(of: [nil, 1, 2])
                    case 7: copy.languages = one(of: [[], ["en"], ["de"]])
                    default: copy.otherISBNs = [one(of: isbns)]
                    }
                }
                copy.sourceID = String(books.count)
                books.append(copy)
            } else {
                let title = (0..<Int.random(in: 0...3, using: &random)).map { _ in one(of: words)
                }
                let authors = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    one(of: names)
                }
                books.append(Book(title: title.joined(separator: " "), authors: authors))
            }
        }
        return books
    }

    @Test(arguments: 0..<60) func theGroupsAreThoseOfThePlainDefinition(seed: UInt64) {
        let books = Self.books(count: 2 + Int(seed), seed: seed)
        let found = Self.groups(of: books)
        let expected = PlainDuplicates(books: books).groups
        #expect(Set(found) == expected)
        #expect(Set(found).count == found.count)
    }

    @Test("ten thousand books with one title are one group, and many with one key are still compared")
    func largeGroups() {
        let same = Self.groups(of: Array(repeating: book("Emma"), count: 10_000))
        #expect(same.map(\.books.count) == [10_000])
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let words = (0..<600).map { String([letters[$0 % 26], letters[$0 / 26]] + "tale") }
        let similar = Self.groups(of: words.map { book($0) })
        #expect(Set(similar) == PlainDuplicates(books: words.map { book($0) }).groups)
    }

    @Test("a search that is stopped keeps what it has found") func keepsWhatWasFound() {
        let isbn = "9780141439587"
        let books = [book("Emma", isbn: isbn), book("Persuasion", isbn: isbn), book("Persuasoin")]
        var search = DuplicateSearch(in: BookIndex(of: books)) { books[$0.index] }
        #expect(search.findLikely(unless: { true }).map(\.reason) == [.sameISBN])
    }

    @Test func aSearchCanBeCancelled() {
        var search = DuplicateSearch(in: BookIndex(of: [book("Emma"), book("Emma!")])) { _ in nil }
        #expect(search.findLikely(unless: { true }).isEmpty && search.isStopped)
        #expect(search.findLikely().count == 1 && !search.isStopped)
        #expect(search.isRecordMissing == false)
        var gone = DuplicateSearch(in: BookIndex(of: [book("Emma"), book("Emma")])) { _ in nil }
        #expect(gone.findCertain().isEmpty && gone.isRecordMissing)
    }
}

extension ISBN {
    /// The ISBN-13 that begins with these twelve digits.
    fileprivate static func thirteen(_ digits: Int) -> ISBN {
        let sum = String(digits).enumerated().reduce(0) {
            $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset % 2 == 0 ? 1 : 3)
        }
        return ISBN("\(digits)\((10 - sum % 10) % 10)")
    }
}

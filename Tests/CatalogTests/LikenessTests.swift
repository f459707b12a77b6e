import Testing

@testable import Catalog

struct LikenessTests {
    @Test func aBookIsLikeThoseWithTheSameValues() {
        var book = Book.make(authors: ["", "Terry Pratchett", "Neil Gaiman"])
        book.series = "Discworld (8)"
        book.subjects = ["City guards", "Dragons"]
        book.published = PartialDate(year: 1989, month: 11)
        #expect(Likeness.author.query(for: book) == "author:=\"Terry Pratchett\"")
        #expect(Likeness.series.query(for: book) == "series:=Discworld")
        #expect(Likeness.subject.query(for: book) == "subject:=\"City guards\"")
        #expect(Likeness.year.query(for: book) == "year:1989")
    }

    @Test func whatABookDoesNotHaveMakesItLikeNone() {
        var book = Book.make(authors: ["", " "])
        book.series = " "
        #expect(Likeness.allCases.allSatisfy { $0.query(for: book) == nil })
    }

    @Test func theQueryFindsTheBookItself() {
        var book = Book.make(authors: ["Say \"Hello\" \\ | (a-b)"])
        book.series = "Война и мир #2"
        book.subjects = ["C++"]
        book.published = PartialDate(year: -750)
        let index = BookIndex(of: [book])
        for likeness in Likeness.allCases {
            let query = Query(likeness.query(for: book) ?? "")
            #expect(query.fault == nil)
            let search = SegmentSearch(SearchPlan(query.expression))
            var ranks = [SegmentSearch.noMatch]
            search.rank(index.segments[0], from: 0, into: &ranks)
            #expect(ranks != [SegmentSearch.noMatch], "\(likeness)")
        }
    }
}

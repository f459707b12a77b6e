import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search

@Suite("Query: related books") struct RelatedBooksTests {
    @Test func booksWithEqualValuesAreRelated() {
        var book = Book.make(authors: ["", "Terry Pratchett", "Neil Gaiman"])
        book.series = "Discworld (8)"
        book.subjects = ["City guards", "Dragons"]
        book.published = PartialDate(year: 1989, month: 11)
        #expect(RelatedBooks.author.query(for: book) == "author:=\"Terry Pratchett\"")
        #expect(RelatedBooks.series.query(for: book) == "series:=Discworld")
        #expect(RelatedBooks.subject.query(for: book) == "subject:=\"City guards\"")
        #expect(RelatedBooks.year.query(for: book) == "year:1989")
    }

    @Test func missingValuesRelateToNothing() {
        var book = Book.make(authors: ["", " "])
        book.series = " "
        #expect(RelatedBooks.allCases.allSatisfy { $0.query(for: book) == nil })
    }

    @Test func theQueryFindsTheBookItself() {
        var book = Book.make(authors: ["Say \"Hello\" \\ | (a-b)"])
        book.series = "Война и мир #2"
        book.subjects = ["C++"]
        book.published = PartialDate(year: -750)
        let index = BookIndex(of: [book])
        for likeness in RelatedBooks.allCases {
            let query = Query(likeness.query(for: book) ?? "")
            #expect(query.syntaxError == nil)
            let search = SegmentMatcher(QueryPlan(query.expression))
            var ranks = [SegmentMatcher.noMatch]
            search.rank(index.segments[0], from: 0, into: &ranks)
            #expect(ranks != [SegmentMatcher.noMatch], "\(likeness)")
        }
    }
}

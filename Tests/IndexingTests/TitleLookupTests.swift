import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing

@Suite("Index: books by title and author") struct TitleLookupTests {
    private let index = BookIndex(
        of: [
            .make(title: "The Left Hand of Darkness", authors: ["Ursula K. Le Guin"]),
            .make(title: "Dune: The Novel", authors: ["Herbert, Frank", "Somebody"]),
            .make(title: "Poems", authors: ["John Keats"]), .make(title: "Poems", authors: ["Keats, John", "A. B."]),
            .make(title: "Emma (annotated)", authors: ["Jane Austen"]), .make(title: "Emma", authors: ["Jane Austen"]),
            .make(title: "1984", authors: []),
        ], segments: [3, 0, 4])

    private func book(_ titles: String..., by authors: String...) -> BookID? {
        TitleLookup.books([.init(titles: titles, authors: authors)], in: index)[0]
    }

    @Test func aBookIsFoundByItsTitleAndOneOfItsAuthors() {
        #expect(book("Left Hand of Darkness", by: "Le Guin, Ursula K.", "Another") == 0)
        #expect(book("THE LEFT HAND OF DARKNESS!", by: "Ursula K. le Guin") == 0)
        #expect(book("Another title", "Dune - the novel", by: "Frank Herbert") == 1)
    }

    @Test func aSubtitleDoesNotMatter() {
        #expect(book("Dune", by: "Frank Herbert") == 1)
        #expect(book("Dune: Book one", by: "Somebody") == 1)
        // The whole title takes precedence.
        #expect(book("Emma", by: "Jane Austen") == 5)
        #expect(book("Emma (annotated)", by: "Jane Austen") == 4)
        #expect(book("Emma: a novel", by: "Jane Austen") == nil)
    }

    @Test func severalBooksAndAnotherAuthorDoNotMatch() {
        #expect(book("Poems", by: "John Keats") == nil)
        #expect(book("Poems", by: "A. B.") == 3)
        #expect(book("Dune", by: "Brian Herbert") == nil)
        #expect(book("1984", by: "George Orwell") == nil)
        #expect(book("1984") == nil)
        #expect(book("", by: "John Keats") == nil)
    }

    @Test func eachBookHasItsOwnMatch() {
        let wanted = [("Poems", "A. B."), ("Poems", "John Keats"), ("Dune", "Somebody")]
        #expect(
            TitleLookup.books(wanted.map { .init(titles: [$0.0], authors: [$0.1]) }, in: index) == [3, nil, 1])
        #expect(TitleLookup.books([], in: index).isEmpty)
    }
}

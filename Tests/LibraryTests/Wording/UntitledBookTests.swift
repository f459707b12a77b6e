import Books
import Library
import Testing

@Suite("Wording: books without a title") struct UntitledBookTests {
    @Test func aTitleIsTheName() { #expect(Book(title: "Emma", authors: ["Jane Austen"]).nameInList == "Emma") }

    @Test(arguments: ["", " ", "\u{200B}"]) func whatElseABookHasStandsForItsTitle(title: String) {
        var book = Book(title: title)
        #expect(book.nameInList == "Untitled")
        book.publisher = "Press"
        book.published = PartialDate(year: 1989)
        #expect(book.nameInList == "Untitled (Press · 1989)")
        book.series = "Lakes"
        book.subtitle = "A\nNovel"
        #expect(book.nameInList == "Untitled (A Novel · Lakes · Press)")
    }

    @Test func valuesThatNoFieldReadsStandForTheTitle() {
        var book = Book(title: "")
        book.otherFields = [.init(path: "shelf", text: "hall")]
        #expect(book.nameInList == "Untitled (hall)")
    }
}

import Testing

@testable import Books
@testable import CatalogTesting

@Suite("Identity of a book") struct BookIdentityTests {
    private func key(_ title: String, _ authors: String...) -> BookIdentity.Key {
        BookIdentity.Key(of: .make(title: title, authors: authors))
    }

    @Test func aValidISBNIsTheKey() {
        #expect(BookIdentity.Key(of: .make(isbn: "0-441-47812-3")).description == "isbn:9780441478125")
        #expect(
            BookIdentity.Key(of: .make(title: "One", isbn: "0441478123"))
                == BookIdentity.Key(of: .make(title: "Another", isbn: "978-0441478125")))
    }

    @Test(arguments: [nil, "n/a", "9780441478120"])
    func withoutAValidISBNTheKeyIsTheHashOfTitleAndAuthors(isbn: String?) {
        // XXH3 of "emma\njane austen\n" without its highest bit.
        #expect(BookIdentity.Key(of: .make(isbn: isbn)).description == "hash:13a341db43c69d7f")
    }

    @Test func aBookWithoutAnythingHasTheHashOfAnEmptyTitle() {
        // XXH3 of "\n" without its highest bit.
        #expect(key("").description == "hash:384868fba0c21fdc")
    }

    @Test func theHashIsThatOfTheFoldedText() {
        // XXH3 of "strasse\nbronte\n" without its highest bit.
        #expect(key("Straße", "Brontë").description == "hash:144036cb5510529f")
    }

    @Test(arguments: [
        "JANE EYRE", "jane  eyre", " Jane\tEyre ", "Ｊａｎｅ Ｅｙｒｅ", "Jané Èyre", "Jane\u{301} E\u{300}yre",
    ])
    func equallyNormalizedTextsHaveTheSameKey(title: String) {
        #expect(key(title, "C. Bronte") == key("Jane Eyre", "C. Brontë"))
    }

    @Test func theEndOfTheTitleMatters() {
        #expect(key("Emma", "Jane Austen") != key("Emma Jane", "Austen"))
        #expect(key("Emma", "Jane Austen") != key("Emma"))
        #expect(key("Emma", "A", "B") != key("Emma", "B", "A"))
    }

    @Test func theISBNOfAHashKeyIsNone() throws {
        #expect(BookIdentity.Key(isbn: ISBN("n/a")) == nil)
        #expect(BookIdentity.Key(isbn: ISBN("0441478123")) == BookIdentity.Key(of: .make(isbn: "9780441478125")))
    }

    @Test func duplicatesAreNumberedFromTwo() {
        let key = BookIdentity.Key(of: .make(isbn: "9780441478125"))
        #expect(BookIdentity(key: key).description == "isbn:9780441478125")
        #expect(BookIdentity(key: key, occurrence: 2).description == "isbn:9780441478125~2")
        #expect(BookIdentity(key: key, occurrence: 2) != BookIdentity(key: key))
    }

    @Test(arguments: [
        "isbn:9780441478125", "isbn:9791034305391~2", "hash:0000000000000000", "hash:13a341db43c69d7f~17",
        "hash:7fffffffffffffff",
    ])
    func aDescriptionParsesToTheIdentity(description: String) throws {
        #expect(try #require(BookIdentity(description)).description == description)
    }

    @Test func theDescriptionOfABooksIdentityIsReadAsThatIdentity() {
        let identity = BookIdentity(key: key("Emma", "Jane Austen"), occurrence: 3)
        #expect(BookIdentity(identity.description) == identity)
    }

    @Test(arguments: [
        "", "isbn:", "hash:", "9780441478125", "isbn:emma", "isbn:97804414781250", "isbn:-9780441478125",
        "isbn:+9780441478125", "isbn:12", "isbn:0", "isbn:9780441478120", "isbn:978-0441478125", "isbn:0441478123",
        "ISBN:9780441478125", "hash:123", "hash:g000000000000000", "hash:ffffffffffffffff", "hash:+123456789abcdef",
        "hash:0123456789ABCDEF", "isbn:9780441478125~", "isbn:9780441478125~0", "isbn:9780441478125~1",
        "isbn:9780441478125~-2", "isbn:9780441478125~+2", "isbn:9780441478125~02", "isbn:9780441478125~2~3",
        "isbn:9780441478125 ", "src:12", "~2",
    ])
    func invalidDescriptionsAreRejected(description: String) {
        #expect(BookIdentity(description) == nil)
    }
}

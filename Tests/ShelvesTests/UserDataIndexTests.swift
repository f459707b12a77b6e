import CatalogTesting
import Testing

@testable import Books
@testable import Indexing
@testable import Shelves

/// The assignment of user data to the books of a catalog.
@Suite("User data: assignment to books") struct UserDataIndexTests {
    private let isbn = "0441478123"
    private let other = "9780393039764"

    /// Creates the index of `catalog` after the books in `marked` were made favourites in turn.
    ///
    /// - Parameters:
    ///   - path: The path of the catalog where they were marked.
    ///   - rereading: What the catalog has now, but did not have then.
    private func index(
        of catalog: [Book], marked: [Book], in path: String? = nil, _ rereading: Rereading.Parts = []
    ) throws -> UserDataIndex {
        let shelves = UserData(directory: nil)
        shelves.rereading = { rereading.isEmpty ? nil : Rereading(of: "/books.csv", rereading) }
        for book in marked {
            try shelves.apply(
                .favourite(true),
                to: [UserDataTarget(book: book, identity: book.identity, identities: [], catalog: path)])
        }
        return UserDataIndex(shelves, in: BookIndex(of: catalog))
    }

    @Test func userDataIsFoundAnywhereInTheCatalog() throws {
        let books = ["A", "B", "C"].map { Book.make(title: $0) }
        #expect(try index(of: books.reversed(), marked: [books[0]]).ids == [2])
        #expect(try index(of: [books[1]], marked: [books[0]]).ids == [])
    }

    @Test func aBookIsFoundWhoseTitleHadCodesOfSubfields() throws {
        let books = ["Peter Pan", "Peter Pan: [Peter and Wendy]"].map { Book.make(title: $0) }
        #expect(try index(of: books, marked: [.make(title: "Peter Pan : $b [Peter and Wendy]")]).ids == [1])
    }

    @Test(arguments: [
        ("Mort (Discworld, #4)", ["Terry Pratchett"], "Mort", ["Terry Pratchett"]),
        ("Omens", ["Neil Gaiman & Terry Pratchett"], "Omens", ["Neil Gaiman", "Terry Pratchett"]),
        ("Omens (Good, #1)", ["Gaiman, Neil; Pratchett, Terry"], "Omens", ["Gaiman, Neil", "Pratchett, Terry"]),
        ("Alice", ["Carroll, Lewis, 1832-1898; Tenniel, John [Illustrator]"], "Alice", ["Carroll, Lewis"]),
    ])
    func aBookIsFoundThatIsReadMoreExactlyNow(
        title: String, authors: [String], titleNow: String, authorsNow: [String]
    ) throws {
        let now = Book(title: titleNow, authors: authorsNow)
        #expect(try index(of: [.make(), now], marked: [Book(title: title, authors: authors)]).ids == [1])
    }

    @Test func aBookWithMoreAuthorsIsFoundByTheFirstInTheSameTable() throws {
        let books = [Book(title: "A", authors: ["X"]), Book(title: "T", authors: ["X", "Y"])]
        let marked = [Book(title: "T", authors: ["X"])]
        #expect(try index(of: books, marked: marked, in: "/books.csv", .moreAuthors).ids == [1])
        #expect(try index(of: books, marked: marked, in: "/other.csv", .moreAuthors).ids == [])
        #expect(try index(of: books + [books[1]], marked: marked, in: "/books.csv", .moreAuthors).ids == [])
    }

    @Test func editionsWhoseISBNsWereNotKnownAreToldApartByTheirOrder() throws {
        let editions = ["9780306406157", "9780140328721"].map { Book.make(isbn: $0) }
        let shelves = UserData(directory: nil)
        let second = BookIdentity(key: BookIdentity.Key(hashOf: .make()), occurrence: 2)
        try shelves.apply(
            .favourite(true), to: [UserDataTarget(book: .make(), identity: second, identities: [], catalog: nil)])
        #expect(UserDataIndex(shelves, in: BookIndex(of: editions)).ids == [1])
    }

    @Test func anISBNThatOneBookHasIsEnough() throws {
        let mended = Book.make(title: "Mended", isbn: isbn)
        #expect(try index(of: [.make(), mended], marked: [.make(title: "Misspelt", isbn: isbn)]).ids == [1])
    }

    @Test func otherEditionsDoNotBecomeFavourites() throws {
        let editions = ["Mort", "Sourcery"].map { Book.make(title: $0, isbn: isbn) }
        #expect(try index(of: editions, marked: [.make(title: "Eric", isbn: isbn)]).ids == [])
        #expect(try index(of: editions, marked: [editions[1]]).ids == [1])
        // Not even if the right book is found by its title, with another ISBN.
        let eric = Book.make(title: "Eric", isbn: other)
        #expect(try index(of: editions + [eric], marked: [.make(title: "Eric", isbn: isbn)]).ids == [2])
    }

    @Test func aSurerMarkComesBeforeAWeakerOne() throws {
        let withISBN = Book.make(isbn: isbn)
        let without = Book.make()
        // Both records match both books by title and authors; each gets its own.
        for marked in [[withISBN, without], [without, withISBN]] {
            for catalog in [[withISBN, without], [without, withISBN]] {
                let index = try index(of: catalog, marked: marked)
                #expect(index.ids == [0, 1])
                #expect(catalog.indices.map { index.identities(of: BookID($0)) } == catalog.map { [$0.identity] })
            }
        }
    }

    @Test func marksThatMatchOneBookAreAllOnIt() throws {
        let withISBN = Book.make(isbn: isbn)
        let without = Book.make()
        let index = try index(of: [withISBN], marked: [without, withISBN, .make(isbn: other)])
        #expect(index.ids == [0])
        #expect(index.identities(of: 0).first == withISBN.identity)
        #expect(Set(index.identities(of: 0)) == [withISBN.identity, without.identity, Book.make(isbn: other).identity])
    }

    @Test func aBookIsFoundWhoseAuthorsWereOneNameBefore() throws {
        let hill = Book.make(title: "The Hill", authors: ["Bob Beta", "Cy Gamma"], isbn: isbn)
        let books = [Book.make(title: "The Hill", authors: ["Bob Beta"]), hill]
        for name in ["Bob Beta, Cy Gamma", "Bob Beta; Cy Gamma", "Bob Beta;Cy Gamma"] {
            let marked = Book.make(title: "The Hill", authors: [name])
            #expect(try index(of: books, marked: [marked], in: "/books.csv", .eachAuthor).ids == [1], "\(name)")
            // Semicolons separate names in all catalogs.
            let ids: [BookID] = name.contains(";") ? [1] : []
            #expect(try index(of: books, marked: [marked], in: "/books.csv", .authors).ids == ids, "\(name)")
            #expect(try index(of: books, marked: [marked], in: "/other.csv", .eachAuthor).ids == ids, "\(name)")
        }
        // A family name first is not two authors.
        let austen = Book.make(title: "Emma", authors: ["Austen, Jane"])
        #expect(try index(of: [austen, .make()], marked: [austen], in: "/books.csv", .eachAuthor).ids == [0])
    }

    /// The program that read bibliographies for earlier versions made them curly.
    @Test func aBookIsFoundWhoseQuotationMarksWereCurlyBefore() throws {
        let straight = Book.make(title: "\"Ann's\" house", authors: ["O'Brien, Flann"])
        let curly = Book.make(title: "”Ann’s” house", authors: ["O’Brien, Flann"])
        #expect(try index(of: [.make(), straight], marked: [curly]).ids == [1])
        #expect(try index(of: [curly, straight], marked: [curly]).ids == [0])
        #expect(try index(of: [curly], marked: [straight]).ids == [])
    }

    @Test func aBookIsFoundOfWhichOnlyTheTitleOrTheAuthorsWereKnownInItsCatalog() throws {
        let books = ["A", "B", "C"].map { Book.make(title: $0, authors: ["Ann \($0)"]) } + [.make(title: "D")]
        let untitled = Book.make(title: "", authors: ["Ann C"])
        let unsigned = Book.make(title: "B", authors: [])
        #expect(try index(of: books, marked: [unsigned], in: "/books.csv", .authors).ids == [1])
        #expect(try index(of: books, marked: [untitled], in: "/books.csv", .titles).ids == [2])
        // Only if the catalog did not have them before: otherwise the book is gone.
        #expect(try index(of: books, marked: [unsigned, untitled], in: "/books.csv").ids == [])
        #expect(try index(of: books, marked: [unsigned], in: "/books.csv", .titles).ids == [])
        // A mark of another catalog may be of any book of that name.
        #expect(try index(of: books, marked: [unsigned, untitled], in: "/other.csv", [.titles, .authors]).ids == [])
        // Of several books of that name, it is none.
        let double = books + [Book.make(title: "B", authors: ["Bob"])]
        #expect(try index(of: double, marked: [unsigned], in: "/books.csv", .authors).ids == [])
        // Who is found anyway stays, and takes the place of nobody.
        #expect(try index(of: books + [unsigned], marked: [unsigned], in: "/books.csv", .authors).ids == [4])
        let index = try index(of: books, marked: [books[1], unsigned], in: "/books.csv", .authors)
        #expect(index.ids == [1] && index.identities(of: 1) == [books[1].identity])
    }

    @Test func doublesKeepTheirOrder() throws {
        let twins = Array(repeating: Book.make(), count: 3)
        let index = try index(of: twins, marked: Array(twins.prefix(2)))
        #expect(index.ids == [0, 1])
        #expect(index.identities(of: 1).map(\.occurrence) == [2])
        // If there are fewer books than records, no record is left over.
        #expect(try self.index(of: [twins[0]], marked: twins).identities(of: 0).map(\.occurrence) == [1, 2, 3])
    }

    @Test func thePlacesAreTheSameEveryTime() throws {
        let marked = (1...20).map { Book.make(isbn: validISBN($0)) }
        let catalog = Array(repeating: Book.make(), count: 7)
        let places = try (1...10).map { _ in
            let index = try index(of: catalog, marked: marked)
            return catalog.indices.map { index.identities(of: BookID($0)) }
        }
        #expect(Set(places).count == 1)
    }

    @Test func severalRecordsOfOneBookAreReadAsOne() throws {
        let withISBN = Book.make(isbn: isbn)
        let without = Book.make()
        let shelves = UserData(directory: nil)
        try shelves.apply(.rating(4), to: withISBN)
        try shelves.apply(.rating(2), to: without)
        try shelves.apply(.note("n"), to: without)
        let index = UserDataIndex(shelves, in: BookIndex(of: [withISBN]))
        #expect(index.identities(of: 0) == [withISBN.identity, without.identity])
        #expect(index.userData(of: 0)?.rating == 4)
        #expect(index.userData(of: 0)?.note == "n")
        #expect(index.userData(of: 1) == nil)
        // A change through the index affects all records of the book.
        try shelves.apply(
            .rating(nil),
            to: [
                UserDataTarget(
                    book: withISBN, identity: withISBN.identity, identities: index.identities(of: 0), catalog: nil)
            ])
        #expect(index.userData(of: 0)?.rating == nil)
        #expect(index.identities(of: 0) == [without.identity])
    }

    @Test func userDataOfMissingBooksIsSortedByTitle() throws {
        let shelves = UserData(directory: nil)
        let books = ["C", "A", "B"].map { Book.make(title: $0) }
        for book in books { try shelves.apply(.status(.toRead), to: book) }
        let index = UserDataIndex(shelves, in: BookIndex(of: [books[2]]))
        #expect(index.missing == [books[1].identity, books[0].identity])
        try shelves.apply(.status(nil), to: books[1])
        #expect(index.missing == [books[0].identity])
    }

    @Test func aMarkOnDeletedShelvesAloneIsNotShown() throws {
        let shelves = UserData(directory: nil)
        let shelf = try shelves.makeShelf(named: "Summer")
        let book = Book.make()
        try shelves.apply(.shelf(shelf.id, true), to: book)
        let index = UserDataIndex(shelves, in: BookIndex(of: [book]))
        let elsewhere = UserDataIndex(shelves, in: BookIndex())
        #expect(index.ids == [0])
        #expect(elsewhere.missing == [book.identity])
        try shelves.deleteShelf(shelf.id)
        #expect(index.ids == [])
        #expect(index.userData(of: 0) == nil)
        #expect(index.identities(of: 0) == [book.identity])
        #expect(elsewhere.missing == [])
    }

    @Test func newUserDataIsIndexedWithoutASearch() throws {
        let shelves = UserData(directory: nil)
        let books = ["A", "B"].map { Book.make(title: $0) }
        var index = UserDataIndex(shelves, in: BookIndex(of: books))
        let identities = try shelves.apply(.rating(1), to: [shelves.target(books[1])])
        index.setIdentities(identities[0], of: 1)
        #expect(index.ids == [1])
        index.setIdentities(try shelves.apply(.rating(nil), to: [shelves.target(books[1])])[0], of: 1)
        #expect(index.ids == [])
    }

    @Test func booksLoadedLaterGetTheirUserData() throws {
        let books = ["A", "B", "C", "A"].map { Book.make(title: $0) }
        let shelves = UserData(directory: nil)
        try shelves.apply(.rating(1), to: books[1], books[2])
        var index = UserDataIndex(shelves, in: BookIndex(of: Array(books.prefix(1))))
        #expect(index.ids == [])
        #expect(Set(index.missing) == [books[1].identity, books[2].identity])
        let hasMore = index.extend(to: BookIndex(of: Array(books.prefix(2))))
        #expect(hasMore && index.ids == [1] && index.missing == [books[2].identity])
        // A book changed in the meantime keeps its user data too.
        let identities = try shelves.apply(.rating(2), to: [shelves.target(books[0])])
        index.setIdentities(identities[0], of: 0)
        let hasAll = index.extend(to: BookIndex(of: books))
        #expect(hasAll && index.ids == [0, 1, 2] && index.missing == [])
        let isAnother = index.extend(to: BookIndex(of: books + [.make(title: "D")]))
        #expect(!isAnother && index.resolver.bookCount == 5)
    }

    private func validISBN(_ number: Int) -> String {
        let digits = "978" + String(repeating: "0", count: 9 - String(number).count) + String(number)
        return (0...9).lazy.map { digits + String($0) }.first { ISBN($0).isValid } ?? digits
    }
}

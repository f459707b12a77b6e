internal import CatalogTesting
import Testing

@testable import Books
@testable import stacks

@Suite("Import: books in files of other programs") struct ImportedBooksTests {
    private func books(_ text: String, destination: ImportDestination = .favourites) throws -> ImportedBooks {
        try ImportedBooks(try ImportedFile(Array(text.utf8), shownPath: "f"), destination: destination)
    }

    private func sentence(_ bytes: [UInt8]) -> String? {
        do {
            _ = try ImportedBooks(try ImportedFile(bytes, shownPath: "f"), destination: .favourites)
            return nil
        } catch {
            #expect(error.exitStatus == 65)
            return error.sentence
        }
    }

    private let header =
        "Book Id,Title,Author,Additional Authors,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,"
        + "My Review,Private Notes\n"

    @Test func aRowOfGoodreadsHasAllUserData() throws {
        let row =
            #"1,"The Stand (Dark  Things, #2)",Stephen  King,"A. B, C. D",="0307947300",="9780307947307",4,"#
            + #"2023/01/15,2022/12/01,"read, favorites, sci-fi",read,"Good<br/><br/>Long","Lent to ""Ann""""# + "\n"
        let read = try books(header + row).books
        #expect(read.count == 1)
        let book = try #require(read.first)
        #expect(book.book.title == "The Stand")
        #expect(book.otherTitles == ["The Stand (Dark Things, #2)"])
        #expect(book.book.authors == ["Stephen King", "A. B", "C. D"])
        #expect(book.book.isbn?.number == 9_780_307_947_307)
        #expect(book.line == 2)
        #expect(book.rating == 4)
        #expect(book.status == .read)
        #expect(book.readingLog.statusDates == [.read: "2023-01-15"])
        #expect(book.isFavourite)
        #expect(book.shelves == ["sci-fi"])
        #expect(book.note == "Lent to \"Ann\"\n\nGood\nLong")
    }

    @Test func emptyColumnsAreNil() throws {
        let book = try #require(try books(header + "1,T,A,,\"=\"\"\"\"\",\"=\"\"\"\"\",0,,,,to-read,,\n").books.first)
        #expect(book.book.isbn == nil)
        #expect(book.rating == nil && book.note == nil && !book.isFavourite && book.shelves.isEmpty)
        #expect(book.status == .toRead)
        #expect(book.readingLog.statusDates.isEmpty)
    }

    @Test(
        arguments: [
            ("to-read", .toRead, [.toRead: "2022-12-01", .read: "2023-01-15"]),
            ("currently-reading", .reading, [.read: "2023-01-15"]), ("read", .read, [.read: "2023-01-15"]),
            ("dnf", .abandoned, [.abandoned: "2023-01-15"]),
        ] as [(String, Book.ReadingStatus, [Book.ReadingStatus: String])])
    func theExclusiveShelfIsTheStatus(
        shelf: String, status: Book.ReadingStatus, dates: [Book.ReadingStatus: String]
    ) throws {
        let book = try #require(try books(header + "1,T,A,,,,0,2023/01/15,2022/12/01,,\(shelf),,\n").books.first)
        #expect(book.status == status)
        #expect(book.readingLog.statusDates == dates)
    }

    @Test func aListHasAnISBNALine() throws {
        let list = try books(
            "# mine\n978-0-307-94730-7  # The Stand\n\n0441478123\n0441478129\nnone\n", destination: .shelf("S"))
        #expect(list.books.map(\.book.isbn?.number) == [9_780_307_947_307, 9_780_441_478_125])
        #expect(list.books.map(\.line) == [2, 4])
        #expect(list.books.allSatisfy { $0.shelves == ["S"] && !$0.isFavourite })
        #expect(
            list.problems == [
                "f, line 5: “0441478129” is not a valid ISBN", "f, line 6: “none” is not a valid ISBN",
            ])
    }

    @Test func listsHaveTheirNames() {
        #expect(ImportDestination(named: "favorites") == .favourites)
        #expect(ImportDestination(named: "To read") == .status(.toRead))
        #expect(ImportDestination(named: "READING") == .status(.reading))
        #expect(ImportDestination(named: "Beach") == .shelf("Beach"))
    }

    @Test func semicolonsAndAByteOrderMarkAreAccepted() throws {
        let file = try ImportedFile([0xEF, 0xBB, 0xBF] + Array("Title;Author\nA, B;C\n".utf8), shownPath: "f")
        let read = try ImportedBooks(file, destination: .favourites)
        #expect(read.books.map(\.book.title) == ["A, B"])
        #expect(file.foreignLine == nil)
    }

    @Test func otherTextThanUTF8IsReadAsWindows1252() throws {
        let file = try ImportedFile(Array("Title,Author\nBront".utf8) + [0xEB, 0x80, 0x2C, 0x41, 0x0A], shownPath: "f")
        #expect(file.foreignLine == 2)
        #expect(try ImportedBooks(file, destination: .favourites).books.map(\.book.title) == ["Brontë€"])
        #expect(
            sentence(Array("Title,Author\n\nx".utf8) + [0x81])
                == "f, line 3 is neither UTF-8 nor Windows-1252. Save the file as UTF-8")
        #expect(sentence([0xFF, 0xFE, 0x41, 0]) == "f is UTF-16 text. Save it as UTF-8")
    }

    @Test("UTF-8 with few faults is UTF-8, and the line is named")
    func rareErrors() throws {
        let text = Array("Title,Author\nRécit,Zoé\nPl".utf8) + [0xE2] + Array("in,Béart\n".utf8)
        let file = try ImportedFile(text, shownPath: "f")
        #expect(file.foreignLine == 3 && file.isMostlyUTF8)
        let books = try ImportedBooks(file, destination: .favourites).books.map(\.book)
        #expect(books.map(\.authors) == [["Zoé"], ["Béart"]])
        #expect(books.map(\.title) == ["Récit", "Plâin"])
    }

    @Test func unknownFilesAreReportedWithTheLine() {
        #expect(sentence([]) == "f is empty. Import an export of stacks, Goodreads or StoryGraph, or a list of ISBNs")
        #expect(
            sentence(Array("# nothing\n\n".utf8))
                == "no books found in f. Import an export of stacks, Goodreads or StoryGraph, or a list of ISBNs")
        #expect(sentence(Array("\nName,Author\n".utf8))?.hasPrefix("f, line 2: no column “Title”. Import ") == true)
        #expect(sentence(Array("Title\nA\n".utf8))?.hasPrefix("f, line 1: no column “Author”. Import ") == true)
        #expect(
            sentence(Array("Title,Author\nA,B\nC\n".utf8))
                == "f, line 3: 1 field, but the header has 2. Export the file again")
        #expect(
            sentence(Array("Title,Author\n\"A,B\n".utf8))
                == "f, line 2: unclosed quotation mark. Export the file again")
        #expect(
            sentence(Array("Title,Author\n\"A\"x,B\n".utf8))?
                .hasPrefix("f, line 2: no comma after a quotation mark") == true)
    }

    // MARK: - Exports of stacks

    @Test func aRecordHasItsUserData() throws {
        let read = try books(
            #"""
            [{"id": "isbn:9780307947307~2", "title": "The Stand", "authors": ["Stephen King"], "isbn": "978-0307947307"},
             {"id": "isbn:9780141439587", "title": "Emma", "authors": ["Jane Austen"], "isbn": "0141439580", "rating": 3.9,
              "userData": {"favourite": true, "shelves": ["a; b", "Read"], "status": "abandoned",
                "statusDates": {"to-read": "2025-01-02", "abandoned": "2025-03"}, "rating": 2, "note": "one\n\ntwo"}}]
            """#)
        #expect(read.problems == [])
        #expect(read.books.count == 1)
        let book = try #require(read.books.first)
        #expect(book.line == 2)
        #expect(book.identity?.description == "isbn:9780141439587")
        #expect(book.book.title == "Emma")
        #expect(book.book.authors == ["Jane Austen"])
        #expect(book.book.isbn?.number == 9_780_141_439_587)
        #expect(book.isFavourite)
        #expect(book.shelves == ["a; b", "Read"])
        #expect(book.status == .abandoned)
        #expect(book.readingLog.statusDates == [.toRead: "2025-01-02", .abandoned: "2025-03"])
        #expect(book.rating == 2)
        #expect(book.note == "one\n\ntwo")
    }

    @Test func oneRecordALineIsReadToo() throws {
        let lines = [
            #"{"title": "A", "userData": {"rating": 1}}"#, #"{"title": "B", "userData": {"rating": 5}}"#,
        ]
        let read = try books(lines.joined(separator: "\n"))
        #expect(read.books.map(\.book.title) == ["A", "B"])
        #expect(read.books.map(\.rating) == [1, 5])
        #expect(read.books.map(\.line) == [1, 2])
    }

    @Test func anInvalidValueIsReportedAndTheOthersAreRead() throws {
        let read = try books(
            #"[{"title": "A", "userData": {"rating": 6, "status": "lost", "statusDates": {"read": "soon"}, "note": "n"}}]"#
        )
        #expect(
            read.problems == [
                "f, line 1: invalid value of rating", "f, line 1: invalid value of status",
                "f, line 1: invalid value of statusDates",
            ])
        #expect(read.books.map(\.note) == ["n"])
        #expect(read.books.map(\.rating) == [nil])
    }

    @Test func aFileWithoutUserDataOrCutOffIsRejected() {
        #expect(
            sentence(Array(#"[{"title": "A"}]"#.utf8))
                == "f: no user data found. Export yours with: stacks export --format json")
        #expect(
            sentence(Array("[{\"title\": \"A\",\n\"userData\": {\"rating\": 1}},\n".utf8))
                == "f, line 3: unexpected end of file. Export the file again")
    }

    @Test func theTableOfStacksHasItsUserData() throws {
        let lines = [
            "id,title,authors,isbn,favourite,shelves,status,toReadDate,readingDate,readDate,abandonedDate,rating,note",
            #"isbn:9780141439587,Emma,Jane Austen; B,978-0141439587,yes,"a; ""b; c""",read,2025-01-02,,2025-02-03,,4,"x"#,
            "",
            #"y""#,
            "hash:0123456789abcdef,Old,,,,,,,,,,,",
        ]
        let text = lines.joined(separator: "\n") + "\n"
        let read = try books(text)
        // A book without user data is skipped.
        #expect(read.books.count == 1)
        let book = try #require(read.books.first)
        #expect(book.identity?.description == "isbn:9780141439587")
        #expect(book.book.authors == ["Jane Austen", "B"])
        #expect(book.isFavourite)
        #expect(book.shelves == ["a", "b; c"])
        #expect(book.status == .read)
        #expect(book.readingLog.statusDates == [.toRead: "2025-01-02", .read: "2025-02-03"])
        #expect(book.rating == 4)
        #expect(book.note == "x\n\ny")
    }
}

import Books
import Testing

@testable import stacks

@Suite("Command line: values for fields") struct FieldAssignmentTests {
    private func applied(_ arguments: String..., to book: Book = Book(title: "Emma")) throws -> Book {
        var book = book
        for argument in arguments { try FieldAssignment(argument).apply(to: &book) }
        return book
    }

    private func status(_ argument: String) -> Int32? {
        do throws(CommandError) {
            _ = try FieldAssignment(argument)
            return nil
        } catch {
            return error.exitStatus
        }
    }

    @Test func fieldsHaveTheNamesOfQueriesAndOfTheNativeForm() throws {
        let book = try applied(
            "year=1815-12-23", "author=Jane Austen; Seth Grahame-Smith ", "Pages=474", "pageCount=475", "fiction=yes",
            "isbn=978-0141439587", "rating=4.5", "status=to-read", "lang=French;de", "seriesPosition=1.5")
        #expect(book.published == PartialDate(year: 1815, month: 12, day: 23))
        #expect(book.authors == ["Jane Austen", "Seth Grahame-Smith"])
        #expect(book.pageCount == 475)
        #expect(book.fiction == true)
        #expect(book.isbn?.text == "978-0141439587")
        #expect(book.rating == 4.5)
        #expect(book.status == .toRead)
        #expect(book.languages == ["fr", "de"])
        #expect(book.seriesPosition == 1.5)
    }

    @Test func listsGrowAndShrink() throws {
        var book = Book(title: "Emma", authors: ["A", "B"])
        book.subjects = ["x", "y"]
        book = try applied("authors+=C;A", "subjects-=x", to: book)
        #expect(book.authors == ["A", "B", "C"])
        #expect(book.subjects == ["y"])
        #expect(try applied("subjects-=y", "authors=", to: book).authors.isEmpty)
    }

    @Test func valuesAreReplaced() throws {
        let book = Book(title: "EMMA", authors: ["Austen, Jane", "B"])
        let changed = try applied("title~=titlecase", #"author~=s/(\w+), (\w+)/$2 $1/"#, "authors~=+C", to: book)
        #expect(changed.title == "Emma")
        #expect(changed.authors == ["Jane Austen", "B", "C"])
        #expect(try applied("title~=s/=/:/", to: Book(title: "a=b")).title == "a:b")
    }

    @Test func ownFieldsMayHaveTheirNamesInQuotationMarks() throws {
        let own = BookField(OwnField("lent-to", label: "Lent to", .text, at: try FieldPath("lentTo")))
        var book = Book(title: "Emma")
        own.set(.text("Ben  B."), in: &book)
        try FieldAssignment(#""Lent to"~=trim"#, of: Schema(own: [own])).apply(to: &book)
        #expect(own.value(in: book) == .text("Ben B."))
    }

    @Test func aResultThatIsNoValueNamesBookAndField() throws {
        var book = Book(title: "Emma")
        book.pageCount = 474
        do throws(CommandError) {
            try FieldAssignment("pages~=s/4/x/").apply(to: &book)
            Issue.record("not refused")
        } catch {
            #expect(error.exitStatus == ExitStatus.badData)
            #expect(error.sentence == "Pages of Emma cannot become “x74”. Give a whole number above 0")
        }
    }

    @Test(arguments: ["title=X", "isbn=", "isbn=9780141439587", "id=x", "identifiers=doi:1", "identifiers="])
    func severalBooksDoNotGetWhatTellsThemApart(argument: String) throws {
        let assignment = try FieldAssignment(argument)
        try assignment.check(givenTo: 1)
        #expect(throws: CommandError.self) { try assignment.check(givenTo: 2) }
    }

    @Test func theRefusalCountsTheBooks() throws {
        func sentence(_ argument: String) throws -> String? {
            let assignment = try FieldAssignment(argument)
            do throws(CommandError) {
                try assignment.check(givenTo: 210)
                return nil
            } catch {
                #expect(error.exitStatus == ExitStatus.usage)
                return error.sentence
            }
        }
        #expect(try sentence("title=X") == "210 books would get the same title. Name one, or use --force")
        #expect(try sentence("isbn=") == "210 books would get an empty ISBN. Name one, or use --force")
        #expect(
            try sentence("identifiers+=doi:1") == "210 books would get the same identifiers. Name one, or use --force")
        for argument in ["year=1815", "authors+=A", "identifiers-=doi:1", "title~=trim", "series="] {
            #expect(try sentence(argument) == nil)
        }
    }

    @Test func identifiersHaveSchemesAndContributorsHaveRoles() throws {
        let book = try applied("identifiers=doi:10.1000/182; oclc:77", "contributors=Constance Garnett (translator); X")
        #expect(book.identifiers.map(\.scheme) == ["doi", "oclc"])
        #expect(book.identifiers.map(\.value) == ["10.1000/182", "77"])
        #expect(book.contributors.map(\.name) == ["Constance Garnett", "X"])
        #expect(book.contributors.map(\.role) == ["translator", nil])
    }

    @Test(arguments: [
        "pages=many", "pages=0", "rating=6", "rating=nan", "isbn=9780141439588", "isbn=x", "fiction=maybe",
        "status=lost",
        "year=then", "title=", "added=soon",
    ]) func aValueThatDoesNotFitIsRefused(argument: String) {
        #expect(status(argument) == ExitStatus.badData)
    }

    @Test(arguments: [
        "colour=red", "title+=x", "=x", "isbn-=1", "title~=x", "title~=s/(/x/", "title~=s/a/b",
    ]) func anUnknownFieldOrOperationIsAMisuse(
        argument: String
    ) {
        #expect(status(argument) == ExitStatus.usage)
    }

    @Test func idsAreNotAssignments() {
        #expect(!FieldAssignment.isAssignment("isbn:9780141439587"))
        #expect(!FieldAssignment.isAssignment("978-0141439587"))
        #expect(FieldAssignment.isAssignment("title=a=b"))
        #expect(FieldAssignment.isAssignment("subjects+=x"))
        #expect(FieldAssignment.isAssignment(#""Lent to"~=trim"#))
    }
}

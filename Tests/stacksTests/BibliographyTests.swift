import Testing

@testable import Books
@testable import Formats
@testable import Graphemes
@testable import JSON
@testable import Text

/// The export formats for bibliography programs.
@Suite("Export: BibTeX and CSL-JSON") struct BibliographyTests {
    init() { useUTF8Locale() }

    private func bibTeX(_ book: Book) -> String {
        var text: [UInt8] = []
        var form = BibTeXFormatter()
        form.append(PrintedBook(book: book), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private func csl(_ book: Book) -> String {
        var text: [UInt8] = []
        book.cslItem(identity: BookIdentity(key: MatchKeys(of: book).identifying)).writeHarmlessly(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private var whole: Book {
        var book = Book(
            title: "Brontë & {Co}: 100 % \\ $1 #2 a_b ~ ^",
            authors: ["Ludwig van Beethoven", "Penguin Books Ltd", "Plato"],
            isbn: ISBN("978-0441478125"), pageCount: 7)
        book.subtitle = "Sub"
        book.publisher = "Simon & Schuster"
        book.published = PartialDate(year: 1969, month: 3, day: 5)
        book.languages = ["en"]
        book.series = "S"
        book.seriesPosition = 2
        book.subjects = ["One", "Two, three"]
        book.description = "One.\nTwo."
        book.contributors = [
            .init(name: "Jane Roe", role: "Translator"), .init(name: "Ann Ed", role: "edt"),
            .init(name: "Ray", role: "Cook"),
        ]
        return book
    }

    @Test func anEntryOfBibTeXHasAllFieldsWithEscapes() {
        #expect(
            bibTeX(whole) == ##"""
                @book{beethoven1969-9780441478125,
                  author = {van Beethoven, Ludwig and {Penguin Books Ltd} and {Plato}},
                  editor = {Ed, Ann},
                  translator = {Roe, Jane},
                  title = {Brontë \& \textbraceleft{}Co\textbraceright{}: 100 \% \textbackslash{} \$1 \#2 a\_b \textasciitilde{} \textasciicircum{}},
                  subtitle = {Sub},
                  year = {1969},
                  month = {3},
                  date = {1969-03-05},
                  publisher = {Simon \& Schuster},
                  series = {S},
                  number = {2},
                  isbn = {978-0441478125},
                  pagetotal = {7},
                  language = {english},
                  keywords = {One, {Two, three}},
                  note = {Cook: Ray},
                  abstract = {One. Two.},
                }


                """##)
    }

    @Test func anEmptyBookIsAnEntryToo() {
        let hash = BookIdentity.Key(hashOf: Book(title: "")).description.dropFirst(5)
        let text = bibTeX(Book(title: ""))
        #expect(text == "@book{book-\(hash),\n  title = {},\n}\n\n")
    }

    @Test func hyphensAndQuotationMarksAreNoLigatures() {
        let text = bibTeX(Book(title: "It's co-op -- ''x'' `y`"))
        #expect(text.contains("title = {It's co-op -{}- '{}'x'{}' \\textasciigrave{}y\\textasciigrave{}}"))
    }

    @Test func keysAreOfASCIIAndDiffer() {
        let one = Book(title: "A", authors: ["Émile Żola"])
        let hash = BookIdentity.Key(hashOf: one).description.dropFirst(5)
        #expect(BibTeXFormatter.key(of: one, identity: BookIdentity(key: .init(hashOf: one))) == "zola-\(hash)")
        #expect(
            BibTeXFormatter.key(of: one, identity: BookIdentity(key: .init(hashOf: one), occurrence: 2))
                == "zola-\(hash)-2")
        #expect(
            BibTeXFormatter.key(
                of: Book(title: "A", authors: ["村上春樹"]), identity: BookIdentity(key: .init(hashOf: one)))
                == "book-\(hash)")
    }

    @Test func anItemOfCSLHasAllFields() {
        #expect(
            csl(whole)
                == ##"{"id":"isbn:9780441478125","type":"book","title":"Brontë & {Co}: 100 % \\ $1 #2 a_b ~ ^: Sub","author":["##
                + #"{"family":"Beethoven","given":"Ludwig","non-dropping-particle":"van"},{"literal":"Penguin Books Ltd"},"#
                + #"{"literal":"Plato"}],"contributor":[{"literal":"Ray"}],"editor":[{"family":"Ed","given":"Ann"}],"#
                + #""translator":[{"family":"Roe","given":"Jane"}],"issued":{"date-parts":[[1969,3,5]]},"#
                + #""publisher":"Simon & Schuster","ISBN":"978-0441478125","number-of-pages":7,"language":"en","#
                + #""collection-title":"S","collection-number":"2","keyword":"One, Two, three","abstract":"One.\nTwo."}"#
        )
    }

    @Test(arguments: [
        ("Stephen King", "King", "Stephen", "", ""), ("King, Stephen", "King", "Stephen", "", ""),
        ("Ursula K. Le Guin", "Le Guin", "Ursula K.", "", ""),
        ("Martin Luther King Jr.", "King", "Martin Luther", "", "Jr."),
        ("José Ortega y Gasset", "Ortega y Gasset", "José", "", ""),
        ("Johann Wolfgang von Goethe", "Goethe", "Johann Wolfgang", "von", ""),
        ("Charlotte Brontë", "Brontë", "Charlotte", "", ""),
    ])
    func aNameHasParts(name: String, family: String, given: String, particle: String, suffix: String) throws {
        let parts = try #require(NameParts(name))
        #expect(parts.family == family)
        #expect(parts.given == given)
        #expect(parts.particle == particle)
        #expect(parts.suffix == suffix)
    }

    @Test(arguments: [
        "Plato", "", "Oxford University Press", "Simon & Schuster", "The Economist", "村上 春樹", "King (ed.)",
    ])
    func namesOfOrganizationsHaveNoParts(name: String) { #expect(NameParts(name) == nil) }
}

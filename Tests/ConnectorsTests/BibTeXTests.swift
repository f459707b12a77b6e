import ConnectorProtocol
import ConnectorTesting
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: BibTeX and BibLaTeX") struct BibTeXTests {
    private func row(_ entry: String, name: String = "a.bib") throws -> JSONValue {
        let copy = try Mirrored(entry, name: name)
        #expect(copy.copy.defects == [] && copy.copy.isComplete)
        return try #require(copy.rows.first)
    }

    /// Returns the authors of an entry with this field.
    private func authors(_ field: String) throws -> [String] {
        try row("@book{a, title={T}, author={\(field)}}")["authors"]?.elements?.compactMap(\.string) ?? []
    }

    @Test func entriesOfBibTeXAreRecords() throws {
        let copy = try Mirrored(
            """
            Any text may come first.
            @comment{ignored, really}
            @book{knuth,title={Ein {\\"U}ber \\& so},author="Knuth, Donald E. and Jos{\\'e} P{\\'e}rez and others",isbn={0-201-03801-3},
              publisher={Addison}, year=1997, series={Art}, volume=3, keywords={algorithms; proofs}}
            @ARTICLE{Cesar2013,
              author = {Jean César},
              title = {An amazing title},
              year = 2013,
              journal = "Nice Journal"
            }
            """, name: "library.bib")
        #expect(copy.opened.kind == "bibtex" && copy.copy.isComplete && copy.copy.defects == [])
        #expect(
            copy.lines == [
                """
                {"id":"knuth","title":"Ein Über & so","authors":["Knuth, Donald E.","Pérez, José"],"isbn":["0-201-03801-3"],\
                "publisher":"Addison","published":"1997","subjects":["algorithms","proofs"],"series":"Art",\
                "seriesPosition":"3","identifiers":{"citekey":"knuth"},"itemType":"book"}
                """,
                """
                {"id":"Cesar2013","title":"An amazing title","authors":["César, Jean"],"published":"2013",\
                "identifiers":{"citekey":"Cesar2013"},"itemType":"journal article","containedIn":"Nice Journal"}
                """,
            ])
    }

    // MARK: Entries

    @Test("An entry without a key has its fields", arguments: ["@book{title={A}}", "@book{,\n title = {A}\n}"])
    func key(entry: String) throws {
        let row = try row(entry)
        #expect(row["title"]?.string == "A" && row["id"] == nil && row["identifiers"] == nil)
    }

    @Test("Comments, preambles and abbreviations are no books") func others() throws {
        let copy = try Mirrored(
            """
            @comment{
            @book{hidden, title={Hidden}}
            }
            @preamble{"A catalog of 1 entry, made by " # {a \\textbf{program}}}
            @string{press = "The " # {Press}}
            @STRING(city = "York")
            Mail to ann@example.org. % @book{remark, title={Remark}}
            @book{a, title = {A}, publisher = press # " of New " # CITY, month = mar, year = 1999}
            """, name: "a.bib")
        #expect(copy.copy.defects == [] && copy.copy.isComplete && copy.rows.count == 1)
        #expect(copy.rows.first?["publisher"]?.string == "The Press of New York")
        #expect(copy.rows.first?["published"]?.string == "1999-03")
    }

    @Test("A file of comments and preambles is BibTeX without a book") func empty() throws {
        let copy = try Mirrored("@preamble{\"x\"}\n@comment{jabref-meta: y}\n", name: "a.bib")
        #expect(copy.opened.kind == "bibtex" && copy.rows.isEmpty && copy.copy.defects == [] && copy.copy.isComplete)
    }

    @Test("Entries may be in parentheses") func parentheses() throws {
        let row = try row(#"@book(h, title = "Round (and {"}round{"})", author = {Hotel, Hal}, year = 1990)"#)
        #expect(row["title"]?.string == #"Round (and "round")"# && row["published"]?.string == "1990")
    }

    @Test("Quotation marks stand within braces, and braces within quotation marks") func delimiters() throws {
        let row = try row(#"@book{a, title = {The "A"}, publisher = "{B} and {"}C{"}", note = {x % y}}"#)
        #expect(row["title"]?.string == #"The "A""# && row["publisher"]?.string == #"B and "C""#)
        #expect(row["notes"]?.json == #"["x % y"]"#)
    }

    @Test func anInvalidEntryDoesNotAffectOthers() throws {
        let copy = try Mirrored(
            "@book{a, title={A}, year=1}\n@book{b, title={Open, year=2}\n@book{c, title={C}, year=3}\n", name: "x.bib")
        let titles = copy.rows.compactMap { $0["title"]?.string }
        #expect(titles.contains("A") && titles.contains("C"))
    }

    @Test("Only the beginning of an entry at the start of a line ends an open entry") func open() throws {
        let copy = try Mirrored(
            "@book{a, note={ann@book{x} and\n @ann, hello {all}}, title={A}\n@misc {b, title={B}}\n", name: "a.bib")
        #expect(copy.rows.map { $0["title"]?.string } == ["A", "B"])
        #expect(copy.copy.defects == [SourceDefect(.unclosed, first: .record(1))])
    }

    @Test("Text that belongs to no field is reported, and the other fields are read") func foreign() throws {
        let copy = try Mirrored("@book{a, title={A}, what?, year=1999 publisher={P},}", name: "a.bib")
        #expect(copy.rows.first?["publisher"]?.string == "P" && copy.rows.first?["published"]?.string == "1999")
        #expect(copy.copy.defects == [SourceDefect(.foreign, first: .record(1))])
    }

    @Test("Abbreviations that double each other do not fill the memory") func bomb() throws {
        let strings = (1...60).map { "@string{s\($0) = s\($0 - 1) # s\($0 - 1)}\n" }.joined()
        let text = "@string{s0 = {0123456789}}\n\(strings)@book{a, title={A}, note=s18 # s18}\n@book{b, title={B}}"
        let copy = try Mirrored(text, name: "a.bib")
        #expect(copy.rows.map { $0["title"]?.string } == ["B"])
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, first: .record(1))])
    }

    // MARK: Titles

    @Test("A chapter has its own title, that of the book if there is no other, and the book that contains it")
    func chapters() throws {
        let whole = try row("@inbook{a, title={The Book}, chapter={3}, pages={1--20}}")
        #expect(whole["title"]?.string == "The Book" && whole["chapter"]?.string == "3")
        #expect(whole["pageRange"]?.string == "1–20" && whole["pageCount"] == nil)
        let part = try row("@inbook{a, title={A Part}, booktitle={The Book}}")
        #expect(part["title"]?.string == "A Part" && part["containedIn"]?.string == "The Book")
        #expect(try row("@book{a, booktitle={The Book}}")["title"]?.string == "The Book")
    }

    @Test("A title is split at its colon or question mark, unless a field or BibLaTeX separates the subtitle")
    func subtitles() throws {
        func titles(_ fields: String, name: String = "a.bib") throws -> [String?] {
            let row = try row("@book{a, \(fields)}")
            return [row["title"]?.string, row["subtitle"]?.string]
        }
        #expect(try titles("title={A: b: c}") == ["A", "b: c"])
        #expect(try titles("title={{Why}? Because}") == ["Why?", "Because"])
        #expect(try titles("title={Why?}") == ["Why?", nil])
        #expect(try titles("title={A: b}, subtitle={C}") == ["A: b", "C"])
        #expect(try titles("title={A: b}, langid={english}") == ["A: b", nil])
    }

    // MARK: Names

    @Test(
        "Names of all forms begin with the family name",
        arguments: [
            ("Ludwig van Beethoven", "van Beethoven, Ludwig"), ("van Beethoven, Ludwig", "van Beethoven, Ludwig"),
            ("von Last, Jr, First", "von Last, First, Jr."), ("King, Martin Luther, Jr.", "King, Martin Luther, Jr."),
            ("Martin Luther King, Jr.", "King, Martin Luther, Jr."), ("John Smith III", "Smith, John, III"),
            ("Roe, II, Jane", "Roe, Jane, II"), ("Strunk, William Jr.", "Strunk, William, Jr."),
            ("J.R.R. Tolkien", "Tolkien, J. R. R."), ("Smith, AB", "Smith, A. B."), ("Sartre, J-P", "Sartre, J.-P."),
            ("Roe, JANE", "Roe, JANE"), ("DOE, AB", "DOE, AB"), ("Le Guin, Ursula K", "Le Guin, Ursula K."),
            ("Ursula K. {Le Guin}", "Le Guin, Ursula K."), ("Jane {van der} Roe", "van der Roe, Jane"),
            ("Miguel de Cervantes Saavedra", "de Cervantes Saavedra, Miguel"), ("bell hooks", "hooks, bell"),
            ("de la Cruz", "de la Cruz"), ("Plato", "Plato"),
            ("{World Health Organization}", "World Health Organization"),
            ("{Barnes and Noble, Inc.}", "Barnes and Noble, Inc."), (#"{\'E}mile Zola"#, "Zola, Émile"),
            (#"Jan {\v C}apek"#, "Čapek, Jan"), ("Donald~E. Knuth", "Knuth, Donald E."), ("王 小明", "王 小明"),
        ])
    func name(field: String, name: String) throws { #expect(try authors(field) == [name]) }

    @Test("Names are separated by the word “and” outside of braces; others have no names") func names() throws {
        #expect(
            try authors("Roe,\n Ann AND Fernando Sand and {Barnes and Noble}") == [
                "Roe, Ann", "Sand, Fernando", "Barnes and Noble",
            ])
        #expect(try authors("X and others") == ["X"])
        #expect(try authors("Jane Doe et al.") == ["Doe, Jane"])
    }

    @Test("Contributors have the roles of their fields") func contributors() throws {
        let row = try row(
            "@book{a, title={A}, editor={X, Y}, editora={Z}, editoratype={compiler}, translator={T}, foreword={F}}")
        #expect(
            row["contributors"]?.json
                == #"[{"name":"X, Y.","role":"editor"},{"name":"Z","role":"compiler"},{"name":"T","role":"translator"},{"name":"F","role":"author of introduction, etc."}]"#
        )
    }

    @Test func editorsOfTheContainingWorkAreContributors() throws {
        let copy = try Mirrored(
            "@incollection{a, title={A}, author={X, Y}, booktitle={B}, editor={Quine, Rob}}", name: "a.bib")
        #expect(copy.rows.first?["contributors"]?.json == #"[{"name":"Quine, Rob","role":"editor"}]"#)
        #expect(copy.rows.first?["containedIn"]?.string == "B")
    }

    @Test(arguments: [
        ("2001", "2001"), ("2001-02", "2001-02"), ("2001-02-03", "2001-02-03"), ("1997/1999", "1997"),
        ("1997-05-01/1998", "1997-05-01"), ("1997/..", "1997"), ("1723~", "1723"), ("1984?", "1984"),
        ("-0876", "-0876"), ("-0044-03-15", "-0044-03-15"), ("2004-21", "2004"), ("2001-02-03T10:00:00", "2001-02-03"),
        ("199X", "199X"),
    ])
    func datesOfBibLaTeXBecomeDatesOfPublication(date: String, published: String) throws {
        let text = "@book{a,\n title={T-1},\n urldate={2020-01-02},\n date={\(date)},\n origdate={1900}}"
        let copy = try Mirrored(text, name: "a.bib")
        #expect(copy.opened.kind == "biblatex")
        #expect(copy.rows.first?["published"]?.string == published && copy.rows.first?["title"]?.string == "T-1")
    }

    // MARK: Other fields

    @Test(
        "A year with a month and a day is a date",
        arguments: [
            ("year=1999, month=jan", "1999-01"), ("year=1999, month={March}", "1999-03"),
            ("year=1999, month=3, day=7", "1999-03-07"),
            ("year=1999, month={5~} # jan", "1999-01-05"), ("year={c1999}", "1999"), ("year={-430}", "-0430"),
            ("date={1815-12-23}, year=1900", "1815-12-23"), ("year=1999, month={Trinity}", "1999"),
        ])
    func date(fields: String, published: String) throws {
        #expect(try row("@book{a, title={A}, \(fields)}")["published"]?.string == published)
    }

    @Test("Keywords are separated by commas, or by semicolons if there are any, outside of braces") func keywords()
        throws
    {
        func subjects(_ fields: String) throws -> String? {
            try row("@book{a, title={A}, \(fields)}")["subjects"]?.json
        }
        #expect(try subjects("keywords={water, boats, summer}") == #"["water","boats","summer"]"#)
        #expect(try subjects("keywords={Fiction, general; boats}, keyword={x}") == #"["Fiction, general","boats","x"]"#)
        #expect(try subjects("keywords={{Fiction, general}, R\\&D}") == #"["Fiction, general","R&D"]"#)
    }

    @Test("Numbers of pages, ISBNs, languages and series have the keys of stacks") func details() throws {
        let row = try row(
            "@book{a, title={A}, pagetotal=320, isbn={978-0-306-40615-7, 0306406152}, language={english and ngerman}, series={S: t}, number=3, volume=7}"
        )
        #expect(row["pageCount"]?.string == "320" && row["isbn"]?.json == #"["978-0-306-40615-7","0306406152"]"#)
        #expect(row["languages"]?.json == #"["english","german"]"# && row["series"]?.string == "S: t")
        #expect(row["seriesPosition"]?.string == "3" && row["volume"]?.string == "7")
        let alone = try self.row("@book{a, title={A}, pages={320}, volume=7}")
        #expect(alone["pageCount"]?.string == "320" && alone["seriesPosition"] == nil && alone["volume"]?.string == "7")
    }

    @Test("An entry that stacks wrote has the title, contributors and keywords of the book") func export() throws {
        let row = try row(
            #"""
            @book{clarke1968-9780441478125,
              title = {2001: a -{}- b \textbraceleft{}x\textbraceright{} '{}'y \textasciigrave{}},
              keywords = {One, {Two, three}},
              note = {Cook: Ray; Contributor: Bob},
            }
            """#)
        #expect(row["title"]?.string == "2001: a -- b {x} ''y `" && row["subtitle"] == nil && row["notes"] == nil)
        #expect(row["contributors"]?.json == #"[{"name":"Ray","role":"Cook"},{"name":"Bob"}]"#)
        #expect(row["subjects"]?.json == #"["One","Two, three"]"#)
    }

    @Test("Links and identifiers keep their characters") func identifiers() throws {
        let row = try row(
            #"@book{a, title={A}, doi={10.1/a_b--c}, url={\url{http://x/~y\_z?a=1\&b=\%20}}, url={http://b}, issn=12345678}"#
        )
        #expect(
            row["identifiers"]?.json
                == #"{"citekey":"a","doi":"10.1/a_b--c","issn":"12345678","url":"http://x/~y_z?a=1&b=%20","url 2":"http://b"}"#
        )
    }

    @Test("Other fields keep their names, and none replaces a field of the book") func ownFields() throws {
        let row = try row(
            """
            @book{a, title={A}, edition={2}, address={London}, note={N}, note={M}, file={:C\\:\\a.pdf:PDF}, ranking={rank4},
              readstatus={read}, annote={B}, Shelf-Mark={x}, title={Second}, notes={O}}
            """)
        #expect(row["edition"]?.string == "2" && row["place"]?.string == "London" && row["annote"]?.string == "B")
        #expect(row["file"]?.string == #":C\:\a.pdf:PDF"# && row["ranking"]?.string == "rank4")
        #expect(row["readstatus"]?.string == "read" && row["shelf-mark"]?.string == "x")
        #expect(row["title"]?.string == "A" && row["title 2"]?.string == "Second")
        #expect(row["notes"]?.json == #"["N"]"# && row["note"]?.string == "M" && row["notes 2"]?.string == "O")
    }
}

import ConnectorProtocol
import ConnectorTesting
import Foundation
import Testing

@testable import Connectors
@testable import JSON

extension JSONValue {
    /// The record without the member "marc".
    fileprivate var book: JSONValue { .object((members ?? []).filter { $0.key != "marc" }) }
}

/// Returns a MARC 21 record in exchange format (ISO 2709).
func marcRecord(_ fields: [(tag: String, bytes: [UInt8])], coding: Character = " ") -> [UInt8] {
    // As programs write them, numbers that are too large have lost digits.
    func digits(_ number: Int, _ count: Int) -> String {
        String((String(repeating: "0", count: count) + String(number)).suffix(count))
    }
    var directory = ""
    var data: [UInt8] = []
    for field in fields {
        directory += field.tag + digits(field.bytes.count + 1, 4) + digits(data.count, 5)
        data += field.bytes + [0x1E]
    }
    let base = 24 + directory.utf8.count + 1
    let length = base + data.count + 1
    let leader = "\(digits(length, 5))nam \(coding)22\(digits(base, 5)) a 4500"
    return Array((leader + directory).utf8) + [0x1E] + data + [0x1D]
}

private func text(_ text: String) -> [UInt8] { Array(text.replacingOccurrences(of: "$", with: "\u{1F}").utf8) }

@Suite("Connectors: MARC 21") struct MARCConnectorTests {
    private static let emma = marcRecord(
        [
            ("001", text("ocm123 ")), ("008", text("000107s1996    enk           000 1 eng  ")),
            ("020", text("  $a0141439580 (pbk.)")), ("035", text("  $a(OCoLC)ocm0123")),
            ("100", text("1 $aAusten, Jane,$d1775-1817.")),
            ("245", text("10$aEmma /$cJane Austen ; edited by F. Stafford.")),
            ("260", text("  $aLondon :$bPenguin,$cc1996.")), ("300", text("  $axxvi, 474 p. ;$c20 cm.")),
            ("490", text("1 $aPenguin classics ;$vv. 12")), ("650", text(" 0$aYoung women$zEngland$vFiction.")),
            ("700", text("1 $aStafford, Fiona J.,$eeditor.")), ("700", text("1 $aAusten, Jane.$tPersuasion.")),
            ("856", text("40$uhttp://example.org/emma")),
        ], coding: "a")

    @Test func recordsHaveTheFieldsOfABook() throws {
        let copy = try Mirrored(Self.emma, name: "books.mrc")
        #expect(copy.opened.kind == "marc" && copy.copy.isComplete && copy.copy.defects == [])
        let expected = """
            {"id":"ocm123","title":"Emma","authors":["Austen, Jane"],\
            "contributors":[{"name":"Stafford, Fiona J.","role":"editor"}],"isbn":["0141439580 (pbk.)"],\
            "pageCount":"xxvi, 474 p.","fiction":true,"publisher":"Penguin","place":"London","published":"1996","languages":["eng"],\
            "subjects":["Young women – England – Fiction"],"series":"Penguin classics","seriesPosition":"12",\
            "identifiers":{"oclc":"0123","url":"http://example.org/emma"},"extent":"xxvi, 474 p. ; 20 cm."}
            """
        #expect(copy.rows.first?.book.json == expected)
    }

    @Test func allOfARecordIsKeptAsMARCInJSON() throws {
        let record = marcRecord(
            [("001", text("1")), ("245", text("10$aEmma /$c J. A. ")), ("ABC", text("  $xy"))], coding: "a")
        let marc = try #require(try Mirrored(record, name: "books.mrc").rows.first?["marc"])
        #expect(
            marc["fields"]?.json == """
                [{"001":"1"},{"245":{"ind1":"1","ind2":"0","subfields":[{"a":"Emma /"},{"c":" J. A. "}]}},\
                {"ABC":{"ind1":" ","ind2":" ","subfields":[{"x":"y"}]}}]
                """)
        #expect(marc["leader"]?.string?.hasSuffix("a 4500") == true)
    }

    @Test func bothEncodingsAreRead() throws {
        // In MARC-8 an accent precedes its letter, and ł is B1.
        let old = marcRecord([("245", text("10$aCaf") + [0xE2] + text("e, ") + [0xB1] + text("a"))])
        let new = marcRecord([("245", text("10$aCafé, ła"))], coding: "a")
        let unmarked = marcRecord([("245", text("10$aCafé, ła"))])
        for record in [old, new, unmarked] {
            let title = try Mirrored(record, name: "books.mrc").rows.first?["title"]?.string
            #expect(title?.precomposedStringWithCanonicalMapping == "Café, ła")
        }
        let wrong = try Mirrored(marcRecord([("245", text("10$aCaf") + [0xE9])], coding: "a"), name: "books.mrc")
        #expect(wrong.rows.first?["title"]?.string == "Café")
        #expect(wrong.copy.defects == [SourceDefect(.encoding, first: .record(1))])
    }

    @Test("Escape sequences of MARC-8 are read in a record that is ASCII otherwise")
    func escapeSequences() throws {
        let chinese = Array("10\u{1F}a\u{1B}$1!Es!@W!aN!YK\u{1B}(B".utf8)
        let copy = try Mirrored(marcRecord([("245", chinese)]), name: "books.mrc")
        #expect(copy.rows.first?["title"]?.string?.count == 4 && copy.copy.defects == [])
    }

    @Test func recordsOfUNIMARCHaveTheFieldsOfABook() throws {
        let record = marcRecord(
            [
                ("001", text("IT001")), ("010", text("  $a88-04-40682-8")), ("101", text("  $aita")),
                ("200", text("1 $aL'altra faccia della spirale$eromanzo$fIsaac Asimov")),
                ("210", text("  $aMilano$cA. Mondadori$d1996")), ("215", text("  $aV, 201 p.$d20 cm.")),
                ("225", text("  $aBestsellers$v641")), ("606", text("  $aFantascienza")),
                ("700", text(" 1$aAsimov$b, Isaac$4070")), ("702", text(" 1$aScaglia$bCesare$4730")),
            ])
        #expect(
            try Mirrored(record, name: "books.mrc").rows.first?.book.json == """
                {"id":"IT001","title":"L'altra faccia della spirale","subtitle":"romanzo","authors":["Asimov, Isaac"],\
                "contributors":[{"name":"Scaglia, Cesare","role":"translator"}],"isbn":["88-04-40682-8"],\
                "pageCount":"V, 201 p.","publisher":"A. Mondadori","place":"Milano","published":"1996",\
                "languages":["ita"],"subjects":["Fantascienza"],"series":"Bestsellers","seriesPosition":"641",\
                "extent":"V, 201 p."}
                """)
    }

    @Test("Classes, edition, extent, notes and holdings are fields of the catalog's own")
    func whatLibrariansSayIsKept() throws {
        let record = marcRecord(
            [
                ("050", text("00$aPR4034$b.E5 1996")), ("082", text("00$a823/.7$220")), ("090", text("  $aPR4034")),
                ("245", text("10$aEmma")), ("250", text("  $a2nd ed. /$bby F. S.")),
                ("300", text("  $axxvi, 474 p. :$bill. ;$c20 cm.")), ("500", text("  $aFirst note.")),
                ("504", text("  $aBibliography: p. 470-474.")), ("505", text("0 $gv. 1.$tOne --$gv. 2.$tTwo.")),
                ("520", text("  $aA village.")), ("546", text("  $aIn English.$5DLC")),
                ("852", text("0 $aNjP$bMain$cStacks$hPR4034$i.E5")), ("852", text("0 $bMain$jX 12$pbarcode")),
            ], coding: "a")
        #expect(
            try Mirrored(record, name: "books.mrc").rows.first?.book.json == """
                {"title":"Emma","pageCount":"xxvi, 474 p.","description":"A village.","edition":"2nd ed.",\
                "extent":"xxvi, 474 p. : ill. ; 20 cm.","notes":["First note.","In English."],\
                "contents":["v. 1. One -- v. 2. Two."],"bibliography":"Bibliography: p. 470-474.",\
                "lcClass":["PR4034"],"deweyClass":["823.7"],"location":["NjP, Main, Stacks","Main"],\
                "callNumber":["PR4034 .E5","X 12"]}
                """)
    }

    @Test("A title in original script is another title, and names in it are a field of the catalog's own")
    func originalScriptIsKept() throws {
        let record = marcRecord(
            [
                ("100", text("1 $6880-01$aSensei, Kame.")), ("245", text("10$6880-02$aNeko no hon /$cKame.")),
                ("880", text("1 $6100-01/$1$a亀先生.")),
                ("880", text("10$6245-02/$1$a\u{200F}猫の本 :\u{200F}$b\u{200F}副題 /\u{200F}$c亀先生.")),
                ("880", text("  $6260-03/$1$a東京.")),
            ], coding: "a")
        let row = try Mirrored(record, name: "books.mrc").rows.first?.book
        #expect(
            row?.json == """
                {"title":"Neko no hon","otherTitle":"猫の本: 副題","authors":["Sensei, Kame"],\
                "namesInOriginalScript":["亀先生"]}
                """)
    }

    @Test("A record without 245 $a has the title of $k and $f, or else a uniform, varying or uncontrolled one")
    func recordsWithoutATitleProper() throws {
        let fields = [
            ("245", "00$kLetters,$f1901-1905."), ("240", "10$aPlays"), ("130", "0 $aBeowulf."), ("246", "3 $aOther /"),
            ("740", "0 $aSongs."),
        ]
        let records = fields.flatMap { marcRecord([("260", text("  $aL")), ($0.0, text($0.1))], coding: "a") }
        let titles = try Mirrored(records, name: "books.mrc").rows.map { $0["title"]?.string }
        #expect(titles == ["Letters, 1901-1905", "Plays", "Beowulf", "Other", "Songs"])
        let part = marcRecord([("245", text("00$aWie gut?$n3.$pTeil"))], coding: "a")
        #expect(try Mirrored(part, name: "books.mrc").rows.first?["title"]?.string == "Wie gut? 3. Teil")
        // The uniform title of a work that has its own is not shown.
        let both = marcRecord([("130", text("0 $aBeowulf.")), ("245", text("10$aThe Song"))], coding: "a")
        #expect(try Mirrored(both, name: "books.mrc").rows.first?["title"]?.string == "The Song")
    }

    @Test(
        "Names have no full stop but an initial's, no dates of a life, and no note of the card catalog",
        arguments: [
            ("Alpha, Annabel.", "Alpha, Annabel"), ("Smith, Jon.", "Smith, Jon"), ("Alpha, A. B.", "Alpha, A. B."),
            ("Tolkien, J.R.R.", "Tolkien, J.R.R."), ("Sartre, J.-P.", "Sartre, J.-P."), ("Й., К.", "Й., К."),
            ("Толстой, Лев.", "Толстой, Лев"), ("King, Martin Luther,$cJr.,$d1929-1968.", "King, Martin Luther, Jr."),
            ("Twain, Mark, 1835-1910.", "Twain, Mark"), ("Alpha, A., b. 1900.", "Alpha, A."),
            ("Kālidāsa, active 5th century.", "Kālidāsa"),
            (
                "Louis XIV, King of France, 1638-1715",
                "Louis XIV, King of France"
            ), ("Plato, 428?-347? B.C.", "Plato"),
            (
                "John Paul$bII,$cPope,$d1920-2005",
                "John Paul, II, Pope"
            ), ("Alpha, Ann. [from old catalog]", "Alpha, Ann"),
            ("Alpha, Ann.$e[from old catalog]", "Alpha, Ann"),
            (
                "Alpha, Ann,$d1801-1850. [from old catalog]",
                "Alpha, Ann"
            ), ("曹雪芹, 约1717-约1763", "曹雪芹, 约1717-约1763"),
        ])
    func namesAreThoseOfPersons(heading: String, name: String) throws {
        let record = marcRecord([("100", text("1 $a" + heading)), ("245", text("10$aT"))], coding: "a")
        let row = try Mirrored(record, name: "books.mrc").rows.first
        #expect(row?["authors"]?.json == "[\(JSONValue.string(name).json)]" && row?["contributors"] == nil)
        let further = marcRecord([("245", text("10$aT")), ("700", text("1 $a" + heading))], coding: "a")
        #expect(try Mirrored(further, name: "books.mrc").rows.first?["authors"]?.json == row?["authors"]?.json)
    }

    @Test func bodiesKeepTheirNumbersAndAbbreviations() throws {
        let record = marcRecord(
            [
                ("110", text("2 $aAlpha & Co.")), ("245", text("10$aT")), ("710", text("2 $aPress of Alpha.")),
                ("711", text("2 $aBook Fair, 1999")),
            ], coding: "a")
        let row = try Mirrored(record, name: "books.mrc").rows.first
        #expect(row?["authors"]?.json == #"["Alpha & Co."]"#)
        let names = row?["contributors"]?.elements?.compactMap { $0["name"]?.string }
        #expect(names == ["Press of Alpha", "Book Fair, 1999"])
    }

    @Test("People of UNIMARC have their roles in words, and are authors unless they have another role")
    func rolesOfUNIMARC() throws {
        let record = marcRecord(
            [
                ("100", text("  $a20010203d1996    u  y0frey0103    ba")), ("200", text("1 $aTitre")),
                ("210", text("  $aParis$cPresse$d[19]96")), ("215", text("  $a1 vol. (XII-320 p.)$d20 cm")),
                ("700", text(" 1$aAlpha$bAnn$4070")), ("701", text(" 1$aBeta$bBob$4070")),
                ("702", text(" 1$aGamma$bGus$4440")), ("701", text(" 1$aDelta$bDan$4340")),
                ("702", text(" 1$aBeta$bBob$4070")), ("712", text("02$aÉcole$4999")),
            ], coding: "a")
        let row = try Mirrored(record, name: "books.mrc").rows.first
        #expect(row?["authors"]?.json == #"["Alpha, Ann","Beta, Bob"]"#)
        #expect(
            row?["contributors"]?.json == """
                [{"name":"Gamma, Gus","role":"illustrator"},{"name":"Delta, Dan","role":"editor"},{"name":"École"}]
                """)
        #expect(row?["published"]?.string == "1996" && row?["pageCount"]?.string == "1 vol. (XII-320 p.)")
    }

    @Test("A record longer than the five digits of its length is read whole, but for a field that is longer")
    func longRecords() throws {
        let copies = (0..<4000).map { (tag: "852", bytes: text("  $aLibrary$bShelf \($0)$hPR \($0)")) }
        let fields = [(tag: "001", bytes: text("x1")), ("245", text("10$aNews /"))] + copies
        let record = marcRecord(fields, coding: "a")
        #expect(record.count > 99_999)
        let copy = try Mirrored(record + Self.emma, name: "books.mrc")
        #expect(copy.copy.defects == [] && copy.rows.map { $0["title"]?.string } == ["News", "Emma"])
        #expect(copy.rows.first?["callNumber"]?.elements?.count == 4000)
        #expect(copy.rows.first?["callNumber"]?.elements?.last?.string == "PR 3999")
        let large = marcRecord(
            [
                ("245", text("10$aNews /")), ("500", [UInt8](repeating: 0x61, count: 120_000)),
                ("650", text(" 0$aPress")),
            ],
            coding: "a")
        let rest = try Mirrored(large + Self.emma, name: "books.mrc")
        #expect(rest.copy.defects == [SourceDefect(.fieldTooLarge, first: .record(1))])
        #expect(rest.rows.map { $0["title"]?.string } == ["News", "Emma"])
        #expect(rest.rows.first?["subjects"]?.json == #"["Press"]"#)
    }

    @Test("Fields are found by their ends where their places were counted in characters")
    func wrongPlaces() throws {
        let fields = [
            ("001", "é1"), ("245", "10$aÉtudes évidemment :$bétat."), ("260", "  $bŒuvre,$c2000."),
            ("300", "  $a77 p."),
        ]
        let right = marcRecord(fields.map { ($0.0, text($0.1)) }, coding: "a")
        // The same directory, with lengths and places in characters.
        var directory = ""
        var place = 0
        for (tag, value) in fields {
            directory += tag + String(format: "%04d%05d", value.count + 1, place)
            place += value.count + 1
        }
        var wrong = right
        wrong.replaceSubrange(24..<24 + directory.utf8.count, with: directory.utf8)
        let (copy, expected) = (try Mirrored(wrong, name: "books.mrc"), try Mirrored(right, name: "books.mrc"))
        #expect(right != wrong && copy.rows == expected.rows && copy.copy.defects == [])
        #expect(
            copy.rows.first?["title"]?.string == "Études évidemment" && copy.rows.first?["pageCount"]?.string == "77 p."
        )
        // Where an end is missing, the fields behind it would have wrong tags.
        let end = try #require(wrong.firstIndex(of: 0x1E)).advanced(by: 4)
        wrong[end] = UInt8(ascii: "x")
        let cut = try Mirrored(wrong, name: "books.mrc")
        #expect(cut.rows.allSatisfy { $0["pageCount"]?.string != "Œuvre" })
    }

    @Test("A byte order mark and blanks in the leader are no reason to refuse a file")
    func otherBeginnings() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try Mirrored(mark + Self.emma, name: "books.mrc").rows.first?["title"]?.string == "Emma")
        var blank = Self.emma
        for place in Array(5..<12) + Array(17..<24) { blank[place] = 0x20 }
        #expect(try Mirrored(blank, name: "books.mrc").rows.first?["title"]?.string == "Emma")
    }

    /// In UTF-8, in MARC-8, and in undeclared Latin-1.
    @Test func markedArticlesAreShownWithoutMarksAndIgnoredInSorting() throws {
        let titles: [(bytes: [UInt8], coding: Character)] = [
            (Array("\u{88}L'\u{89}Œuvre /".utf8), "a"), (Array("\u{98}L'\u{9C}Œuvre /".utf8), "a"),
            ([0x88] + Array("L'".utf8) + [0x89] + Array("Oeuvre /".utf8), " "),
        ]
        for (tag, title) in titles.flatMap({ title in [("245", title), ("200", title)] }) {
            let record = marcRecord([(tag, text("10$a") + title.bytes)], coding: title.coding)
            let book = try #require(try Mirrored(record, name: "books.mrc").rows.first)
            let plain = title.coding == "a" ? "Œuvre" : "Oeuvre"
            #expect(book["title"]?.string?.hasPrefix("L'" + plain) == true, "\(book["title"]?.json ?? "")")
            #expect(book["sortTitle"]?.string == plain, "\(book["sortTitle"]?.json ?? "")")
        }
        let cur = marcRecord([("200", text("1 $aC") + [0x9C] + Array("ur".utf8))], coding: "a")
        let book = try #require(try Mirrored(cur, name: "books.mrc").rows.first)
        #expect(book["title"]?.string == "Cœur" && book["sortTitle"] == nil)
    }

    /// The literary form in field 008, which only books have.
    @Test(arguments: [("1", "true"), ("f", "true"), ("0", "false"), ("p", nil), ("|", nil), (" ", nil)])
    func fictionIsReadFromField008(form: String, expected: String?) throws {
        let fixed = "000107s1996    enk           000 \(form) eng  "
        let record = marcRecord([("008", text(fixed)), ("245", text("10$aEmma"))], coding: "a")
        #expect(try Mirrored(record, name: "books.mrc").rows.first?["fiction"]?.json == expected)
    }

    @Test func onlyAnInvalidRecordIsSkipped() throws {
        let second = marcRecord([("245", text("10$aSecond"))], coding: "a")
        var bad = Self.emma
        bad.replaceSubrange(12..<17, with: "99999".utf8)
        let copy = try Mirrored(Self.emma + bad + [0x0A] + second, name: "books.mrc")
        #expect(copy.rows.map { $0["title"]?.string } == ["Emma", "Second"])
        #expect(copy.copy.defects == [SourceDefect(.malformed, first: .record(2))])
        #expect(copy.copy.isComplete)
    }

    @Test func aFileTruncatedAtAnyByteHasTheRecordsBefore() throws {
        let second = marcRecord([("245", text("10$aSecond"))], coding: "a")
        let all = Self.emma + second
        for length in 24..<all.count {
            let copy = try Mirrored(all.prefix(length), name: "books.mrc")
            #expect(copy.copy.rows == (length >= Self.emma.count ? 1 : 0), "\(length)")
            #expect(copy.copy.isComplete == (length == Self.emma.count), "\(length)")
        }
    }

    @Test func anyInvalidByteIsHandled() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = Self.emma + Self.emma
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let copy = try? Mirrored(bytes, name: "books.mrc")
            #expect(copy?.copy.rows ?? 0 <= 4)
        }
    }
}

@Suite("Connectors: MARCXML, MODS and OPDS 1.2") struct XMLConnectorTests {
    private static let marcxml = """
        <?xml version="1.0"?><!-- c --><m:collection xmlns:m="http://www.loc.gov/MARC21/slim">
        <m:record><m:leader>00000nam a2200000 a 4500</m:leader><m:controlfield tag="001">7</m:controlfield>
        <m:datafield tag="100" ind1="1" ind2=" "><m:subfield code="a">Lem, Stanis&#322;aw.</m:subfield></m:datafield>
        <m:datafield tag="245" ind1="1" ind2="0"><m:subfield code="a">Solaris &amp; more /</m:subfield></m:datafield>
        </m:record>
        <m:record><m:datafield tag="245" ind1="1" ind2="0"><m:subfield code="a">Eden</m:subfield></m:datafield></m:record>
        </m:collection>
        """

    @Test func recordsOfMARCXMLAreThoseOfMARC() throws {
        let copy = try Mirrored(Self.marcxml, name: "books.xml")
        #expect(copy.opened.kind == "marcxml" && copy.copy.isComplete)
        #expect(
            copy.rows.map(\.book.json) == [
                #"{"id":"7","title":"Solaris & more","authors":["Lem, Stanisław"]}"#, #"{"title":"Eden"}"#,
            ])
        #expect(copy.rows.first?["marc"]?["leader"]?.string == "00000nam a2200000 a 4500")
    }

    @Test("Records in an answer of OAI-PMH are read, but for those of deleted books")
    func answersOfOAIPMH() throws {
        let record = "<record><leader/><datafield tag='245'><subfield code='a'>Eden</subfield></datafield></record>"
        let xml = """
            <OAI-PMH><ListRecords><record><header/><metadata>\(record)</metadata></record>
            <record><header status="deleted"/></record></ListRecords></OAI-PMH>
            """
        let copy = try Mirrored(xml, name: "books.xml")
        #expect(copy.rows.map(\.book.json) == [#"{"title":"Eden"}"#] && copy.copy.isComplete)
    }

    @Test("Records in a saved answer of SRU are read, of MARC and of MODS")
    func answersOfSRU() throws {
        let record = "<record><leader/><datafield tag='245'><subfield code='a'>Eden</subfield></datafield></record>"
        for (data, fields) in [
            (record, #"{"title":"Eden"}"#),
            ("<mods><titleInfo><title>Eden</title></titleInfo></mods>", #"{"title":"Eden"}"#),
        ] {
            let xml = """
                <z:searchRetrieveResponse xmlns:z="http://www.loc.gov/zing/srw/"><z:numberOfRecords>1</z:numberOfRecords>
                <z:records><z:record><z:recordSchema>x</z:recordSchema><z:recordData>\(data)</z:recordData></z:record>
                </z:records></z:searchRetrieveResponse>
                """
            let copy = try Mirrored(xml, name: "answer.xml")
            #expect(copy.rows.map(\.book.json) == [fields] && copy.copy.isComplete && copy.copy.defects == [])
        }
    }

    @Test func aDocumentTruncatedAtAnyByteHasTheRecordsBefore() throws {
        let bytes = Array(Self.marcxml.utf8)
        let firstEnd = try #require(Self.marcxml.range(of: "</m:record>")).upperBound.utf16Offset(in: Self.marcxml)
        for length in stride(from: 100, to: bytes.count - 1, by: 3) {
            let copy = try Mirrored(bytes.prefix(length), name: "books.xml")
            #expect(!copy.copy.isComplete && copy.copy.defects.map(\.kind) == [.cut], "\(length)")
            #expect(copy.copy.rows >= (length > firstEnd + 4 ? 1 : 0), "\(length)")
        }
    }

    @Test func entitiesAreRefused() throws {
        let bombs = [
            "<!DOCTYPE c [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><collection><record><leader>&b;</leader></record></collection>",
            "<!DOCTYPE c [<!ENTITY p SYSTEM \"file:///etc/passwd\">]><collection><record><leader>&p;</leader></record></collection>",
            "<!DOCTYPE c [<!ENTITY % p SYSTEM \"http://localhost:1/x\"> %p;]><collection></collection>",
        ]
        for bomb in bombs {
            #expect {
                try Mirrored(bomb, name: "books.xml")
            } throws: { error in
                (error as? ConnectorFailure)?.kind == .refused || (error as? ConnectorFailure)?.kind == .format
            }
        }
    }

    @Test func depthAndSizeAreLimited() throws {
        let deep = "<collection>" + String(repeating: "<a>", count: 100_000)
        let copy = try Mirrored(deep, name: "books.xml")
        #expect(copy.copy.defects.map(\.kind) == [.tooDeep] && !copy.copy.isComplete)
        let large = String(repeating: "x", count: 1 << 20)
        let long = "<mods><titleInfo><title>\(large)y</title></titleInfo></mods>"
        let second = "<mods><titleInfo><title>B</title></titleInfo></mods>"
        let records = try Mirrored("<modsCollection>\(long)\(second)</modsCollection>", name: "books.xml")
        #expect(records.lines == [#"{"title":"B"}"#] && records.copy.isComplete)
        #expect(records.copy.defects == [SourceDefect(.tooLarge, first: .record(1))])
    }

    @Test func MODSHasTheFieldsOfABook() throws {
        let copy = try Mirrored(
            """
            <modsCollection xmlns="http://www.loc.gov/mods/v3"><mods ID="lem1961">
            <titleInfo type="alternative"><title>Other</title></titleInfo>
            <titleInfo><nonSort>The</nonSort><title>Cyberiad</title><subTitle>fables</subTitle></titleInfo>
            <name type="personal"><namePart type="family">Lem</namePart><namePart type="given">Stanisław</namePart>
            <role><roleTerm authority="marcrelator" type="text">author</roleTerm></role></name>
            <name type="personal"><namePart>Kandel, Michael</namePart><role><roleTerm>translator</roleTerm></role></name>
            <originInfo><place><placeTerm>London</placeTerm></place><publisher>Secker</publisher><dateIssued>c1975</dateIssued></originInfo>
            <language><languageTerm>eng</languageTerm></language><genre>book</genre>
            <subject><topic>Robots</topic><geographic>Space</geographic></subject>
            <identifier type="isbn">9780156027595</identifier><identifier type="doi">10.1/x</identifier>
            <relatedItem type="series"><titleInfo><title>Classics</title><partNumber>vol. 3</partNumber></titleInfo></relatedItem>
            <physicalDescription><extent>295 p.</extent></physicalDescription><abstract>Tales.</abstract>
            </mods></modsCollection>
            """, name: "books.xml")
        #expect(
            copy.lines == [
                """
                {"id":"lem1961","title":"The Cyberiad","subtitle":"fables","authors":["Lem, Stanisław"],\
                "contributors":[{"name":"Kandel, Michael","role":"translator"}],"isbn":["9780156027595"],\
                "pageCount":"295 p.","publisher":"Secker","place":"London","published":"1975","languages":["eng"],\
                "subjects":["Robots – Space"],"series":"Classics","seriesPosition":"3","description":"Tales.",\
                "identifiers":{"doi":"10.1/x"},"itemType":"book"}
                """
            ])
    }

    /// A page is not a place in a series; a volume is, and so is a number without a type.
    @Test(arguments: [(#" type="page""#, nil), (#" type="volume""#, "7"), (#" type="Issue""#, "7"), ("", "7")])
    func theDetailOfAPartIsThePlaceInTheSeriesUnlessItIsAPage(type: String, position: String?) throws {
        let copy = try Mirrored(
            """
            <mods><titleInfo><title>A</title></titleInfo><part><detail\(type)><number>7</number></detail></part>
            <relatedItem type="series"><titleInfo><title>S</title></titleInfo></relatedItem></mods>
            """, name: "a.xml")
        #expect(copy.rows.first?["series"]?.string == "S" && copy.rows.first?["seriesPosition"]?.string == position)
    }

    @Test func OPDSHasTheFieldsOfABookAndOtherEntriesAreLeftOut() throws {
        let copy = try Mirrored(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/" xmlns:schema="http://schema.org/">
            <id>f</id><title>Feed</title>
            <entry><title>New books</title><id>n</id>
            <link rel="subsection" href="/new" type="application/atom+xml;profile=opds-catalog"/></entry>
            <entry><title>Emma</title><id>urn:isbn:9780141439587</id><author><name>Jane Austen</name></author>
            <dc:issued>1815</dc:issued><dc:language>en</dc:language><dc:publisher>Murray</dc:publisher>
            <category term="http://x/y"/><category term="F" label="Fiction"/><summary type="text">A &lt;b&gt;village&lt;/b&gt;.</summary>
            <schema:Series name="Works" position="4"/>
            <link rel="http://opds-spec.org/image" href="/emma.jpg" type="image/jpeg"/>
            <link rel="http://opds-spec.org/acquisition" href="/emma.epub" type="application/epub+zip"/></entry></feed>
            """, name: "feed.atom")
        #expect(copy.opened.kind == "opds" && copy.copy.isComplete)
        #expect(
            copy.lines == [
                """
                {"id":"urn:isbn:9780141439587","title":"Emma","authors":["Jane Austen"],"isbn":["9780141439587"],\
                "publisher":"Murray","published":"1815","languages":["en"],"subjects":["Fiction"],"series":"Works",\
                "seriesPosition":"4","description":"A <b>village</b>.","cover":"/emma.jpg",\
                "links":[{"rel":"http://opds-spec.org/acquisition","href":"/emma.epub","type":"application/epub+zip"},\
                {"rel":"http://opds-spec.org/image","href":"/emma.jpg","type":"image/jpeg"}]}
                """
            ])
        #expect(copy.copy.defects == [])
    }

    /// Returns the copy of a feed with these attributes and entries.
    private func feed(_ attributes: String = "", _ entries: String...) throws -> Mirrored {
        let text = "<feed xmlns=\"http://www.w3.org/2005/Atom\" \(attributes)>\(entries.joined())</feed>"
        return try Mirrored("\n  \n<?xml version=\"1.0\"?>\n" + text, name: "feed.xml")
    }

    @Test func addressesOfOPDSAreRelativeToTheirBase() throws {
        let copy = try feed(
            #"xml:base="https://books.example/opds/""#,
            #"<entry><title>A</title><link rel="http://opds-spec.org/acquisition" href="a.epub"/></entry>"#,
            #"<entry xml:base="b/"><title>B</title><link type="application/pdf" href="b.pdf"/></entry>"#,
            #"<entry><title>C</title><link xml:base="/c/" type="application/pdf" href="c.pdf"/></entry>"#)
        let links = copy.rows.map { $0["links"]?.elements?.first?["href"]?.string }
        let base = "https://books.example/"
        #expect(links == [base + "opds/a.epub", base + "opds/b/b.pdf", base + "c/c.pdf"])
    }

    @Test(arguments: [
        (#" type="html""#, "Q &amp;amp; A &lt;i&gt;now&lt;/i&gt;", "Q & A now"),
        (#" type="xhtml""#, "<div>Q &amp; A <i>now</i></div>", "Q & A now"),
        (#" type="text""#, "5 &lt; 6", "5 < 6"), ("", "A &lt;b&gt; B", "A <b> B"),
    ])
    func titlesOfOPDSMayHaveMarkup(type: String, title: String, shown: String) throws {
        let copy = try feed("", "<entry><title\(type)>\(title)</title><publisher>P</publisher></entry>")
        #expect(copy.rows.map { $0["title"]?.string } == [shown])
    }

    @Test("An ampersand that is not escaped loses nothing") func ampersands() throws {
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Q & A at AT&T</title><author><name>Ann</name></author>\
            <link rel="http://opds-spec.org/acquisition" type="application/epub+zip" href="http://e.org/?a=1&b=2"/></entry>\
            <entry><title>Next &amp; last</title><author><name>Ann</name></author>\
            <link rel="http://opds-spec.org/acquisition" type="application/epub+zip" href="http://e.org/2"/></entry></feed>
            """
        let copy = try Mirrored(Array(feed.utf8), name: "feed.xml")
        #expect(copy.rows.map { $0["title"]?.string } == ["Q & A at AT&T", "Next & last"])
        #expect(copy.rows.first?.json.contains("http://e.org/?a=1&b=2") == true)
        #expect(copy.copy.isComplete && copy.copy.defects == [])
    }

    @Test func whatIsNoBookIsLeftOut() throws {
        let list = #"<entry><title>New</title><link type="application/atom+xml" rel="subsection" href="n"/></entry>"#
        let page = #"<entry><title>About</title><link type="text/html" href="about"/></entry>"#
        let book = #"<entry><title>A</title><link type="application/epub+zip" href="a.epub"/></entry>"#
        #expect(
            try feed("", list, page, book).copy.defects == [SourceDefect(.notABook, first: .record(2), detail: "About")]
        )
        // Links are told of where there is nothing else.
        #expect(try feed("", list, list).copy.defects == [SourceDefect(.foreign, count: 2, first: .record(1))])
    }

    @Test func otherDocumentsAreRefused() {
        #expect { try Mirrored("<!DOCTYPE html><html><body>Log in</body></html>", name: "x.xml") } throws: {
            ($0 as? ConnectorFailure)?.reason == .html
        }
        #expect { try Mirrored("<svg></svg>", name: "x.xml") } throws: {
            ($0 as? ConnectorFailure)?.detail == "<svg>"
        }
    }
}

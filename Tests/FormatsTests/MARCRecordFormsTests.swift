import ConnectorProtocol
import ConnectorTesting
import Graphemes
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import JSON

/// Records that a catalog keeps, as they are exported again.
@Suite("Formats: MARC as it came") struct MARCRecordFormsTests {
    private static let leader = "00714cam  2200205 i 4500"
    private static let fields = """
        [{"001":"123"},{"003":"DLC"},{"008":"000107s1996    enk           000 1 eng  "},
        {"041":{"ind1":"1","ind2":" ","subfields":[{"a":"eng"},{"h":"fre"}]}},
        {"020":{"ind1":" ","ind2":" ","subfields":[{"a":"0141439580 (pbk.)"},{"c":"£5"}]}},
        {"100":{"ind1":"1","ind2":" ","subfields":[{"a":"Austen, Jane,"},{"d":"1775-1817."}]}},
        {"245":{"ind1":"1","ind2":"4","subfields":[{"6":"880-01"},{"a":"The Emma :"},{"b":"a novel /"},{"c":"J. A."}]}},
        {"250":{"ind1":" ","ind2":" ","subfields":[{"a":"2nd ed."}]}},
        {"260":{"ind1":" ","ind2":" ","subfields":[{"a":"London :"},{"b":"Penguin,"},{"c":"c1996."}]}},
        {"300":{"ind1":" ","ind2":" ","subfields":[{"a":"xxvi, 474 p. ;"},{"c":"20 cm."}]}},
        {"490":{"ind1":"1","ind2":" ","subfields":[{"a":"Classics ;"},{"v":"v. 12"}]}},
        {"500":{"ind1":" ","ind2":" ","subfields":[{"a":"A note."}]}},
        {"520":{"ind1":" ","ind2":" ","subfields":[{"a":"A village."}]}},
        {"650":{"ind1":" ","ind2":"0","subfields":[{"a":"Young women"},{"z":"England."},{"0":"(DLC)1"}]}},
        {"650":{"ind1":" ","ind2":"0","subfields":[{"a":"Villages."}]}},
        {"700":{"ind1":"1","ind2":" ","subfields":[{"a":"Stafford, Fiona,"},{"e":"editor."}]}},
        {"700":{"ind1":"1","ind2":" ","subfields":[{"a":"Austen, Jane."},{"t":"Persuasion."}]}},
        {"830":{"ind1":" ","ind2":"0","subfields":[{"a":"Classics ;"},{"v":"12."}]}},
        {"ABC":{"ind1":"7","ind2":" ","subfields":[{"x":" y "},{"z":""}]}}]
        """
    /// A row as the connector makes it, without the members that do not matter here.
    private static let record = JSONValue.object([
        .init(key: "edition", value: .string("2nd ed.")),
        .init(
            key: "marc",
            value: .object([
                .init(key: "leader", value: .string(leader)),
                .init(key: "fields", value: JSONValue(parsing: fields.utf8) ?? .null),
            ])),
    ])
    /// The book that the record gives.
    private static let book = {
        var book = Book(title: "The Emma", authors: ["Austen, Jane"], isbn: ISBN("0141439580"), pageCount: 474)
        (book.fiction, book.subtitle, book.publisher) = (true, "a novel", "Penguin")
        (book.published, book.languages) = (PartialDate(year: 1996), ["en"])
        (book.series, book.seriesPosition, book.description) = ("Classics", 12, "A village.")
        book.subjects = ["Young women – England", "Villages"]
        book.contributors = [.init(name: "Stafford, Fiona", role: "editor")]
        return book
    }()

    init() { useUTF8Locale() }

    /// Returns the lines of the record of a book.
    private func lines(_ book: Book = Self.book, record: JSONValue? = Self.record) -> [String] {
        var form = MARCLines()
        var text: [UInt8] = []
        form.append(PrintedBook(book: book, record: record), to: &text)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the record that is written for a book, read again, by the format.
    private func written(
        _ book: Book, as format: ExportFormat, record: JSONValue = Self.record
    ) throws -> JSONValue {
        var form = format.formatter(includesUserData: false)
        #expect(form.needsRecords && !form.needsUserData)
        var text: [UInt8] = []
        form.begin(&text)
        form.append(PrintedBook(book: book, record: record), to: &text)
        form.end(&text)
        let directory = try TemporaryDirectory()
        let copy = try Mirrored(source: directory.write(text, to: "books"))
        #expect(copy.opened.kind == format.rawValue && copy.copy.isComplete && copy.copy.defects == [])
        return try #require(copy.rows.first?["marc"])
    }

    /// Returns the fields in which the record of a changed book differs, without those that are gone: each as one line.
    private func changes(_ change: (inout Book) -> Void) -> (new: [String], gone: [String]) {
        var book = Self.book
        change(&book)
        let old = lines()
        let new = lines(book)
        #expect(new.filter(old.contains) == old.filter(new.contains))
        return (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
    }

    @Test("An unchanged record is written as it came, but for lengths", arguments: [ExportFormat.marc, .marcxml])
    func unchanged(format: ExportFormat) throws {
        let marc = try written(Self.book, as: format)
        #expect(marc["fields"] == Self.record["marc"]?["fields"])
        let leader = try #require(marc["leader"]?.string)
        #expect(leader.dropFirst(5).prefix(7) == "cam a22" && leader.suffix(7) == " i 4500")
        if format == .marcxml { #expect(leader == "00714cam a2200205 i 4500") }
    }

    @Test("A record has the lines that librarians read")
    func linesOfRecords() {
        let lines = self.lines()
        #expect(
            lines[0...6] == [
                "LDR 00714cam  2200205 i 4500", "001     123", "003     DLC",
                "008     000107s1996    enk           000 1 eng  ", "041 1  $a eng $h fre",
                "020    $a 0141439580 (pbk.) $c £5", "100 1  $a Austen, Jane, $d 1775-1817.",
            ])
        var hostile = Self.book
        hostile.title = "A\u{1B}[31m\nB\u{202E}"
        let harmless = self.lines(hostile)
        #expect(harmless.contains("245 10 $6 880-01 $a A\u{FFFD}[31m\u{FFFD}B\u{FFFD} : $b a novel / $c J. A."))
    }

    @Test("Only the field of a changed title is replaced, with its other subfields and its punctuation")
    func title() {
        let new = changes { $0.title = "The Watsons" }
        #expect(new.new == ["245 14 $6 880-01 $a The Watsons : $b a novel / $c J. A."])
        #expect(changes { $0.title = "Emma" }.new == ["245 10 $6 880-01 $a Emma : $b a novel / $c J. A."])
        #expect(changes { $0.subtitle = "a tale" }.new == ["245 14 $6 880-01 $a The Emma : $b a tale / $c J. A."])
        #expect(changes { $0.subtitle = nil }.new == ["245 14 $6 880-01 $a The Emma / $c J. A."])
    }

    @Test("People who stay keep their fields; others get new ones, and works of others stay")
    func people() {
        let other = changes { $0.authors = ["Brontë, Anne"] }
        #expect(other.new == ["100 1  $a Brontë, Anne $e author"] && other.gone.count == 1)
        let second = changes { $0.authors.append("Anonymous") }
        #expect(second.new == ["700 0  $a Anonymous $e author"] && second.gone == [])
        let none = changes { ($0.authors, $0.contributors) = ([], []) }
        #expect(none.new == [] && none.gone.map { $0.prefix(3) } == ["100", "700"])
        let editor = changes { $0.contributors = [.init(name: "Stafford, Fiona", role: "translator")] }
        #expect(editor.new == ["700 1  $a Stafford, Fiona $e translator"])
    }

    @Test("Each other value has its field, and characters of field 008")
    func values() {
        let isbn = changes { $0.isbn = ISBN("9780306406157") }
        #expect(isbn.new == ["020    $a 9780306406157 $c £5"])
        let year = changes { $0.published = PartialDate(year: 2003, month: 4) }
        #expect(
            year.new == [
                "008     000107s2003    enk           000 1 eng  ", "260    $a London : $b Penguin, $c 2003.",
            ])
        #expect(changes { $0.publisher = "Dent" }.new == ["260    $a London : $b Dent, $c c1996."])
        #expect(changes { $0.pageCount = 500 }.new == ["300    $a 500 pages ; $c 20 cm."])
        #expect(changes { $0.fiction = false }.new == ["008     000107s1996    enk           000 0 eng  "])
        let language = changes { $0.languages = ["de", "fr"] }
        #expect(
            language.new == ["008     000107s1996    enk           000 1 ger  ", "041 1  $a ger $a fre $h fre"])
        #expect(changes { $0.subjects.removeLast() }.gone == ["650  0 $a Villages."])
        #expect(changes { $0.subjects.append("Love") }.new == ["650  4 $a Love"])
        let series = changes { ($0.series, $0.seriesPosition) = ("Library", 3) }
        #expect(series.new == ["490 1  $a Library ; $v 3", "830  0 $a Library ; $v 3."])
        #expect(changes { $0.description = "One.\nTwo." }.new == ["520    $a One.", "520    $a Two."])
        #expect(changes { $0.description = nil }.gone == ["520    $a A village."])
        let numbers = changes {
            $0.identifiers = [.init(scheme: "lccn", value: "1"), .init(scheme: "url", value: "u")]
        }
        #expect(numbers.new == ["010    $a 1", "856 4  $u u"])
    }

    @Test("The key, the cover and the status of a book are not those of its record")
    func others() {
        let other = changes {
            ($0.sourceID, $0.cover, $0.status, $0.rating) = ("isbn:1", "http://x/y.png", .read, 4)
        }
        #expect(other.new == [] && other.gone == [])
    }

    @Test("A changed record is read as the changed book", arguments: [ExportFormat.marc, .marcxml])
    func changed(format: ExportFormat) throws {
        var book = Self.book
        (book.title, book.authors, book.isbn) = ("Ήμμα", ["Ώστεν, Τζέιν", "B, C"], nil)
        (book.subjects, book.publisher, book.pageCount) = (["恋愛", "Villages"], nil, nil)
        let marc = try written(book, as: format)
        let fields = try #require(marc["fields"]?.elements)
        func subfields(_ tag: String) -> [String] { fields.compactMap { $0[tag]?["subfields"]?.json } }
        #expect(subfields("100") == [#"[{"a":"Ώστεν, Τζέιν"},{"e":"author"}]"#])
        #expect(subfields("650") == [#"[{"a":"恋愛"}]"#, #"[{"a":"Villages."}]"#])
        #expect(subfields("300") == [#"[{"c":"20 cm."}]"#] && subfields("020") == [#"[{"c":"£5"}]"#])
        #expect(subfields("260") == [#"[{"a":"London :"},{"c":"c1996."}]"#])
    }

    @Test("A changed edition is written, and a record without the member keeps its own")
    func edition() {
        let marc = Self.record["marc"] ?? .null
        func line(_ members: [JSONValue.Member]) -> String? {
            let record = JSONValue.object(members + [.init(key: "marc", value: marc)])
            return lines(record: record).first { $0.hasPrefix("250") }
        }
        #expect(line([.init(key: "edition", value: .string("3rd ed."))]) == "250    $a 3rd ed.")
        #expect(line([]) == "250    $a 2nd ed.")
    }

    @Test("Values that only libraries have are written back to their fields")
    func ownFields() {
        let marc = Self.record["marc"] ?? .null
        /// Returns the fields that come and go when the record of the catalog has these values.
        func changes(_ json: String) -> (new: [String], gone: [String]) {
            let values = JSONValue(parsing: json.utf8)?.members ?? []
            let new = lines(record: .object(values + [.init(key: "marc", value: marc)]))
            let old = lines()
            return (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
        }
        let extent = #""edition":"2nd ed.","extent":"xxvi, 474 p. ; 20 cm.""#
        #expect(changes(#"{\#(extent),"notes":["A note."]}"#) == ([], []))
        #expect(changes(#"{\#(extent),"notes":["Another."]}"#) == (["500    $a Another."], ["500    $a A note."]))
        #expect(changes(#"{\#(extent),"notes":["A note.","Second"]}"#) == (["500    $a Second"], []))
        #expect(changes("{\(extent)}") == ([], ["500    $a A note."]))
        #expect(
            changes(#"{"edition":"2nd ed.","extent":"2 volumes","notes":["A note."]}"#)
                == (["300    $a 2 volumes"], ["300    $a xxvi, 474 p. ; $c 20 cm."]))
        let new = changes(
            #"{\#(extent),"notes":["A note."],"lcClass":["PR4034"],"location":["Hall"],"callNumber":["PR 1"]}"#)
        #expect(new == (["050  4 $a PR4034", "852    $a Hall", "852    $h PR 1"], []))
        // A record that knows none of these values is older than they are.
        #expect(changes(#"{"edition":"2nd ed."}"#) == ([], []))
    }

    @Test("A location and a call number in one field are changed and deleted apart")
    func locations() {
        let fields = #"""
            [{"245":{"ind1":"0","ind2":"0","subfields":[{"a":"Emma"}]}},
            {"852":{"ind1":" ","ind2":" ","subfields":[{"b":"Main"},{"c":"Hall"},{"h":"PR"},{"i":"1"}]}},
            {"852":{"ind1":" ","ind2":" ","subfields":[{"b":"Annex"},{"h":"PR"},{"i":"2"}]}}]
            """#
        func lines(_ values: String) -> [String] {
            let json = #"{\#(values),"marc":{"leader":"00000nam a2200000 c 4500","fields":\#(fields)}}"#
            return Array(self.lines(Book(title: "Emma"), record: JSONValue(parsing: json.utf8)).dropFirst(2))
        }
        let same = lines(#""location":["Main, Hall","Annex"],"callNumber":["PR 1","PR 2"]"#)
        #expect(same == ["852    $b Main $c Hall $h PR $i 1", "852    $b Annex $h PR $i 2"])
        #expect(
            lines(#""location":["Main, Hall","Depot"],"callNumber":["QA 7","PR 2"]"#)
                == ["852    $b Main $c Hall $h QA 7", "852    $b Depot $h PR $i 2"])
        #expect(
            lines(#""location":["Annex"],"callNumber":["PR 1","PR 2"]"#)
                == ["852    $b Annex $h PR $i 2", "852    $h PR $i 1"])
    }

    @Test("A new title in original script is linked with its twin")
    func newOtherTitle() {
        let new = changes { $0.otherTitle = "Эмма" }
        #expect(
            new.new == [
                "245 14 $6 880-02 $a The Emma : $b a novel / $c J. A.", "880 14 $6 245-02 $a Эмма",
            ])
    }

    @Test("A new number before the others does not move what is replaced after it")
    func severalChanges() {
        var record = JSONValue.null
        if case .object(let members)? = Self.record["marc"], let kept = members.last?.value.elements {
            let fields = kept.filter { $0["020"] == nil }
            record = .object([
                .init(key: "marc", value: .object([members[0], .init(key: "fields", value: .array(fields))]))
            ])
        }
        var book = Self.book
        (book.isbn, book.subjects) = (ISBN("9780306406157"), ["Villages"])
        let lines = self.lines(book, record: record)
        #expect(lines.contains("020    $a 9780306406157"))
        #expect(lines.filter { $0.hasPrefix("650") } == ["650  0 $a Villages."])
        #expect(lines.contains("700 1  $a Stafford, Fiona, $e editor."))
    }

    @Test("A changed record of UNIMARC is made anew, as its fields have other numbers")
    func unimarc() throws {
        let fields = #"[{"001":"7"},{"200":{"ind1":"1","ind2":" ","subfields":[{"a":"Emma"}]}}]"#
        let json = #"{"marc":{"leader":"00000nam  2200000   4500","fields":\#(fields)}}"#
        let record = try #require(JSONValue(parsing: json.utf8))
        func tags(_ title: String) -> [String] {
            lines(Book(title: title), record: record).map { String($0.prefix(3)) }
        }
        #expect(tags("Emma") == ["LDR", "001", "200"] && tags("Emma II") == ["LDR", "001", "008", "245"])
    }

    @Test("A text that is too long for the exchange format is cut, and MARCXML has all of it")
    func tooLong() throws {
        let text = String(repeating: "é", count: 6_000)
        var book = Book(title: "Emma")
        book.subjects = [text] + (0..<12).map { String($0) + String(repeating: "x", count: 9_000) }
        let exchanged = try written(book, as: .marc, record: .null)["fields"]?.elements ?? []
        let subjects = exchanged.compactMap { $0["650"]?["subfields"]?.elements?.first?["a"]?.string }
        #expect(subjects.first == String(text.prefix(4_996 + 1)) && subjects.count == 10)
        let all = try written(book, as: .marcxml, record: .null)["fields"]?.elements ?? []
        #expect(all.count { $0["650"] != nil } == 13)
    }
}

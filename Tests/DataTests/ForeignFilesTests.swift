import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import Testing

/// Real files that are not JSON. The expected numbers and titles are those of pymarc, rispy, bibtexparser and Python's
/// csv.
@Suite("Data: files of other formats") struct ForeignFilesTests {
    private func copy(_ name: String) throws -> Mirrored { try Mirrored(source: DataDirectory.path(name)) }

    private func titles(_ copy: Mirrored) -> [String] { copy.rows.map { $0["title"]?.string ?? "" } }

    @Test(arguments: [
        ("blacklight-utf8.mrc", 30), ("pymarc-1251.dat", 6), ("pymarc-alphatag.dat", 1), ("pymarc-diacritic.dat", 1),
        ("pymarc-marc.dat", 20), ("pymarc-marc8.dat", 1), ("pymarc-multi_isbn.dat", 1), ("pymarc-one.dat", 1),
        ("pymarc-regression45.dat", 12), ("pymarc-testunimarc.dat", 1), ("pymarc-utf8_with_leader_flag.dat", 1),
        ("pymarc-utf8_without_leader_flag.dat", 1), ("pymarc-bad_eacc_encoding.dat", 1),
        ("pymarc-bad_indicator.dat", 1),
        ("pymarc-bad_marc8_escape.dat", 1), ("pymarc-bad_subfield_code.dat", 1), ("pymarc-utf8_invalid.mrc", 1),
        ("pymarc-bad_records.mrc", 2),
    ])
    func MARCFilesHaveTheRecordsThatPymarcFinds(name: String, count: Int) throws {
        let copy = try copy("marc/" + name)
        #expect(copy.opened.kind == "marc" && copy.copy.rows == count && copy.copy.isComplete)
    }

    @Test func recordsOfMARCAreBooks() throws {
        let copy = try copy("marc/pymarc-marc.dat")
        #expect(
            titles(copy).prefix(5) == [
                "The pragmatic programmer", "Programming Python", "Learning Python", "Python cookbook",
                "Python programming for the absolute beginner",
            ])
        let first = try #require(copy.rows.first)
        #expect(first["subtitle"]?.string == "from journeyman to master")
        #expect(first["authors"]?.json == #"["Hunt, Andrew","Thomas, David"]"#)
        #expect(first["isbn"]?.json == #"["020161622X"]"# && first["published"]?.string == "2000")
        #expect(first["publisher"]?.string == "Addison-Wesley" && first["languages"]?.json == #"["eng"]"#)
    }

    /// The same record in MARC-8, in UTF-8, and in UTF-8 that the leader does not declare.
    @Test func encodingsOfMARCGiveTheSameText() throws {
        let texts = try ["marc8", "utf8_with_leader_flag", "utf8_without_leader_flag"].map { name -> String in
            let fields = try copy("marc/pymarc-\(name).dat").rows.first?["marc"]?["fields"]?.json
            return try #require(fields).precomposedStringWithCanonicalMapping
        }
        #expect(texts[0] == texts[1] && texts[0] == texts[2])
        #expect(texts[0].contains("De la solitude à la communauté."))
    }

    @Test func completeRecordsEqualThoseOfPymarc() throws {
        let record = try #require(JSONValue(parsing: try DataDirectory.bytes("marc/pymarc-one.json")))
        let expected = try #require(record.elements?.first ?? record)
        let fields = try copy("marc/pymarc-one.dat").rows.first?["marc"]?["fields"]
        #expect(fields?.sorted == expected["fields"]?.sorted)
    }

    @Test func recordsOfMARCXMLAreRead() throws {
        #expect(try copy("marc/pymarc-batch.xml").copy.rows == 2)
        #expect(try copy("marc/pymarc-utf8.xml").copy.rows == 1)
        let batch = try #require(JSONValue(parsing: try DataDirectory.bytes("marc/pymarc-batch.json"))?.elements)
        let rows = try copy("marc/pymarc-batch.xml").rows
        #expect(rows.count == batch.count)
    }

    @Test(arguments: [
        ("palace-book_with_license.opds", 1, 0), ("palace-content_server.opds", 76, 0),
        ("palace-content_server_mini.opds", 2, 0), ("palace-unrecognized_identifier.opds", 0, 0),
        ("readium-wiki_1_1.opds", 2, 0), ("readium-feedbooks_catalog.atom", 0, 6),
    ])
    func entriesOfOPDSAreBooksOrSkipped(name: String, books: Int, others: Int) throws {
        let copy = try copy("opds1/" + name)
        #expect(copy.opened.kind == "opds" && copy.copy.isComplete && copy.copy.rows == books)
        #expect(copy.copy.defects.first?.count ?? 0 == others)
        if name == "readium-wiki_1_1.opds" {
            #expect(titles(copy) == ["Bob, Son of Bob", "Modern Online Philately"])
            #expect(copy.rows.last?["authors"]?.json == #"["Stampy McGee","Alice McGee","Harold McGee"]"#)
        }
    }

    @Test(arguments: [
        ("basic", 1), ("bom", 1), ("custom_list_tags", 1), ("empty_tag", 1), ("extraneous_data", 2), ("full", 2),
        ("full_without_whitespace", 2), ("full_write", 2), ("multi_unknown_tags", 1), ("multiline", 3),
        ("single_unknown_tag", 1), ("starting_newlines", 1), ("urls", 4), ("utf_chars", 1), ("wos", 2),
    ])
    func RISFilesHaveTheReferencesThatRispyFinds(name: String, count: Int) throws {
        let copy = try copy("ris/example_\(name).ris")
        #expect(copy.copy.rows == count && copy.copy.isComplete)
        if name == "full" {
            #expect(titles(copy) == ["Title of reference", "The title of the reference"])
            #expect(copy.rows.first?["authors"]?.json == #"["Marx, Karl","Lindgren, Astrid"]"#)
        }
    }

    @Test func BibTeXIsRead() throws {
        let copy = try copy("bibtex/example.bib")
        #expect(titles(copy) == ["An amazing title"])
        #expect(copy.rows.first?["authors"]?.json == #"["César, Jean"]"#)
    }
}

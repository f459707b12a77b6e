import ConnectorProtocol
import ConnectorTesting
import JSON
import TestSupport
import Testing

@testable import Connectors

@Suite("Records, descriptions and addresses of library servers") struct LibraryRecordTests {
    private func row(_ xml: String) throws -> JSONValue {
        try LibraryRecord.row(of: try #require(try XMLTree.root(of: Array(xml.utf8))))
    }

    @Test("The id of a MARC record is its control number, with the library that assigned it") func marcID() throws {
        func marc(_ fields: String) -> String {
            "<collection><record><leader>00000nam a2200000 a 4500</leader>\(fields)"
                + #"<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Emma /</subfield></datafield></record></collection>"#
        }
        let number = #"<controlfield tag="001"> 123 </controlfield>"#
        #expect(try row(marc(number))["id"]?.string == "123")
        #expect(try row(marc(number + #"<controlfield tag="003">DLC</controlfield>"#))["id"]?.string == "(DLC)123")
        #expect(LibraryRecord.controlNumber(ofID: "(DLC)123") == "123")
        #expect(LibraryRecord.controlNumber(ofID: "123") == "123")
        let unnumbered = try row(marc(""))
        #expect(unnumbered["title"]?.string == "Emma" && unnumbered["id"]?.string?.hasPrefix("hash:") == true)
        #expect(try row(marc("")) == unnumbered)
    }

    @Test("UNIMARC, MODS and Dublin Core have the fields of a book") func formats() throws {
        let unimarc = try row(
            #"<mxc:record xmlns:mxc="info:lc/xmlns/marcxchange-v2"><mxc:controlfield tag="001">FR1</mxc:controlfield>"#
                + #"<mxc:datafield tag="200" ind1="1" ind2=" "><mxc:subfield code="a">Candide</mxc:subfield></mxc:datafield>"#
                + #"<mxc:datafield tag="700" ind1=" " ind2="|"><mxc:subfield code="a">Voltaire</mxc:subfield></mxc:datafield></mxc:record>"#
        )
        #expect(unimarc["title"]?.string == "Candide" && unimarc["id"]?.string == "FR1")
        #expect(unimarc["authors"]?.elements == [.string("Voltaire")])
        let mods = try row(
            "<mods><titleInfo><title>Emma</title></titleInfo><recordInfo><recordIdentifier>m1</recordIdentifier></recordInfo></mods>"
        )
        #expect(mods["title"]?.string == "Emma" && mods["id"]?.string == "m1")
        let core = try row(
            "<dc><title>Emma</title><creator>Jane Austen</creator><date>[1815]</date><language>eng</language>"
                + "<identifier>URN:ISBN:978-0-14-143958-7</identifier><identifier>http://b/1</identifier></dc>")
        #expect(core["id"]?.string == "http://b/1" && core["published"]?.string == "1815")
        #expect(core["isbn"]?.elements == [.string("978-0-14-143958-7")])
        #expect(core["authors"]?.elements == [.string("Jane Austen")])
    }

    @Test("Plain text has its first line as the title") func plainText() {
        let row = LibraryRecord.row(ofText: Array("\n  Emma   a novel\nJane Austen\n".utf8))
        #expect(row["title"]?.string == "Emma a novel")
        #expect(row["description"]?.string == "Emma a novel\nJane Austen")
    }

    @Test("Another format is refused by its name") func unknown() {
        #expect(throws: ConnectorFailure(.format, .recordFormat, detail: "pica")) { try row("<pica><a/></pica>") }
    }

    @Test("The description of a server names its indexes, relations and record schemas") func description() throws {
        let text = """
            <zr:explain xmlns:zr="http://explain.z3950.org/dtd/2.1/"><zr:serverInfo protocol="SRU" version="1.2"/>
            <zr:databaseInfo><zr:title>Books</zr:title></zr:databaseInfo><zr:indexInfo>
            <zr:index sort="true"><zr:map><zr:name set="bib">title</zr:name></zr:map>
            <zr:configInfo><zr:supports type="relation">all</zr:supports><zr:supports type="relation">adj</zr:supports>
            </zr:configInfo></zr:index>
            <zr:index><zr:map><zr:name>DC.Creator</zr:name></zr:map></zr:index></zr:indexInfo>
            <zr:schemaInfo><zr:schema name="dc" identifier="info:srw/schema/1/dc-v1.1"/>
            <zr:schema name="unimarcxchange" identifier="info:bnf"/><zr:schema name="picaxml" identifier="info:pica"/>
            <zr:schema name="mods36" identifier="info:srw/schema/1/mods-v3.6"/></zr:schemaInfo>
            <zr:configInfo><zr:setting type="maximumRecords">20</zr:setting></zr:configInfo></zr:explain>
            """
        let description = SRUDescription(try #require(try XMLTree.root(of: Array(text.utf8))))
        #expect(description.version == "1.2" && description.title == "Books" && description.maximumRecords == 20)
        #expect(description.indexes["bib.title"]?.relations == ["all", "adj"])
        #expect(description.indexes["bib.title"]?.sorts == true)
        #expect(description.indexes["dc.creator"]?.name == "DC.Creator")
        #expect(description.wantedSchemas == ["unimarcxchange", "mods36", "dc"])
        #expect(SRUDescription().wantedSchemas == ["marcxml", "mods", "dc"])
    }

    @Test("The address of an SRU server keeps parameters of its own, and takes version and schema") func sruAddress()
        throws
    {
        let address = try #require(
            SRUAddress(
                "SRU+HTTPS://Books.example/sru?version=1.1&x-collection=A%26B&recordSchema=dc&operation=explain#a"))
        #expect(address.base == "HTTPS://Books.example/sru" && address.host == "books.example")
        #expect(address.version == "1.1" && address.schema == "dc")
        #expect(
            address.request([("query", "a & b")]).url
                == "HTTPS://Books.example/sru?x-collection=A%26B&query=a%20%26%20b")
        let named = try #require(
            SRUAddress("sru+http://b/?index-isbn=bib.isbn%20all&index-title=pica.tit&index-x=y&a=b"))
        #expect(named.request([]).url == "http://b/?a=b" && named.request([]).patience == nil)
        let patient = try #require(SRUAddress("sru+http://b/?a=b&timeout=25")).request([])
        #expect(patient.url == "http://b/?a=b" && patient.patience == 25 && patient.connectPatience == 25)
        #expect(
            named.indexes == [
                .isbn: .init(name: "bib.isbn", sorts: false, relations: ["all"]),
                .title: .init(name: "pica.tit", sorts: false, relations: []),
            ])
        for other in ["http://books.example/sru", "sru+ftp://books.example/", "sru:books", "z3950://a/b"] {
            #expect(SRUAddress(other) == nil)
        }
    }

    @Test(
        "The address of a Z39.50 server has the port 210 and the database Default unless it names others",
        arguments: [
            ("z3950://Books.example", "books.example:210", "Default"),
            ("Z3950://b.example:7090/Voyager", "b.example:7090", "Voyager"),
            ("z3950://ann@b.example/A%2BB/", "b.example:210", "A+B/"), ("z3950://[::1]/b?x#y", "[::1]:210", "b"),
        ])
    func z3950Address(text: String, host: String, database: String) throws {
        let address = try #require(Z3950Address(text))
        #expect(address.host == host && address.database == database)
        #expect(address.timeout == nil && Z3950Address(text.prefix { $0 != "?" } + "?timeout=25")?.timeout == 25)
        #expect(Z3950Address("z3950:///b") == nil && Z3950Address("http://b/") == nil)
    }
}

/// Zebra's records in each format.
@Suite("Record formats of library servers", .serialized, .usesServers) struct RecordFormatTests {
    @Test("Each schema of SRU gives the same titles and authors", arguments: ["marcxml", "mods", "dc"])
    func schemas(schema: String) throws {
        let server = try ZebraServer(count: 60)
        let source = try QueriedSource("sru+http://127.0.0.1:\(server.port)/Default?recordSchema=\(schema)")
        let part = try source.page(limit: 60)
        #expect(part.titles == server.books.map(\.title))
        #expect(part.rows.map { $0["authors"]?.elements?.first?.string } == server.books.map(\.author))
        // Records without an id are known as long as they were sent.
        let ids = [part.ids[40], part.ids[2]]
        #expect(Set(part.ids).count == 60 && part.ids[0].hasPrefix("hash:") == (schema == "dc"))
        #expect(try source.books(ids).map { $0["title"]?.string } == [server.books[40].title, server.books[2].title])
    }
}

import Glibc
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import stacks

@Suite("What the name of a catalog leads to") struct CatalogKindTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the name of the kind without its values.
    private func kind(of path: String) -> String {
        switch CatalogKind(of: path) {
        case .json: "json"
        case .empty: "empty"
        case .pipe: "pipe"
        case .foreign: "foreign"
        case .address: "address"
        case .pagedAddress: "paged address"
        case .unreadable(let error): error.isDirectory ? "directory" : error.isMissing ? "missing" : "unreadable"
        }
    }

    @Test(
        "The first byte after white space decides, whatever the name",
        arguments: [
            ("books.csv", "[{\"title\": \"Emma\"}]", "json"), ("books.csv", "\n  {\"title\"", "json"),
            ("books.json", "\u{FEFF}[]", "json"), ("books.json", "title,author\n", "foreign"),
            ("books.json", String(repeating: " ", count: 5000) + "[]", "json"),
            ("books.json", String(repeating: "\n", count: 5000) + "title,author\n", "foreign"),
            ("books.json", "", "empty"), ("books.jsonl", " \n\t\n", "empty"),
            ("books.json", "SQLite format 3\0", "foreign"), ("books.json", "\n<modsCollection/>", "foreign"),
            ("books.json", "[" + String(repeating: "a", count: 256) + "ustar", "foreign"),
            ("books.json", "\"a text\"", "foreign"),
        ])
    func files(name: String, text: String, expected: String) throws {
        #expect(kind(of: try directory.write(Array(text.utf8), to: name)) == expected)
    }

    @Test("An address is one by its scheme, and its host must be there")
    func addresses() {
        #expect(kind(of: "https://example.org/opds") == "address")
        #expect(kind(of: "HTTP://example.org") == "address")
        #expect(kind(of: "clickhouse://localhost/books") == "paged address")
        #expect(kind(of: "z3950://lx2.loc.gov:210/LCDB") == "paged address")
        #expect(kind(of: "xsearch+https://libris.kb.se/xsearch") == "paged address")
        #expect(kind(of: "openlibrary+https://openlibrary.org") == "paged address")
        #expect(kind(of: "http://") == "missing")
        #expect(kind(of: "ftp://example.org/books.json") == "missing")
    }

    @Test("A directory is a library if it has the database of calibre")
    func directories() throws {
        #expect(kind(of: directory.path) == "directory")
        _ = try directory.write(Array("SQLite format 3\0".utf8), to: "metadata.db")
        #expect(kind(of: directory.path) == "foreign")
    }

    @Test("A path with a table names a part of a file")
    func tables() throws {
        let path = try directory.write(Array("SQLite format 3\0".utf8), to: "books.db")
        #expect(kind(of: path + "?table=novels") == "foreign")
        #expect(kind(of: path + "?tabel=novels") == "missing")
    }

    @Test("A pipe is not read to find out what it is")
    func pipes() throws {
        let path = directory.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(kind(of: path) == "pipe")
        #expect(kind(of: "-") == "pipe")
        #expect(kind(of: "/dev/null") == "unreadable")
    }
}

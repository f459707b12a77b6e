import ConnectorProtocol
import ConnectorTesting
import Glibc
import JSON
import TestSupport
import Testing

/// Compares libraries of calibre with the output of calibredb. Serialized, because calibre refuses to open a library
/// while its server runs.
@Suite("Calibre libraries", .serialized) struct CalibreLibraryTests {
    /// The fields of calibredb that stacks omits or writes differently.
    private static let calibreDifferences = [
        "template": "the column without a template is an error in calibredb itself",
        "size": "the size of the largest format is that of a file, not of the book",
        "isbn": "it is among the identifiers, where the profile finds it",
        "series_index": "calibredb says 1 for books without a series",
    ]

    /// A library created by calibredb with custom columns, a file and a book without metadata.
    @Test func aLibraryHasTheFieldsThatCalibredbLists() throws {
        let directory = try TemporaryDirectory()
        let library = directory.path + "/library"
        let note = try directory.write(Array("hello".utf8), to: "Note #1.txt")
        func calibredb(_ arguments: String...) throws -> [String] {
            try ReferenceReader.output(
                of: "/usr/bin/flock",
                [
                    "/tmp/stacks-tests-calibre-\(getuid()).lock", "/usr/bin/env", "QT_QPA_PLATFORM=offscreen",
                    "CALIBRE_CONFIG_DIRECTORY=\(directory.path)/config", "calibredb",
                ] + arguments + ["--with-library", library])
        }
        _ = try calibredb(
            "add", "--empty", "-t", "The Émigré & \"Co\"", "-a", "Jane Austen & Zola, Émile", "-s", "Great Books", "-S",
            "2.5", "-T", "fiction,war", "-i", "9780141439587", "-l", "eng,fra", "-I", "goodreads:42")
        _ = try calibredb("add", "-t", "Notes", "-a", "B, C", note)
        _ = try calibredb("add", "--empty", "-t", "Bare")
        let columns = [("read", "bool", "true"), ("pages", "int", "474"), ("saga", "series", "Cycle [3]")]
        for (label, type, value) in columns {
            _ = try calibredb("add_custom_column", label, label, type)
            _ = try calibredb("set_custom", label, "1", value)
        }
        _ = try calibredb("add_custom_column", "shelf", "Shelf", "text", "--is-multiple")
        _ = try calibredb("set_custom", "shelf", "1", "a,b")
        _ = try calibredb(
            "set_metadata", "1", "-f", "rating:4", "-f", "publisher:Murray & Co", "-f", "pubdate:1815-12-23", "-f",
            "comments:<p>A <b>village</b>.</p>")

        let json = try calibredb("list", "--for-machine", "--fields", "all").joined(separator: "\n")
        let expected = try #require(JSONValue(parsing: json.utf8)?.elements)
        let copy = try Mirrored(source: library)
        #expect(copy.opened.kind == "calibre" && copy.copy.isComplete && copy.copy.rows == 3 && expected.count == 3)
        for (row, book) in zip(copy.rows, expected) {
            for member in book.members ?? [] where Self.calibreDifferences[member.key] == nil {
                // Empty lists and unknown dates are omitted, and dates are those of the database.
                let isEmpty =
                    member.value.elements == [] || member.value.members?.isEmpty == true
                    || member.value.string?.hasPrefix("0101-01-01") == true
                let found = row[member.key] ?? row[Self.heading(of: member.key)] ?? (isEmpty ? member.value : .null)
                #expect(
                    found.withoutFractions == member.value.withoutFractions,
                    "\(member.key) of \(book["title"]?.json ?? "")")
            }
        }
        let first = try #require(copy.rows.first)
        #expect(first["title"]?.string == "The Émigré & \"Co\"" && first["rating"]?.integer == 8)
        #expect(first["Shelf"]?.json == #"["a","b"]"# && first["saga_index"]?.json == "3.0")
        #expect(first["identifiers"]?["isbn"]?.string == "9780141439587" && first["series_index"]?.json == "2.5")
        #expect(copy.rows[1]["formats"]?.json == "[\"\(library)/B, C/Notes (2)/Notes - B, C.txt\"]")
        #expect(try Mirrored(source: library + "/metadata.db").lines == copy.lines)
    }

    /// Returns the heading of a column that calibredb names by its label.
    private static func heading(of key: String) -> String { key == "*shelf" ? "Shelf" : String(key.drop { $0 == "*" }) }

    /// The fields that the server writes differently from calibredb.
    private static let serverDifferences = [
        "template": "the column without a template is an error in calibredb itself",
        "isbn": "it is among the identifiers, where the profile finds it",
        "cover": "calibredb has no address", "formats": "calibredb has paths on the server's disk",
        "rating": "calibredb leaves out its absence", "series_index": "calibredb says 1 for books without a series",
        "pubdate": "a date that is not known is left out", "size": "the size of a file",
    ]

    /// A calibre server with two libraries, one of which changes while it runs.
    @Test func aServerHasTheFieldsThatCalibredbListsAndReportsChanges() throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(script: "calibre.py", arguments: [directory.path])
        let address = "http://127.0.0.1:\(server.words[0])/"
        let first = try Mirrored(source: address)
        #expect(first.opened.kind == "calibre-server" && first.copy.isComplete && first.copy.rows == 250)
        #expect(first.opened.tables.map(\.name) == ["Library", "Comics"])
        try expectFields(of: server, in: first)
        #expect(first.rows[0]["*pages"]?.integer == 321)
        #expect(first.opened.alternatives == ["Comics"])
        let comics = try Mirrored(source: address + "?library_id=Comics")
        #expect(comics.copy.rows == 1 && comics.opened.alternatives.isEmpty)
        #expect(throws: ConnectorFailure(.format, .noLibrary, detail: "None")) {
            try Mirrored(source: address + "?library_id=None")
        }
        // Only changed books are requested, and deleted books disappear.
        for change in ["add", "remove", "rename"] { #expect(server.ask(change) == "done") }
        let second = try Mirrored(source: address, known: first.copy.version, last: first.lines)
        let titles = second.rows.compactMap { $0["title"]?.string }
        #expect(titles.count == 250 && titles.contains("The New One") && titles.contains("Renamed"))
        #expect(!titles.contains("Book 1 & Étude") && !titles.contains("Book 2 & Étude"))
        try expectFields(of: server, in: second)
        #expect(try Mirrored(source: address).lines == second.lines)
        // calibre's OPDS feed has the same books.
        let feed = try Mirrored(source: address + "opds")
        #expect(feed.opened.kind == "opds" && feed.copy.isComplete)
        #expect(Set(feed.rows.compactMap { $0["title"]?.string }) == Set(titles))
    }

    @Test("A second copy requests only the books that were changed since the first one, not those of the same day")
    func aSecondCopyIsLight() throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(script: "calibre.py", arguments: [directory.path])
        let proxy = try ServerProcess(script: "calibreproxy.py", arguments: [server.words[0]])
        let address = "http://127.0.0.1:\(proxy.words[0])/?library_id=Library"
        // The books were made within a second or two; only in the same second, they may be changed again.
        sleep(2)
        #expect(server.ask("rename") == "done")
        sleep(2)
        let first = try Mirrored(source: address)
        #expect(first.copy.rows == 250 && proxy.ask("books") == "251")
        // One batch, and the book that tells the time of the last change.
        let second = try Mirrored(source: address, known: first.copy.version, last: first.lines)
        #expect(second.lines == first.lines && proxy.ask("books") == "101")
        for change in ["add", "remove", "rename back"] { #expect(server.ask(change) == "done") }
        let third = try Mirrored(source: address, known: second.copy.version, last: second.lines)
        #expect(proxy.ask("books") == "101")
        #expect(try third.rows.count == 250 && third.lines == Mirrored(source: address).lines)
        // A copy without the time of the last change is complete.
        _ = proxy.ask("books")
        let whole = try Mirrored(source: address, last: third.lines)
        #expect(whole.lines == third.lines && proxy.ask("books") == "251")
        // A copy of an earlier version of this program has a day.
        let old = try Mirrored(source: address, known: SourceVersion(modified: "2020-01-01"), last: third.lines)
        #expect(old.lines == third.lines)
    }

    /// calibre-web, which serves a calibre library: its feed lists the books by title, author, tag and more.
    @Test func calibreWebHasTheSameBooksInItsFeedAndASearch() throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(script: "calibreweb.py", arguments: [directory.path])
        let address = "http://127.0.0.1:\(server.words[0])/opds"
        let answers: [(user: String?, secret: String?)] = [("admin", "wrong"), ("admin", "admin123")]
        let copy = try Mirrored(source: address, answers: answers)
        let titles = copy.rows.compactMap { $0["title"]?.string }
        #expect(copy.opened.kind == "opds" && copy.copy.isComplete && copy.questions.count == 2)
        #expect(titles.count == 250 && Set(titles) == Set((0..<250).map { "Book \($0) & Étude" }))
        #expect(copy.rows.allSatisfy { $0["authors"]?.elements?.count == 1 })
        let found = try Mirrored(source: address + "#search=Book 17", answers: Array(answers.dropFirst()))
        let numbers = [17] + Array(170..<180)
        #expect(Set(found.rows.compactMap { $0["title"]?.string }) == Set(numbers.map { "Book \($0) & Étude" }))
    }

    private func expectFields(of server: ServerProcess, in copy: Mirrored) throws {
        let expected = try #require(JSONValue(parsing: server.ask("list").utf8)?.elements)
        #expect(expected.count == copy.rows.count)
        for (row, book) in zip(copy.rows, expected) {
            for member in book.members ?? [] where Self.serverDifferences[member.key] == nil {
                let isEmpty = member.value.elements == [] || member.value.members?.isEmpty == true
                let found = row[member.key] ?? (isEmpty ? member.value : .null)
                #expect(
                    found.withoutFractions == member.value.withoutFractions,
                    "\(member.key) of \(book["title"]?.json ?? "")")
            }
        }
    }

    /// A server that requires a password by digest authentication (RFC 7616).
    @Test func aServerGetsThePasswordThatItRequires() throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(script: "calibre.py", arguments: [directory.path, "ann", "secret-4711"])
        let address = "http://127.0.0.1:\(server.words[0])/"
        let copy = try Mirrored(source: address, answers: [("ann", "secret-4711")])
        #expect(copy.questions.count == 1 && copy.copy.isComplete && copy.copy.rows == 250)
        #expect(throws: (any Error).self) { try Mirrored(source: address) }
    }
}

extension JSONValue {
    /// A date of a database, "1815-12-23 00:00:00.5+00:00", as calibredb writes it; other values are unchanged.
    fileprivate var withoutFractions: JSONValue {
        guard let text = string, text.count > 19, text.dropFirst(4).first == "-" else { return self }
        return .string(String(text.prefix(19)).replacing(" ", with: "T"))
    }
}

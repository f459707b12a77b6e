import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

// Nested in the serialized suite, because calibre cannot open a library while a server runs.
extension CalibreLibraryTests {
    /// Changes of a library on calibre's content server.
    @Suite("Publishing on calibre's content server") struct CalibrePublishingTests {
        private static func address(_ server: ServerProcess, _ library: String = "Library") -> String {
            "http://127.0.0.1:\(server.words[0])/?library_id=\(library)"
        }

        private static func line(old: String? = nil, new: String? = nil) -> String {
            "{"
                + [("old", old), ("new", new)].compactMap { key, text in text.map { "\"\(key)\":\($0)" } }.joined(
                    separator: ",") + "}"
        }

        /// Returns a row of a copy with these members replaced.
        private static func row(_ row: JSONValue, with members: String) -> String {
            let new = JSONValue(parsing: "{\(members)}".utf8)?.members ?? []
            let rest = (row.members ?? []).filter { member in !new.contains { $0.key == member.key } }
            return JSONValue.object(rest + new).json
        }

        @Test("Added, changed and deleted books are in the copy afterwards") func changes() throws {
            let directory = try TemporaryDirectory()
            let server = try ServerProcess(script: "calibre.py", arguments: [directory.path])
            let address = Self.address(server)
            let before = try Mirrored(source: address)
            let rows = before.rows
            let changes = [
                Self.line(
                    old: rows[0].json,
                    new: Self.row(
                        rows[0],
                        with:
                            ##""title":"Ünew, & one","authors":"Ann && Bob & Writer, C","tags":["a, b","日本"],"rating":7,"##
                            + ##""pubdate":"1815-12-23","series":"Sage [9]","series_index":2.5,"*pages":99,"comments":"Good","##
                            + ##""identifiers":{"doi":"10/1","isbn":"9780141439587"},"languages":["fra"]"##)),
                Self.line(old: rows[1].json),
                Self.line(
                    new: ##"{"title":"Added","authors":"Simon and Garfunkel","tags":["x"],"isbn":"9780307947307","##
                        + ##""*pages":5,"pubdate":"2001","timestamp":"2020-05-01","rating":10}"##),
                // The changes are: a missing book, a book with another value on the server, and a value without a
                // column.
                Self.line(old: ##"{"id":9999,"title":"A"}"##, new: ##"{"id":9999,"title":"B"}"##),
                Self.line(
                    old: Self.row(rows[4], with: ##""title":"Older""##),
                    new: Self.row(rows[4], with: ##""title":"Mine""##)),
                Self.line(old: rows[5].json, new: Self.row(rows[5], with: ##""*none":1"##)),
                Self.line(old: Self.row(rows[6], with: ##""publisher":"Older""##)),
            ]
            let dry = try Published(changes, to: address, as: .calibre, isDryRun: true)
            #expect(dry.sent == 3 && dry.counted == nil && dry.refused.map(\.row) == [4, 5, 6, 7])
            #expect(try Mirrored(source: address).lines == before.lines)
            let made = try Published(changes, to: address, as: .calibre)
            #expect(made.sent == 3 && made.counted == 3)
            #expect(
                made.refused == [
                    RefusedRow(row: 4, .gone), RefusedRow(row: 5, .changed, detail: "title"),
                    RefusedRow(row: 6, .noPlace, detail: "*none"), RefusedRow(row: 7, .changed, detail: "publisher"),
                ])
            let after = try Mirrored(source: address, known: before.copy.version, last: before.lines)
            #expect(after.rows.count == 250 && !after.rows.contains { $0["id"] == rows[1]["id"] })
            let first = try #require(after.rows.first)
            #expect(first["title"]?.string == "Ünew, & one" && first["authors"]?.string == "Ann ; Bob & Writer, C")
            #expect(Set(first["tags"]?.elements ?? []) == [.string("a; b"), .string("日本")])
            #expect(first["rating"]?.integer == 7 && first["pubdate"]?.string?.hasPrefix("1815-12-23T") == true)
            #expect(first["series"]?.string == "Sage [9]" && first["series_index"]?.json == "2.5")
            #expect(first["*pages"]?.integer == 99 && first["languages"]?.json == #"["fra"]"#)
            #expect(first["identifiers"]?["doi"]?.string == "10/1" && first["publisher"]?.string == "Press")
            let added = try #require(after.rows.last)
            #expect(added["title"]?.string == "Added" && added["authors"]?.string == "Simon and Garfunkel")
            #expect(added["identifiers"]?["isbn"]?.string == "9780307947307" && added["*pages"]?.integer == 5)
            #expect(added["timestamp"]?.string?.hasPrefix("2020-05-01T") == true)
            #expect(added["pubdate"]?.string?.hasPrefix("2001-01-01T") == true)
            // Nothing is sent twice, and values changed by others stay.
            let again = try Published(Array(changes[..<2]), to: address, as: .calibre)
            #expect(again.sent == 0 && again.refused == [])
            #expect(after.rows[3] == rows[4])
            // calibredb lists the same values.
            let listed = try #require(JSONValue(parsing: server.ask("list").utf8)?.elements)
            #expect(listed.count == 250 && listed.contains { $0["title"]?.string == "Ünew, & one" })
        }

        @Test("Interrupted changes continue, and no book is added twice") func resuming() throws {
            let directory = try TemporaryDirectory()
            let server = try ServerProcess(script: "calibre.py", arguments: [directory.path])
            let address = Self.address(server)
            let rows = try Mirrored(source: address).rows
            let changes = rows.map { Self.line(old: $0.json, new: Self.row($0, with: #""publisher":"Other""#)) }
            #expect(throws: ConnectorFailure(.cancelled)) {
                // The first progress report arrives within the first hundred books.
                try Published(changes, to: address, as: .calibre) { $0 > 1 }
            }
            let done = try Mirrored(source: address).rows.count { $0["publisher"]?.string == "Other" }
            #expect(done > 0 && done < 250)
            let rest = try Published(changes, to: address, as: .calibre)
            #expect(rest.sent == 250 - done && rest.counted == rest.sent && rest.refused == [])
            #expect(try Mirrored(source: address).rows.allSatisfy { $0["publisher"]?.string == "Other" })
        }

        @Test("A read-only server is reported, and a server with a password gets it") func rights() throws {
            let directory = try TemporaryDirectory()
            let server = try ServerProcess(script: "calibre.py", arguments: [directory.path, "ann", "secret-4711"])
            let added = [Self.line(new: #"{"title":"Added"}"#)]
            #expect {
                try Published(added, to: Self.address(server), as: .calibre)
            } throws: { ($0 as? ConnectorFailure)?.kind == .auth }
            let made = try Published(
                added, to: Self.address(server), as: .calibre, answers: [("ann", "secret-4711")])
            #expect(made.sent == 1 && made.counted == 1 && made.questions.count == 1)
            let titles = try Mirrored(source: Self.address(server), answers: [("ann", "secret-4711")]).rows
            #expect(titles.count == 251)
        }

        /// Runs the real program and kills the connector program in the middle.
        @Test("A published catalog opens with the same books, even after the connector program was killed")
        func program()
            throws
        {
            let directory = try TemporaryDirectory()
            let server = try ServerProcess(script: "calibre.py", arguments: [directory.path])
            let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let program = package.appending(path: ".build/release/stacks").path
            try #require(FileManager.default.isExecutableFile(atPath: program), "run: make build")
            let books = (0..<300).map { number in
                #"{"title":"T\#(number)","authors":["Ann and \#(number)"],"published":"19\#(10 + number % 90)","subjects":["a, b"],"#
                    + #""pageCount":\#(number + 1),"language":["en"],"description":"D & d"}"#
            }
            let catalog = try directory.write(books.map { $0 + "\n" }.joined().utf8, to: "books.jsonl")
            func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
                let process = Process()
                process.executableURL = URL(filePath: program)
                process.arguments = arguments
                process.environment = [
                    "HOME": directory.path, "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": directory.path + "/cache",
                    "XDG_STATE_HOME": directory.path + "/state", "LANG": "C.UTF-8",
                ]
                let output = Pipe()
                (process.standardOutput, process.standardError) = (output, output)
                try process.run()
                return (process, output)
            }
            func run(_ arguments: String...) throws -> (code: Int32, text: String) {
                let (process, output) = try start(arguments)
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return (process.terminationStatus, text)
            }
            let address = Self.address(server, "Comics")
            let total = try Mirrored(source: address).rows.count + 300
            // A book in the state between the two requests that add it.
            let half = try run("add", address, "title=T299", "authors=Ann; 299")
            #expect(half.code == 0, "\(half)")
            let (process, output) = try start(["publish", catalog, address])
            // The connector program is killed when some books have arrived.
            var count = total - 299
            let enough = count + 20
            for _ in 0..<100 where count < enough && process.isRunning {
                usleep(20_000)
                count = try Mirrored(source: address).rows.count
            }
            let children = try ReferenceReader.output(of: "/usr/bin/pgrep", ["-P", "\(process.processIdentifier)"])
            for child in children.compactMap({ Int32($0) }) { kill(child, SIGKILL) }
            let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 74 && said.contains("stacks-connect ended"), "\(said)")
            let there = try Mirrored(source: address).rows.count
            #expect(there < total, "it was not killed in the middle")
            let rest = try run("publish", catalog, address)
            #expect(rest.code == 0 && rest.text.contains("Published "), "\(rest)")
            let published = try Mirrored(source: address).rows
            let doubled = Dictionary(grouping: published) { $0["title"]?.string ?? "" }.values.filter { $0.count > 1 }
            #expect(published.count == total, "\(doubled.map { $0.map { $0["authors"]?.string } })")
            let authors = Set(published.compactMap { $0["authors"]?.string })
            #expect((0..<300).allSatisfy { authors.contains("Ann and \($0)") })
            let again = try run("publish", catalog, address)
            #expect(again.code == 0 && again.text.contains("already has 300 books"), "\(again)")
            // Commands change, add and delete a book.
            let opened = try run("search", "title:T7", address, "--format", "jsonl", "--limit", "1")
            let id = try #require(opened.text.firstMatch(of: /"id":"([^"]+)"/)?.1)
            let set = try run("set", String(id), "subjects+=New", "--catalog", address)
            #expect(set.code == 0 && set.text.contains("1 book changed"), "\(set)")
            let add = try run("add", address, "title=By command", "authors=Ann & Bob", "published=1815-12-23")
            #expect(add.code == 0 && add.text.contains("1 book added"), "\(add)")
            let delete = try run("delete", "--query", "title:T8", "--catalog", address)
            #expect(delete.code == 0 && delete.text.contains("deleted"), "\(delete)")
            let rows = try Mirrored(source: address).rows
            let changed = try #require(rows.first { $0["title"]?.string == "T7" })
            #expect(Set(changed["tags"]?.elements ?? []) == [.string("a; b"), .string("New")])
            #expect(
                rows.contains { $0["title"]?.string == "By command" } && !rows.contains { $0["title"]?.string == "T8" })
            for order in [
                ["move", String(id), "--before", String(id), "--catalog", address], ["sort", address, "title"],
            ] {
                let (process, output) = try start(order)
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                #expect(process.terminationStatus == 64 && text.contains("keeps no order"), "\(text)")
            }
            // The library Comics has no column for pages.
            let refused = try run("set", String(id), "pages=778", "--catalog", address)
            #expect(refused.code == 65 && refused.text.contains("lacks the field pages"), "\(refused)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// `stacks publish` to files on a server and to databases.
@Suite("stacks publish: files on servers, and databases") struct PublishCommandTests {
    private let sandbox: Sandbox
    private let server: ServerProcess
    private let catalog: String

    init() throws {
        sandbox = try Sandbox()
        server = try ServerProcess(script: "uploads.py")
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func address(_ path: String) -> String { "http://127.0.0.1:\(server.words[0])\(path)" }

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    /// Returns the books of a catalog as JSON for comparison, without their keys in the catalog.
    private func books(_ catalog: String) throws -> String {
        let books = try run("export", catalog, "--refresh", "--without-user-data").output
        return books.replacing(/,"sourceID":"[^"]*"/, with: "")
    }

    @Test(
        "A published catalog opens with the same books, and is not sent again",
        arguments: ["/plain/n.json", "/dated/n.jsonl"])
    func sameBooks(path: String) throws {
        let target = address(path)
        let dry = try run("publish", catalog, target, "--dry-run")
        #expect(dry.ending == .exit(0) && dry.output.hasPrefix("Would send ") && dry.error == "", "\(dry)")
        #expect(dry.output.contains(" more.\n"))
        #expect(server.ask(path).contains("\"content\": null"))
        let made = try run("publish", catalog, target)
        #expect(made.ending == .exit(0) && made.output.hasPrefix("Published ") && made.error == "", "\(made)")
        #expect(try books(target) == books(catalog))
        let again = try run("publish", catalog, target)
        #expect(again.ending == .exit(0) && again.output.contains("already has"), "\(again)")
        #expect(server.ask(path).components(separatedBy: "\"PUT\"").count == 2)
        // Publishes some of the books, then none.
        let some = try run("publish", catalog, target, "--query", "foundation")
        #expect(some.ending == .exit(0), "\(some)")
        #expect(try books(target) != books(catalog))
        let none = try run("publish", catalog, target, "--query", "zzzz")
        #expect(none.ending == .exit(1) && none.error.contains("zzzz"))
    }

    @Test("Changes of others since the last reading are kept, and the exit status reports them")
    func changedMeanwhile() throws {
        let path = "/plain/shared.json"
        #expect(try run("publish", catalog, address(path)).ending == .exit(0))
        #expect(server.ask("put \(path) [{\"title\":\"Of another\"}]") == "done")
        let refused = try run("publish", catalog, address(path))
        #expect(refused.ending == .exit(75) && refused.error.contains("it was changed meanwhile"), "\(refused)")
        #expect(server.ask(path).contains("Of another"))
        // A file can be replaced once its current version was read.
        #expect(try run("search", "", address(path), "--refresh").output.contains("Of another"))
        #expect(try run("publish", catalog, address(path)).ending == .exit(0))
        #expect(!server.ask(path).contains("Of another"))
        let race = try run("publish", catalog, address("/race/r.json"))
        #expect(race.ending == .exit(75) && race.output == "")
    }

    @Test(
        "Each failure has its message and exit status",
        arguments: [
            ("/forbidden/a.json", 69, "403 Forbidden. Check the address, and that you may write there"),
            ("/500/a.json", 69, "500 Internal Server Error"), ("/readonly/a.json", 69, "405 Method Not Allowed"),
            ("/busy/a.json", 69, "Try again in 7 s"), ("/private/a.json", 77, "asks for a user and password"),
            ("/cut/a.json", 68, "broke off"), ("/plain/a", 69, "404 Not Found"),
            ("/short/a.json", 69, "a.json has "),
        ] as [(String, Int32, String)])
    func failures(path: String, code: Int32, words: String) throws {
        let result = try run("publish", catalog, address(path))
        #expect(result.ending == .exit(code) && result.output == "", "\(result)")
        #expect(result.error.contains(words), "\(result.error)")
    }

    @Test("An invalid target, or the catalog itself, is a usage error") func targets() throws {
        for target in [sandbox.path + "/x.txt", "nothing", catalog] {
            #expect(try run("publish", catalog, target).ending == .exit(64))
        }
        let nobody = try run("publish", catalog, "http://127.0.0.1:1/a.json")
        #expect(nobody.ending == .exit(68) && nobody.error.contains("does not accept a connection"), "\(nobody.error)")
        let cut = try sandbox.write(#"[{"title":"Emma"},{"title":"Na"#, to: "cut.json")
        let half = try run("publish", cut, address("/plain/half.json"))
        #expect(half.ending == .exit(65) && server.ask("/plain/half.json").contains("\"content\": null"), "\(half)")
    }

    @Test("User data is sent only on request, and the password appears in no file, argument or message")
    func secrets() throws {
        let emma = try run("search", "emma", catalog, "--format", "json").output
        let id = try #require(emma.firstMatch(of: /"id":"([^"]+)"/)?.1)
        #expect(try run("favourites", "add", String(id), "--catalog", catalog).ending == .exit(0))
        let config = """
            [catalogs]
            club = {source = "\(address("/private/p.json"))", user = "ann", password-cmd = ["echo", "secret-4711"]}
            """
        try sandbox.write(config, to: "config/stacks/config.toml")
        let plain = try run("publish", catalog, "club")
        #expect(plain.ending == .exit(0), "\(plain)")
        #expect(!server.ask("/private/p.json").contains("userData"))
        let whole = try run("publish", catalog, "club", "--with-user-data")
        #expect(whole.ending == .exit(0) && server.ask("/private/p.json").contains("userData"), "\(whole)")
        let address = "http://ann:secret-4711@127.0.0.1:\(server.words[0])/digest/q.json"
        let other = try run("publish", catalog, address)
        #expect(other.ending == .exit(0) && !other.output.contains("secret"), "\(other)")
        #expect(!(plain.output + plain.error + whole.output + whole.error + other.error).contains("secret"))
        try FileManager.default.removeItem(atPath: sandbox.path + "/config/stacks/config.toml")
        let found = try sandbox.run(["/usr/bin/grep", "-rlF", "secret-4711", sandbox.path])
        #expect(found.ending == .exit(1), "\(found.output)")
    }

    @Test("A database is created and updated as by export, and unchanged after a dry run") func databases() throws {
        let database = sandbox.path + "/n.db"
        let dry = try run("publish", catalog, database, "--dry-run")
        #expect(dry.ending == .exit(0) && dry.output.hasPrefix("Would send "))
        #expect(!FileManager.default.fileExists(atPath: database))
        for _ in 0..<2 {
            let made = try run("publish", catalog, database)
            #expect(made.ending == .exit(0) && made.output.hasPrefix("Published "), "\(made)")
            #expect(try books(database) == books(catalog))
        }
    }
}

import Foundation
import Testing

/// `stacks show`.
@Suite("stacks show") struct ShowCommandTests {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(
            #"""
            [{"title": "The Stand", "authors": ["Stephen King"], "isbn": "978-0307947307", "pageCount": 1200, "fiction": true,
              "description": "A long one.\nAnd good."},
             {"title": "The Stand, illustrated", "authors": ["Stephen King"], "isbn": "0307947300"},
             {"title": "Evil\u001b[31m\u202e", "authors": ["A\u0007"], "x\u009b": "y\u001b"}]
            """#, to: "books.json")
    }

    private func show(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "show"] + arguments)
    }

    @Test(arguments: ["9780307947307", "978-0-307-94730-7", "0307947300", "0-307-94730-0", "ISBN 0307947300"])
    func anISBNInAnyFormHasAllEditions(isbn: String) throws {
        let result = try show(isbn, catalog)
        #expect(result.ending == .exit(0))
        #expect(
            result.output.hasPrefix(
                "The Stand\nStephen King\n\nISBN\t978-0307947307\nPages\t1,200\nKind\tFiction\n"))
        #expect(result.output.contains("\n\nA long one.\n\nAnd good.\n\nThe Stand, illustrated\nStephen King\n"))
    }

    @Test func anIdShowsOneBook() throws {
        #expect(try show("isbn:9780307947307", catalog).output.contains("illustrated") == false)
        #expect(try show("isbn:9780307947307~2", catalog).output.hasPrefix("The Stand, illustrated\n"))
        let result = try show("isbn:9780307947307~2", catalog, "--format", "json")
        let objects = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [NSDictionary])
        #expect(objects.map { $0["id"] as? String } == ["isbn:9780307947307~2"])
    }

    @Test(arguments: [
        "9780441478125", "isbn:9780307947307~3", "hash:0123456789abcdef", "nonsense", "", "9780307947308",
    ])
    func aMissingBookIsReported(name: String) throws {
        let result = try show(name, catalog)
        #expect(result.ending == .exit(1))
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("stacks: ") && result.error.hasSuffix(".\n"))
        #expect(result.error.count { $0 == "\n" } == 1)
        #expect(try show(name, catalog, "--format", "json").output.isEmpty)
    }

    @Test func userDataOfAnotherCatalogIsShown() throws {
        _ = try sandbox.run([Programs.stacks, "favourites", "add", "isbn:9780307947307", "--catalog", catalog])
        let other = try sandbox.writeCatalog(books: 2)
        let result = try show("0307947300", other)
        #expect(result.ending == .exit(0))
        #expect(result.output == "The Stand\nStephen King\n\nNot in this catalog\nShelves\tFavourites\n")
    }

    @Test func noControlSequenceIsPrinted() throws {
        let list = try sandbox.run([Programs.stacks, "search", "evil", catalog, "--format", "jsonl"])
        let object = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any]
        let id = try #require(object?["id"] as? String)
        for format in ["text", "json"] {
            let result = try show(id, catalog, "--format", format)
            #expect(result.ending == .exit(0))
            #expect(TerminalStream(Array(result.output.replacing("\t", with: " ").utf8)).defects == [])
        }
        let error = try show("\u{1B}[31m", catalog).error
        #expect(TerminalStream(Array(error.utf8)).defects == [])
    }

    @Test func onATerminalItHasItsWidth() throws {
        let terminal = try PseudoTerminal(
            columns: 24, running: [Programs.stacks, "show", "isbn:9780307947307~2", catalog],
            environment: sandbox.environment)
        #expect(try terminal.waitForEnd() == .exit(0))
        let lines = String(decoding: terminal.output, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.prefix(5) == ["The Stand, illustrated", "Stephen King", "", "ISBN   978-0307947307", "Pages  –"])
    }

    @Test func lostOutputIsAnError() throws {
        let result = try sandbox.run(["/bin/sh", "-c", "'\(Programs.stacks)' show 0307947300 '\(catalog)' > /dev/full"])
        #expect(result.ending == .exit(74))
    }
}

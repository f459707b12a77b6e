import Foundation
import Testing

/// `stacks favourites`.
@Suite("stacks favourites") struct FavouritesCommandTests {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func favourites(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "favourites"] + arguments)
    }

    private var titles: [String] {
        get throws {
            let output = try favourites("list", "--catalog", catalog).output
            return output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
        }
    }

    @Test func severalBooksAreOneUndoStep() throws {
        let result = try favourites(
            "add", "isbn:9780553293364", "0-14-143958-0", "978-0-14-143958-7", "--catalog", catalog)
        #expect(result.ending == .exit(0))
        #expect(result.output == "2 favourites added.\n")
        #expect(result.error.isEmpty)
        #expect(try titles == ["Second Foundation", "Emma"])
        let lines = sandbox.text(of: sandbox.historyPath).split(separator: "\n")
        #expect(lines.count == 1)
        let steps = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect((steps[0]?["each"] as? [Any])?.count == 2)
        #expect(
            try favourites("add", "9780553293364", "--catalog", catalog).output
                == "Already a favourite: Second Foundation. Nothing added.\n")
        #expect(sandbox.text(of: sandbox.historyPath).split(separator: "\n").count == 1)
        #expect(try favourites("remove", "9780141439587", "--catalog", catalog).output == "1 favourite removed.\n")
        #expect(
            try favourites("remove", "9780141439587", "--catalog", catalog).output
                == "Not a favourite: Emma. Nothing removed.\n")
        #expect(try titles == ["Second Foundation"])
    }

    @Test func unknownBooksAreReportedAndTheOthersChanged() throws {
        let result = try favourites(
            "add", "9780441478125", "9780553293364", "nonsense\u{1B}", "--catalog", catalog)
        #expect(result.ending == .exit(1))
        #expect(result.output == "1 favourite added.\n")
        let lines = result.error.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("stacks: no book 9780441478125 in \(catalog), nor in your data. Find ids with: "))
        #expect(lines[1].hasPrefix("stacks: “nonsense\u{FFFD}” is not an ISBN or a book id. Find ids with: "))
        #expect(try titles == ["Second Foundation"])
        #expect(try favourites("add", "nonsense", "--catalog", catalog).ending == .exit(1))
    }

    @Test func namesComeFromStandardInput() throws {
        let stacks = try Programs.stacks
        let result = try sandbox.run([
            "/bin/sh", "-c",
            "printf '9780553293364\\r\\n\\n  isbn:9780141439587 \\n' | '\(stacks)' favourites add - --catalog '\(catalog)'",
        ])
        #expect(result.ending == .exit(0))
        #expect(try titles == ["Second Foundation", "Emma"])
        let both = try favourites("add", "-", "--catalog", "-")
        #expect(both.ending == .exit(64))
    }

    @Test func missingFavouritesComeLastAndCanBeRemoved() throws {
        _ = try favourites("add", "9780553293364", "--catalog", catalog)
        let other = try sandbox.writeCatalog(books: 2)
        let list = try favourites("--catalog", other)
        #expect(list.output == "Second Foundation\tIsaac Asimov\n")
        let json = try favourites("list", "--catalog", other, "--format", "json").output
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [NSDictionary])
        #expect(
            objects == [
                [
                    "id": "isbn:9780553293364", "title": "Second Foundation", "authors": ["Isaac Asimov"],
                    "isbn": "9780553293364", "pageCount": NSNull(), "fiction": NSNull(), "inCatalog": false,
                    "userData": ["favourite": true],
                ]
            ])
        for format in ["csv", "bibtex", "csl", "jsonl"] {
            let result = try favourites("list", "--catalog", other, "--format", format)
            #expect(result.ending == .exit(0))
            #expect(result.output.contains("Second Foundation"))
        }
        let result = try favourites("remove", "isbn:9780553293364", "--catalog", other)
        #expect(result.ending == .exit(0))
        #expect(try favourites("list", "--catalog", other).output.isEmpty)
    }

    @Test func aFailedSaveIsAnError() throws {
        let orphans = try sandbox.run(
            [Programs.stacks, "favourites", "add", "9780553293364", "--catalog", catalog],
            changing: ["HOME": nil, "XDG_DATA_HOME": nil])
        #expect(orphans.ending == .exit(74))
        #expect(orphans.error == "stacks: nothing changed: HOME is not set.\n")
        #expect(orphans.output.isEmpty)
        let file = try sandbox.write("", to: "file")
        let blocked = try sandbox.run(
            [Programs.stacks, "favourites", "add", "9780553293364", "--catalog", catalog],
            changing: ["XDG_DATA_HOME": file])
        #expect(blocked.ending == .exit(74))
        #expect(blocked.error.contains("nothing changed: "))
    }

    @Test func usageErrorsAreReported() throws {
        #expect(try favourites("add").ending == .exit(64))
        #expect(try favourites("shake").ending == .exit(64))
        #expect(try favourites("add", "9780553293364", "--catalog", "/missing.json").ending == .exit(66))
        let help = try favourites("add", "--help")
        #expect(help.ending == .exit(0))
        let text = help.output.replacing("\n", with: " ").replacing("  ", with: " ")
        #expect(text.contains("1 if some books are not found"))
    }
}

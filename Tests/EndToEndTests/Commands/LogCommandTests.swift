import Foundation
import Testing

/// `stacks log`.
@Suite("stacks log") struct LogCommandTests {
    let sandbox: Sandbox
    let catalog: String
    private let emma = "978-0-14-143958-7"

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func log(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "log"] + arguments)
    }

    /// Enters something about Emma, and returns the answer.
    private func enter(_ arguments: String...) throws -> String {
        let result = try sandbox.run([Programs.stacks, "log", emma, catalog] + arguments)
        #expect(result.ending == .exit(0), "\(result.error)")
        #expect(result.error.isEmpty, "\(result.error)")
        return result.output
    }

    @Test("readings are entered with days as people say them, and said back")
    func entered() throws {
        #expect(
            try enter("--started", "1 may 2019", "--finished", "2019-06-02")
                == "Emma: started on 1 May 2019, finished on 2 June 2019.\n")
        #expect(
            try enter("--again", "--finished", "2021", "--to-read", "2018-12")
                == "Emma: to read since December 2018, finished in 2021.\n")
        #expect(
            try enter("--again", "--started", "2024-03-01", "--page", "20", "--on", "2024-03-02")
                == "Emma: started on 1 March 2024, page 20 on 2 March 2024.\n")
        #expect(
            try enter("--percent", "70", "--on", "2024-03-05", "--abandoned", "2024-03-06")
                == "Emma: 70\u{A0}% on 5 March 2024, abandoned on 6 March 2024.\n")
        let line = "isbn:9780141439587\tEmma\tJane Austen\n"
        #expect(
            try enter() == "2019-05-01\t2019-06-02\tread\t\t\(line)\t2021\tread\t\t\(line)"
                + "2024-03-01\t2024-03-06\tabandoned\tp. 20 on 2024-03-02, 70 % on 2024-03-05\t\(line)")
        #expect(try log(catalog).output.hasPrefix("2024-03-01\t2024-03-06\tabandoned\t"))
        #expect(try enter("--abandoned", "2024-03-06") == "Emma: nothing to change.\n")
        let shown = try sandbox.run([Programs.stacks, "show", emma, catalog]).output
        #expect(shown.contains("Status\tAbandoned, 2024-03-06\n"), "\(shown)")
        #expect(try enter("--remove", "3") == "Emma: removed the reading from 1 March 2024 to 6 March 2024.\n")
        #expect(
            try sandbox.run([Programs.stacks, "search", "emma", catalog, "--format", "json"]).output.contains(
                #""status":"read""#))
    }

    @Test("the log has books that are not in the catalog, too") func missing() throws {
        _ = try enter("--finished", "2019-06-02")
        let other = try sandbox.writeCatalog(books: 2)
        let result = try log(other, "--format", "jsonl")
        #expect(result.ending == .exit(0))
        #expect(
            result.output == #"{"id":"isbn:9780141439587","title":"Emma","authors":["Jane Austen"],"isbn":null,"#
                + #""inCatalog":false,"end":"2019-06-02","outcome":"read"}"# + "\n")
        #expect(try log(emma, other, "--again", "--finished", "2020").output == "Emma: finished in 2020.\n")
        #expect(try log(catalog).output.split(separator: "\n").count == 2)
    }

    @Test("undo in the browser takes one entry back") func undone() throws {
        _ = try enter("--finished", "2019-06-02")
        _ = try enter("--again", "--started", "2024-03-01", "--page", "20", "--on", "2024-03-02")
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("u")
        try terminal.wait(for: "the undo") { $0.description.contains("Emma") && $0.description.contains("Undone") }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try enter() == "\t2019-06-02\tread\t\tisbn:9780141439587\tEmma\tJane Austen\n")
    }

    @Test("each error is one sentence with its exit status") func errors() throws {
        _ = try enter("--started", "2019-05-01", "--finished", "2019-06-02")
        let history = sandbox.text(of: sandbox.historyPath)
        let cases: [(arguments: [String], code: Int32, part: String)] = [
            (["9780306406157", catalog], 1, "no book 9780306406157"), (["nonsense", catalog], 1, "is not an ISBN"),
            ([emma, catalog, "--remove", "2"], 1, "Emma has 1 reading."),
            ([sandbox.path + "/missing.json"], 66, "missing.json"),
            ([emma, catalog, "--finished", "soon"], 64, "“soon” is not a day in the past."),
            ([emma, catalog, "--finished", "31 june 2024"], 64, "31 june 2024"),
            ([emma, catalog, "--finished", "2999"], 64, "in the future"),
            ([emma, catalog, "--started", "2024"], 64, "Add --again"),
            ([emma, catalog, "--page", "3"], 64, "Emma was read on 2 June 2019."),
            ([emma, catalog, "--finished", "2019-04-30"], 64, "before the start"),
            ([emma, catalog, "--again", "--started", "2024", "--page", "100000"], 64, "Emma has only"),
        ]
        for (arguments, code, part) in cases {
            let result = try sandbox.run([Programs.stacks, "log"] + arguments)
            #expect(result.ending == .exit(code), "\(arguments): \(result.error)")
            #expect(result.output.isEmpty && result.error.contains(part), "\(result.error)")
            #expect(result.error.count { $0 == "\n" } == 1, "\(result.error)")
        }
        for arguments in [
            ["--finished", "2019"], [catalog, "--page", "3"], [emma, catalog, "--page", "0"],
            [emma, catalog, "--percent", "101"],
            [emma, catalog, "--on", "2019"], [emma, catalog, "--again"],
            [emma, catalog, "--finished", "2019", "--abandoned", "2019"],
            [emma, catalog, "--remove", "1", "--page", "3"], [emma, catalog, "--page", "3", "--percent", "4"],
        ] {
            #expect(try sandbox.run([Programs.stacks, "log"] + arguments).ending == .exit(64), "\(arguments)")
        }
        #expect(sandbox.text(of: sandbox.historyPath) == history)
    }
}

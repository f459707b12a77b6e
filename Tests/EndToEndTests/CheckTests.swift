import Foundation
import Testing

/// `stacks check`.
@Suite struct Checking {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func check(_ catalog: String, _ options: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "check", catalog] + options)
    }

    private func verdict(of text: String, code: Int32) throws -> NSDictionary {
        let result = try check(sandbox.write(text, to: "books.json"), "--format", "json")
        #expect(result.ending == .exit(code))
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
    }

    @Test func aCatalogWithoutFaults() throws {
        let catalog = try sandbox.writeCatalog(books: 2000)
        let result = try check(catalog)
        #expect(result.ending == .exit(0))
        #expect(result.output == "\(catalog): valid, 2,000 books\n")
        #expect(result.error.isEmpty)
        #expect(try verdict(of: "[]", code: 0) == ["valid": true, "books": 0, "omitted": 0])
    }

    /// A disk that fails in the middle must not pass for a catalog that ends there.
    @Test func aFileThatCannotBeReadToItsEnd() throws {
        let catalog = try sandbox.writeCatalog(books: 50_000)
        let failing = [try Programs.strace, "-f", "-o", "/dev/null", "-e", "inject=pread64:error=EIO:when=7+"]
        let result = try sandbox.run(failing + [Programs.stacks, "check", catalog])
        #expect(result.ending == .exit(74))
        #expect(result.output.contains(": not valid, "))
        #expect(result.output.hasSuffix(", input/output error: copy it anew\n"))
    }

    @Test func aFaultHasItsPlaceAndReason() throws {
        let text = "[{\"title\": \"A\"},\n{\"title\": oops}]"
        #expect(
            try verdict(of: text, code: 65) == [
                "valid": false, "books": 1, "omitted": 0,
                "fault": ["line": 2, "column": 11, "byteOffset": 27, "reason": "an unexpected character"],
            ])
        let result = try check(sandbox.path + "/books.json")
        #expect(result.ending == .exit(65))
        #expect(result.output.contains("not valid, 1 book"))
        #expect(result.output.contains("at line 2, column 11 (byte 27)"))
    }

    @Test func whatIsNoBookIsAFlawButValid() throws {
        #expect(
            try verdict(of: "[{\"title\": \"A\"}, 7]", code: 65) == [
                "valid": true, "books": 1, "omitted": 1,
                "firstOmitted": ["line": 1, "column": 18, "byteOffset": 17],
            ])
    }

    @Test func aLineThatIsNoJSONIsNotValid() throws {
        let found = try verdict(of: "{\"title\": \"A\"}\n{\"title\": oops}\n{\"title\": \"B\"}\n", code: 65)
        #expect(found["valid"] as? Bool == false)
        #expect(found["books"] as? Int == 2)
        #expect((found["firstOmitted"] as? NSDictionary)?["line"] as? Int == 2)
    }

    @Test func aLineThatIsNoJSONBehindOneThatIsNoBookIsNotValid() throws {
        let found = try verdict(of: "{\"title\": \"A\"}\n7\n{\"title\": oops}\n", code: 65)
        #expect(found["valid"] as? Bool == false)
        #expect(found["omitted"] as? Int == 2)
    }

    @Test func whatIsNoCatalogSaysWhy() throws {
        let found = try verdict(of: "42", code: 65)
        #expect(found["valid"] as? Bool == true)
        #expect((found["error"] as? String)?.contains("is no catalog") == true)
        #expect(try verdict(of: "", code: 65)["valid"] as? Bool == false)
    }

    @Test func aFileThatIsNotThereIsNoVerdict() throws {
        let result = try check(sandbox.path + "/missing.json", "--format", "json")
        #expect(result.ending == .exit(66))
        #expect(result.output.isEmpty)
        #expect(result.error.contains("there is no file"))
    }

    @Test func standardInputIsCheckedToo() throws {
        let catalog = try sandbox.writeCatalog(books: 3)
        let stacks = try Programs.stacks
        let command = "'\(stacks)' check - < '\(catalog)'; cat '\(catalog)' | '\(stacks)' check -"
        let result = try sandbox.run(["/bin/sh", "-c", command])
        #expect(result.output == "standard input: valid, 3 books\nstandard input: valid, 3 books\n")
    }
}

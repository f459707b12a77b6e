import Foundation
import Testing

/// Encodings of files that are not JSON.
@Suite("Encodings") struct EncodingTests {
    private let sandbox: Sandbox
    /// A table in Windows-1250, with too few letters for that to be detected.
    private let table: String

    init() throws {
        sandbox = try Sandbox()
        table = try sandbox.write(
            Data("Title,Author\n".utf8) + Data([0xC8, 0x61, 0x2C, 0x42, 0x0A]), to: "old.csv")
    }

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    @Test("A named encoding is kept with the copy, until it is to be detected again")
    func namedEncoding() throws {
        let wrong = try run("search", "", table)
        #expect(!wrong.output.contains("Ča"))
        #expect(wrong.error.contains("is read as"))
        for options in [["--encoding", "windows-1250"], [], ["--encoding", "CP1250"]] {
            let result = try sandbox.run([Programs.stacks, "search", "", table] + options)
            #expect(result.ending == .exit(0))
            #expect(result.output == "Ča\tB\n")
            #expect(result.error == "")
        }
        #expect(try run("search", "", table, "--encoding", "auto").output == wrong.output)
    }

    @Test("A table in an encoding that is not known is not read")
    func unknownEncoding() throws {
        for encoding in ["nonsense", "UTF-7", "EBCDIC-US"] {
            let result = try run("search", "", table, "--encoding", encoding)
            #expect(result.ending == .exit(64))
            #expect(result.error.contains("unknown encoding “\(encoding)”. Name one of iconv -l"))
        }
    }

    @Test("The config file names the encoding of a catalog")
    func encodingOfConfig() throws {
        try sandbox.write(
            "[catalogs]\nold = {source = \"\(table)\", encoding = \"windows-1250\"}\n", to: "config/stacks/config.toml")
        #expect(try run("search", "", "old").output == "Ča\tB\n")
        try sandbox.write(
            "[catalogs]\nold = {source = \"\(table)\", encoding = \"nonsense\"}\n", to: "config/stacks/config.toml")
        #expect(try run("config").error.contains("encoding of catalog old must be a name of iconv"))
    }

    @Test("An import detects the encoding of its file, or reads it in the one that is named")
    func encodingOfImport() throws {
        let catalog = try sandbox.write(#"[{"title": "Война и мир", "authors": ["Лев Толстой"]}]"#, to: "books.json")
        let text = "Title,Author,My Rating,My Review\nВойна и мир,Лев Толстой,5,Прекрасная книга о войне и мире\n"
        let detected = try sandbox.write(try #require(text.data(using: .windowsCP1251)), to: "detected.csv")
        let result = try run("import", detected, "--catalog", catalog)
        #expect(result.output.contains("1 book, 1 in"))
        #expect(result.error.contains("detected.csv is read as Windows-1251"))
        let named = try run("import", detected, "--catalog", catalog, "--encoding", "koi8-r", "--dry-run")
        #expect(named.output.contains("1 book, 0 in"))
        let wide = try sandbox.write(try #require(text.data(using: .utf16)), to: "wide.csv")
        #expect(try run("import", wide, "--catalog", catalog, "--dry-run").output.contains("1 book, 1 in"))
    }
}

import Testing

@testable import Books
@testable import Catalog
@testable import JSON

@Suite("Profiles: files") struct ProfileTests {
    private static let text = #"""
        {
          "name": "my-library", "label": "My library", "records": ["data.books[*]"],
          "fields": {"title": ["name", "title"],
                     "authors": {"path": "by", "split": " & "},
                     "rating": {"path": "stars", "scale": 10},
                     "status": {"path": "shelf", "values": {"done": "read"}},
                     "pageCount": {"path": "len", "default": null}},
          "ignore": ["_rev", "internal.*"], "catalogs": ["*/books-?.json", "mine.json"]
        }
        """#

    @Test func aProfileIsReadFromItsText() throws {
        let profile = try Profile(parsing: Self.text.utf8)
        #expect(profile.name == "my-library")
        #expect(profile.label == "My library")
        #expect(profile.records == [try FieldPath("data.books[*]")])
        #expect(profile.mapping.ignored == [try FieldPath("_rev"), try FieldPath("internal[*]")])
        #expect(
            profile.mapping.rules == [
                .title: .init([.init(try FieldPath("name")), .init(try FieldPath("title"))]),
                .authors: .init([.init(try FieldPath("by"), split: " & ")]),
                .rating: .init([.init(try FieldPath("stars"), scale: 10)]),
                .status: .init([.init(try FieldPath("shelf"), values: ["done": "read"])]),
                .pageCount: .init([.init(try FieldPath("len"))]),
            ])
    }

    @Test func aProfileNeedsNoMoreThanANameAndFields() throws {
        let profile = try Profile(parsing: "\u{FEFF}{\"name\": \"a\", \"fields\": {\"title\": \"t\"}}".utf8)
        #expect(profile.label == "a")
        #expect(profile.records == [try FieldPath("[*]")])
        #expect(profile.mapping.ignored == [])
        #expect(profile.catalogs == [])
    }

    @Test(arguments: [
        ("/home/me/books-1.json", true), ("books-1.json", false), ("x/books-12.json", false), ("mine.json", true),
        ("/a/mine.json", true), ("/a/mine.json/b", false), ("not-mine.json", false), ("", false),
    ])
    func filesAreChosenByPatterns(path: String, isFor: Bool) throws {
        #expect((try Profile(parsing: Self.text.utf8).closeness(toFile: path) != nil) == isFor)
    }

    @Test func aPatternOfManyStarsIsFast() throws {
        let stars = String(repeating: "*a", count: 200)
        let profile = try Profile(
            parsing: #"{"name": "a", "fields": {"title": "t"}, "catalogs": "\#(stars)b"}"#.utf8)
        #expect(profile.closeness(toFile: String(repeating: "a", count: 2000)) == nil)
    }

    @Test func theFingerprintDependsOnEverythingThatAffectsReading() throws {
        let profile = try Profile(parsing: Self.text.utf8)
        func fingerprint(_ old: String, _ new: String) throws -> UInt64 {
            try Profile(parsing: Self.text.replacing(old, with: new).utf8).fingerprint
        }
        #expect(try fingerprint(#""label": "My library", "#, "") == profile.fingerprint)
        #expect(try fingerprint(#"["data.books[*]"]"#, #""$['data'].books[]""#) == profile.fingerprint)
        #expect(try fingerprint("\n", " ") == profile.fingerprint)
        for (old, new) in [
            (#""name", "title""#, #""title", "name""#), (" & ", "; "), ("10", "100"), ("done", "gone"), ("null", "7"),
            ("_rev", "_id"), ("books[*]", "items[*]"), (#""by""#, #""of""#),
        ] {
            #expect(try fingerprint(old, new) != profile.fingerprint, "\(old)")
        }
    }

    private static let fields = #""fields": {"title": "t"}"#

    @Test(arguments: [
        ("", 1, 1, #"p.json, line 1, column 1: unexpected end of file."#),
        (
            "{\"name\": \"a\",\n  }", 2, 3,
            #"p.json, line 2, column 3: expected a value, a key, a comma or a closing bracket."#
        ),
        ("{} x", 1, 4, "p.json, line 1, column 4: expected the end of the file."),
        ("\u{FEFF}[]", 1, 1, "p.json, line 1, column 1: expected an object."),
        ("{\(fields)}", 1, 1, #"p.json, line 1, column 1: expected "name"."#),
        (#" {"name": "a"}"#, 1, 2, #"p.json, line 1, column 2: expected "fields"."#),
        (#"{"name": 7}"#, 1, 10, "p.json, line 1, column 10: expected a text."),
        (#"{"name": ""}"#, 1, 10, "p.json, line 1, column 10: expected a text."),
        ("{\"näme\": 1}", 1, 2, #"p.json, line 1, column 2: unknown key “näme”; expected “name”."#),
        (
            "{\"name\": \"a\",\n \"feilds\": {}}", 2, 2,
            #"p.json, line 2, column 2: unknown key “feilds”; expected “fields”."#
        ),
        (
            #"{"xxxxxxxxxx": 1}"#, 1, 2,
            #"p.json, line 1, column 2: unknown key “xxxxxxxxxx”; expected “name”, “label”, “records”, “joins”, “fields”, “own”, “ignore” or “catalogs”."#
        ),
        (
            "{\"name\": \"a\",\n \"fields\": {\n\"titel\": \"t\"}}", 3, 1,
            #"p.json, line 3, column 1: unknown field “titel”; expected “title”."#
        ),
        (#"{"fields": []}"#, 1, 12, "p.json, line 1, column 12: expected an object with the fields of a book."),
        (#"{"fields": {"title": 7}}"#, 1, 22, "p.json, line 1, column 22: expected a path."),
        (#"{"fields": {"title": []}}"#, 1, 22, "p.json, line 1, column 22: expected a path."),
        (#"{"fields": {"title": ["a", null]}}"#, 1, 28, "p.json, line 1, column 28: expected a path."),
        (#"{"fields": {"title": {}}}"#, 1, 22, #"p.json, line 1, column 22: expected "path"."#),
        (#"{"fields": {"title": {"path": []}}}"#, 1, 22, #"p.json, line 1, column 22: expected "path"."#),
        (
            #"{"fields": {"title": "a..b"}}"#, 1, 22,
            #"p.json, line 1, column 22: "a..b" is not a path; expected a name at character 3."#
        ),
        (
            #"{"fields": {"title": {"path": ["t"], "spilt": ","}}}"#, 1, 38,
            #"p.json, line 1, column 38: unknown key “spilt”; expected “split”."#
        ),
        (
            #"{"fields": {"title": {"path": "t", "scale": 10}}}"#, 1, 36,
            #"p.json, line 1, column 36: unknown key “scale”; expected “path”, “split”, “values” or “default”."#
        ),
        (
            #"{"fields": {"title": {"path": "t", "split": 1}}}"#, 1, 45,
            "p.json, line 1, column 45: expected a text."
        ),
        (
            #"{"fields": {"rating": {"path": "t", "scale": 1e400}}}"#, 1, 46,
            "p.json, line 1, column 46: expected the highest mark, a number above zero."
        ),
        (
            #"{"fields": {"rating": {"path": "t", "scale": -1}}}"#, 1, 46,
            "p.json, line 1, column 46: expected the highest mark, a number above zero."
        ),
        (
            #"{"fields": {"status": {"path": "t", "values": []}}}"#, 1, 47,
            "p.json, line 1, column 47: expected an object with the words of the catalog."
        ),
        (
            #"{"fields": {"status": {"path": "t", "values": {"a": 1}}}}"#, 1, 53,
            "p.json, line 1, column 53: expected a text."
        ),
        (#"{"records": []}"#, 1, 13, "p.json, line 1, column 13: expected a path."),
        (
            #"{"records": ["a[*].x", "b[*].y"]}"#, 1, 13,
            #"p.json, line 1, column 13: expected "b[*].y" to continue after its last [*] as "a[*].x" does."#
        ),
        (#"{"ignore": {}}"#, 1, 12, "p.json, line 1, column 12: expected a path."),
        (#"{"catalogs": [1]}"#, 1, 15, "p.json, line 1, column 15: expected a text."),
        (
            #"{"joins": {"a": {"tabel": "x"}}}"#, 1, 18,
            #"p.json, line 1, column 18: unknown key “tabel”; expected “table”."#
        ),
        (#"{"joins": {"a": {"column": "x"}}}"#, 1, 17, #"p.json, line 1, column 17: expected "table"."#),
        (#"{"joins": []}"#, 1, 11, "p.json, line 1, column 11: expected an object with the tables that are joined."),
    ])
    func anInvalidProfileIsRejectedWithItsPosition(text: String, line: Int, column: Int, message: String) {
        let syntaxError = #expect(throws: ProfileSyntaxError.self) { try Profile(parsing: text.utf8) }
        #expect(syntaxError?.position.line == line)
        #expect(syntaxError?.position.column == column)
        #expect(syntaxError?.message(in: "p.json") == message)
    }

    @Test(arguments: [
        #"["a[*]", "b[*].c[*]", "$"]"#, #"["items[*].volumeInfo", "x.y[*].volumeInfo"]"#, #""$""#,
    ])
    func severalRecordPathsHaveTheSameEnd(records: String) throws {
        #expect(try Profile(parsing: #"{"name": "a", "records": \#(records), \#(Self.fields)}"#.utf8).records.count > 0)
    }

    @Test func tablesOfADatabaseAreJoined() throws {
        let text = #"""
            {"name": "a", "records": "my novels", \#(Self.fields),
             "joins": {"by": "writers", "on": {"table": "topics", "column": "word", "through": "told"}}}
            """#
        let profile = try Profile(parsing: text.utf8)
        #expect(
            profile.joins == [
                Profile.Join(key: "by", table: "writers"),
                Profile.Join(key: "on", table: "topics", column: "word", through: "told"),
            ])
        let suffix = try #require(profile.databaseSuffix)
        #expect(suffix.hasPrefix("?table=my%20novels&joins=%5b%7b"))
        #expect(
            suffix.hasSuffix(
                "%22key%22%3a%22on%22%2c%22table%22%3a%22topics%22%2c%22column%22%3a%22word%22%2c"
                    + "%22through%22%3a%22told%22%7d%5d"))
        // The rows of the table are the records, whatever their path in a file would be.
        #expect(profile.ofRows.records.map(\.description) == ["[*]"])
        let plain = try Profile(parsing: #"{"name": "a", "records": "data", \#(Self.fields)}"#.utf8)
        // The name of a table looks like that of a member.
        #expect(plain.databaseSuffix == "?table=data" && plain.ofRows == plain)
        #expect(profile.isOfDatabase && !plain.isOfDatabase)
        for path in ["[*]", "data.books[*]", "$"] {
            let other = try Profile(parsing: #"{"name": "a", "records": "\#(path)", \#(Self.fields)}"#.utf8)
            #expect(other.databaseSuffix == nil, "\(path)")
        }
    }

    @Test func tooDeepNestingIsRejected() {
        let text = String(repeating: #"{"fields":"#, count: 100_000)
        let syntaxError = #expect(throws: ProfileSyntaxError.self) { try Profile(parsing: text.utf8) }
        #expect(syntaxError?.reason == .json(.tooDeep))
    }
}

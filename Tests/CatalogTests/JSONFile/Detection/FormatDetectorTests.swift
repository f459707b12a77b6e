import Books
import Testing

@testable import Catalog
@testable import CatalogTesting
@testable import JSON
@testable import Remote

/// The shape of a text, detected from its beginning.
@Suite("JSON file: detecting the shape") struct FormatDetectorTests {
    private func opening(_ text: String, isWhole: Bool = true) -> FormatDetector {
        JSONReader.reading(text.utf8) { FormatDetector(of: $0, isWhole: isWhole) }
    }

    /// Returns the shape and the start of the records, or nil if there are none.
    private func location(_ text: String, isWhole: Bool = true) -> Location? {
        guard case .records(let found) = opening(text, isWhole: isWhole) else { return nil }
        return Location(shape: found.shape, offset: found.offset)
    }

    private struct Location: Equatable {
        var shape: CatalogShape
        var offset: Int
    }

    @Test(
        arguments: [
            ("[", 0), ("[]", 0), (" \n[{}]", 2), ("\u{FEFF}[{}]", 3), ("\u{FEFF}\n [", 5), ("[1, 2]", 0),
            // Errors further on are found later.
            ("[x", 0),
        ])
    func anOpeningBracketIsAnArray(text: String, offset: Int) {
        for isWhole in [false, true] {
            #expect(location(text, isWhole: isWhole) == Location(shape: .array(path: []), offset: offset))
        }
    }

    /// The copy of a source with one record has one line, which would otherwise be read as a whole document.
    @Test func aSingleLineIsARecordIfThatIsKnown() throws {
        func opening(_ text: String, isWhole: Bool = true) -> FormatDetector {
            let profile = ProfileLibrary(directory: nil).profile(named: "native")
            return JSONReader.reading(text.utf8) {
                FormatDetector(of: $0, isWhole: isWhole, isLines: true, profile: profile)
            }
        }
        for text in ["", "{\"authors\": [\"A\"]}\n", "{\"notes\": []}\n{}\n", "{\"title\": \"A\"}"] {
            guard case .records(let found) = opening(text) else {
                Issue.record("\(text) has no records")
                continue
            }
            #expect(found.shape == .lines && found.profile == "native", "\(text)")
        }
        #expect(opening("{\"title\": \"A", isWhole: false) == .undecided)
        #expect(opening("", isWhole: false) == .undecided)
    }

    @Test(
        arguments: [
            (#"{"books": [{"title": "A", "authors": ["X"]}]}"#, 1, 10),
            (#"{"a": {"b": {"c": [{"title": "A", "isbn": "X"}"#, 3, 18),
            // The first array of books, after other arrays.
            (#"{"n": [1, 2], "m": [{"a": 1}], "o": {"x": []}, "b": [{"title": "A", "pageCount": 1}], "#, 1, 52),
            (#"{"x": {"y": [{"title": "A", "fiction": true}]}, "books": [{"title": "B", "authors": []}]}"#, 2, 12),
            ("\u{FEFF}{\"books\":\n[{\"title\": \"A\", \"authors\": \"X\"}]}", 1, 13),
            // On one line, or with each record on a separate line.
            ("{\"books\": [\n{\"title\": \"A\", \"isbn\": \"X\"}\n]}", 1, 10),
            ("{\"books\": [\n{\"title\": \"A\", \"isbn\": \"X\"}\n{}]}", 1, 10),
            ("{\"books\": [{\"title\": \"A\", \"isbn\": \"X\"}]}\nmore", 1, 10),
            // Its key may be any text.
            (#"{"\"[{": [{"title": "A", "authors": ["X"]}]}"#, 1, 9),
        ])
    func anArrayOfBooksWithinObjectsIsFound(text: String, depth: Int, offset: Int) {
        guard case .records(let found) = opening(text), case .array(let path) = found.shape else {
            Issue.record("there is no array in \(text)")
            return
        }
        #expect(path.count == depth)
        #expect(found.offset == offset)
    }

    @Test(arguments: [
        "{\"title\": \"A\"}\n{\"title\": \"B\"}\n", "{}\n{}", "\u{FEFF}{\"a\": [1]}\r\n\r\n  {\"b\": 2}", "\n\n{}\n{",
        // One of the first two lines is invalid or cut off.
        "{\"title\": oops}\n{\"title\": \"B\"}\n", "{\"title\": \"A\"}\n{\"title\": oops}\n",
        "{\"title\": \"A\"}\n{\"ti",
        "{\"title\": \"A\n{\"title\": \"B\"}\n{\"title\": \"C\"}\n",
        "{\"title\":\n{\"title\": \"B\"}\n{\"title\": \"C\"}\n",
        // Text after a line with an object cannot be part of that object.
        "{\"title\": \"A\"}\noops\n{\"title\": \"B\"}\n", "{\"title\": \"A\"}\n7\n", "{\"title\": \"A\"}\n[]\n",
    ])
    func oneObjectPerLineIsJSONLines(text: String) {
        let start = text.utf8.firstIndex(of: UInt8(ascii: "{"))
        let offset = start.map { text.utf8.distance(from: text.startIndex, to: $0) }
        #expect(location(text) == Location(shape: .lines, offset: offset ?? 0))
    }

    @Test(arguments: [
        "{\n\"title\": \"A\",\n\"authors\": [\"X\"]\n}\n", "{\"title\": \"A\", \"isbn\": \"X\"}",
        "{\"title\": \"A\", \"isbn\": \"X\"}\n\n", "\u{FEFF}{\"authors\": \"X\", \"title\": \"A\"}",
        // The following text is an error and does not affect the book.
        "{\"title\": \"A\", \"isbn\": \"X\"} more",
        // A member on a separate line is not a record.
        "{\"title\": \"A\", \"isbn\": \"X\", \"more\":\n{\"title\": \"B\"}\n}",
    ])
    func oneObjectThatIsABookIsADocument(text: String) {
        let offset = text.hasPrefix("\u{FEFF}") ? 3 : 0
        #expect(location(text) == Location(shape: .document, offset: offset))
        if !text.hasSuffix("more") { #expect(opening(text, isWhole: false) == .undecided) }
    }

    @Test(arguments: [
        #"{"x": {"title": "A", "authors": ["X"]}}"#, #"{"x": {"title": "A", "isbn": "X"}, "y": {}, "z": 7}"#,
        "{\n  \"x\": {\n    \"title\": \"A\",\n    \"authors\": [\"X\"]\n  }\n}\n",
        "{\"x\":\n{\"title\": \"A\", \"authors\": [\"X\"]}\n}",
        // An error further on does not affect the preceding text.
        #"{"x": {"title": "A", "authors": ["X"]}, oops}"#, #"{"x": {"title": "A", "authors": ["X"]}"#,
        #"{"x": {"title": "A", "authors": ["X"]}} more"#,
    ])
    func anObjectWhoseFirstValueIsABookIsAMapOfBooks(text: String) {
        #expect(location(text) == Location(shape: .members, offset: 0))
    }

    @Test func aPartialMapIsDetectedByItsFirstBook() {
        let text = #"{"x": {"title": "A", "authors": ["X"]}, "y": {"ti"#
        #expect(location(text, isWhole: false) == Location(shape: .members, offset: 0))
    }

    @Test(arguments: [(#"{"books": []}"#, 10), (#" {"made": "by hand", "n": [7], "books": [ ]}"#, 40)])
    func anEmptyListOfBooksIsACatalog(text: String, offset: Int) {
        guard case .records(let found) = opening(text) else {
            Issue.record("no catalog")
            return
        }
        #expect(found.shape == .array(path: [.key("books")]))
        #expect(found.offset == offset)
        #expect(found.recordPaths.map(\.description) == ["books[*]"])
        #expect(found.profile == "native")
    }

    @Test func anObjectWithATitleIsABookEvenIfItHasAnEmptyListOfBooks() {
        #expect(location(#"{"title": "A", "books": []}"#) == Location(shape: .document, offset: 0))
    }

    @Test(
        arguments: [
            ("null", .scalar), ("42", .scalar), (#""[]""#, .scalar), ("{}", .object),
            (#"{"shelves": []}"#, .object), (#"{"x": {"books": []}}"#, .object),
            (#"{"books": [{"nom": "A"}]}"#, .object),
            (#"{"x": {"titles": "A"}}"#, .object), ("{}{}", .jsonLines), (#"{"a": 1} {"a": 2}"#, .jsonLines),
        ] as [(String, CatalogError.Content)])
    func jsonWithoutBooksIsNotACatalog(text: String, content: CatalogError.Content) {
        #expect(opening(text) == .nothing(content))
    }

    @Test(
        arguments: [
            ("oops", .unexpectedCharacter, 0), ("// books\n[]", .unexpectedCharacter, 0),
            ("42 43", .trailingContent, 3),
            ("nul", .unexpectedEnd, 3), (#"{"title": "A""#, .unexpectedEnd, 13),
            (#"{"title": oops}"#, .unexpectedCharacter, 10),
            ("{'title': 1}", .unexpectedCharacter, 1), ("{}\n7", .trailingContent, 3),
            ("{\"a\": 1\n{\"b\": 2}\n}", .unexpectedCharacter, 8), ("{} x", .trailingContent, 3),
            ("\u{FEFF}x", .unexpectedCharacter, 3),
            ("\u{0}", .unexpectedCharacter, 0),
        ] as [(String, JSONSyntaxError.Reason, Int)])
    func otherTextThanJSONIsASyntaxError(text: String, reason: JSONSyntaxError.Reason, offset: Int) {
        #expect(opening(text) == .syntaxError(JSONSyntaxError(reason, at: offset)))
    }

    @Test(
        "The answer of a server that refused a request is no book",
        arguments: [
            #"{"status": "error", "title": "Unauthorized", "detail": "Token expired"}"#,
            #"{"type": "about:blank", "title": "Not Found", "status": 404, "instance": "/books"}"#,
            #"{"title": "Oops", "errors": ["x"]}"#,
        ])
    func refusals(text: String) {
        #expect(opening(text) == .nothing(.object))
        #expect(location(#"{"title": "Emma", "status": "read"}"#)?.shape == .document)
        #expect(location(#"{"title": "Emma", "detail": "x", "isbn": "9780306406157"}"#)?.shape == .document)
    }

    @Test(
        "JSON of services has its profile",
        arguments: [
            ("zotero-json", #"{"items": [{"itemType": "book", "title": "A", "creators": []}]}"#),
            ("zotero-json", #"[{"key": "X", "data": {"itemType": "book", "title": "A"}}]"#),
            ("inventaire", #"{"items": [{"_id": "1", "snapshot": {"entity:title": "A"}}], "total": 1}"#),
            ("vufind", #"{"records": [{"title": "A", "authors": {"primary": [], "secondary": [], "corporate": []}}]}"#),
        ])
    func services(profile: String, text: String) throws {
        guard case .records(let found) = opening(text) else {
            Issue.record("no records")
            return
        }
        #expect(found.profile == profile)
    }

    @Test(arguments: ["", " ", "\u{FEFF}", "\u{FEFF} \r\n\t"])
    func aBlankTextIsEmpty(text: String) {
        #expect(opening(text) == .empty)
        #expect(opening(text, isWhole: false) == .undecided)
    }

    @Test(arguments: [
        "nu", "4", #""a"#, "{", #"{"books""#, #"{"books": [{"ti"#, #"{"books": [{"title": "A", "#, "{}", "{}\n",
        #"{"title": "A", "authors": ["X"]}"#, #"{"x": {"title": "A", "auth"#, "{\"title\":\n{\"title\": \"A\"}\n",
    ])
    func anUndecidedPrefixRequestsMoreText(text: String) {
        #expect(opening(text, isWhole: false) == .undecided)
    }

    @Test func endlessNestingIsASyntaxError() {
        let arrays = #"{"a":"# + String(repeating: "[", count: 100_000)
        #expect(opening(arrays) == .syntaxError(JSONSyntaxError(.tooDeep, at: 5 + 511)))
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        #expect(opening(objects) == .syntaxError(JSONSyntaxError(.tooDeep, at: 512 * 5)))
    }
}

import CatalogTesting
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON

@Suite("JSON file: opening") struct JSONFileLoaderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func records(_ text: String) throws -> JSONFileRecords {
        try JSONFileLoader(path: directory.write(text.utf8, to: "books.json")).load()
    }

    private func error(_ bytes: some Sequence<UInt8>) throws -> CatalogError? {
        let source = JSONFileLoader(path: try directory.write(bytes, to: "books.json"))
        return #expect(throws: CatalogError.self) { try source.load() }
    }

    private var path: String { directory.path + "/books.json" }

    @Test func theBooksOfAnArrayAreRead() throws {
        let records = try records(#"[{"title": "A", "pageCount": 7}, {"title": "B"}]"#)
        #expect(records.count == 2)
        #expect(records.book(BookID(1)).value == Book(title: "B"))
        #expect(records.book(BookID(0)).value == Book(title: "A", pageCount: 7))
        #expect(records.defects.isEmpty)
    }

    @Test func anEmptyArrayIsACatalogWithoutBooks() throws {
        let records = try records(" [ ] \n")
        #expect(records.count == 0)
        #expect(records.defects.isEmpty)
    }

    @Test(arguments: [
        ("books.json", "books.json"), ("/srv/books.json", "books.json"), ("../a/b c.json", "b c.json"), ("/", "/"),
    ])
    func theNameIsThatOfTheFile(path: String, name: String) {
        #expect(JSONFileCatalog(path: path).name == name)
    }

    @Test func otherValuesAreCountedAndTheFirstHasItsPosition() throws {
        let records = try records("[{\"title\": \"é\"},\n 1, null]")
        #expect(records.count == 1)
        #expect(records.defects.omissionCount == 2)
        #expect(records.defects.omissions.first?.position == TextPosition(line: 2, column: 2, byteOffset: 19))
        #expect(records.defects.syntaxError == nil)
        #expect(!records.defects.isEmpty)
    }

    @Test func aSyntaxErrorKeepsTheBooksBeforeItAndHasItsPosition() throws {
        let records = try records("[{\"title\": \"A\"},\n{\"title\": oops}]")
        #expect(records.count == 1)
        #expect(
            records.defects
                == CatalogDefects(
                    syntaxError: .init(.unexpectedCharacter, at: TextPosition(line: 2, column: 11, byteOffset: 27))))
    }

    @Test func aMalformedLineIsReportedAnywhere() throws {
        for (lines, isWellFormed) in [
            (["{\"title\": \"A\"}", "7", "oops", "[]"], false), (["{\"title\": \"A\"}", "oops", "7"], false),
            (["{\"title\": \"A\"}", "7", "[]"], true), (["{\"title\": \"A\"}", "{\"title\": \"B\"}"], true),
        ] {
            let defects = try records(lines.joined(separator: "\n")).defects
            #expect(defects.isWellFormed == isWellFormed)
            #expect(defects.hasMalformedLines == !isWellFormed)
        }
    }

    @Test func aMissingFileCannotBeRead() throws {
        let source = JSONFileLoader(path: path)
        let error = #expect(throws: CatalogError.self) { try source.load() }
        guard case .unreadable(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.path == path)
        #expect(cause.operation == .open)
        #expect(cause.isMissing)
    }

    @Test func aDirectoryCannotBeRead() throws {
        let source = JSONFileLoader(path: directory.path)
        let error = #expect(throws: CatalogError.self) { try source.load() }
        guard case .unreadable(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.isDirectory)
    }

    @Test(arguments: ["", " ", " \n\t\r\n", "\u{FEFF}", "\u{FEFF} \n"])
    func aFileOfBlanksIsEmpty(text: String) throws {
        #expect(try error(text.utf8) == .empty(path: path))
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x5B, 0x00], .utf16), ([0xFE, 0xFF, 0x00, 0x5B], .utf16), ([0x1F, 0x8B, 0x08], .compressed),
            (Array("SQLite format 3\u{0}".utf8), .sqlite), (Array("<!DOCTYPE html><html>".utf8), .html),
            (Array("\n <HTML lang=en>".utf8), .html), (Array("<?xml version=\"1.0\"?><feed/>".utf8), .xml),
            (Array("\u{FEFF}<feed/>".utf8), .xml), ([0x28, 0xB5, 0x2F, 0xFD], .compressed),
            (Array("BZh91AY".utf8), .otherCompressed), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .otherCompressed),
            (Array("Rar!\u{1A}".utf8), .archive), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive),
            ([UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8), .archive),
            ([0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26) + Array("books.json".utf8), .archive),
            (
                [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26) + Array("[Content_Types].xml".utf8),
                .officeDocument
            ),
            (
                [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26)
                    + Array("mimetypeapplication/vnd.oasis.opendocument.spreadsheet".utf8), .officeDocument
            ),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .officeDocument),
        ] as [([UInt8], CatalogError.FileFormat)])
    func otherFormatsAreRecognized(bytes: [UInt8], format: CatalogError.FileFormat) throws {
        #expect(try error(bytes) == .wrongFormat(path: path, format))
    }

    @Test func anErrorBeforeTheFirstBookMakesTheFileMalformed() throws {
        #expect(
            try error("// my books\n[]".utf8)
                == .malformed(path: path, .init(.unexpectedCharacter, at: .init(line: 1, column: 1, byteOffset: 0))))
        #expect(
            try error("[\n  {\"title\": \"A\",}]".utf8)
                == .malformed(path: path, .init(.unexpectedCharacter, at: .init(line: 2, column: 17, byteOffset: 18))))
        #expect(
            try error("[1".utf8)
                == .malformed(path: path, .init(.unexpectedEnd, at: .init(line: 1, column: 3, byteOffset: 2))))
    }

    @Test func aPositionAfterAByteOrderMarkIsThatOfAnEditor() throws {
        #expect(
            try error("\u{FEFF}[x]".utf8)
                == .malformed(path: path, .init(.unexpectedCharacter, at: .init(line: 1, column: 2, byteOffset: 4))))
    }

    @Test(
        arguments: [
            ("{}", .object), (#"{"books": {"count": 2}}"#, .object),
            (#"{"shelves": []}"#, .object), (#"{"title": "A"} {"title": "B"}"#, .jsonLines), ("\u{FEFF} {}", .object),
            ("\u{FEFF}{}{}", .jsonLines), ("{}\n{}", .array),
            ("\u{FEFF}{}\n\n{\"nom\": \"A\"}", .array), ("null", .scalar), ("42", .scalar),
            (#""[]""#, .scalar), ("[1, 2, []]", .array),
            (#"[{"title": true}]"#, .array),
            (#"[{"nom": "A"}, {}]"#, .array),
            (#"[{"nom": "A"}, 7]"#, .array),
        ] as [(String, CatalogError.Content)])
    func jsonWithoutAnArrayOfBooksIsNotACatalog(text: String, content: CatalogError.Content) throws {
        #expect(try error(text.utf8) == .notACatalog(path: path, content))
    }
}

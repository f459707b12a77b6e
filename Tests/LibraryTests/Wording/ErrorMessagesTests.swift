import Glibc
import Storage
import Testing

@testable import Catalog
@testable import JSON
@testable import Library

/// Every message names the file, the cause and the next step.
@Suite("Messages: errors with their next step") struct SentencesTests {
    @Test func aMissingFile() {
        let error = CatalogError.unreadable(FileError(path: "a.json", operation: .open, code: 2))
        #expect(error.sentence == "a.json: no such file. Check the path")
    }

    @Test func aDirectory() {
        let error = CatalogError.unreadable(FileError(path: "books", operation: .read, code: 21))
        #expect(error.sentence == "books is a directory. Name a catalog in it")
    }

    @Test func aFault() {
        let syntaxError = CatalogDefects.SyntaxError(
            .malformedNumber, at: TextPosition(line: 3, column: 5, byteOffset: 42))
        #expect(
            CatalogError.malformed(path: "a.json", syntaxError).sentence
                == "a.json is not valid JSON: malformed number at line 3, column 5 (byte 42). Fix it there, or export it again"
        )
    }

    @Test func aFileWithoutBooks() {
        func sentence(_ path: String, _ content: CatalogError.Content) -> String {
            CatalogError.notACatalog(path: path, content).sentence
        }
        for content in [CatalogError.Content.object, .array, .jsonLines] {
            #expect(
                sentence("odd.json", content)
                    == "odd.json: no books found. Map its fields with: stacks profiles new odd.json")
        }
        #expect(sentence("my books.json", .array).hasSuffix("stacks profiles new 'my books.json'"))
        #expect(sentence("it's.json", .array).hasSuffix(#"stacks profiles new 'it'\''s.json'"#))
        #expect(
            sentence("7.json", .scalar)
                == "7.json: no books found. A catalog is a JSON array of books, each an object with a title")
        #expect(
            sentence("a.json", .noRecords(profile: "opds"))
                == "a.json: no books found with profile opds. Choose another with --profile, or run: "
                + "stacks profiles new a.json")
    }

    @Test func defects() {
        let position = TextPosition(line: 1, column: 2, byteOffset: 1)
        #expect(CatalogDefects().sentence == nil)
        #expect(
            CatalogDefects(omissionCount: 1, omissions: [.init(position: position)]).sentence
                == "Skipped 1 item that is not a book (line 1, column 2 (byte 1)). Fix the file and reload it")
        #expect(
            CatalogDefects(
                omissionCount: 1234, omissions: [.init(position: position)],
                syntaxError: .init(.unexpectedEnd, at: position)
            ).sentence
                == "Skipped 1,234 items that are not books (first: line 1, column 2 (byte 1)). "
                + "The file is cut off at line 1, column 2 (byte 1). Fix the file and reload it")
    }

    @Test func aFileThatCannotBeReadToItsEnd() {
        let error = FileError(path: "/books.json", operation: .read, code: EIO)
        #expect(
            CatalogDefects(failure: .init(error, byteOffset: 4096)).sentence
                == "The file cannot be read beyond byte 4096: input/output error. Copy the file again")
    }

    @Test func numbersReadWell() {
        #expect(0.grouped == "0")
        #expect(999.grouped == "999")
        #expect(1000.grouped == "1,000")
        #expect(1_000_000.grouped == "1,000,000")
        #expect((-1234).grouped == "-1,234")
        #expect(1.of("book") == "1 book")
        #expect(2000.of("book") == "2,000 books")
    }
}

import Foundation
import TerminalTesting
import Testing

@testable import Browser

/// The copied texts and their destinations.
@Suite("Copying")
struct CopyTests {
    private let user = User(books: [
        .make(title: "The Stand", authors: ["Stephen King"], isbn: "978-0307947307", pageCount: 1200, fiction: true),
        .make(title: "Good Omens", authors: ["Terry Pratchett", "Neil Gaiman"]),
        .make(title: "Evil\u{1B}]0;title\u{07}\u{202E}\nSecond", authors: [], isbn: "1\u{1B}[2J\n2"),
    ])

    private func copied(_ keys: String) throws -> [String] { try user.browse(keys, resumes: false).copies }

    @Test func eachFieldIsCopiedAndReported() throws {
        #expect(try copied("y t") == ["The Stand"])
        #expect(try copied("y a") == ["Stephen King"])
        #expect(try copied("y i") == ["978-0307947307"])
        #expect(try copied("j y a") == ["Terry Pratchett, Neil Gaiman"])
        #expect(try user.browse("y t", resumes: false).status == "1/3  Copied: title of The Stand")
        #expect(try user.browse("y i", resumes: false).status == "1/3  Copied: ISBN of The Stand")
    }

    @Test func aMissingFieldIsReportedAndNothingIsCopied() throws {
        let terminal = try user.browse("j y i")
        #expect(terminal.status == "2/3  This book has no ISBN")
        #expect(terminal.copies == [])
        #expect(try user.browse("G y a").status == "3/3  This book has no authors")
    }

    @Test func selectedBooksAreCopiedOnePerLine() throws {
        let terminal = try user.browse("2 Space y t")
        #expect(terminal.copies == ["The Stand\nGood Omens"])
        #expect(terminal.status == "3/3  2 selected  Copied: title of 2 books")
        #expect(try copied("2 Space y i") == ["978-0307947307"])
        #expect(try user.browse("j Space Space k k Space y a y i", resumes: false).copies.count == 2)
        #expect(try copied("V y t")[0].split(separator: "\n").count == 3)
    }

    @Test func copiedTextIsSanitized() throws {
        for keys in ["G y t", "G y i", "G y j", "V y j", "V y t"] {
            let text = try #require(try copied(keys).first)
            let isHarmless = text.unicodeScalars.allSatisfy {
                $0 == "\n" || $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
            }
            #expect(isHarmless, "\(keys): \(text.debugDescription)")
        }
        // One line per book.
        #expect(try !copied("G y t")[0].contains("\n"))
        #expect(try !copied("G y i")[0].contains("\n"))
    }

    @Test func theRecordIsJSONOfTheSameValues() throws {
        let text = try #require(try copied("G y j").first)
        let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(value["title"] as? String == "Evil\u{1B}]0;title\u{07}\u{202E}\nSecond")
        #expect(value["isbn"] as? String == "1\u{1B}[2J\n2")
        #expect(value["authors"] as? [String] == [])
        #expect(!text.contains("\n"))
    }

    @Test func withoutAClipboardItGoesToAPrivateFileThatIsNamed() throws {
        user.hasClipboard = false
        user.copies = CopiedText(directory: user.home.path + "/run")
        let terminal = try user.browse("y t")
        let path = user.home.path + "/run/copied.txt"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "The Stand")
        #expect((terminal.status + terminal.hints).contains(path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // The next copy replaces it.
        try user.browse("j y t", resumes: false)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "Good Omens")
    }

    @Test func withoutAClipboardOrFileTheFailureIsReported() throws {
        user.hasClipboard = false
        #expect(try user.browse("y t").status == "1/3  No clipboard available")
    }

    @Test func aCopyFileThatCannotBeWrittenIsReported() throws {
        try FileManager.default.createDirectory(at: user.home, withIntermediateDirectories: true)
        try Data().write(to: user.home.appendingPathComponent("run"))
        user.hasClipboard = false
        user.copies = CopiedText(directory: user.home.path + "/run")
        #expect(try user.browse("y t").status.hasPrefix("1/3  Not copied: "))
    }

    @Test func inAnEmptyListNothingIsCopied() throws {
        let terminal = try user.browse("L j Enter y t y j o")
        #expect(terminal.copies == [])
        #expect(terminal.status == "0/0")
    }
}

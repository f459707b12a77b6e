import Foundation
import TerminalTesting
import Testing

@testable import Browser

@Suite("Empty lists") struct EmptyListTests {
    private let user = User(bookCount: 3)

    private func text(_ keys: String) throws -> String {
        let terminal = try user.browse(keys, resumes: false)
        let rows = (1..<8).map { row in
            String(terminal.row(row).split(separator: "│").first ?? "").trimmingCharacters(in: .whitespaces)
        }
        return rows.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test(arguments: [
        ("j", "No favourites yet. Press t on a book to add it"),
        ("j j", "No books here yet. Press mt on a book to add it"),
        ("j j j", "No books here yet. Press mr on a book to add it"),
        ("j j j j", "No books here yet. Press md on a book to add it"),
    ])
    func aListSaysHowToFillIt(keys: String, expected: String) throws {
        #expect(try text("L \(keys) Enter").hasSuffix(expected))
    }

    @Test func aShelfSaysHowToFillIt() throws {
        #expect(try text("L + n e w Enter Enter").hasSuffix("No books on this shelf yet. Press b on a book to add it"))
    }

    @Test func theHintsFit() throws {
        let hints = try user.browse("L j Enter", resumes: false).hints
        #expect(!hints.contains("favourite") && hints.contains("L lists"))
    }
}

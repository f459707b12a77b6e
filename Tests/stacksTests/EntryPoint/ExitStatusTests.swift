import Foundation
import Storage
import Testing

@testable import Catalog
@testable import JSON
@testable import stacks

@Suite("Exit status") struct ExitStatusTests {
    @Test func theGuideSaysWhatEachStatusMeans() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/stacks/EntryPoint/ExitStatus.swift")
        let declared = try String(contentsOf: source, encoding: .utf8)
            .matches(of: /static let [a-zA-Z]+: Int32 = ([0-9]+)/).compactMap { Int32($0.1) }
        #expect(ExitStatus.meanings.map(\.status) == [0] + declared.sorted())
        #expect(GuideTable.exitCodes.rows[3] == "| 1 | nothing found |")
    }

    private func status(ofReadError code: Int32) -> Int32 {
        CatalogError.unreadable(FileError(path: "a.json", operation: .open, code: code)).exitStatus
    }

    @Test func aMissingFileIs66() {
        // ENOENT, ENOTDIR, EISDIR.
        for code: Int32 in [2, 20, 21] { #expect(status(ofReadError: code) == 66) }
    }

    @Test func anUnreadableFileIs77() {
        // EACCES, EPERM.
        for code: Int32 in [13, 1] { #expect(status(ofReadError: code) == 77) }
    }

    @Test func wrongContentIs65() {
        let position = TextPosition(line: 1, column: 1, byteOffset: 0)
        let errors: [CatalogError] = [
            .empty(path: "a"), .wrongFormat(path: "a", .html),
            .malformed(path: "a", .init(.unexpectedEnd, at: position)),
            .notACatalog(path: "a", .object),
        ]
        for error in errors { #expect(error.exitStatus == 65) }
    }
}

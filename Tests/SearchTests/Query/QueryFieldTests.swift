import Books
import Foundation
import Testing

@testable import Search

@Suite("Query: field names") struct QueryFieldTests {
    private let page: String

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        page = try String(
            contentsOf: folder.appending(path: "../../../Resources/guide/searching.md"), encoding: .utf8)
    }

    @Test func theGuideNamesEveryFieldAndItsOtherNames() throws {
        for field in QueryField.all {
            let row = try #require(
                page.split(separator: "\n").first { $0.hasPrefix("| `\(field.name):") },
                "the guide has no row for \(field.name):")
            for name in field.names.dropFirst() { #expect(row.contains("`\(name):`"), "\(name): is missing") }
        }
    }

    @Test func theGuideNamesEveryValue() throws {
        for field in QueryField.all {
            guard let values = field.values(in: .ofEveryBook) else { continue }
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(field.name):") })
            for value in values {
                let name = try #require(value.names.first)
                #expect(row.contains("`\(name)`") || row.contains(":\(name)`"), "\(field.name):\(name) is missing")
            }
        }
    }

    @Test func dependenceOnUserDataIsKnown() {
        for text in ["is:favourite", "-is:starred king", "a | (b on:shelf)", "is:reading", "rating:>3"] {
            #expect(Query(text).needsUserData)
        }
        for text in ["", "favourite", "pages:>3", "fiction:yes", "\"is:favourite\""] {
            #expect(!Query(text).needsUserData)
        }
    }
}

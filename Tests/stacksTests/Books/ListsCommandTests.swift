import Testing

@testable import Graphemes
@testable import Library
@testable import stacks

@Suite("stacks lists") struct ListsCommandTests {
    init() { useUTF8Locale() }

    private let rows = [
        ListRow(id: "all", name: "All books", count: ListCount(books: 1_000_000)),
        ListRow(id: "shelf:s1", name: "紅\u{1B}\"x", count: ListCount(books: 2, missing: 1)),
    ]

    @Test func theCountsAreAligned() {
        #expect(ListRow.table(of: rows, width: 80) == "All books  1,000,000\n紅\u{FFFD}\"x           2 +1\n")
        #expect(ListRow.table(of: rows, width: 16) == "All …  1,000,000\n紅\u{FFFD}\"x       2 +1\n")
    }

    @Test func aPlainLineCountsMissingBooksSeparately() {
        #expect(rows.map(\.plainLine) == ["All books\t1000000\n", "紅\u{FFFD}\"x\t2\t1\n"])
    }

    @Test func jsonHasAListALine() {
        var text: [UInt8] = []
        ListRow.append(jsonOf: rows, to: &text)
        #expect(
            String(decoding: text, as: UTF8.self) == #"""
                [
                {"id":"all","name":"All books","count":1000000,"notInCatalog":0},
                {"id":"shelf:s1","name":"紅\u001b\"x","count":2,"notInCatalog":1}
                ]

                """#)
    }
}

import Testing

@testable import Graphemes
@testable import stacks

@Suite("stacks lists") struct ListsCommandTests {
    init() { useUTF8Locale() }

    private let rows = [
        ListRow(id: "all", name: "All books", count: 1_000_000), ListRow(id: "shelf:s1", name: "紅\u{1B}\"x", count: 2),
    ]

    @Test func theCountsStandInAColumn() {
        #expect(ListRow.table(of: rows, width: 80) == "All books  1,000,000\n紅\u{FFFD}\"x              2\n")
        #expect(ListRow.table(of: rows, width: 16) == "All …  1,000,000\n紅\u{FFFD}\"x          2\n")
    }

    @Test func jsonHasAListALine() {
        var text: [UInt8] = []
        ListRow.append(jsonOf: rows, to: &text)
        #expect(
            String(decoding: text, as: UTF8.self) == #"""
                [
                {"id":"all","name":"All books","count":1000000},
                {"id":"shelf:s1","name":"紅\u001b\"x","count":2}
                ]

                """#)
    }
}

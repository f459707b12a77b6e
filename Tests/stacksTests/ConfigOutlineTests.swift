import Testing

@testable import stacks

struct ConfigOutlineTests {
    private func outline(_ text: String) -> ConfigOutline {
        ConfigOutline(lines: text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false))
    }

    @Test func keysAreOnTheirLines() {
        let outline = outline(
            """
            # a comment = 1
            theme = "dark"

            [keys]
            quit = ["q", # the first
                    "]", '['
            ]
              up = "k"
            [panes]
            lists = 140
            """)
        #expect(outline.line(of: ["theme"]) == 2)
        #expect(outline.line(of: ["keys"]) == 4)
        #expect(outline.line(of: ["keys", "quit"]) == 5)
        #expect(outline.line(of: ["keys", "up"]) == 8)
        #expect(outline.line(of: ["panes", "lists"]) == 10)
        #expect(outline.line(of: ["panes", "list"]) == nil)
        #expect(outline.statements[2].lines == 5...7)
    }

    @Test func keysWithPointsLeadIntoTables() {
        let outline = outline("a.b . \"c d\" = 1\n['x.y'.z]\nw = 1")
        #expect(outline.line(of: ["a", "b", "c d"]) == 1)
        #expect(outline.line(of: ["a"]) == 1)
        #expect(outline.line(of: ["x.y", "z", "w"]) == 3)
    }

    @Test func whatIsInATableOnOneLineIsOnThatLine() {
        let outline = outline("\nkeys = { quit = \"q\", up = \"k\" }")
        #expect(outline.line(of: ["keys", "up"]) == 2)
    }

    @Test func escapesInNamesAreRead() {
        #expect(outline(#""a\"b\u00e9\t" = 1"#).line(of: ["a\"bé\t"]) == 1)
        #expect(outline(#"'a\b' = 1"#).line(of: [#"a\b"#]) == 1)
    }

    @Test func textsMayTakeSeveralLines() {
        let outline = outline("a = \"\"\"\nb = 1\n\\\"\"\" \"\"\"\nc = '''\n\"\"\"\n'''\nd = \"\"\ne = 1")
        #expect(outline.line(of: ["b"]) == nil)
        #expect(outline.line(of: ["c"]) == 4)
        #expect(outline.line(of: ["d"]) == 7)
        #expect(outline.line(of: ["e"]) == 8)
    }

    @Test func aByteOrderMarkAndCarriageReturnsAreNoPartOfNames() {
        let outline = outline("\u{FEFF}a = 1\r\n[t]\r\nb = 2\r")
        #expect(outline.line(of: ["a"]) == 1)
        #expect(outline.line(of: ["t", "b"]) == 3)
    }

    @Test func aListThatIsNotClosedEndsWhereSomethingElseBegins() {
        let outline = outline("a = [\"x\"\nb = 1\n[c]\nd = [[1,\n[2]\n]")
        #expect(outline.statements.map(\.lines) == [1...1, 2...2, 3...3, 4...6])
        #expect(outline.statements.map(\.isClosed) == [false, true, true, false])
        // The parser stops at b.
        #expect(outline.statement(atFaultInLine: 2)?.path == ["a"])
        #expect(outline.statement(atFaultInLine: 3)?.path == ["c"])
    }

    @Test func whatIsNoTOMLIsPassedOver() {
        #expect(outline("= 1\n]\n\"\n[\n[[[\n'\n.").line(of: ["x"]) == nil)
        #expect(outline("").statements.isEmpty)
    }
}

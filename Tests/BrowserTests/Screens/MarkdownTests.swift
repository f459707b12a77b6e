import Testing

@testable import Browser

@Suite("Markdown of the guide")
struct MarkdownTests {
    /// Returns the text of the first paragraph.
    private func text(_ source: String) throws -> MarkdownText {
        guard case .paragraph(let text) = try #require(MarkdownPage(source).blocks.first) else { return MarkdownText() }
        return text
    }

    private func plain(_ source: String) throws -> String { try text(source).text }

    // MARK: - Text

    @Test func codeAndEmphasisLoseTheirMarkup() throws {
        #expect(try plain("Type `/` and *some* **words**, _then_ `Enter`.") == "Type / and some words, then Enter.")
        #expect(try plain("`` a`b ``") == "a`b")
        #expect(try plain("***all***") == "all")
    }

    @Test func loneSignsAreText() throws {
        #expect(try plain("2 * 3 * 4, a_b_c and snake_case_") == "2 * 3 * 4, a_b_c and snake_case_")
        #expect(try plain("**open") == "**open")
        #expect(try plain("`open") == "`open")
        #expect(try plain("[open](x") == "[open](x")
        #expect(try plain("a[1] and (2)") == "a[1] and (2)")
        #expect(try plain("a < b") == "a < b")
    }

    @Test func aBackslashKeepsASign() throws {
        #expect(try plain(#"\*.json, \`, \[a\](b) and \n"#) == #"*.json, `, [a](b) and \n"#)
        #expect(try plain(#"`\*`"#) == #"\*"#)
    }

    @Test func linksHaveTheirPlaces() throws {
        let text = try text("Über [the `keys`](keys.md \"Keys\"), **[this](#a)** and <https://example.org/x>.")
        #expect(text.text == "Über the keys, this and https://example.org/x.")
        #expect(text.links.map(\.target) == ["keys.md", "#a", "https://example.org/x"])
        #expect(text.links.map(text.text(of:)) == ["the keys", "this", "https://example.org/x"])
    }

    @Test func aPictureIsItsDescription() throws {
        let text = try text("![The list](list.png) and a [link ![b](b.png)](c.md)")
        #expect(text.text == "The list and a link b")
        #expect(text.links.map(\.target) == ["c.md"])
    }

    @Test func linksThatAreFollowedAreNumbered() throws {
        var count = 4
        let text = try text("[a](a.md), [b](../b) and [ö](c.md)").numbered(from: &count) { $0.hasSuffix(".md") }
        #expect(text.text == "a\u{A0}[5], b and ö\u{A0}[6]")
        #expect(text.links.map(\.number) == [5, 6])
        #expect(text.links.map(text.text(of:)) == ["a", "ö"])
        #expect(count == 6)
    }

    // MARK: - Pages

    private func blocks(_ source: String) -> [String] {
        MarkdownPage(source).blocks.map { block in
            switch block {
            case .heading(let level, let text): "h\(level) \(text.text)"
            case .paragraph(let text): "p \(text.text)"
            case .item(let sign, let depth, let text): "i\(depth) \(sign) \(text.text)"
            case .code(let lines): "c " + lines.joined(separator: "/")
            case .table(let rows): "t " + rows.map { $0.map(\.text).joined(separator: ",") }.joined(separator: "/")
            }
        }
    }

    @Test func linesOfAParagraphAreJoined() {
        #expect(blocks("one\ntwo\r\nthree\n\n\nfour") == ["p one two three", "p four"])
        #expect(blocks("> quoted\n> text") == ["p quoted text"])
    }

    @Test func headingsEndParagraphs() {
        #expect(blocks("# Title\ntext\n## `code` *x*\n#no") == ["h1 Title", "p text", "h2 code x", "p #no"])
        #expect(MarkdownPage("text\n## Title").title == "Title")
        #expect(MarkdownPage("text").title == "")
    }

    @Test func listsHaveSignsAndDepths() {
        #expect(
            blocks("- one\n  more\n- two\n  - inner\n\n  after\n\n10. ten\n2) two\n1.5 is a number")
                == ["i0 • one more", "i0 • two", "i1 • inner", "i0  after", "i0 10. ten", "i0 2) two 1.5 is a number"])
        #expect(blocks("- a\n\nb") == ["i0 • a", "p b"])
        #expect(blocks("-a\n\n2026. a") == ["p -a", "i0 2026. a"])
    }

    @Test func codeIsKeptAsItIs() {
        #expect(blocks("```sh\na  *b*\n\n  # c\n```\nd") == ["c a  *b*//  # c", "p d"])
        #expect(blocks("- a\n  ```\n  b\n    c\n  ```") == ["i0 • a", "c b/  c"])
        #expect(blocks("```\nopen") == ["c open"])
    }

    @Test func tablesHaveRows() {
        #expect(
            blocks("a\n| x | `y` |\n|---|:-:|\n| 1 | 2 \\| 3 |\n| 4 |\n\nb")
                == ["p a", "t x,y/1,2 | 3/4,", "p b"])
    }

    @Test func htmlAndRulesAreLeftOut() {
        #expect(
            blocks("<!-- generated: keys -->\na\n\n<!-- two\nlines -->\n<p align=\"x\">\nb\n</p>\n\n---\n\n<http://a>")
                == ["p a", "p http://a"])
    }

    @Test(arguments: ["", "\n\n", "|", "||\n|", "```", "[", "](", "**", "<!--", "#", "-", "- ", "1.", "`", "![", "> "])
    func anyTextIsRead(source: String) {
        _ = GuideText(MarkdownPage(source).numbered { _ in true }, width: 3)
        _ = GuideText(MarkdownPage(source + source).numbered { _ in true }, width: 0, matching: FilterWords("x"))
    }
}

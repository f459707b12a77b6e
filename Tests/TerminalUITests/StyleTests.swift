import Testing

@testable import TerminalUI

struct StyleTests {
    @Test func addingEmphasisKeepsColoursAndEmphasis() {
        let style = Style(.dim, foreground: .yellow, background: .blue).adding(.reverse)
        #expect(style == Style([.dim, .reverse], foreground: .yellow, background: .blue))
    }

    @Test func aHighlightIsBoldAndUnderlinedInTheColoursThatAreThere() {
        #expect(
            Style(.reverse, foreground: .blue).highlighted == Style([.reverse, .bold, .underline], foreground: .blue))
    }

    @Test func plainHasTheTerminalsOwnColoursAndNoEmphasis() {
        #expect(Style.plain.foreground == .standard)
        #expect(Style.plain.background == .standard)
        #expect(Style.plain.attributes == [])
    }

    @Test func theWaysOfEmphasisAreApart() {
        let all: [Style.Attributes] = [.bold, .dim, .reverse, .underline]
        #expect(Set(all.map(\.rawValue)).count == 4)
        #expect(Style.Attributes(all).rawValue.nonzeroBitCount == 4)
    }
}

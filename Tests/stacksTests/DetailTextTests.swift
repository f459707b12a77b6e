import Library
import Testing

@testable import Graphemes
@testable import stacks

@Suite("Show: the detail as text") struct DetailTextTests {
    init() { useUTF8Locale() }

    private let paragraphs: [LabelledText] = [
        .init("The Stand"), .init(""), .init("1200", label: "Pages"), .init("One\nTwo\u{1B}", label: "Subjects"),
    ]

    @Test func labelsAreAligned() {
        #expect(
            DetailText.text(of: paragraphs, width: 40)
                == "The Stand\n\nPages     1200\nSubjects  One\n          Two\u{FFFD}\n")
    }

    @Test func inANarrowWindowLabelsAreAboveTheirText() {
        #expect(
            DetailText.text(of: paragraphs, width: 14) == "The Stand\n\nPages  1200\nSubjects\n  One\n  Two\u{FFFD}\n")
    }

    @Test func withoutAWidthAParagraphIsALine() {
        #expect(DetailText.text(of: paragraphs, width: nil) == "The Stand\n\nPages\t1200\nSubjects\tOne; Two\u{FFFD}\n")
    }
}

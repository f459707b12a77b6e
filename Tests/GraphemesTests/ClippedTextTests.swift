import Testing

@testable import Graphemes

@Suite("Graphemes: clipping text to a width") struct ClippedTextTests {
    init() { useUTF8Locale() }

    @Test(arguments: [
        ("Emma", 10, "Emma", 4), ("Emma", 4, "Emma", 4), ("Emma", 3, "Em…", 3), ("Emma", 1, "…", 1), ("", 3, "", 0),
        // A wide character that does not fit is replaced by a blank.
        ("漢字", 4, "漢字", 4), ("漢字", 3, "漢…", 3), ("漢字典", 4, "漢… ", 4), ("a\u{1B}b", 3, "a\u{FFFD}b", 3),
        ("Emma", 0, "", 0),
    ])
    func longTextIsClippedWithAnEllipsis(text: String, width: Int, shown: String, columns: Int) {
        let clipped = text.clipped(to: width)
        #expect(clipped.text == shown)
        #expect(clipped.columns == columns)
    }
}

import Testing

@testable import Browser

@Suite("The words of a filter") struct FilterWordsTests {
    @Test(arguments: [
        ("", true), ("  ", true), ("garcia", true), ("MÁRQUEZ gab", true), ("el", true), ("gabriel  garcia", true),
        ("garcia x", false), ("garciamarquez", false), ("c++", true), ("c+++", false), ("\u{301}", false),
        ("Strasse", true), ("straße", true),
    ])
    func aTextMatchesIfItHasEach(typed: String, isMatch: Bool) {
        #expect(FilterWords(typed).match("Gabriel García Márquez: C++ in der Straße") == isMatch)
    }

    @Test func onlyBlanksAreNoFilter() {
        #expect(FilterWords(" ").isEmpty && FilterWords("").isEmpty)
        #expect(!FilterWords("\u{301}").isEmpty && !FilterWords("x").isEmpty)
    }
}

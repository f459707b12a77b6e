import Testing

@testable import Text

@Suite("Text: language codes") struct LanguageCodeTests {
    @Test func theFirstPartOfATagIsTheLanguage() {
        #expect(LanguageCode("en".utf8)?.text == "en")
        #expect(LanguageCode("en-GB".utf8) == LanguageCode("EN_us".utf8))
        #expect(LanguageCode("grc".utf8)?.text == "grc")
        #expect(LanguageTag("eng").flatMap { LanguageCode($0) } == LanguageCode("en".utf8))
    }

    @Test(arguments: ["", "e", "english", "12", "-en", "ën"])
    func otherTextsAreNotCodes(tag: String) {
        #expect(LanguageCode(tag.utf8) == nil)
    }

    @Test(arguments: [
        ("en", "eng"), ("pt-BR", "por"), ("de", "ger"), ("zh-Hant", "chi"), ("grc", "grc"), ("aa", "aar"),
        ("ZU", "zul"), ("Klingon", nil), ("qq", nil), ("", nil),
    ])
    func languagesHaveTheCodesOfMARC(tag: String, code: String?) { #expect(MARCLanguage.code(of: tag) == code) }
}

import Testing

@testable import Catalog

struct LanguageCodeTests {
    @Test func theFirstPartOfATagIsTheLanguage() {
        #expect(LanguageCode("en".utf8)?.packed == 0x656E)
        #expect(LanguageCode("en-GB".utf8) == LanguageCode("EN_us".utf8))
        #expect(LanguageCode("grc".utf8)?.packed == 0x677263)
        #expect(LanguageTag("eng").flatMap { LanguageCode($0) } == LanguageCode("en".utf8))
    }

    @Test(arguments: ["", "e", "english", "12", "-en", "ën"])
    func othersAreNone(tag: String) {
        #expect(LanguageCode(tag.utf8) == nil)
    }
}

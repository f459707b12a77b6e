import Testing

@testable import CatalogTesting
@testable import Text

@Suite("Text: sorting titles") struct TitleKeyTests {
    private func key(_ title: String, _ language: String?) -> [UInt8] {
        ByteBuffer.key(of: title) {
            TitleKey.append($0, language: language.flatMap { LanguageCode($0.utf8) }, to: &$1)
        }
    }

    /// Returns the collation key of a text.
    private func plain(_ text: String) -> [UInt8] {
        ByteBuffer.key(of: text) { Collation.append($0, to: &$1) }
    }

    @Test(arguments: [
        ("en", "The Stand", "Stand"), ("en", "A Tale of Two Cities", "Tale of Two Cities"),
        ("en", "An Ideal Husband", "Ideal Husband"), ("en-GB", "The Stand", "Stand"), ("EN", "THE STAND", "Stand"),
        ("en", "The The", "The"), ("en", "\"The Stand\"", "Stand"), ("en", "The 'Burbs", "Burbs"),
        ("en", "The 39 Steps", "39 Steps"), ("en", "The (Other) Stand", "Other Stand"),
        ("en", "...The Stand", "The Stand"),
        ("fr", "Le Rouge et le Noir", "Rouge et le Noir"), ("fr", "La Peste", "Peste"),
        ("fr", "Les Misérables", "Misérables"),
        ("fr", "L'Étranger", "Étranger"), ("fr", "L’Étranger", "Étranger"), ("fr", "L´Étranger", "Étranger"),
        ("fr", "Une vie", "vie"), ("fr", "« La Peste »", "Peste"),
        ("de", "Die Blechtrommel", "Blechtrommel"), ("de", "Der Prozeß", "Prozeß"), ("de", "Das Schloß", "Schloß"),
        ("de", "Ein Mann", "Mann"), ("de", "Einem Freund", "Freund"), ("de", "„Die Räuber“", "Räuber"),
        ("es", "El amor", "amor"), ("es", "Los pasos", "pasos"), ("es", "¡Las flores!", "flores"),
        ("es", "Una casa", "casa"),
        ("it", "Il nome della rosa", "nome della rosa"), ("it", "Gli indifferenti", "indifferenti"),
        ("it", "L'isola", "isola"), ("it", "Un'estate", "estate"), ("it", "I promessi sposi", "promessi sposi"),
        ("nl", "De avonden", "avonden"), ("nl", "Het huis", "huis"), ("nl", "'t Hooge Nest", "Hooge Nest"),
        ("nl", "’t Hooge Nest", "Hooge Nest"), ("nl", "Een schitterend gebrek", "schitterend gebrek"),
        ("pt", "O alquimista", "alquimista"), ("pt", "Os Lusíadas", "Lusíadas"), ("pt-BR", "Uma casa", "casa"),
        ("ca", "Els sots feréstecs", "sots feréstecs"), ("ca", "L'auca", "auca"),
        ("sv", "Ett drömspel", "drömspel"), ("sv", "Den allvarsamma leken", "allvarsamma leken"),
        ("da", "Det forsømte forår", "forsømte forår"), ("nb", "En folkefiende", "folkefiende"),
        ("hu", "A Pál utcai fiúk", "Pál utcai fiúk"), ("hu", "Az ember", "ember"), ("hu", "Egy mondat", "mondat"),
        ("el", "Ο Ζορμπάς", "Ζορμπάς"), ("el", "Τα ρω", "ρω"), ("el", "Ένας", "Ένας"),
        ("el", "Ένας άνθρωπος", "άνθρωπος"),
        ("ga", "An béal bocht", "béal bocht"), ("cy", "Y Goeden", "Goeden"), ("cy", "Yr afon", "afon"),
        ("af", "Die stem", "stem"), ("af", "'n Ander tyd", "Ander tyd"), ("eo", "La espero", "espero"),
        ("ar", "الأيام", "أيام"), ("ar", "al-Ayyām", "Ayyām"), ("he", "ha-Emek", "Emek"),
        ("yi", "די קליאטשע", "קליאטשע"),
        ("is", "Hið ljósa man", "ljósa man"),
        (nil, "The Stand", "Stand"), (nil, "A Tale", "Tale"), (nil, "Der Prozess", "Prozess"),
        (nil, "L'Étranger", "Étranger"),
        (nil, "Les Misérables", "Misérables"), (nil, "Il nome", "nome"), (nil, "El amor", "amor"),
        (nil, "Het huis", "huis"), (nil, "Los pasos", "pasos"), (nil, "al-Ayyām", "Ayyām"),
    ])
    func articlesAreIgnored(language: String?, title: String, rest: String) {
        #expect(key(title, language) == plain(rest))
    }

    @Test(arguments: [
        // Articles of other languages.
        ("en", "Die Hard"), ("en", "La La Land"), ("en", "Den of Thieves"), ("en", "El Dorado"), ("en", "Das Boot"),
        ("de", "The Stand"), ("fr", "A la recherche du temps perdu"), ("es", "The Stand"), ("en", "I, Robot"),
        ("en", "O Pioneers!"),
        ("en", "Un Lun Dun"), ("nl", "Die avond"), ("ru", "The Stand"), ("xx", "The Stand"),
        // Unknown language.
        (nil, "Die Blechtrommel"), (nil, "La Peste"), (nil, "De avonden"), (nil, "I promessi sposi"),
        (nil, "O alquimista"),
        (nil, "Des hommes"), (nil, "Un homme"),
        // Nothing would remain.
        ("en", "A"), ("en", "The"), ("en", "A!"), ("de", "Die"), ("en", "The ???"), ("fr", "L'"), ("en", "The "),
        // Part of a word, or of a name.
        ("en", "Theatre"), ("en", "Another Country"), ("fr", "Lettres"), ("es", "Elena"), ("en", "A-Z"), ("en", "A.I."),
        ("en", "The-Stand"), ("en", "A, B, C"), ("en", "A & P"), ("en", "A – Z"), ("en", "A/B"),
        ("en", "A Is for Alibi"), ("en", "A to Z"), ("en", "A la Carte"), ("en", "\"A\" Is for Alibi"),
        ("es", "Los Angeles"), (nil, "Los Angeles"), (nil, "El Salvador"), (nil, "Le Corbusier"), ("fr", "La Rochelle"),
        (nil, "Las Vegas"),
        // "ألف" does not contain an article, although normalization makes it look like one.
        ("ar", "ألف ليلة وليلة"), ("ar", "الله"), ("fa", "الف"),
    ])
    func otherWordsAreKept(language: String?, title: String) {
        #expect(key(title, language) == plain(title))
    }

    @Test func titlesAreInTheOrderOfWhatFollowsTheirArticles() {
        let titles = [
            "1984", "An American Tragedy", "Brontë", "A Clockwork Orange", "The Clockwork Testament", "Don Quixote",
            "The Stand",
            "Standing", "A Thousand Acres", "Ulysses",
        ]
        for (title, next) in zip(titles, titles.dropFirst()) { #expect(key(title, "en").isBefore(key(next, "en"))) }
    }

    @Test func symbolsAloneAreTheTitle() {
        #expect(key("???", "en") == plain("???"))
        #expect(key("", "en").isEmpty)
    }

    @Test func titlesOfAllShortLengthsAreRead() {
        // Any text may follow an article.
        for beginning in ["the ", "l'", "l’", "'t ", "“", "¡", "a", "ال", "al-"] {
            let bytes = Array(beginning.utf8)
            for count in 0...bytes.count {
                for language in [nil, LanguageCode("fr".utf8), LanguageCode("ar".utf8), LanguageCode("nl".utf8)] {
                    var key = ByteBuffer(capacity: 1)
                    Array(bytes.prefix(count)).withUnsafeBufferPointer {
                        TitleKey.append($0, language: language, to: &key)
                    }
                    #expect((key.count == 0) == (count == 0))
                }
            }
        }
    }
}

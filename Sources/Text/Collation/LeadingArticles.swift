/// The initial articles of titles by language, which libraries ignore in sorting: "The Stand" is filed under S.
///
/// The words are those of "Initial Definite and Indefinite Articles" (MARC 21, appendix F), as far as they survive
/// normalization, and French "des".
///
/// An article counts if it is followed by a blank and more than symbols, or if it ends in an apostrophe or hyphen. The
/// remaining rules are choices:
/// - if the language is unknown, only those articles count that rarely begin a title in other languages: "Die Hard" and
///   "La La Land" keep theirs, and so do titles with "De", "Den", "I", "O" and "Un";
/// - names of places and people keep their article: "Los Angeles";
/// - in English "a" is a letter or a French word before certain words: "A Is for Alibi", "A to Z", "A la Carte".
public enum LeadingArticles {
    /// The scope of titles whose language is unknown.
    private static let unknown: UInt32 = 0

    private static let table: PackedWordMap = {
        let lists: [(languages: String, words: String)] = [
            ("en", "the a an ye"), ("sco", "the a an ane"),
            ("fr", "le la les l l' un une des"), ("wa", "li les l' on ene des"), ("frp", "lo la los les l' un una"),
            ("de", "der die das den dem des ein eine einen einem einer eines 's"), ("nds", "de den dat een en"),
            ("lb", "de den dem d' en eng"), ("yi", "der di die dos dem a an eyn eyne דער די דאס דעם א אן"),
            ("es", "el la los las lo un una unos unas"), ("gl", "o a os as un unha uns unhas"),
            ("ast", "el la l' los les lo un una"), ("an", "o a os as lo la los las un una"),
            ("it", "il lo la i gli gl' le l l' un un' uno una"), ("nap", "'o 'a 'e o l' nu na"),
            ("pt", "o a os as um uma uns umas"),
            ("ca", "el la els les l l' un una uns unes"), ("oc", "lo la los las l' lou li un una"),
            ("ro", "un o unei unui"), ("eo", "la l'"), ("io", "la l'"), ("ia", "le un"),
            ("nl", "de het een 't 'n eene den"), ("af", "die 'n"), ("fy", "de it 't in 'e 'n"),
            ("sv", "en ett den det de"), ("da", "en et den det de"), ("no nb nn", "en et ei ein eit den det de dei"),
            ("is", "hinn hin hid hinir hinar hina hins hinnar hinni hinu hinum 'r"), ("fo", "ein ei eitt"),
            ("hu", "a az egy"), ("tr", "bir"), ("sq", "nje"), ("eu", "bat"), ("mg", "ny"), ("mi", "te nga he"),
            ("haw", "ka ke na he"), ("sm", "le se"), ("to", "e he"), ("ty", "te"), ("fj", "na a e"),
            ("tl fil", "ang si sa mga"),
            ("el grc", "ο η το οι τα ενασ ενα μια μία εισ o i to oi ta enas ena mia ho he hoi hai"),
            ("ga", "an na"), ("gd", "an am a' na"), ("gv", "yn y ny"), ("cy", "y yr 'r"), ("kw", "an"),
            ("br", "ar an al ur un ul"),
            ("ar", "al- el- ad- an- ar- as- at- az-"), ("fa ur", "al-"), ("he", "ha- he- ha"),
            ("mt", "il- l- id- in- ir- is- it- ix- iz-"),
        ]
        var words = lists.flatMap { list in
            list.languages.split(separator: " ").map { language in
                (
                    words: list.words, scope: LanguageCode(language.utf8).map { UInt32($0.bits) } ?? unknown,
                    meaning: UInt8(1)
                )
            }
        }
        words.append((words: "the a an der das le les l' el los il het 't al-", scope: unknown, meaning: 1))
        return PackedWordMap(words)
    }()

    /// The words that make an article before them part of a name; the scope is the article.
    private static let exceptions: PackedWordMap = {
        let lists: [(article: String, words: String, isInEnglish: Bool)] = [
            ("los", "angeles alamos gatos altos cabos", false), ("las", "vegas palmas cruces", false),
            ("la", "rochelle rochefoucauld bruyere coruna habana spezia", false),
            ("le", "havre mans corbusier guin fanu", false), ("el", "salvador alamein greco cid", false),
            ("den", "haag", false), ("de", "gaulle", false),
            ("a", "is to and or as for la le les l propos priori posteriori", true),
            // Outside English these are ordinary words.
            ("le", "carre", true), ("el", "paso dorado nino", true),
        ]
        return PackedWordMap(
            lists.map { (words: $0.words, scope: scope($0.article), meaning: $0.isInEnglish ? UInt8(2) : UInt8(1)) })
    }()

    private static let english = LanguageCode("en".utf8).map { UInt32($0.bits) }
    private static let arabic = LanguageCode("ar".utf8).map { UInt32($0.bits) }

    /// Returns the length in bytes of the article of a normalized title, including anything before it; 0 without an
    /// article.
    @inline(__always)
    public static func length(in title: UnsafeBufferPointer<UInt8>, language: LanguageCode?) -> Int {
        // Long enough for any article and a letter; most titles without an article fail at a longer word.
        guard title.count >= 3 else { return 0 }
        return beginning(of: title, language.map { UInt32($0.bits) } ?? unknown)
    }

    private static func beginning(of title: UnsafeBufferPointer<UInt8>, _ language: UInt32) -> Int {
        if title[0] == 0xD8 { return arabicArticleLength(in: title, language) }
        let (start, apostrophe) = opening(of: title)
        var word: UInt64 = 0
        var index = start
        while index < title.count {
            let byte = title[index]
            if byte == 0x20 { break }
            if byte == UInt8(ascii: "-") { return isArticle(word << 8 | UInt64(byte), language) ? index + 1 : 0 }
            let length = apostropheLength(at: index, of: title)
            if length > 0 {
                return isArticle(word << 8 | UInt64(UInt8(ascii: "'")), language) && index + length < title.count
                    ? index + length : 0
            }
            guard word < 1 << 56 else { return 0 }
            word = word << 8 | UInt64(byte)
            index += 1
        }
        guard index + 1 < title.count, index > start, !isSign(at: index + 1, of: title) else { return 0 }
        // The apostrophe may belong to the article, as in "'t Huis", or be a quotation mark, as in "'The Lost World'
        // Revisited".
        let isFound = apostrophe && isArticle(withApostrophe(word), language) || isArticle(word, language)
        return isFound && !isPartOfName(word, before: title[(index + 1)...], language) ? index + 1 : 0
    }

    @inline(__always)
    private static func isArticle(_ word: UInt64, _ language: UInt32) -> Bool {
        table.meaning(of: word, in: language) != 0
    }

    /// Returns a word of at most seven bytes with an apostrophe before it.
    private static func withApostrophe(_ word: UInt64) -> UInt64 {
        let count = (64 - word.leadingZeroBitCount + 7) / 8
        return count < 8 ? UInt64(UInt8(ascii: "'")) << (8 * UInt64(count)) | word : word
    }

    /// Returns the end of the opening quotation marks and brackets of a title, and whether the last one is an
    /// apostrophe.
    @inline(__always)
    private static func opening(of title: UnsafeBufferPointer<UInt8>) -> (end: Int, isApostrophe: Bool) {
        var index = 0
        var isApostrophe = false
        while index + 2 < title.count {
            let length = openingLength(at: index, of: title)
            if length == 0 { break }
            isApostrophe = apostropheLength(at: index, of: title) > 0
            index += length
        }
        return (index, isApostrophe)
    }

    /// Returns the length in bytes of the quotation mark or bracket at `index`; 0 for other characters.
    @inline(__always)
    private static func openingLength(at index: Int, of title: UnsafeBufferPointer<UInt8>) -> Int {
        switch title[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), 0x20: 1
        // ¡ « ¿ and similar characters, „ “ ” ‹.
        case 0xC2: 2
        case 0xE2 where title[index + 1] == 0x80: 3
        default: apostropheLength(at: index, of: title)
        }
    }

    /// Returns the length in bytes of the apostrophe at `index`; 0 for other characters.
    @inline(__always)
    private static func apostropheLength(at index: Int, of title: UnsafeBufferPointer<UInt8>) -> Int {
        switch title[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): return 1
        // ʼ
        case 0xCA: return index + 1 < title.count && title[index + 1] == 0xBC ? 2 : 0
        // ‘ ’
        case 0xE2:
            guard index + 2 < title.count, title[index + 1] == 0x80 else { return 0 }
            return title[index + 2] == 0x98 || title[index + 2] == 0x99 ? 3 : 0
        default: return 0
        }
    }

    /// Returns whether a symbol at `index` makes the word before it a letter or a name: "A & P", "A – Z".
    private static func isSign(at index: Int, of title: UnsafeBufferPointer<UInt8>) -> Bool {
        switch title[index] {
        case 0xE2: index + 2 < title.count && title[index + 1] == 0x80 && (0x90...0x95).contains(title[index + 2])
        case UInt8(ascii: "&"), UInt8(ascii: "+")...UInt8(ascii: "/"), UInt8(ascii: ":")...UInt8(ascii: ">"),
            UInt8(ascii: "_"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func isPartOfName(
        _ article: UInt64, before rest: Slice<UnsafeBufferPointer<UInt8>>, _ language: UInt32
    ) -> Bool {
        guard let scope = UInt32(exactly: article) else { return false }
        let word = rest.prefix { $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit }
        return switch exceptions.meaning(of: PackedWordMap.packed(word), in: scope) {
        case 0: false
        case 1: true
        default: language == english || language == unknown
        }
    }

    /// Returns the exceptions' scope for an article.
    private static func scope(_ article: String) -> UInt32 {
        UInt32(truncatingIfNeeded: PackedWordMap.packed(article.utf8))
    }

    // In Arabic script the article is joined to its word. Normalization makes "أل", which is not an article, equal to
    // it.
    private static let arabicArticle: StaticString = "ال"
    private static let notArabicArticles = [
        "الف", "الى", "الا", "الم", "الان", "الله", "اللهم", "اله", "الهي", "الهة", "اليك", "اليكم", "البوم", "المانيا",
        "الماني", "المانية", "البرت", "الكسندر", "اليس", "الياس", "اليزابيث", "البانيا", "الكتروني", "الكترونية",
        "الزهايمر",
    ]

    private static func arabicArticleLength(in title: UnsafeBufferPointer<UInt8>, _ language: UInt32) -> Int {
        let length = arabicArticle.utf8CodeUnitCount
        let isArabic = language == unknown || language == arabic
        guard isArabic, title.count > length + 3,
            title.prefix(length).elementsEqual(UnsafeBufferPointer(start: arabicArticle.utf8Start, count: length))
        else { return 0 }
        let word = title.prefix { $0 != 0x20 }
        return notArabicArticles.contains { word.elementsEqual($0.utf8) } ? 0 : length
    }
}

import TestSupport
import Testing

@testable import CatalogTesting
@testable import Text

@Suite("Text: collation") struct CollationTests {
    private func key(_ text: String) -> [UInt8] {
        ByteBuffer.key(of: text) { Collation.append($0, to: &$1) }
    }

    @Test(arguments: [
        // Word by word.
        ["New", "New York", "New Zealand", "Newark", "Newer"],
        ["Art", "Art of War", "Artful"],
        ["sea", "Sea Wolf", "seafarer", "Season"],
        // Numbers by value, before letters.
        ["2", "10", "100", "1984", "2001", "A"], ["Catch 2", "Catch 22", "Catch 100", "Catch a"],
        ["7 Days", "7th Heaven", "8 Days"], ["0", "1", "9", "10"], ["Part 9", "Part 10", "Part IX"],
        ["99", "100 Years", "999", "1,000 Nights", "1001"], ["20,000 Leagues", "100,000", "1,000,000", "1000001"],
        ["99999999999999999999999999", "100000000000000000000000000", "100000000000000000000000001", "a"],
        ["999999999999999999999999", "9999999999999999999999999", "10000000000000000000000000"],
        ["1, 2", "1, 2, 3", "2"], ["1,00", "2"], ["1,0000", "12"],
        // Including digits of other scripts.
        ["1", "٢", "3", "४", "5", "๖", "７"], ["9", "١٢", "13"],
        // Combining marks are not separate letters.
        ["Ear", "éclair", "Edam"], ["Apfel", "Äpfel und Birnen", "Apfelmus"], ["cote", "côte a", "côté b", "cotea"],
        ["Zoë", "Zola"], ["nandu", "ñandú 2", "Nanking"], ["Istanbul 1", "İstanbul 2", "ıstanbul 3"],
        ["Olaf", "Ole", "Øle 2", "Oliver"], ["adam", "Æsop", "afar"], ["Strasse 1", "Straße 2", "Strasse 3"],
        ["Lodz 1", "Łódź 2", "Lodz 3"], ["Thor 1", "Þór 2", "thor 3"], ["Tien", "Tiếng Việt", "Tiens"],
        // Additional Latin letters come after the letter that they resemble.
        ["Ez", "Əli", "F"], ["Hz", "Ⱶ", "I"],
        // Scripts.
        ["9", "Zebra", "Ωμέγα", "Яма", "ჰაერი", "Ֆ", "תורה", "يوم", "ฮ", "한", "ん", "一"],
        ["Emma", "Έμμα", "Эмма", "עמה", "エマ", "艾玛"],
        // Each alphabet has its own order.
        ["άλφα", "βήτα", "γάμμα", "Ωμέγα"], ["йод", "іва", "їжак", "кава"],
        ["Ева", "Ёлка", "Енот", "Жук"], ["ехо", "є", "жук", "зуб", "ива", "і"], ["гава", "ґанок", "гора", "дім"],
        ["дом", "ђак", "жаба"], ["אב", "בית", "ספר", "שלום", "תורה"], ["باب", "پدر", "تاب", "جبل", "چاى"],
        ["अब", "कमल", "घर", "नदी", "राम"],
        // A vowel written before its consonant is sorted after it.
        ["กา", "เก", "ขา", "เขา", "คำ", "ไทย", "เรือ", "ลม"], ["ກາ", "ເກ", "ຂາ"],
        // Hangul by syllables.
        ["가", "가나", "가다", "각", "간", "나", "나가", "한", "한글", "힣"],
        // Hiragana and katakana together.
        ["あい", "アウ", "いえ", "カ", "が一", "き", "さ", "ん"], ["さとう", "サトウキビ", "さとし"],
        ["かき", "ガギ2", "かきね"], ["きつて", "キッテ2", "きつね"], ["らあめん 1", "ラーメン 2", "らあめん 3"],
        ["ビイル 1", "ビール 2", "ビイル 3"],
        // Han by code point.
        ["一", "丁", "三", "中国", "日本", "水"], ["佐佐木 1", "佐々木 2", "佐佐木 3"], ["水", "𠀀"],
        // Only symbols.
        ["9", "!!!", "…", "???", "👩", "a"],
        // Letters that only some languages have do not depend on the language.
        ["C", "C Primer", "C# in Depth", "C++ Primer", "C3", "Cat"], ["F Minor", "F# Minor", "Fa"],
    ])
    func textsAreInTheOrderOfTheirKeys(texts: [String]) {
        for (text, next) in zip(texts, texts.dropFirst()) {
            #expect(key(text).isBefore(key(next)), "\(text) before \(next)")
        }
    }

    @Test(arguments: [
        // Case and combining marks.
        ("EMMA", "emma"), ("Brontë", "Bronte"), ("Straße", "STRASSE"),
        // Punctuation at the ends.
        ("…And Justice for All", "And Justice for All"), ("¡Hola!", "Hola"), ("'Salem's Lot", "Salem's Lot"),
        ("\"Emma\"", "Emma"), ("«Emma»", "Emma"), ("Emma?!", "Emma"), ("(Emma)", "Emma"), ("  Emma  ", "Emma"),
        ("#1 Fan", "1 Fan"), ("+1", "1"), ("$20", "20"), ("👩 Emma 👩", "Emma"),
        // Hyphens, dashes and slashes are blanks.
        ("Catch-22", "Catch 22"), ("AC/DC", "AC DC"), ("War – Peace", "War Peace"), ("War—Peace", "War Peace"),
        ("Spider‐Man", "Spider Man"), ("a_b", "a b"), ("Q&A", "Q A"), ("War & Peace", "War Peace"), ("C #1", "C 1"),
        // Full stops and commas.
        ("J. R. R. Tolkien", "J.R.R. Tolkien"), ("Mr. Fox", "Mr Fox"), ("Eats, Shoots", "Eats Shoots"),
        ("Dune: Messiah", "Dune Messiah"), ("Dune (Messiah)", "Dune Messiah"), ("R. U. R.", "R.U.R."),
        // Apostrophes are ignored.
        ("Salem's", "Salems"), ("Salem’s", "Salem's"), ("O'Brien", "OBrien"), ("Oʼzbek", "Ozbek"),
        ("rock ’n’ roll", "rock n roll"),
        ("Col·lecció", "Colleccio"),
        // Numbers.
        ("007", "7"), ("000", "0"), ("1,000", "1000"), ("12,345,678", "12345678"), ("٤٢", "42"), ("x²", "x2"),
        ("½", "1 2"),
        ("１２", "12"), ("➋", "2"),
        // Kana and their marks.
        ("カタカナ", "かたかな"), ("ｶﾀｶﾅ", "カタカナ"), ("みすゞ", "みすず"), ("スーパー", "すうぱあ"), ("ー", "ー"),
        ("人々", "人人"), ("ヴァン", "うあん"),
    ])
    func textsWithTheSameKey(text: String, other: String) {
        #expect(key(text) == key(other))
    }

    @Test func aTextWithoutCharactersHasNoKey() {
        #expect(key("").isEmpty)
        #expect(key(" \u{AD} ").isEmpty)
    }

    @Test func theFirstByteOfALetterSaysHowLongItIs() {
        // Otherwise the order of two texts would depend on the following text.
        for value in stride(from: UInt32(0x21), through: 0x3_1FFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var rest = key(String(scalar))[...]
            // Up to a number, if there is one.
            while let first = rest.first, first == 0x02 || first >= 0x20 {
                let length =
                    switch first {
                    case 0x02: 1
                    case 0x20..<0x54: first.isMultiple(of: 2) ? 1 : 2
                    case 0x54..<0xF0: 2
                    case 0xF0: 3
                    default: 4
                    }
                if length > rest.count { Issue.record("U+\(String(value, radix: 16))") }
                rest = rest.dropFirst(length)
            }
        }
    }

    @Test func theKeyOfATextIsMadeOfThoseOfItsWords() {
        // Sixteen letters are processed at a time, from any offset.
        var random = SplitMix(seed: 0xC011)
        for _ in 0..<2000 {
            let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 1...20, using: &random)).map { _ in "abcxyzλя7".randomElement(using: &random)! }
                )
            }
            let expected = Array(words.map(key).joined(separator: [0x02]))
            #expect(key(words.joined(separator: " ")) == expected)
            #expect(key("“" + words.joined(separator: " - ") + "”") == expected)
        }
    }

    @Test func damagedTextHasSomeKey() {
        for bytes in [[0xFF], [0x61, 0xC3], [0xE3, 0x81], [0x80, 0x62, 0xF0, 0x9F], [0x30, 0xD9]] as [[UInt8]] {
            var key = ByteBuffer(capacity: 1)
            bytes.withUnsafeBufferPointer { Collation.append($0, to: &key) }
            #expect(key.count > 0)
        }
    }
}

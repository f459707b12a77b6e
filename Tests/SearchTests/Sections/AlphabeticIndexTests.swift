import Testing

@testable import CatalogTesting
@testable import Search
@testable import Text

@Suite("Sections: letters") struct AlphabeticIndexTests {
    private func section(_ text: String) -> AlphabeticIndex {
        ByteBuffer.key(of: text) { Collation.append($0, to: &$1) }.withUnsafeBufferPointer {
            AlphabeticIndex(ofKey: $0)
        }
    }

    @Test(arguments: [
        ("Apple", "A"), ("zebra", "Z"), ("Éclair", "E"), ("Ægir", "A"), ("Þór", "T"), ("Əli", "E"),
        ("'Salem's Lot", "S"),
        ("2001", "0–9"), ("0", "0–9"), ("٤٢", "0–9"), ("99999999999999999999999999999999", "0–9"), ("???", "#"),
        ("👩", "#"),
        ("Ωμέγα", "Ω"), ("άλφα", "Α"), ("Война", "В"), ("їжак", "І"), ("ჰაერი", "ჰ"), ("Հայ", "Հ"), ("שלום", "ש"),
        ("כתר", "כ"),
        ("باب", "ب"), ("अब", "अ"), ("เรือ", "ร"), ("가방", "ㄱ"), ("까치", "ㄱ"), ("한글", "ㅎ"), ("아이", "ㅇ"),
        ("あい", "あ"), ("ガギ", "か"), ("ぱん", "は"), ("んご", "わ"), ("ヴァン", "あ"), ("ゃ", "や"), ("ㄅ", "ㄅ"),
        ("日本", "漢"), ("𠀀", "漢"), ("𓀀", "…"), ("", "Unknown"),
    ])
    func aTextIsUnderItsFirstLetter(text: String, title: String) {
        #expect(section(text).title == title)
    }

    @Test func sectionsAreInTheOrderOfTheirBooks() {
        let texts = [
            "2001", "???", "Apple", "Brontë", "Əli", "Zebra", "Ωμέγα", "Война", "שלום", "한글", "あい", "日本", "𠀀", "𓀀", "",
        ]
        for (text, next) in zip(texts, texts.dropFirst()) {
            #expect(section(text) <= section(next), "\(text) before \(next)")
        }
    }

    @Test func theFirstLetterOfMostTitlesTellsWhatTheirKeyTells() {
        let beginnings = ["", "the ", "a ", "l'", "die ", "'", "(", "the (", "al-", "the 2", "a & ", "é", "le ", "#"]
        let languages = [nil, LanguageCode("en".utf8), LanguageCode("fr".utf8), LanguageCode("de".utf8)]
        for letter in UInt8(0x21)...0x7E {
            for beginning in beginnings {
                for end in ["", " is", " la", "bc", "9"] {
                    let title = ByteBuffer.folded(beginning + String(Unicode.Scalar(letter)) + end)
                    for language in languages {
                        let key = ByteBuffer.key(of: title) { TitleKey.append($0, language: language, to: &$1) }
                        let expected = key.withUnsafeBufferPointer { AlphabeticIndex(ofKey: $0) }
                        let found = Array(title.utf8).withUnsafeBufferPointer {
                            SectionOrder.collated.letter($0, language ?? .unknown)
                        }
                        if found != (expected == .unknown ? nil : UInt64(expected.number)) {
                            Issue.record("\(title): \(found.map(String.init) ?? "none")")
                        }
                    }
                }
            }
        }
    }

    @Test func everyLetterHasASectionWithATitleInTheOrderOfTheKeys() {
        var keys: [[UInt8]] = []
        for value in stride(from: UInt32(0x21), through: 0x3_1FFF, by: 5) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            keys.append(ByteBuffer.key(of: String(scalar)) { Collation.append($0, to: &$1) })
        }
        keys.sort { $0.isBefore($1) }
        var before = AlphabeticIndex.digits
        for key in keys where !key.isEmpty {
            let section = key.withUnsafeBufferPointer { AlphabeticIndex(ofKey: $0) }
            if section < before || section == .unknown { Issue.record("\(key)") }
            if section != before && section.title.unicodeScalars.count != 1 { Issue.record("\(key): \(section.title)") }
            before = section
        }
    }
}

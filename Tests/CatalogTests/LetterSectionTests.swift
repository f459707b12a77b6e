import Testing

@testable import Catalog

struct LetterSectionTests {
    private func section(_ text: String) -> LetterSection {
        ByteBuffer.key(of: text) { Collation.append($0, to: &$1) }.withUnsafeBufferPointer { LetterSection(ofKey: $0) }
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

    @Test func everyLetterHasASectionWithATitleInTheOrderOfTheKeys() {
        var keys: [[UInt8]] = []
        for value in stride(from: UInt32(0x21), through: 0x3_1FFF, by: 5) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            keys.append(ByteBuffer.key(of: String(scalar)) { Collation.append($0, to: &$1) })
        }
        keys.sort { $0.isBefore($1) }
        var before = LetterSection.digits
        for key in keys where !key.isEmpty {
            let section = key.withUnsafeBufferPointer { LetterSection(ofKey: $0) }
            if section < before || section == .unknown { Issue.record("\(key)") }
            if section != before && section.title.unicodeScalars.count != 1 { Issue.record("\(key): \(section.title)") }
            before = section
        }
    }
}

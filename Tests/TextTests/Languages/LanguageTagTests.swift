import Testing

@testable import Text

@Suite("Text: language tags") struct LanguageTagTests {
    @Test(arguments: [
        ("en", "English"), ("eng", "English"), ("EN", "English"), ("de", "German"), ("ger", "German"),
        ("deu", "German"),
        ("fr", "French"), ("fre", "French"), ("fra", "French"), ("pt-BR", "Brazilian Portuguese"), ("pt", "Portuguese"),
        ("zh-Hant", "Traditional Chinese"), ("zh_Hans_CN", "Simplified Chinese (China)"), ("zh", "Chinese"),
        ("en-GB", "British English"), ("de-CH", "German (Switzerland)"), ("sr-Cyrl", "Serbian (Cyrillic)"),
        ("sr-Latn-RS", "Serbian (Latin, Serbia)"), ("es-419", "Latin American Spanish"), ("grc", "Ancient Greek"),
        ("el", "Greek"), ("la", "Latin"), ("lat", "Latin"), ("ja", "Japanese"), ("ang", "Old English"),
        ("ceb", "Cebuano"),
        ("zxx", "No linguistic content"), ("no", "Norwegian"),
        ("nob", "Norwegian Bokmål"),
    ])
    func languagesHaveEnglishNames(text: String, expected: String) {
        #expect(LanguageTag(text)?.englishName == expected)
    }

    @Test(arguments: ["", "e", "english", "qqq", "xx", "en--US", "en-", "-en", "en-abcdefghi", "é", "en US", "old"])
    func unknownNamesHaveNoTag(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test func everyEntryOfTheTablesIsFound() {
        let tables: [(StaticTable, Int)] = [
            (.languages, 600), (.languageCodes, 280), (.languageTags, 700), (.scripts, 200), (.regions, 280),
            (.htmlEntities, 2125),
        ]
        for (table, count) in tables {
            let entries = table.entries
            #expect(entries.count >= count)
            for (key, value) in entries {
                #expect(table[key] == value, "\(key)")
                #expect(table[key + "!"] == nil)
                #expect(table[String(key.dropLast())] == entries[String(key.dropLast())])
            }
        }
        #expect(StaticTable.languages[""] == nil)
        #expect(StaticTable.languages["zzzzz"] == nil)
    }

    @Test func everyTagOfANameIsOne() {
        for (name, tag) in StaticTable.languageTags.entries { #expect(LanguageTag(tag)?.text == tag, "\(name)") }
        for (code, tag) in StaticTable.languageCodes.entries { #expect(LanguageTag(code)?.text == tag, "\(code)") }
    }
}

extension StaticTable {
    /// All entries as they are spelled in the table.
    fileprivate var entries: [String: String] {
        let pairs = description.split(separator: "|").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }
}

import TestSupport
import Testing

@testable import Books
@testable import JSON

@Suite("Coercion: values") struct ValueCoercionTests {
    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(json.utf8)))
    }

    @Test(
        arguments: [
            (#""9780441478125""#, "9780441478125", 9_780_441_478_125),
            ("9780441478125", "9780441478125", 9_780_441_478_125),
            ("9780441478125.0", "9780441478125", 9_780_441_478_125), ("441478123", "441478123", 9_780_441_478_125),
            ("9.780441478125e+12", "9780441478125", 9_780_441_478_125), ("9.78044147e+12", nil, nil),
            (#""9.78e+12""#, nil, nil), (#""9.78E+12""#, nil, nil),
            (#""=\"0441478123\"""#, "0441478123", 9_780_441_478_125),
            (#""[0441478123]""#, "0441478123", 9_780_441_478_125),
            (#""=\"9780441478124\"""#, "9780441478124", nil), (#""=\"\"""#, nil, nil), (#""[]""#, nil, nil),
            (#""urn:isbn:9780441478125""#, "urn:isbn:9780441478125", 9_780_441_478_125),
            (#""URN:ISBN:9780441478125""#, "URN:ISBN:9780441478125", 9_780_441_478_125),
            (#""isbn:0441478123 (pbk.)""#, "isbn:0441478123 (pbk.)", 9_780_441_478_125),
            (#""9780316769488 0316769487""#, "9780316769488", 9_780_316_769_488),
            (#""9780316769480 0316769487""#, "0316769487", 9_780_316_769_488),
            (#""0316769487 ; 978-0-441-47812-5""#, "0316769487", 9_780_316_769_488),
            (#""978 0 441 47812 5, 0316769487""#, "978 0 441 47812 5", 9_780_441_478_125),
            (#""0441478124 (bad), 0316769487 (pbk.)""#, "0316769487 (pbk.)", 9_780_316_769_488),
            (#""ISBN-13: 978-0-441-47812-5""#, "978-0-441-47812-5", 9_780_441_478_125),
            (#""ISBN-10:0441478123""#, "0441478123", 9_780_441_478_125),
            (#"["0441478124", "0441478123"]"#, "0441478123", 9_780_441_478_125),
            (#"["n/a", null, "0441478124"]"#, "n/a", nil), (#"[null, 441478123]"#, "441478123", 9_780_441_478_125),
            (#"["urn:uuid:1", "bad"]"#, "bad", nil), (#""n/a""#, "n/a", nil), (#""0441478124""#, "0441478124", nil),
            (#""123 0441478123""#, "123 0441478123", nil),
            (#"{"type": "ISBN_13", "identifier": "9780441478125"}"#, "9780441478125", 9_780_441_478_125),
            (#"[{"type": "ISBN_10", "identifier": "0441478123"}]"#, "0441478123", 9_780_441_478_125),
            (#"{"isbn13": "9780441478125"}"#, "9780441478125", 9_780_441_478_125),
            (#""urn:uuid:9780441478125""#, nil, nil), (#""http://a.b/9780441478125""#, nil, nil),
            (#""doi:9780441478125""#, nil, nil), (#""""#, nil, nil), (#"" \n""#, nil, nil), ("null", nil, nil),
            ("true", nil, nil), ("[]", nil, nil), ("{}", nil, nil),
        ] as [(String, String?, Int?)])
    func theISBNIsTheFirstValidOne(json: String, text: String?, number: Int?) throws {
        let isbn = try value(json).isbn
        #expect(isbn?.text == text)
        #expect(isbn?.number == number)
    }

    @Test(
        arguments: [
            ("true", true), ("false", false), (#""true""#, true), (#""False""#, false), (#""Yes""#, true),
            (#""no""#, false),
            (#"" fiction ""#, true), (#""Fiction""#, true), (#""Non-Fiction""#, false), (#""nonfiction""#, false),
            ("1", nil),
            ("0", nil), (#""1""#, nil), (#""maybe""#, nil), (#""""#, nil), ("null", nil), ("[true]", nil), ("{}", nil),
        ] as [(String, Bool?)])
    func wordsAndBooleansGiveFiction(json: String, expected: Bool?) throws {
        #expect(try value(json).fiction == expected)
    }

    @Test(
        arguments: [
            (#""War""#, ["War"]), (#"["War", "Peace", "War", " peace\n"]"#, ["War", "Peace", "peace"]), ("7", ["7"]),
            (
                #"[{"name": "War", "code": "x"}, {"label": "A"}, {"value": "B"}, {"term": "C"}, {"prefLabel": "D"}]"#,
                ["War", "A", "B", "C", "D"]
            ), (#"{"name": {"en": "War", "fr": "Guerre"}}"#, ["War"]),
            (#"{"en": ["War", "Peace"], "fr": "Guerre"}"#, ["War", "Peace"]), (#"{"code": "x"}"#, []),
            (#"["", null, true, [], {}]"#, []), (#"[["A"], [["B"]]]"#, ["A", "B"]), (#""A, B; C""#, ["A, B; C"]),
            ("null", []),
        ] as [(String, [String])])
    func textsAreThoseOfAList(json: String, expected: [String]) throws {
        #expect(try value(json).texts == expected)
    }

    @Test(
        arguments: [
            (#""en""#, ["en"]), (#""eng""#, ["en"]), (#""ENG""#, ["en"]), (#""en_US""#, ["en-US"]),
            (#""EN-us""#, ["en-US"]),
            (#""zh-hant-tw""#, ["zh-Hant-TW"]), (#""es-419""#, ["es-419"]), (#""ger""#, ["de"]), (#""deu""#, ["de"]),
            (#""fre""#, ["fr"]), (#""chi""#, ["zh"]), (#""gre""#, ["el"]), (#""grc""#, ["grc"]), (#""nor""#, ["no"]),
            (#""/languages/eng""#, ["en"]), (#"{"key": "/languages/eng"}"#, ["en"]),
            (#"[{"key": "/languages/eng"}, {"key": "/languages/fre"}]"#, ["en", "fr"]),
            (#""http://id.loc.gov/vocabulary/languages/ger""#, ["de"]), (#""English""#, ["en"]), (#""french""#, ["fr"]),
            (#""Greek, Modern (1453- )""#, ["el"]), (#""Greek, Modern (1453-)""#, ["el"]),
            (#""Greek, Ancient (to 1453)""#, ["grc"]), (#""Chinese""#, ["zh"]), (#""Deutsch""#, ["de"]),
            (#""français""#, ["fr"]), (#""日本語""#, ["ja"]), (#""Spanish; Castilian""#, ["es"]),
            (#""Castilian""#, ["es"]), (#""Brazilian Portuguese""#, ["pt-BR"]), (#""und""#, ["und"]),
            (#""zxx""#, ["zxx"]),
            (#""mul""#, ["mul"]), (#"["eng", "en", "English"]"#, ["en"]), (#""French, English""#, ["fr", "en"]),
            (#""eng; ger""#, ["en", "de"]), (#""eng/fre""#, ["en", "fr"]), (#""English and Latin""#, ["en", "la"]),
            (#""Greek, Modern (1453-), German & English""#, ["Greek, Modern (1453-), German & English"]),
            (#""Greek, Modern; German & English""#, ["el", "de", "en"]), (#"["en|de", "French"]"#, ["en", "de", "fr"]),
            (#""English, Klingonese""#, ["English, Klingonese"]), (#""English, ""#, ["en"]),
            (#"[{"name": "French", "code": "fr"}]"#, ["fr"]), (#""Klingonese""#, ["Klingonese"]), (#""Old""#, ["Old"]),
            (#""qq""#, ["qq"]), (#""en-""#, ["en-"]), (#""a/b""#, ["a/b"]), (#""""#, []), ("null", []), ("true", []),
        ] as [(String, [String])])
    func languagesAreTagsWhereOneIsKnown(json: String, expected: [String]) throws {
        #expect(try value(json).languages == expected)
    }

    @Test(
        arguments: [
            (#""https://a.b/c""#, "https://a.b/c"), (#""covers/1.jpg""#, "covers/1.jpg"),
            (#"" http://a.b\n""#, "http://a.b"),
            (#"{"href": "h", "type": "image/jpeg"}"#, "h"), (#"{"url": "u"}"#, "u"), (#"{"@id": "i"}"#, "i"),
            (#"{"contentUrl": "c"}"#, "c"), (#"{"src": "s"}"#, "s"), (#"{"href": "", "src": "s"}"#, "s"),
            (#"[null, {"href": "h"}, "x"]"#, "h"), ("8231856", "8231856"), ("-1", nil),
            (#""data:image/png;base64,AA""#, nil),
            (#""javascript:alert(1)""#, nil), (#"["DATA:x", "y"]"#, "y"), (#"{"rel": "cover"}"#, nil), (#""""#, nil),
            ("null", nil), ("true", nil), ("[]", nil),
        ] as [(String, String?)])
    func linksAreFoundInValues(json: String, expected: String?) throws {
        #expect(try value(json).link == expected)
    }

    @Test(
        arguments: [
            (#""https://a.b/c""#, "https://a.b/c"), (#""covers/1.jpg""#, "covers/1.jpg"),
            (#"{"href": "h"}"#, "h"), ("8231856", "8231856"),
            // The picture itself is not changed in any way.
            (#""data:image/png;base64,AA==""#, "data:image/png;base64,AA=="),
            (#""DATA:IMAGE/PNG;base64,AA==""#, "DATA:IMAGE/PNG;base64,AA=="),
            (#""data:image/svg+xml,%3Csvg%3E""#, "data:image/svg+xml,%3Csvg%3E"), (#""data:image/""#, "data:image/"),
            (#""data:text/html,<p>""#, nil), (#""data:image""#, nil), (#""data:,x""#, nil),
            (#""javascript:alert(1)""#, nil), (#""JavaScript:data:image/png""#, nil), (#""""#, nil), ("null", nil),
            ("true", nil),
        ] as [(String, String?)])
    func aLinkToAPictureMayBeThePicture(json: String, expected: String?) throws {
        #expect(try value(json).pictureLink == expected)
    }

    @Test func theScannersFastPathAgreesWithTheDecoder() {
        var random = SplitMix(seed: 0xC0E2)
        let parts = [
            "9780441478125", "0441478123", "978-0-441-47812-5", "080442957X", "123", "1", "0441478124", "97804414",
        ]
        var decidedCount = 0
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined(separator: [" ", "-", "  "].randomElement(using: &random) ?? " ")
            var copy = text
            guard let decided = copy.withUTF8({ ISBN.plainNumber(in: $0) }) else { continue }
            decidedCount += 1
            #expect(JSONValue.string(text).isbn?.number == decided, "\(text)")
        }
        #expect(decidedCount > 500)
    }

    /// Each would take longer than the age of the universe if nested values were visited twice.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("[", "]"), (#"{"name":"#, "}"), (#"{"value":"#, "}"), (#"{"identifier":"#, "}"),
            (#"{"id":["#, #"],"en":1}"#),
            (#"{"en":["#, "]}"), (#"{"date-parts":"#, "}"), (#"{"raw":["#, "]}"), (#"{"$date":"#, "}"),
            (#"{"url":"#, "}"),
            (#"{"key":[[],"#, "]}"), (#"{"family":"#, "}"), (#"{"role":"x","name":["#, "]}"), (#"{"A B":"#, "}"),
            (#"{"label":"#, "}"),
        ])
    func deeplyNestedValuesAreReadInTime(opening: String, closing: String) throws {
        for inner in [#""text""#, "[]", "7", "null", #""9780441478125""#] {
            let depth = 500 / opening.count { "[{".contains($0) }
            let value = try value(
                String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth))
            _ = (
                value.fiction, value.pages, value.double, value.link, value.partialDate, value.paragraphs,
                value.languages
            )
            _ = (value.texts, value.names, value.contributors, value.identifiers)
            let isbn = value.isbn
            #expect(inner == "null" || inner == "[]" || opening != "[" || isbn?.text == value.text)
        }
    }
}

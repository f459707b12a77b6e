import Testing

@testable import Books
@testable import JSON

@Suite("Coercion: numbers") struct NumberCoercionTests {
    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(json.utf8)))
    }

    @Test(
        arguments: [
            ("304 p.", 304), ("304 p", 304), ("304p", 304), ("304 pp.", 304), ("304 pages", 304), ("304 Pages", 304),
            ("1 page", 1), ("304 S.", 304), ("304 Seiten", 304), ("304页", 304), ("304 頁", 304), ("304ページ", 304),
            ("３０４頁", 304), ("304 s.", 304), ("xii, 304 p.", 304), ("304 p. ; 24 cm", 304), ("[304] p.", 304),
            ("XII-304 p.", 304), ("VIII-304-XVI p.", 304), ("304-[4] p.", 304), ("12, 304, 8, 3 p.", 304),
            ("1 vol. (XXXVI-304 p.-[16] p. de pl.)", 304), ("1 volume (XII-304 pages)", 304), ("2001, 304 p.", 304),
            ("304 stran", 304), ("304 blz.", 304), ("304 σ.", 304), ("304 с.", 304), ("عدد 304 ص", 304),
            ("p. 12-34", nil), ("S. 12-34", nil), ("xii-xx, 304 p.", 304),
            ("304, [8] p.", 304), ("0, [8] p.", 8), ("xii, 304, [8] p., 16 leaves", 304), ("1,200", 1200),
            ("1,200 pages", 1200),
            ("1,234,567 p.", 1_234_567), ("2 v. (850 p.)", 850), ("Paperback, 304 pages", 304),
            ("Paperback - 304 pages", 304),
            ("about 300+ pages", 300), ("approx. 300 pages", 300), ("304 p., 8 p. of plates", 304), ("00304", 304),
            ("1 v. (various pagings)", nil), ("0 p.", nil), ("-5 pages", nil), ("3.5 pages", nil), ("12-34 p.", nil),
            ("pages", nil), ("p. 304", nil), ("99999999999999999999 pages", nil), ("24 cm", nil), ("304 plates", nil),
            ("3 hours", nil), ("9,99 p.", 99), ("\u{0}304 p.", 304), ("304\u{A0}p.", 304),
        ] as [(String, Int?)])
    func pagesInWordsAreTheNumberBeforeTheWord(text: String, expected: Int?) {
        #expect(JSONValue.string(text).pages == expected)
    }

    @Test(
        arguments: [
            ("4", 4), ("4.5", 4.5), ("-1", -1), ("1e2", 100), ("1e400", nil), ("-1e400", nil), (#""4.5""#, 4.5),
            (#""4.5/5""#, 4.5), (##""#3""##, 3), (#""Book 3""#, 3), (#""3 of 7""#, 3), (#""vol. 2""#, 2),
            (#""Vol.2.5""#, 2.5),
            (#""4,5""#, 4.5), (#""3, 4""#, 3), (#""1-3""#, 1), (#""-2""#, -2), (#""4 stars""#, 4), (#""1.2.3""#, 1.2),
            (#""0""#, 0), (#""5.""#, 5), (#""1,200""#, nil), (#""three""#, nil), (#""""#, nil), (#""nan""#, nil),
            (#""inf""#, nil), ("null", nil), ("true", nil), (#"[null, "2"]"#, 2), (#"{"ratingValue": "4.1"}"#, 4.1),
            (#"{"count": 9}"#, nil), ("[]", nil),
        ] as [(String, Double?)])
    func aNumberIsTheFirstThatThereIs(json: String, expected: Double?) throws {
        #expect(try value(json).double == expected)
    }

    @Test func numbersOfAnyLengthAreHarmless() {
        let digits = String(repeating: "9", count: 100_000)
        #expect(JSONValue.number(digits).pages == nil)
        #expect(JSONValue.string(digits).pages == nil)
        #expect(JSONValue.string(digits + " p.").pages == nil)
        #expect(JSONValue.number(digits).double == nil)
        #expect(JSONValue.string(digits).double == nil)
        #expect(JSONValue.number(digits).partialDate == nil)
        #expect(JSONValue.string(digits).partialDate == nil)
        #expect(JSONValue.number(digits).isbn?.isValid == false)
        #expect(JSONValue.string(digits).isbn?.isValid == false)
        #expect(JSONValue.string(String(repeating: "9,", count: 50_000) + "9 p.").pages == 9)
    }
}

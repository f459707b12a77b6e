import Testing

@testable import Books
@testable import CatalogTesting
@testable import JSON
@testable import Text

@Suite("Coercion: texts") struct CoercionTests {
    @Test(arguments: [
        ("null", true), (#""""#, true), (#"" \n\t""#, true), (#""\u00a0""#, false), ("[]", true), ("{}", true),
        (#"["", [null], {}]"#, true),
        ("0", false), ("false", false), (#""a""#, false), ("[0]", false), (#"{"a": null}"#, false),
    ])
    func placeholderValuesAreBlank(json: String, isBlank: Bool) throws {
        #expect(try JSONValue.make(json).isBlank == isBlank)
    }

    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(json.utf8)))
    }

    @Test(arguments: [
        (#""Emma""#, "Emma"), ("7", "7"), ("9780441478125", "9780441478125"), (#"["A", "B"]"#, "A"),
        (#"["", null, "B"]"#, "B"), (#"{"en": "T", "ja": "題"}"#, "T"), (#"[["A"]]"#, "A"),
        (#"" a\r\nb\n\n\tc ""#, "a b c"), (#""""#, nil), (#"" \n ""#, nil), ("null", nil), ("true", nil), ("[]", nil),
        ("{}", nil), (#"[null, ""]"#, nil),
    ])
    func textIsTheFirstThatThereIs(json: String, expected: String?) throws {
        #expect(try value(json).text == expected)
    }

    @Test(arguments: [
        ("Peter Pan : $b [Peter and Wendy]", "Peter Pan: [Peter and Wendy]"),
        ("The desire of the moth ; $b and, The come on", "The desire of the moth; and, The come on"),
        ("The right to read = $b Le droit de lire", "The right to read = Le droit de lire"),
        ("The great Northwest (of 2)\r\n$b Being the story", "The great Northwest (of 2): Being the story"),
        ("Dress design $b: an account", "Dress design: an account"),
        ("Jewish power $b : volume IV : a problem", "Jewish power: volume IV : a problem"),
        ("Friedrich Froebel $c translated by X / $c Y", "Friedrich Froebel: translated by X / Y"),
        ("Rome. $n Part 1, $p Kings : $b a history. $c By Z", "Rome. Part 1, Kings: a history. By Z"),
        ("Events $v Volume 3", "Events: Volume 3"), ("Emma : $b", "Emma"), ("$b Emma", "Emma"), ("$b", nil),
        ("Der Abenteurer : $ Roman", "Der Abenteurer: Roman"),
        // Other dollar signs, and punctuation without a code, belong to the title.
        ("$1,000 a Plate", "$1,000 a Plate"), ("Big $ : a $bill", "Big $ : a $bill"), ("A : B", "A : B"),
        ("US$ b", "US$ b"), ("$x and $B", "$x and $B"),
    ])
    func aTitleIsShownWithoutCodesOfSubfields(title: String, expected: String?) throws {
        #expect(JSONValue.string(title).titleText == expected)
    }

    @Test(arguments: [
        (#""Jane Austen""#, ["Jane Austen"]), (#"["A", "B"]"#, ["A", "B"]), (#"{"name": "A"}"#, ["A"]),
        (#"{"literal": "A"}"#, ["A"]), (#"[{"family": "Le Guin", "given": "Ursula K."}]"#, ["Ursula K. Le Guin"]),
        (#"{"family": "Plato"}"#, ["Plato"]), (#"["A", {"name": "B"}, ["C"]]"#, ["A", "B", "C"]),
        (#"["A\nB", "", " ", null]"#, ["A B"]), (#""A & B""#, ["A & B"]), ("null", []), ("7", []), ("[]", []),
        (#"{"role": "editor"}"#, []),
    ])
    func namesAreThoseOfPeople(json: String, expected: [String]) throws {
        #expect(try value(json).names == expected)
    }

    @Test(arguments: [
        ("304", 304), ("304.0", 304), ("3.04e2", 304), (#""304""#, 304), (#"" 304\n""#, 304), ("1", 1),
        ("9223372036854775807", Int.max), ("0", nil), ("-3", nil), ("3.7", nil), ("1e400", nil), ("-1e400", nil),
        ("9223372036854775808", nil), ("123456789012345678901234567890", nil), (#""""#, nil), (#""many""#, nil),
        (#""nan""#, nil), (#""inf""#, nil), (#""0x10""#, nil), ("true", nil), ("null", nil), ("[304]", nil),
        (#"{"count": 304}"#, nil),
    ])
    func pagesAreAWholeNumberAboveZero(json: String, expected: Int?) throws {
        #expect(try value(json).pages == expected)
    }

    @Test(arguments: [
        ("", ""), ("Emma", "Emma"), ("a b", "a b"), (" a", "a"), ("a ", "a"), ("a  b", "a b"), ("a\tb", "a b"),
        ("a\r\nb", "a b"), ("a\u{0B}\u{0C}b", "a b"), ("a\u{85}b", "a b"), ("\u{85}", ""), ("\u{2028}a", "a"),
        ("a\u{2029}", "a"),
        ("à\u{305}…–’\u{E85}", "à\u{305}…–’\u{E85}"),
        ("a\u{2028}b\u{2029}c", "a b c"), ("\n\n", ""), ("é  羅", "é 羅"), ("a\u{A0}b", "a\u{A0}b"),
        ("  e\u{301}\n", "e\u{301}"),
    ])
    func textIsPutOnOneLine(text: String, expected: String) {
        #expect(Array(text.onOneLine.unicodeScalars) == Array(expected.unicodeScalars))
    }
}

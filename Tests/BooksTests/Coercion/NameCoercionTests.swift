import Testing

@testable import Books
@testable import JSON

@Suite("Coercion: names") struct NameCoercionTests {
    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(json.utf8)))
    }

    @Test(
        arguments: [
            (#"{"given": "Ludwig", "non-dropping-particle": "van", "family": "Beethoven"}"#, ["Ludwig van Beethoven"]),
            (#"{"given": "Alexander", "dropping-particle": "von", "family": "Humboldt"}"#, ["Alexander von Humboldt"]),
            (
                #"{"family": "Vega", "given": "Lope", "dropping-particle": "de", "non-dropping-particle": "la"}"#,
                ["Lope de la Vega"]
            ),
            (#"{"given": "Martin Luther", "family": "King", "suffix": "Jr."}"#, ["Martin Luther King, Jr."]),
            (#"{"given": "Ursula", "family": null}"#, ["Ursula"]), (#"{"given": "", "family": " Plato\n"}"#, ["Plato"]),
            (#"{"suffix": "Jr."}"#, []), (#"{"givenName": "Jane", "familyName": "Austen"}"#, ["Jane Austen"]),
            (#"{"firstName": "Jane", "lastName": "Austen"}"#, ["Jane Austen"]),
            (#"{"first": "Jane", "last": "Austen"}"#, ["Jane Austen"]),
            (#"{"name": {"en": "Haruki Murakami", "ja": "村上春樹"}}"#, ["Haruki Murakami"]),
            (#"{"name": "", "literal": "UNESCO"}"#, ["UNESCO"]), (#"{"name": null, "family": "Plato"}"#, ["Plato"]),
            (#"{"name": "A, B", "sortAs": "B"}"#, ["A, B"]),
            (#"{"en": "Leo Tolstoy", "ru": "Лев Толстой"}"#, ["Leo Tolstoy"]),
            (#"{"en": "", "ru": "Лев Толстой"}"#, ["Лев Толстой"]), (#"{"zh-Hant": "魯迅"}"#, ["魯迅"]),
            (#"{"en": ["A", "B"]}"#, ["A", "B"]),
            (#"{"Stephen King": {"url": "x"}, "Peter Straub": null}"#, ["Stephen King", "Peter Straub"]),
            (#"{"Voltaire": null}"#, ["Voltaire"]), (#"{"bell hooks": {}}"#, ["bell hooks"]),
            (#"{"夏目漱石": {}}"#, ["夏目漱石"]),
            // Objects without a name.
            (#"{"key": "/authors/OL1A"}"#, []), (#"{"id": "x"}"#, []), (#"{"url": "x"}"#, []), (#"{"key": null}"#, []),
            (#"{"@type": {}}"#, []), (#"{"Stephen King": 3}"#, ["Stephen King"]), (#"{"King": 3}"#, []),
            (#"{"": {}}"#, []), ("true", []),
            (#"[{"name": "A"}, ["B", {"literal": "C"}], {"en": "D"}, null, 7]"#, ["A", "B", "C", "D"]),
            (#""Strunk & White; others, and more""#, ["Strunk & White; others, and more"]), (#"" A\t\n B ""#, ["A B"]),
        ] as [(String, [String])])
    func namesAreThoseOfPeople(json: String, expected: [String]) throws {
        #expect(try value(json).names == expected)
    }

    @Test(
        arguments: [
            (#""A & B & C""#, " & ", ["A", "B", "C"]), (#""A""#, " & ", ["A"]), (#""A&B""#, " & ", ["A&B"]),
            (#""Smith && Sons & Jones""#, " & ", ["Smith & Sons", "Jones"]), (#""A&&B & C""#, " & ", ["A&B", "C"]),
            (#""A &&& B""#, " & ", ["A && B"]), (#"" & A & ""#, " & ", ["A"]), (#""A &  & B""#, " & ", ["A", "B"]),
            (#""A && B""#, "&", ["A", "B"]),
            (#""Austen, Jane; Eliot, George""#, "; ", ["Austen, Jane", "Eliot, George"]),
            (#""A; ; B; ""#, "; ", ["A", "B"]), (#""A && B; C""#, "; ", ["A && B", "C"]), (#""A; B""#, nil, ["A; B"]),
            (#""A; B""#, "", ["A; B"]), (#"["A & B", {"name": "C & D"}]"#, " & ", ["A", "B", "C & D"]),
            (#"{"en": "A & B"}"#, " & ", ["A", "B"]), (#""羅 & é""#, " & ", ["羅", "é"]), (#""""#, " & ", []),
        ] as [(String, String?, [String])])
    func stringsAreSplitOnRequest(json: String, separator: String?, expected: [String]) throws {
        #expect(try value(json).names(splitAt: separator) == expected)
    }

    @Test(
        arguments: [
            (#""Constance Garnett""#, ["Constance Garnett/"]), (#"["A", "B"]"#, ["A/", "B/"]),
            (#"{"name": "A", "role": "translator"}"#, ["A/translator"]),
            (#"[{"name": "A", "role": "Editor"}, {"name": "B"}]"#, ["A/Editor", "B/"]),
            (#"{"name": "A", "role": ["editor", "translator"]}"#, ["A/editor, translator"]),
            (#"{"family": "A", "given": "B", "type": "ill"}"#, ["B A/ill"]),
            (
                #"{"translator": "A", "illustrator": ["B", {"name": "C"}]}"#,
                ["A/translator", "B/illustrator", "C/illustrator"]
            ),
            (#"{"name": "A", "role": ""}"#, ["A/"]), (#"{"role": "editor"}"#, []), (#"{"key": "x"}"#, []), ("null", []),
            ("7", []), (#"{"A B": {}}"#, ["A B/"]),
        ] as [(String, [String])])
    func contributorsHaveTheirRole(json: String, expected: [String]) throws {
        #expect(try value(json).contributors.map { "\($0.name)/\($0.role ?? "")" } == expected)
    }

    @Test(
        arguments: [
            (#"{"goodreads": "12", "lccn": ["a", "b"], "oclc": 7}"#, ["goodreads=12", "lccn=a", "lccn=b", "oclc=7"]),
            (#"[{"type": "OTHER", "identifier": "X:1"}]"#, ["OTHER=X:1"]),
            (#"{"scheme": "doi", "value": "10.1"}"#, ["doi=10.1"]),
            (#"{"@type": "PropertyValue", "propertyID": "oclc", "value": 12}"#, ["oclc=12"]),
            (#"{"name": "ark", "id": "x"}"#, ["ark=x"]), (#"{"value": "doi:10.1"}"#, ["doi=10.1"]),
            (#"["doi:10.1000/182", "B000FC1PJI"]"#, ["doi=10.1000/182", "id=B000FC1PJI"]),
            (#""urn:uuid:6a4c""#, ["uuid=6a4c"]), (#""urn:x""#, ["urn=x"]),
            (#""https://a.b/c""#, ["url=https://a.b/c"]),
            (#""note: text""#, ["id=note: text"]), ("12", ["id=12"]), (#"{"doi": ""}"#, []), (#"{"": "x"}"#, []),
            ("null", []), ("[]", []), ("true", []),
        ] as [(String, [String])])
    func identifiersHaveTheirScheme(json: String, expected: [String]) throws {
        #expect(try value(json).identifiers.map { "\($0.scheme)=\($0.value)" } == expected)
    }
}

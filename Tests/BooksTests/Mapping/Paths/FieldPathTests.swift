import Testing

@testable import Books
@testable import CatalogTesting
@testable import JSON

@Suite("Mapping: paths in a record") struct FieldPathTests {
    @Test(
        arguments: [
            ("$", "$", []), ("title", "title", [.name("title")]), ("$.title", "title", [.name("title")]),
            ("metadata.title", "metadata.title", [.name("metadata"), .name("title")]),
            ("$['title']", "title", [.name("title")]), (#"$["title"]"#, "title", [.name("title")]),
            ("['title']", "title", [.name("title")]),
            ("a['b'].c", "a.b.c", [.name("a"), .name("b"), .name("c")]),
            ("['a.b']", "['a.b']", [.name("a.b")]), ("['']", "['']", [.name("")]),
            ("publishedDate['$date']", "publishedDate['$date']", [.name("publishedDate"), .name("$date")]),
            ("number-of-pages", "number-of-pages", [.name("number-of-pages")]),
            ("@graph[*]", "@graph[*]", [.name("@graph"), .every]),
            ("dc:title", "dc:title", [.name("dc:title")]), ("a/b", "a/b", [.name("a/b")]),
            ("formats['image/jpeg']", "formats.image/jpeg", [.name("formats"), .name("image/jpeg")]),
            ("page count", "page count", [.name("page count")]), ("a.b  c", "a.b  c", [.name("a"), .name("b  c")]),
            ("fields.245", "fields.245", [.name("fields"), .name("245")]), ("245", "245", [.name("245")]),
            ("fields[245]", "fields[245]", [.name("fields"), .index(245)]),
            ("a[0]", "a[0]", [.name("a"), .index(0)]), ("a[-1]", "a[-1]", [.name("a"), .index(-1)]),
            ("[0][1]", "[0][1]", [.index(0), .index(1)]), ("$[0]", "[0]", [.index(0)]),
            ("a[ 1 ]", "a[1]", [.name("a"), .index(1)]),
            ("a[*]", "a[*]", [.name("a"), .every]), ("a[ * ]", "a[*]", [.name("a"), .every]),
            ("a.*", "a[*]", [.name("a"), .every]), ("*", "[*]", [.every]), ("[*]", "[*]", [.every]),
            ("authors[].name", "authors[*].name", [.name("authors"), .every, .name("name")]),
            ("[]", "[*]", [.every]), ("書名", "書名", [.name("書名")]), ("auteur·e", "auteur·e", [.name("auteur·e")]),
            (#"['it\'s']"#, #"['it\'s']"#, [.name("it's")]), (#"["it's"]"#, #"['it\'s']"#, [.name("it's")]),
            (#"["a\"b"]"#, #"['a"b']"#, [.name(#"a"b"#)]), (#"['a\\b']"#, #"['a\\b']"#, [.name(#"a\b"#)]),
            (#"['\u00e9']"#, "é", [.name("é")]), (#"['\ud83d\ude00']"#, "😀", [.name("😀")]),
            (#"['\b\f\n\r\t\/x']"#, #"['\u0008\u000c\u000a\u000d\u0009/x']"#, [.name("\u{08}\u{0C}\n\r\t/x")]),
            ("['/a']", "['/a']", [.name("/a")]), ("[' a']", "[' a']", [.name(" a")]),
            ("['a ']", "['a ']", [.name("a ")]),
            ("['*']", "['*']", [.name("*")]), ("['$']", "['$']", [.name("$")]),
            ("/a/b", "a.b", [.name("a"), .name("b")]), ("/", "['']", [.name("")]),
            ("/a/0", "a[0]", [.name("a"), .index(0)]),
            ("/a/01", "a.01", [.name("a"), .name("01")]), ("/a/-", "a.-", [.name("a"), .name("-")]),
            ("/a~1b/m~0n", "a/b['m~n']", [.name("a/b"), .name("m~n")]), ("/~01", "['~1']", [.name("~1")]),
            ("/a.b", "['a.b']", [.name("a.b")]),
            ("/99999999999999999999", "99999999999999999999", [.name("99999999999999999999")]),
            ("/9007199254740991", "[9007199254740991]", [.index(9_007_199_254_740_991)]),
            ("/9007199254740992", "9007199254740992", [.name("9007199254740992")]),
            ("[9007199254740991]", "[9007199254740991]", [.index(9_007_199_254_740_991)]),
            ("[?@.k=='v']", "[?@.k=='v']", [.filter(.init(names: ["k"], value: .string("v")))]),
            (
                "images[?@.rel=='cover'].href", "images[?@.rel=='cover'].href",
                [.name("images"), .filter(.init(names: ["rel"], value: .string("cover"))), .name("href")]
            ),
            (#"[? @.k == "v" ]"#, "[?@.k=='v']", [.filter(.init(names: ["k"], value: .string("v")))]),
            ("[?(@.k=='v')]", "[?@.k=='v']", [.filter(.init(names: ["k"], value: .string("v")))]),
            ("[?( @.k == 1 )]", "[?@.k==1]", [.filter(.init(names: ["k"], value: .number("1")))]),
            (
                "[?@['a k'].b==-1.5e3]", "[?@.a k.b==-1.5e3]",
                [.filter(.init(names: ["a k", "b"], value: .number("-1.5e3")))]
            ),
            ("[?@['a.k']==true]", "[?@['a.k']==true]", [.filter(.init(names: ["a.k"], value: .boolean(true)))]),
            ("[?@.k==false]", "[?@.k==false]", [.filter(.init(names: ["k"], value: .boolean(false)))]),
            ("[?@.k==null]", "[?@.k==null]", [.filter(.init(names: ["k"], value: .null))]),
            (#"[?@.k=='it\'s']"#, #"[?@.k=='it\'s']"#, [.filter(.init(names: ["k"], value: .string("it's")))]),
        ] as [(String, String, [FieldPath.Step])])
    func aPathIsReadAndWritten(text: String, canonical: String, steps: [FieldPath.Step]) throws {
        let path = try FieldPath(text)
        #expect(path.steps == steps)
        #expect(path.description == canonical)
        #expect(try FieldPath(path.description) == path)
    }

    @Test(
        arguments: [
            ("", 0, .name), (".", 0, .name), ("$.", 2, .name), ("$a", 1, .nextStep), ("a.", 2, .name),
            ("a..b", 2, .name),
            ("$..b", 2, .name), (" a", 0, .name), ("a ", 1, .nextStep), ("a .b", 1, .nextStep), ("a. b", 2, .name),
            ("a$", 1, .nextStep), ("a+b", 1, .nextStep), ("a*", 1, .nextStep), ("$$", 1, .nextStep),
            ("a\u{7F}", 1, .nextStep),
            ("a\tb", 1, .nextStep), ("é€.", 3, .name), ("'a'", 0, .name), ("a[", 2, .selector), ("a[b]", 2, .selector),
            ("a[0", 3, .closingBracket), ("a[0,1]", 3, .closingBracket), ("a['b','c']", 5, .closingBracket),
            ("a[1:2]", 3, .closingBracket), ("a[:2]", 2, .selector), ("a[::]", 2, .selector),
            ("a[*", 3, .closingBracket),
            ("a[01]", 2, .index), ("a[-]", 3, .index), ("a[-0]", 3, .index), ("a[9007199254740992]", 2, .index),
            ("a[99999999999999999999]", 2, .index), ("a[1.5]", 3, .closingBracket), ("a['b]", 5, .closingQuote),
            (#"a["b']"#, 6, .closingQuote), (#"a['\x']"#, 3, .escape), (#"a['\"#, 3, .escape),
            (#"a['\u12']"#, 3, .escape),
            (#"a['\ud800']"#, 3, .escape), (#"a['\ude00']"#, 3, .escape), (#"a['\ud800\u0041']"#, 3, .escape),
            ("a['\n']", 3, .escape), ("a[?]", 3, .current), ("a[?k=='v']", 3, .current), ("a[?@=='v']", 4, .member),
            ("a[?@.k]", 6, .equals), ("a[?@.k='v']", 7, .equals), ("a[?@.k!='v']", 6, .equals),
            ("a[?@.k<1]", 6, .equals),
            ("a[?@.k==]", 8, .literal), ("a[?@.k==v]", 8, .literal), ("a[?@.k==01]", 8, .literal),
            ("a[?@.k=={}]", 8, .literal),
            ("a[?@.k=='v' && @.l==1]", 12, .closingBracket), ("a[?@.k=='v'", 11, .closingBracket),
            ("a[?(@.k=='v']", 12, .closingParenthesis), ("a[?@[0]=='v']", 5, .name),
            ("a[?@['k'=='v']", 8, .closingBracket),
            ("a[?@.=='v']", 5, .name), ("a[?length(@.k)==1]", 3, .current), ("a[(@.length-1)]", 2, .selector),
            ("/a~2", 3, .pointerEscape), ("/~", 2, .pointerEscape), ("a]", 1, .nextStep), ("a[]]", 3, .nextStep),
        ] as [(String, Int, FieldPathSyntaxError.Expectation)])
    func invalidPathsAreRejectedAtTheError(text: String, offset: Int, expected: FieldPathSyntaxError.Expectation) {
        #expect(throws: FieldPathSyntaxError(at: offset, expected: expected)) { try FieldPath(text) }
    }

    @Test(arguments: [
        ("title", ["title"]), ("metadata.title", ["metadata", "title"]), ("a.b[0].c", ["a", "b"]), ("[*].a", []),
        ("$", []), ("a[*].b", ["a"]), ("a[?@.b==1]", ["a"]),
    ])
    func theLeadingNamesAreThoseBeforeAnyOtherStep(text: String, names: [String]) throws {
        #expect(try FieldPath(text).leadingNames == names)
    }

    @Test(arguments: [
        ("$", "[1]", "[1]"), ("a", #"{"a": 1}"#, "1"), ("a", #"{"a": 1, "a": 2}"#, "2"), ("a", #"{"a": null}"#, "null"),
        ("a", #"{"b": 1}"#, nil), ("a", "[]", nil), ("a", "1", nil), ("a", "null", nil),
        ("a.b", #"{"a": {"b": [1]}}"#, "[1]"), ("a.b", #"{"a": [{"b": 1}, 2, {"c": 3}, {"b": 4}]}"#, "[1,4]"),
        ("a.b", #"{"a": []}"#, nil), ("a.b", #"{"a": [[{"b": 1}], {"b": 2}]}"#, "[1,2]"), ("a", #"[{"a": 1}]"#, "[1]"),
        ("a.b.c", #"{"a": [{"b": [{"c": 1}, {"c": 2}]}, {"b": {"c": 3}}]}"#, "[1,2,3]"),
        ("a[0]", #"{"a": [1, 2]}"#, "1"), ("a[-1]", #"{"a": [1, 2]}"#, "2"), ("a[-3]", #"{"a": [1, 2]}"#, nil),
        ("a[2]", #"{"a": [1, 2]}"#, nil), ("a[0]", #"{"a": {"0": 7}}"#, "7"), ("a[-1]", #"{"a": {"-1": 7}}"#, nil),
        ("a[0]", #"{"a": "x"}"#, nil), ("a[9007199254740991]", #"{"a": [1]}"#, nil),
        ("issued['date-parts'][0]", #"{"issued": {"date-parts": [[2004, 3]]}}"#, "[2004,3]"),
        ("a[*]", #"{"a": [1, [2]]}"#, "[1,[2]]"), ("a[*]", #"{"a": {"x": 1, "y": 2, "x": 3}}"#, "[2,3]"),
        ("a[*]", #"{"a": []}"#, nil), ("a[*]", #"{"a": 1}"#, nil),
        ("a[*].b", #"{"a": [{"b": 1}, {"b": [2]}]}"#, "[1,[2]]"),
        ("a[*][0]", #"{"a": [[1, 2], [3]]}"#, "[1,3]"), ("a.b[0]", #"{"a": [{"b": [1, 2]}, {"b": [3]}]}"#, "[1,3]"),
        ("a[?@.k=='v'].n", #"{"a": [{"k": "w", "n": 1}, {"k": "v", "n": 2}]}"#, "[2]"),
        ("a[?@.k=='v'].n", #"{"a": [{"k": "w", "n": 1}, 3]}"#, nil),
        ("a[?@.k=='v'].n", #"{"a": {"k": "v", "n": 1}}"#, nil),
        ("a[?@.k==1]", #"{"a": [{"k": 1.0}, {"k": "1"}, {"k": 1e400}]}"#, #"[{"k":1.0}]"#),
        ("a[?@.k==1e400]", #"{"a": [{"k": 1e400}, {"k": 1e401}]}"#, #"[{"k":1e400}]"#),
        ("a[?@.k.l==null]", #"{"a": [{"k": {"l": null}}, {"k": {}}]}"#, #"[{"k":{"l":null}}]"#),
        ("a[?@.k==true]", #"{"a": {"x": {"k": true}, "y": {"k": false}}}"#, #"[{"k":true}]"#),
    ])
    func aPathLeadsToItsValue(path: String, json: String, expected: String?) throws {
        let root = try JSONValue.make(json)
        let path = try FieldPath(path)
        #expect(path.value(in: root)?.json == expected)
        var value = root
        for (count, name) in path.leadingNames.enumerated() {
            #expect(path.value(in: value, afterNames: count)?.json == expected)
            guard value.members != nil, let next = value[name] else { break }
            value = next
        }
    }

    @Test(arguments: [
        ("$", "{}", "7", "7"), ("a", #"{"a":1,"b":2}"#, "7", #"{"a":7,"b":2}"#),
        ("c", #"{"a":1}"#, "7", #"{"a":1,"c":7}"#),
        ("a", #"{"a":1,"a":2}"#, "7", #"{"a":1,"a":7}"#), ("a.b", "{}", "7", #"{"a":{"b":7}}"#),
        ("a.b", #"{"a":{"c":1}}"#, "7", #"{"a":{"c":1,"b":7}}"#), ("a.b", #"{"a":"x"}"#, "7", #"{"a":{"b":7}}"#),
        ("a.b", #"{"a":null}"#, "7", #"{"a":{"b":7}}"#), ("a", "null", "7", #"{"a":7}"#),
        ("a", #"{"a":[1,2]}"#, "[3]", #"{"a":[3]}"#), ("a[0]", "{}", "7", #"{"a":[7]}"#),
        ("a[0]", #"{"a":[1,2]}"#, "7", #"{"a":[7,2]}"#), ("a[-1]", #"{"a":[1,2]}"#, "7", #"{"a":[1,7]}"#),
        ("a[2]", #"{"a":[1,2]}"#, "7", #"{"a":[1,2,7]}"#), ("a[3]", #"{"a":[1,2]}"#, "7", #"{"a":[1,2]}"#),
        ("a[-1]", "{}", "7", #"{"a":[7]}"#), ("a[-2]", "{}", "7", "{}"), ("a[9007199254740991]", "{}", "7", "{}"),
        ("a[0]", #"{"a":{"0":1}}"#, "7", #"{"a":{"0":7}}"#),
        ("a['b'][0].c", "{}", "7", #"{"a":{"b":[{"c":7}]}}"#),
        (
            "authors.name", #"{"authors":[{"name":"A","born":1},{"name":"B","born":2}]}"#, #"["A","C"]"#,
            #"{"authors":[{"name":"A","born":1},{"name":"C","born":2}]}"#
        ),
        (
            "authors.name", #"{"authors":[{"name":"A","born":1},{"name":"B","born":2}]}"#, #"["B"]"#,
            #"{"authors":[{"name":"B","born":2}]}"#
        ),
        (
            "authors.name", #"{"authors":[{"name":"A","born":1},{"name":"B","born":2}]}"#, #"["B","A","C"]"#,
            #"{"authors":[{"name":"B","born":2},{"name":"A","born":1},{"name":"C"}]}"#
        ),
        (
            "authors.name", #"{"authors":[{"name":"A","born":1}]}"#, #"["C","A"]"#,
            #"{"authors":[{"name":"C"},{"name":"A","born":1}]}"#
        ),
        (
            "authors.name", #"{"authors":[{"x":1},{"name":"A"}]}"#, #"["B","C"]"#,
            #"{"authors":[{"x":1},{"name":"B"},{"name":"C"}]}"#
        ),
        ("authors.name", #"{"authors":[]}"#, #"["A"]"#, #"{"authors":[{"name":"A"}]}"#),
        ("authors.name", #"{"authors":[{"name":"A"}]}"#, "[]", #"{"authors":[]}"#),
        ("authors[*].name", "{}", #"["A","B"]"#, #"{"authors":[{"name":"A"},{"name":"B"}]}"#),
        ("authors[*]", #"{"authors":["A","B"]}"#, #"["C"]"#, #"{"authors":["C"]}"#),
        ("authors[*]", "{}", #""A""#, #"{"authors":["A"]}"#),
        ("a[*]", #"{"a":{"x":1,"y":2}}"#, "[3]", #"{"a":{"x":3}}"#),
        ("a[*]", #"{"a":{"x":1}}"#, "[3,4]", #"{"a":{"x":1}}"#),
        (
            "a[?@.k=='v'].n", #"{"a":[{"k":"w","n":1},{"k":"v","n":2,"o":3}]}"#, "[7]",
            #"{"a":[{"k":"w","n":1},{"k":"v","n":7,"o":3}]}"#
        ),
        ("a[?@.k=='v'].n", #"{"a":[{"k":"w","n":1}]}"#, "[7]", #"{"a":[{"k":"w","n":1},{"k":"v","n":7}]}"#),
        ("a[?@.k=='v'].n", "{}", "[7]", #"{"a":[{"k":"v","n":7}]}"#),
        ("a[?@.k.l==1].n", "{}", "7", #"{"a":[{"k":{"l":1},"n":7}]}"#),
        ("a[?@.k=='v'].n", #"{"a":[{"k":"w"},{"k":"v","n":2}]}"#, "[]", #"{"a":[{"k":"w"}]}"#),
        (
            "a.b.c", #"{"a":[{"b":[{"c":1},{"c":2}]},{"b":[{"c":3}]}]}"#, "[4,5,6,7]",
            #"{"a":[{"b":[{"c":4},{"c":5}]},{"b":[{"c":6},{"c":7}]}]}"#
        ),
        ("a.b.c", #"{"a":[{"b":[{"c":1},{"c":2}]},{"b":[{"c":3}]}]}"#, "[4]", #"{"a":[{"b":[{"c":4}]}]}"#),
    ])
    func aValueIsWrittenWhereThePathLeads(path: String, json: String, value: String, expected: String) throws {
        #expect(try FieldPath(path).setting(.make(value), in: .make(json)).json == expected)
    }

    @Test(arguments: [
        ("a", #"{"a":1}"#, #"{"a":7}"#), ("a.b", "{}", #"{"a":{"b":7}}"#),
        ("a.b", #"{"a":[{"b":1,"c":2},{"b":3}]}"#, #"{"a":[{"b":7,"c":2},{"b":3}]}"#),
        ("a.b", #"{"a":[{"c":2},{"b":3}]}"#, #"{"a":[{"c":2},{"b":7}]}"#),
        ("a.b", #"{"a":["x",{"c":2}]}"#, #"{"a":["x",{"c":2,"b":7}]}"#),
        ("a.b", #"{"a":["x"]}"#, #"{"a":["x",{"b":7}]}"#),
        ("a[*]", #"{"a":[1,2]}"#, #"{"a":[7,2]}"#), ("a[*]", "{}", #"{"a":[7]}"#),
        (
            "a[?@.k==1].b", #"{"a":[{"k":2,"b":1},{"k":1,"b":2},{"k":1,"b":3}]}"#,
            #"{"a":[{"k":2,"b":1},{"k":1,"b":7},{"k":1,"b":3}]}"#
        ),
        ("a[?@.k==1].b", #"{"a":[{"k":2}]}"#, #"{"a":[{"k":2},{"k":1,"b":7}]}"#),
    ])
    func aSingleValueReplacesTheFirst(path: String, json: String, expected: String) throws {
        #expect(try FieldPath(path).settingFirst(.number("7"), in: .make(json)).json == expected)
    }

    @Test(arguments: [
        ("a", #"{"a":1,"b":2,"a":3}"#, #"{"b":2}"#), ("a.b", #"{"a":{"b":1}}"#, #"{"a":{}}"#), ("a.b", "{}", "{}"),
        ("a.b", #"{"a":[{"b":1,"c":2},{"b":3}]}"#, #"{"a":[{"c":2},{}]}"#), ("a[0]", #"{"a":[1,2]}"#, #"{"a":[2]}"#),
        ("a[*]", #"{"a":[1,2]}"#, #"{"a":[]}"#),
        ("a[?@.k==1]", #"{"a":[{"k":1},{"k":2},{"k":1}]}"#, #"{"a":[{"k":2}]}"#),
        ("$", "{}", "null"),
    ])
    func valuesAtAPathAreRemoved(path: String, json: String, expected: String) throws {
        #expect(try FieldPath(path).removing(in: .make(json)).json == expected)
    }

    @Test func aPathHasNoMoreStepsThanValuesAreDeep() throws {
        let (names, indexes) = (
            Array(repeating: "a", count: 512).joined(separator: "."), String(repeating: "[0]", count: 512)
        )
        let pointer = String(repeating: "/a", count: 512)
        for text in [names, indexes, pointer] {
            let path = try FieldPath(text)
            #expect(path.steps.count == 512)
            #expect(path.value(in: path.setting(.number("7"), in: .null)) == .number("7"))
            let end = text == pointer ? "/a" : "[0]"
            #expect(throws: FieldPathSyntaxError(at: text.unicodeScalars.count, expected: .end)) {
                try FieldPath(text + end)
            }
        }
        #expect(throws: FieldPathSyntaxError(at: 1023, expected: .end)) { try FieldPath(names + ".a") }
    }
}

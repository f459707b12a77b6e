import TestSupport
import Testing

@testable import Books
@testable import Search

@Suite("Query: parsing") struct QueryParserTests {
    @Test(
        arguments: [
            // Words and phrases.
            ("", "everything"), (" \t\u{3000}", "everything"), ("stand", "'stand'"), ("The Stand", "('the' & 'stand')"),
            ("  the\u{A0}stand ", "('the' & 'stand')"), ("Brontë", "'bronte'"),
            ("STRASSE Straße", "('strasse' & 'strasse')"),
            (#""the stand""#, "'the stand'"), (#""The  Stand"#, "'the stand'"), (#""a" "b"c"#, "('a' & 'b' & 'c')"),
            (#"""#, "everything"), (#""""#, "everything"), ("\u{301}", "everything"), ("a \u{301} b", "('a' & 'b')"),
            (#"12" pipe"#, #"('12"' & 'pipe')"#), ("catch-22", "'catch-22'"), ("don't", "'don't'"),
            ("2001: a", "('2001:' & 'a')"), ("http://x", "'http://x'"), ("dune:", "'dune:'"),
            ("dune: messiah", "('dune:' & 'messiah')"),
            ("a/b", "'a/b'"), ("either / or", "('either' & '/' & 'or')"), ("本 の", "('本' & 'の')"),
            // Exclusions.
            ("-king", "!'king'"), ("king -stephen", "('king' & !'stephen')"), (#"-"the stand""#, "!'the stand'"),
            ("-author:king", "!author'king'"), ("-(a b)", "!('a' & 'b')"), ("-(a | b)", "!('a' | 'b')"),
            ("-(-a)", "'a'"),
            ("-(-(a b)) c", "('a' & 'b' & 'c')"), ("-/x/", "!/x/"), ("a - b", "('a' & '-' & 'b')"), ("a -", "'a'"),
            ("-", "everything"),
            ("--a", "'--a'"), ("(a -)", "('a' & '-')"), ("-()", "everything"), ("-author:", "everything"),
            // Alternatives and parentheses.
            ("a | b", "('a' | 'b')"), ("a b | c", "(('a' & 'b') | 'c')"), ("a|b|c", "('a' | 'b' | 'c')"),
            ("a (b | c)", "('a' & ('b' | 'c'))"), ("(a | b) | c", "('a' | 'b' | 'c')"),
            ("(a b) c", "('a' & 'b' & 'c')"),
            ("(a", "'a'"), ("a (b | (c", "('a' & ('b' | 'c'))"), ("a |", "'a'"), ("| a", "'a'"),
            ("a || b", "('a' | 'b')"),
            ("()", "everything"), ("(", "everything"), ("|", "everything"), ("a () b", "('a' & 'b')"),
            ("f(x)", "('f' & 'x')"),
            // Text fields.
            ("author:king", "author'king'"), ("AUTHOR:King", "author'king'"), ("by:king", "author'king'"),
            ("authors:king", "author'king'"), ("tag:space", "subject'space'"), ("genre:space", "subject'space'"),
            ("title:it series:dune publisher:ace", "(title'it' & series'dune' & publisher'ace')"),
            (#"author:"stephen king""#, "author'stephen king'"), ("author:=king", "author='king'"),
            (#"author:="Stephen King""#, "author='stephen king'"), ("author:", "everything"),
            ("author:=", "everything"),
            (#"author:""#, "everything"), (#"author:="" a"#, "'a'"), ("author: king", "'king'"),
            ("author:-king", "author'-king'"),
            ("author:(king | straub)", "(author'king' | author'straub')"),
            ("author:(king | a -b)", "(author'king' | (author'a' & !author'b'))"),
            ("author:=(king | straub)", "(author='king' | author='straub')"),
            ("author:(king title:it)", "(author'king' & title'it')"),
            ("author:(king", "author'king'"), ("author:()", "everything"), ("title:2001:a", "title'2001:a'"),
            ("title:author:x", "title'author:x'"),
            // Languages.
            ("language:fr", "language'fr'"), ("lang:french", "language'fr'"), ("language:FRE", "language'fr'"),
            ("language:=German", "language='de'"), ("language:pt_br", "language'pt-br'"),
            ("language:martian", "language'martian'"),
            // Numbers.
            ("pages:500", "pages[500, 500]"), ("pages:=500", "pages[500, 500]"), ("pages:>500", "pages[501, inf]"),
            ("pages:>=500", "pages[500, inf]"), ("pages:<500", "pages[-inf, 499]"), ("pages:<=500", "pages[-inf, 500]"),
            ("pages:≥500", "pages[500, inf]"), ("year:1990..2000", "year[1990, 2000]"),
            ("year:2000..1990", "impossible 1990..2000"), ("year:2000..199", "year[2000, inf]"),
            ("year:2000..199 a", "(impossible 199..2000 & 'a')"), ("year:-400..-500", "impossible -500..-400"),
            ("pages:500...300", "impossible 300..500"),
            ("year:1990...2000", "year[1990, 2000]"), ("year:..2000", "year[-inf, 2000]"),
            ("year:1990..", "year[1990, inf]"),
            ("year:-500..-400", "year[-500, -400]"), ("year:<-400", "year[-inf, -401]"),
            ("-year:-500", "!year[-500, -500]"),
            ("added:2024", "added[2024, 2024]"), ("published:1990", "year[1990, 1990]"),
            ("rating:>=4", "rating[4, inf]"),
            ("rating:4", "rating[4, 4]"), ("rating:3.5..5", "rating[3.5, 5]"), ("stars:5", "rating[5, 5]"),
            ("year:(1990 | ..-500)", "(year[1990, 1990] | year[-inf, -500])"), ("year:(-500)", "year[-500, -500]"),
            ("pages:(>100 -500)", "(pages[101, inf] & !pages[500, 500])"), (#"year:"1990""#, "year[1990, 1990]"),
            ("year:", "everything"), ("year:>", "everything"), ("a year:>=", "'a'"), ("year:-", "everything"),
            ("year:..", "everything"),
            ("year:1990.", "year[1990, 1990]"), ("year:1990..-", "year[1990, inf]"),
            ("note:Lént", "note 'lent'"), ("note:\"to Bob\"", "note 'to bob'"), ("mynote:x", "note 'x'"),
            ("has:note", "has note"), ("mine:>=4.5", "mine[4.5, inf]"), ("mine:3.5..5", "mine[3.5, 5]"),
            ("rating:>9", "impossible rating"), ("rating:>5", "impossible rating"), ("rating:<0", "impossible rating"),
            ("rating:6..8", "impossible rating"), ("rating:4..9", "rating[4, 9]"), ("-rating:>9", "!impossible rating"),
            ("rating:4.", "rating[4, 4]"),
            // Fields with enumerated values.
            ("is:favourite", "favourite"), ("is:favorite", "favourite"), ("IS:Favourite", "favourite"),
            ("-is:favourite", "!favourite"),
            ("is:read", "status read"), ("is:nonfiction", "fiction no"), ("has:description", "has description"),
            ("has:tags", "has subject"), ("has:blurb", "has description"), ("-has:cover", "!has cover"),
            ("has:fiction", "has fiction"),
            ("fiction:yes", "fiction yes"), ("fiction:true", "fiction yes"), ("fiction:N", "fiction no"),
            ("fiction:0", "fiction no"),
            ("fiction:unknown", "fiction unknown"), ("status:to-read", "status to-read"),
            ("status:toread", "status to-read"),
            (#"status:"To Read""#, "status to-read"), ("status:reading", "status reading"),
            ("status:read", "status read"),
            ("status:abandoned", "status abandoned"), ("status:none", "status none"), ("status:=read", "status read"),
            ("status:(reading | read)", "(status reading | status read)"), ("status:", "everything"),
            ("is:", "everything"),
            // Shelves.
            ("on:beach", "shelf beach"), ("on:Beach-Reads", "shelf beach reads"),
            ("on:beach_reads", "shelf beach reads"),
            (#"on:"Beach  Reads""#, "shelf beach reads"), ("shelf:été", "shelf ete"), ("on:-", "everything"),
            // Regular expressions.
            ("/^the/", "/^the/"), ("/^the", "/^the/"), ("author:/king$/", "author/king$/"),
            (#"/a\/b/ c"#, #"(/a\/b/ & 'c')"#),
            ("/", "everything"), ("//", "everything"), ("/a b|c/", "/a b|c/"),
            ("author:(/a/ | b)", "(author/a/ | author'b')"),
            ("/Straße/", "/Straße/"), (#"/\\/a"#, #"(/\\/ & 'a')"#),
            // Digits of ISBNs.
            ("1984", "'1984'#1984"), ("978", "'978'"), ("978-0", "'978-0'#9780"),
            ("0-441-47812-3", "'0-441-47812-3'#9780441478125"),
            ("080442957X", "'080442957x'#9780804429573"), ("0441478124", "'0441478124'#0441478124"),
            ("978-0-441-47812-5", "'978-0-441-47812-5'#9780441478125"),
            ("isbn:0441478123", "isbn'0441478123'#9780441478125"),
            ("isbn:97", "isbn'97'#97"), (#"isbn:"978 0 441""#, "isbn'978 0 441'#9780441"), ("isbn:abc", "isbn'abc'"),
            (#""1984 2001""#, "'1984 2001'"), ("123x4", "'123x4'"), ("title:1984", "title'1984'"),
            ("９７８０", "'9780'#9780"),
            // Escapes.
            (#"\(a\)"#, "'(a)'"), (#"a\|b"#, "'a|b'"), (#"\-a"#, "'-a'"), (#"\/a/"#, "'/a/'"), (#"\"a"#, #"'"a'"#),
            (#"\\"#, #"'\'"#),
            (#"\a"#, #"'\a'"#), (#"author\:king"#, "'author:king'"), (#""a \"b\" \\ c""#, #"'a "b" \ c'"#),
            (#""a\"#, #"'a\'"#),
        ] as [(String, String)])
    func aQueryIsReadWithoutAMistake(text: String, expected: String) {
        let query = Query(text)
        #expect(query.expression.form == expected)
        #expect(query.syntaxError == nil)
        #expect(query.text == text)
    }

    @Test(
        arguments: [
            // An invalid value.
            ("pages:many", 6..<10, .numberExpected("many", of: .pages), "everything"),
            ("a pages:many b", 8..<12, .numberExpected("many", of: .pages), "'a'"),
            ("pages:5.5", 6..<9, .numberExpected("5.5", of: .pages), "everything"),
            ("pages:-5 a", 6..<8, .numberExpected("-5", of: .pages), "everything"),
            ("pages:> 500", 6..<7, .numberExpected(">", of: .pages), "everything"),
            ("pages:1e3", 6..<9, .numberExpected("1e3", of: .pages), "everything"),
            ("pages:inf", 6..<9, .numberExpected("inf", of: .pages), "everything"),
            ("year:199*", 5..<9, .numberExpected("199*", of: .year), "everything"),
            ("year:.. a", 5..<7, .numberExpected("..", of: .year), "everything"),
            ("year:>1990..2000", 5..<16, .numberExpected(">1990..2000", of: .year), "everything"),
            ("rating:4,5", 7..<10, .numberExpected("4,5", of: .rating), "everything"),
            ("year:/19/", 5..<9, .numberExpected("/19/", of: .year), "everything"),
            ("a year:(1990 | x)", 15..<16, .numberExpected("x", of: .year), "('a' & year[1990, 1990])"),
            (
                "status:foo", 7..<10,
                .unknownValue("foo", of: "status", allowed: ["to-read", "reading", "read", "abandoned", "none"]),
                "everything"
            ),
            (
                "fiction:maybe", 8..<13, .unknownValue("maybe", of: "fiction", allowed: ["yes", "no", "unknown"]),
                "everything"
            ),
            (
                "bücher is:foo", 11..<14,
                .unknownValue(
                    "foo", of: "is",
                    allowed: [
                        "favourite", "to-read", "reading", "read", "abandoned", "fiction", "non-fiction",
                        "invalid-isbn",
                        "series-gap",
                    ]),
                "'bucher'"
            ),
            (
                #"has:"foo""#, 4..<9,
                .unknownValue(
                    "foo", of: "has",
                    allowed: Query.KnownField.allCases.map(\.rawValue)), "everything"
            ),
            // An unknown field.
            ("autor:king", 0..<5, .unknownField("autor", nearest: ["author"]), "everything"),
            ("a -Auhtor:king b", 3..<9, .unknownField("Auhtor", nearest: ["author"]), "'a'"),
            ("yaer:1990", 0..<4, .unknownField("yaer", nearest: ["year"]), "everything"),
            ("titel:(a b)", 0..<5, .unknownField("titel", nearest: ["title"]), "everything"),
            // Parentheses.
            (")", 0..<1, .unmatched(")"), "everything"), ("a) b", 1..<2, .unmatched(")"), "'a'"),
            ("(a | b)) c", 7..<8, .unmatched(")"), "('a' | 'b')"),
            ("a (b | year:x) c", 12..<13, .numberExpected("x", of: .year), "('a' & 'b')"),
            ("a -(b year:x) c", 11..<12, .numberExpected("x", of: .year), "'a'"),
            ("a | b year:x | c", 11..<12, .numberExpected("x", of: .year), "('a' | 'b')"),
            // Regular expressions.
            ("a /b(c/ d", 2..<7, .malformedPattern("missing closing parenthesis", offset: 6), "'a'"),
            ("/[/", 0..<3, .malformedPattern("missing terminating ] for character class", offset: 2), "everything"),
            (
                "/é*+*/", 0..<7, .malformedPattern("quantifier does not follow a repeatable item", offset: 5),
                "everything"
            ),
            (
                #"author:/\\/ title:/a\"#, 12..<21, .malformedPattern(#"\ at end of pattern"#, offset: 21),
                #"author/\\/"#
            ),
        ] as [(String, Range<Int>, QuerySyntaxError.Reason, String)])
    func aSyntaxErrorHasItsRangeAndTheTextBeforeItFilters(
        text: String, place: Range<Int>, reason: QuerySyntaxError.Reason, expected: String
    ) {
        let query = Query(text)
        #expect(query.syntaxError == QuerySyntaxError(reason, at: place))
        #expect(query.expression.form == expected)
    }

    @Test func termsHaveTheirRanges() {
        let query = Query(#"é -author:"a b" (/x/ | pages:>5)"#)
        #expect(query.expression.ranges == [0..<2, 4..<16, 18..<21, 24..<32])
    }

    @Test func parenthesesHaveALimit() {
        let limit = QueryParser.maximumDepth
        #expect(Query(String(repeating: "(", count: limit) + "a").expression.form == "'a'")
        let query = Query("a " + String(repeating: "(", count: limit + 1) + "b")
        #expect(query.syntaxError == QuerySyntaxError(.tooDeep, at: limit + 2..<limit + 3))
        #expect(query.expression.form == "'a'")
    }

    @Test(
        .thorough,
        arguments: [
            "(", ")", "-(", "\"", "a ", "a|", "-", "/", "/a/ ", "/(", "author:", "author:(", "x:", "\\", "1..",
            "é\u{3000}",
        ])
    func aQueryOfAMegabyteIsReadAtOnce(part: String) {
        let text = String(repeating: part, count: 1_000_000 / part.utf8.count)
        var query = Query("")
        let time = processorTime { query = Query(text) }
        #expect(time < .seconds(30))
        #expect(query.text.utf8.count == text.utf8.count)
    }
}

extension Query.Expression {
    /// The expression in the notation of the tests.
    var form: String {
        switch self {
        case .everything: "everything"
        case .term(let term): term.condition.form
        case .not(let part): "!" + part.form
        case .all(let parts): "(" + parts.map(\.form).joined(separator: " & ") + ")"
        case .any(let parts): "(" + parts.map(\.form).joined(separator: " | ") + ")"
        }
    }

    /// The ranges of the terms.
    var ranges: [Range<Int>] {
        switch self {
        case .everything: []
        case .term(let term): [term.range]
        case .not(let part): part.ranges
        case .all(let parts), .any(let parts): parts.flatMap(\.ranges)
        }
    }
}

extension Query.Condition {
    /// The condition in the notation of the tests.
    var form: String {
        func shown(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
        return switch self {
        case .text(let pattern): pattern.form
        case .number(let field, let range):
            "\(field)[\(shown(range.lowerBound)), \(shown(range.upperBound))]"
        case .impossible(.reversedRange(_, let low, let high)): "impossible \(low)..\(high)"
        case .impossible(.outOfRange(let field)): "impossible \(field)"
        case .known(let field): "has \(field)"
        case .fiction(let isFiction): "fiction \(isFiction.map { $0 ? "yes" : "no" } ?? "unknown")"
        case .status(let status): "status \(status?.rawValue ?? "none")"
        case .log(let field, let range): "\(field)[\(shown(range.lowerBound)), \(shown(range.upperBound))]"
        case .favourite: "favourite"
        case .invalidISBN: "invalid ISBN"
        case .seriesGap: "series gap"
        case .shelf(let key): "shelf \(key)"
        case .note(let text): "note '\(String(decoding: text, as: UTF8.self))'"
        case .own(let field, .known): "has \(field.id)"
        case .own(let field, .number(let range)):
            "\(field.id)[\(shown(range.lowerBound)), \(shown(range.upperBound))]"
        case .own(let field, .text(let text, let isWhole)):
            "\(field.id)\(isWhole ? "=" : "")'\(String(decoding: text, as: UTF8.self))'"
        case .own(let field, .regex(let pattern)): "\(field.id)/\(pattern)/"
        case .regex(let pattern, let field): "\(field?.rawValue ?? "")/\(pattern)/"
        }
    }
}

extension Query.TextPattern {
    /// The pattern in the notation of the tests.
    var form: String {
        let text = String(decoding: folded, as: UTF8.self)
        let number = digits.map { "#" + String(decoding: $0, as: UTF8.self) } ?? ""
        return "\(field?.rawValue ?? "")\(isWhole ? "=" : "")'\(text)'\(number)"
    }
}

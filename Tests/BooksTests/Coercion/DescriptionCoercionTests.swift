import TestSupport
import Testing

@testable import Books
@testable import JSON
@testable import Text

@Suite("Coercion: descriptions with markup") struct DescriptionCoercionTests {
    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(json.utf8)))
    }

    @Test(
        arguments: [
            ("One.", "One."), ("One.\nTwo.", "One.\nTwo."), ("One.\r\n\r\n  Two  three.\n", "One.\nTwo three."),
            ("a\tb\u{A0}\u{A0}c", "a b c"), ("One.\u{2028}Two.\u{2029}Three.\u{85}Four.", "One.\nTwo.\nThree.\nFour."),
            ("a\u{0}b\u{7}\u{1B}[31mc\u{7F}\u{9B}d", "ab[31mcd"), ("a < b", "a < b"), ("x<y and z>w", "x<y and z>w"),
            ("1 <2", "1 <2"), ("List<String> and Map<K, V>", "List<String> and Map<K, V>"), ("I <3 it", "I <3 it"),
            ("<", "<"), ("a <", "a <"), ("</", "</"), ("<>", "<>"), ("Q&A, AT&T & co", "Q&A, AT&T & co"), ("&", "&"),
            ("&;", "&;"), ("&#;", "&#;"), ("&#x;", "&#x;"), ("&nosuch;", "&nosuch;"), ("", nil), (" \n\t\u{A0}", nil),
            ("é羅👩‍👩‍👧", "é羅👩‍👩‍👧"),
        ] as [(String, String?)])
    func plainTextKeepsItsLines(text: String, expected: String?) {
        #expect(JSONValue.string(text).paragraphs == expected)
    }

    @Test(
        arguments: [
            ("<p>One.</p><p>Two.</p>", "One.\nTwo."), ("<p>One\ntwo</p>\n\n<p>Three</p>", "One two\nThree"),
            ("One<br>two<br/>three<BR />four", "One\ntwo\nthree\nfour"), ("One<br><br>two", "One\ntwo"),
            ("<b>Bold</b> and <i>it</i>alic", "*Bold* and *it*alic"), ("<em>One</em>\n\nTwo", "*One*\nTwo"),
            ("<P CLASS='x'>One</P>", "One"), ("<p>One<p>Two", "One\nTwo"), ("One</p>Two", "One\nTwo"),
            ("<div><div><p> One </p></div></div>", "One"), ("<p>&nbsp;</p><p>One</p>", "One"),
            ("<h1>Head</h1>Text<hr>More", "Head\nText\nMore"), ("<ul><li>One<li>Two</ul>Three", "• One\n• Two\nThree"),
            ("<ol><li>One</li><li>Two</li></ol>", "1. One\n2. Two"),
            ("<ul><li><p>One</p><p>Two</p></li></ul>", "• One\nTwo"),
            ("<ol><li>A<ul><li>B</li></ul></li><li>C</li></ol>", "1. A\n• B\n2. C"), ("<li>Alone", "• Alone"),
            ("<ul><li></li><li>One</li></ul>", "• One"), ("<ol><li></li><li>Two</li></ol>", "2. Two"),
            ("</ul></ol>One", "One"), ("<ul></ul><p>One", "One"),
            ("<table><tr><td>A</td><td>B</td></tr><tr><td>C</table>", "A B\nC"),
            ("<pre>a\n  b</pre>c", "a\nb\nc"), ("<p>a<span> b </span> c</p>", "a b c"), ("<p></p>", nil), ("<br>", nil),
            ("<script>alert('<p>')</script>One", "One"), ("<SCRIPT>a</Script >One", "One"),
            ("<style>p{}</style><p>One", "One"),
            ("<script>never closed", nil), ("<p>One<script>a</script", "One"), ("<title>T</title><p>One", "One"),
            ("One<!-- <p>no</p> -->two", "Onetwo"), ("One<!-->two", "Onetwo"), ("One<!--->two", "Onetwo"),
            ("One<!-- never closed", "One"), ("<!DOCTYPE html><p>One", "One"), ("<?xml version='1'?><p>One", "One"),
            ("<![CDATA[<p>One</p>]]>", "One"), ("<![CDATA[a]]> b", "a b"), ("a ]]> b", "a ]]> b"),
            ("<a href=\"x>y\">One</a>", "One"), ("<a href='x>y'>One</a>", "One"), ("<a href=x'>One</a>'", "One'"),
            ("<a title = \"a>b\" href>One</a>", "One"), ("<p>it's <b>one's</b>", "it's *one's*"),
            ("<p>a <b><i> b</i> c </b> d", "a *b c* d"), ("<i></i>a<b> </b>b", "a b"),
            ("<p><em>a</p><p>b</em> c", "*a*\n*b* c"),
            ("<p>a</i>b</b>", "ab"), ("<i>never closed", "*never closed*"),
            ("<a href=\"x>One</a>", "One"),
            ("See <a class=b href='https://a.b/c?d=1&amp;e=2'>the page</a>.", "See the page (https://a.b/c?d=1&e=2)."),
            ("<A HREF=http://a.b>One</A>", "One (http://a.b)"),
            ("<a href=https://a.b/>https://a.b/</a>", "https://a.b/"),
            ("<a href='javascript:x'>One</a>", "One"), ("<a href='mailto:x'>One</a>", "One"),
            ("<a href='https://a.b'>never closed", "never closed"), ("</a>One", "One"),
            ("<a href='https://a.b c'>One</a>", "One"),
            ("<p>x</p><foo>One</foo>", "x\nOne"), ("<p>a < b", "a < b"), ("<p>a <b", "a <b"), ("<p>5 <6>", "5 <6>"),
            ("<p/>One", "One"), ("<p\n>One", "One"), ("<o:p>One</o:p><br>", "One"), ("<<p>>One", "<\n>One"),
            ("<p>a\u{0}\u{1B}b\u{9B}c</p>", "abc"), ("</p", "</p"), ("<p>&lt;b&gt; &amp;amp;</p>", "<b> &amp;"),
        ] as [(String, String?)])
    func htmlBecomesPlainText(text: String, expected: String?) {
        #expect(JSONValue.string(text).paragraphs == expected)
    }

    @Test(
        arguments: [
            ("&amp;", "&"), ("&lt;p&gt;", "<p>"), ("&quot;a&quot;", "\"a\""), ("&apos;", "'"), ("caf&eacute;", "café"),
            ("&hellip;&mdash;", "…—"), ("a&nbsp;b", "a b"), ("&NotEqualTilde;", "≂̸"), ("&fjlig;", "fj"), ("&AMP;", "&"),
            ("&Aacute;&aacute;", "Áá"), ("&CounterClockwiseContourIntegral;", "∳"), ("&amp", "&"),
            ("&copy2004", "©2004"),
            ("&notit;", "¬it;"), ("&notin;", "∉"), ("&ampamp;", "&amp;"), ("&amp;lt;", "&lt;"), ("&hellip", "&hellip"),
            ("&eacutes", "és"), ("&#233;", "é"), ("&#xE9;", "é"), ("&#XE9;", "é"), ("&#233a", "éa"), ("&#xE9g", "ég"),
            ("&#128;&#147;a&#148;&#133;", "€“a”…"), ("&#x92;", "’"), ("&#129;.", "."), ("&#0;", "\u{FFFD}"),
            ("&#xD800;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"), ("&#99999999999999999999999;", "\u{FFFD}"),
            ("&#x1F600;", "😀"), ("a&#1;&#27;&#127;b", "ab"), ("a&#10;b", "a b"), ("a&#160;b", "a b"), ("&#8232;", nil),
            ("&Tab;a&NewLine;b", "a b"), ("&a", "&a"),
            (
                "&thereIsNoNameOfThatManyLettersAtAllInHTML;",
                "&thereIsNoNameOfThatManyLettersAtAllInHTML;"
            ), ("&é;", "&é;"),
        ] as [(String, String?)])
    func characterReferencesAreResolved(text: String, expected: String?) {
        let read = JSONValue.string(text).paragraphs
        #expect(read.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test(
        arguments: [
            (#"["One.", "", null, "<p>Two.</p>"]"#, "One.\nTwo."),
            (#"{"type": "/type/text", "value": "One."}"#, "One."),
            (#"{"en": "One.", "fr": "Un."}"#, "One."), (#"{"@value": "One."}"#, "One."), (#"{"type": "x"}"#, nil),
            (#"{"value": ["A", "B"]}"#, "A\nB"), ("7", "7"), ("true", nil), ("null", nil), ("[]", nil), ("[null]", nil),
        ] as [(String, String?)])
    func paragraphsAreReadFromEveryValue(json: String, expected: String?) throws {
        #expect(try value(json).paragraphs == expected)
    }

    /// Each would take minutes if the parser backtracked.
    @Test(
        .thorough, .timeLimit(.minutes(1)),
        arguments: [
            "<", "&", "<a ", "<p", "<p>", "</p>", "<ul><li>", "<ol><li>x", "<!--", "<!", "<![CDATA[", "]]>", "<script>",
            "<a b=\"",
            "<a b='\">", "<a b=\">", "&a", "&ampx", "&#", "&#x1", "<a b=\"<p>", "< ", "<a<", "\u{A0}", "\n", "<br>\n",
            "<?", "a&amp",
            "<a '\"=",
        ])
    func hostileTextIsReadInTime(piece: String) {
        let text = String(repeating: piece, count: 60_000 / piece.utf8.count)
        // With a tag that makes it HTML, at either end.
        for text in [text, "<p>" + text, text + "<p>", text + "\"'>"] {
            let read = HTMLText.paragraphs(of: text)
            #expect(read.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
            #expect(!read.hasSuffix("\n") && !read.contains("\n\n"))
        }
    }

    @Test func damagedTextsAreHarmless() {
        var random = SplitMix(seed: 0x47E1)
        let pieces = [
            "<", ">", "</", "/", "!", "--", "<!--", "-->", "&", "#", "x", ";", "amp", "p", "br", "ul", "ol", "li",
            "script", "=",
            "\"", "'", " ", "\n", "a", "é", "\u{A0}", "0", "9", "]]>", "<![CDATA[", "style", "\u{0}",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let read = HTMLText.paragraphs(of: text)
            #expect(read.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }, "\(text)")
            #expect(
                read.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy {
                    $0.first != " " && $0.last != " " && !$0.contains("  ") && (!$0.isEmpty || read.isEmpty)
                }, "\(text)")
        }
    }
}

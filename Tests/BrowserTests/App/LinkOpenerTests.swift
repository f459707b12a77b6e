import TestSupport
import Testing

@testable import Library

/// Valid and invalid web links.
@Suite("Web links")
struct LinkOpenerTests {
    @Test(arguments: [
        ("http://a", "http://a"),
        ("https://example.com", "https://example.com"),
        ("https://example.com/", "https://example.com/"),
        ("HTTP://Example.com/Path", "http://Example.com/Path"),
        ("HttpS://example.com", "https://example.com"),
        ("https://example.com:8080/a?b=c&d=e#f", "https://example.com:8080/a?b=c&d=e#f"),
        ("https://en.wikipedia.org/wiki/The_Stand_(novel)", "https://en.wikipedia.org/wiki/The_Stand_(novel)"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://[2001:db8::1]:80/", "http://[2001:db8::1]:80/"),
        ("https://medium.com/@writer", "https://medium.com/@writer"),
        ("https://example.com/a;b,c!d*e~f", "https://example.com/a;b,c!d*e~f"),
        ("https://example.com/%20%00", "https://example.com/%20%00"),
        ("https://bücher.example/ä", "https://b%C3%BCcher.example/%C3%A4"),
        ("https://例え.jp", "https://%E4%BE%8B%E3%81%88.jp"),
        ("https://example.com/\u{202E}gpj.exe", "https://example.com/%E2%80%AEgpj.exe"),
        ("https://example.com/\u{200B}", "https://example.com/%E2%80%8B"),
        ("https://example.com/e\u{301}", "https://example.com/e%CC%81"),
        ("https://example.com/😀", "https://example.com/%F0%9F%98%80"),
        // A shell would run it within double quotes.
        ("https://example.com/$(id)", "https://example.com/%24(id)"),
        ("https://example.com/$HOME", "https://example.com/%24HOME"),
        ("https://example.com/-oProxyCommand=x", "https://example.com/-oProxyCommand=x"),
        ("https://3com.com", "https://3com.com"),
        ("https://example.com/javascript:alert(1)", "https://example.com/javascript:alert(1)"),
    ])
    func isALink(text: String, link: String) {
        #expect(WebLink(text)?.text == link)
    }

    @Test(arguments: [
        "", " ", "a", "example.com", "www.example.com", "//example.com", "http", "http:", "http:/", "http://",
        "https://", "http:///path", "http://?q", "http://#f", "http://:80", "http:example.com", "http:/example.com",
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "javascript://example.com/%0aalert(1)",
        "data:text/html,<script>", "file:///etc/passwd", "FILE:///etc/passwd", "ftp://example.com", "ssh://-oProxy",
        "file://example.com/etc/passwd",
        "mailto:a@example.com", "vbscript:x", "about:blank", "chrome://settings", "view-source:http://example.com",
        "-oProxyCommand=touch", "--help", "http://-x", "http://-oProxy/", "http://.example.com", "http://..",
        "http://_x",
        " http://example.com", "\thttp://example.com", "\nhttp://example.com", "http://example.com ",
        "http://exa mple.com", "http://example.com/a b", "http://example.com/\"", "http://example.com/'",
        "http://example.com/`id`", "http://example.com/<b>", "http://example.com/>", "http://example.com/\\",
        "http://example.com\\@evil.example", "http://example.com/|id", "http://example.com/^", "http://example.com/{a}",
        "http://example.com/\n", "http://example.com/\r\n", "http://example.com/\t", "http://example.com/\0",
        "http://example.com/\u{1B}[2J", "http://example.com/\u{7F}", "\u{FEFF}http://example.com", "\u{202E}http://a",
        "http://user@example.com", "http://user:secret@example.com", "https://good.example@evil.example/",
        "http://@example.com", "hxxp://example.com", "httpss://example.com", "http\u{2D0}//example.com",
        "ｈttp://example.com", "httpſ://example.com", "http://\u{301}example.com", "h\u{200B}ttp://example.com",
    ])
    func isNotALink(text: String) {
        #expect(WebLink(text) == nil)
    }

    @Test func aLinkHas2000BytesAtMost() {
        let start = "https://example.com/"
        #expect(WebLink(start + String(repeating: "a", count: 1980)) != nil)
        #expect(WebLink(start + String(repeating: "a", count: 1981)) == nil)
        // An escaped character counts with its escaped length.
        #expect(WebLink(start + String(repeating: "ä", count: 330)) != nil)
        #expect(WebLink(start + String(repeating: "ä", count: 331)) == nil)
    }

    @Test func everyLinkIsPrintableASCIIWithoutQuotes() {
        for scalar in (0...0x2FFF).compactMap(Unicode.Scalar.init) {
            for text in ["https://a/\(scalar)", "https://a\(scalar)b", "https://\(scalar)", "\(scalar)https://a"] {
                guard let link = WebLink(text)?.text else { continue }
                let isPlain = link.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#""'`$\<>|{}^"#.utf8.contains($0) }
                #expect(isPlain && link.hasPrefix("https://"), "\(text.debugDescription)")
            }
        }
    }

    @Test(arguments: [
        ("See http://a.example.", ["http://a.example"]),
        ("(http://a.example)", ["http://a.example"]),
        ("(see http://a.example/x_(y))", ["http://a.example/x_(y)"]),
        ("http://a.example/x_(y)", ["http://a.example/x_(y)"]),
        ("[http://a.example]", ["http://a.example"]),
        ("<http://a.example>", ["http://a.example"]),
        ("\"http://a.example\"", ["http://a.example"]),
        ("“http://a.example”, he said", ["http://a.example"]),
        ("«http://a.example»", ["http://a.example"]),
        ("Is it http://a.example?", ["http://a.example"]),
        ("http://a.example?q=1!", ["http://a.example?q=1"]),
        ("http://a.example/...", ["http://a.example/"]),
        (
            "http://a.example, https://b.example; http://c.example",
            ["http://a.example", "https://b.example", "http://c.example"]
        ),
        ("http://a.example http://a.example", ["http://a.example"]),
        ("http://a.example\nhttp://b.example", ["http://a.example", "http://b.example"]),
        ("<a href=\"http://a.example/b\">x</a>", ["http://a.example/b"]),
        ("见http://a.example。", ["http://a.example"]),
        ("Note: 12:30, javascript:alert(1), file:///etc/passwd", []),
        ("http: //a.example", []), ("http://", []), ("http:// http://a.example", ["http://a.example"]),
        (":http://a.example", ["http://a.example"]), ("a:b:c:http://a.example:80:", ["http://a.example:80"]),
        ("ttp://a.example", []), ("http://user@a.example", []),
        ("ISBN: 1, URL: HTTPS://A.example", ["https://A.example"]), ("", []), (":", []), ("::::", []),
    ])
    func linksAreFoundInProse(text: String, links: [String]) {
        #expect(WebLink.all(in: text).map(\.text) == links)
    }

    @Test func theNumberOfLinksInATextIsLimited() {
        let text = (1...100).map { "http://a\($0).example" }.joined(separator: " ")
        #expect(
            WebLink.all(in: text, limit: 3).map(\.text) == [
                "http://a1.example", "http://a2.example", "http://a3.example",
            ])
    }

    /// A catalog may contain any text; the screen must not wait for it.
    @Test(.thorough, .timeLimit(.minutes(1)))
    func adversarialTextsAreScannedInTime() {
        let many = 300_000
        #expect(WebLink.all(in: String(repeating: ":", count: many)) == [])
        #expect(WebLink.all(in: "http://a" + String(repeating: ")", count: many)) == [])
        #expect(WebLink.all(in: "http://a" + String(repeating: "(", count: many)) == [])
        #expect(WebLink.all(in: String(repeating: "http://", count: many / 7)) == [])
        #expect(WebLink.all(in: (0...many / 10).map { "http://a\($0)" }.joined(separator: " ")).count == 20)
    }
}

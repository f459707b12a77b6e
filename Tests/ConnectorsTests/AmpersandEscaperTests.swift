import Testing

@testable import Connectors

@Suite("Ampersands in XML") struct AmpersandEscaperTests {
    private func escaped(_ text: String, partCount: Int) -> String {
        var escaper = AmpersandEscaper()
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: partCount) {
            bytes[start..<min(start + partCount, bytes.count)].withUnsafeBufferPointer {
                escaper.escape($0) { result += $0 }
            }
        }
        escaper.escape(UnsafeBufferPointer(start: nil, count: 0), isLast: true) { result += $0 }
        return String(decoding: result, as: UTF8.self)
    }

    @Test(
        "Only those that begin no reference are escaped, wherever a part ends",
        arguments: [
            ("<a>Q & A</a>", "<a>Q &amp; A</a>"), ("<a>A&B; C&amp;D</a>", "<a>A&B; C&amp;D</a>"),
            ("<a>AT&T</a>", "<a>AT&amp;T</a>"), ("<a h='?a=1&b=2&amp;c'/>", "<a h='?a=1&amp;b=2&amp;c'/>"),
            ("<a>&#65;&#x41;&lt;&unknown;</a>", "<a>&#65;&#x41;&lt;&unknown;</a>"),
            ("&&&amp;&", "&amp;&amp;&amp;&amp;"),
            ("<a><![CDATA[Q & A]]> & <![CDATA[&]] >]]>&</a>", "<a><![CDATA[Q & A]]> &amp; <![CDATA[&]] >]]>&amp;</a>"),
            ("<![CDATA[a]]&]]>&", "<![CDATA[a]]&]]>&amp;"), ("&<![CDATA[&]]>", "&amp;<![CDATA[&]]>"),
            ("<a><!</a>&", "<a><!</a>&amp;"), ("&;&#;&1a;&-b;", "&amp;;&#;&amp;1a;&amp;-b;"), ("", ""),
            ("&\(String(repeating: "a", count: 40));", "&amp;\(String(repeating: "a", count: 40));"),
            ("Größe & Länge &é;", "Größe &amp; Länge &é;"),
        ])
    func parts(text: String, expected: String) {
        for partCount in 1...max(1, text.utf8.count) {
            #expect(escaped(text, partCount: partCount) == expected, "in parts of \(partCount)")
        }
    }
}

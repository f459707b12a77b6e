import Testing

@testable import Connectors

@Suite("Connectors: LaTeX") struct LaTeXTextTests {
    @Test(
        "Commands become text, each by its whole name",
        arguments: [
            (#"Les {\oe}uvres"#, "Les œuvres"), (#"\oe uvre"#, "œuvre"), (#"Go on \ldots{} please"#, "Go on … please"),
            (#"{\Large Big} \emph{word} \textbf{b}{\it i}"#, "Big word bi"), (#"\"o\"{o}{\"o}\"{\i}"#, "öööï"),
            (#"\v{c}\c c\'\i\^{\j}\r{a}\H{o}\.Z"#, "čçíĵåőŻ"), (#"\'{\"u}"#, "ǘ"),
            (#"Stra\ss e \ss{} x"#, "Straße ß x"),
            (#"\textbackslash{}\textbraceleft{}x\textbraceright{}\textasciitilde{}\textasciicircum{}"#, #"\{x}~^"#),
            (##"A \& B, 5\,\%, \$1 \#2 a\_b \{x\}"##, "A & B, 5 %, $1 #2 a_b {x}"), (#"\~{}\^{}\'"#, "~^´"),
            ("1990--2000 --- co-op", "1990–2000 — co-op"), ("``q'' it's `x'", "“q” it's ‘x'"), ("a~b\n\n  c", "a b c"),
            (#"\url{http://x/~y} \href{http://a}{here}"#, "http://x/~y here"),
            (#"\unknown{x} and \other y"#, #"x and \other y"#),
            (#"C:\Users\me"#, #"C:\Users\me"#), ("{C}ase {{P}rotected}", "Case Protected"),
            (#"{\'e} \relax Ch"#, "é Ch"),
            ("unbalanced } and {", "unbalanced and"), ("é{\\'\u{65}}", "éé"), ("x\\", "x\\"), ("", ""), (" a ", "a"),
        ])
    func text(source: String, text: String) { #expect(LaTeXText.plain(ArraySlice(source.utf8)) == text) }

    @Test(
        "A formula stays as it is, unless it is a symbol or a number",
        arguments: [
            (#"The $\lambda$ calculus"#, "The λ calculus"),
            (#"$\alpha$-helix of H$_2$O, 10$^{12}$"#, "α-helix of H₂O, 10¹²"),
            (#"$x^n + y^n$"#, "$x^n + y^n$"), (#"$\sqrt{2}$ a"#, #"$\sqrt{2}$ a"#),
            ("between $5 and $10", "between $5 and $10"),
            ("only $5", "only $5"), (#"\$5 and $n$"#, "$5 and n"),
        ])
    func formula(source: String, text: String) { #expect(LaTeXText.plain(ArraySlice(source.utf8)) == text) }

    @Test("Accents are composed characters, and no letter has arbitrarily many") func accents() {
        #expect(Array(LaTeXText.plain(ArraySlice(#"\'e"#.utf8)).unicodeScalars) == ["é"])
        let text = LaTeXText.plain(ArraySlice((String(repeating: #"\'"#, count: 100_000) + "e").utf8))
        #expect(text.unicodeScalars.count <= 100_001)
    }
}

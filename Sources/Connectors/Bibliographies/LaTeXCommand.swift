/// The commands of LaTeX that texts of bibliographies contain, each by its whole name.
enum LaTeXCommand {
    /// A symbol, as text.
    case symbol(String)
    /// An accent on the next letter: the combining character, and the text if there is no letter.
    case accent(Unicode.Scalar, alone: String)
    /// A style, or another command that adds nothing to the text.
    case style
    /// A command with an argument that is not text, such as the address of a link with a text.
    case hidden
    /// A command with an address as its argument.
    case address

    /// Returns the command with this name, which is one character other than a letter, or several letters.
    static func named(_ name: String) -> LaTeXCommand? { table[name] }

    /// Returns the letter or symbol that a command in a formula stands for.
    static func symbol(named name: String) -> String? {
        if case .symbol(let text)? = table[name] { text } else { nil }
    }

    private static let table: [String: LaTeXCommand] = {
        var table: [String: LaTeXCommand] = [:]
        for (name, text) in pairs(symbols) { table[name] = .symbol(text) }
        for (name, text) in pairs(greek) { table[name] = .symbol(text) }
        for (name, mark, alone) in accents { table[name] = .accent(mark, alone: alone) }
        for name in styles.split(separator: " ") { table[String(name)] = .style }
        for name in ["href", "label", "index", "vspace", "hspace", "color", "textcolor", "fontsize", "foreignlanguage"]
        {
            table[name] = .hidden
        }
        for name in ["url", "path", "nolinkurl"] { table[name] = .address }
        for name in [" ", "\t", "\n", "\r", ",", ";", ":", "\\", "quad", "qquad", "space", "thinspace", "newline"] {
            table[name] = .symbol(" ")
        }
        return table
    }()

    /// Returns the words of a text as pairs.
    private static func pairs(_ text: String) -> [(String, String)] {
        let words = text.split(separator: " ").map(String.init)
        return stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
    }

    private static let accents: [(String, Unicode.Scalar, alone: String)] = [
        ("`", "\u{300}", "`"), ("'", "\u{301}", "´"), ("^", "\u{302}", "^"), ("~", "\u{303}", "~"),
        ("=", "\u{304}", "¯"), ("u", "\u{306}", "˘"), (".", "\u{307}", "˙"), ("\"", "\u{308}", "¨"),
        ("r", "\u{30A}", "˚"), ("H", "\u{30B}", "˝"), ("v", "\u{30C}", "ˇ"), ("d", "\u{323}", ""),
        ("c", "\u{327}", "¸"), ("k", "\u{328}", "˛"), ("b", "\u{331}", ""), ("t", "\u{361}", ""), ("G", "\u{30F}", ""),
        ("U", "\u{30E}", ""), ("h", "\u{309}", ""), ("grave", "\u{300}", "`"), ("acute", "\u{301}", "´"),
        ("hat", "\u{302}", "^"), ("tilde", "\u{303}", "~"), ("bar", "\u{304}", "¯"), ("breve", "\u{306}", "˘"),
        ("dot", "\u{307}", "˙"), ("ddot", "\u{308}", "¨"), ("check", "\u{30C}", "ˇ"), ("textcommabelow", "\u{326}", ""),
    ]

    private static let symbols = """
        & & % % $ $ # # _ _ { { } } ae æ AE Æ oe œ OE Œ aa å AA Å o ø O Ø l ł L Ł ss ß SS ẞ i ı j ȷ dh ð DH Ð dj đ DJ Đ \
        th þ TH Þ ng ŋ NG Ŋ ij ĳ IJ Ĳ ldots … dots … textellipsis … cdots ⋯ textbackslash \\ backslash \\ textbraceleft { \
        textbraceright } lbrace { rbrace } textasciitilde ~ textasciicircum ^ textunderscore _ textdollar $ textbar | \
        textless < textgreater > textasciigrave ` textquotesingle ' textquotedbl " textquoteleft ‘ textquoteright ’ \
        textquotedblleft “ textquotedblright ” lq ‘ rq ’ quotesinglbase ‚ quotedblbase „ glqq „ grqq “ glq ‚ grq ‘ \
        guillemotleft « guillemotright » guillemetleft « guillemetright » guilsinglleft ‹ guilsinglright › flqq « frqq » \
        flq ‹ frq › textendash – textemdash — textexclamdown ¡ textquestiondown ¿ textbullet • textperiodcentered · \
        cdot ⋅ textregistered ® copyright © textcopyright © texttrademark ™ pounds £ textsterling £ texteuro € euro € \
        EUR € textyen ¥ textcent ¢ S § textsection § P ¶ textparagraph ¶ dag † textdagger † ddag ‡ textdaggerdbl ‡ \
        textdegree ° degree ° textordfeminine ª textordmasculine º textmu µ textonehalf ½ textonequarter ¼ \
        textthreequarters ¾ textnumero № textminus − times × texttimes × div ÷ pm ± textpm ± ast ∗ star ⋆ circ ∘ infty ∞ \
        infinity ∞ to → rightarrow → leftarrow ← leftrightarrow ↔ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ equiv ≡ \
        sim ∼ in ∈ subset ⊂ cup ∪ cap ∩ forall ∀ exists ∃ partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ ell ℓ hbar ℏ aleph ℵ \
        emptyset ∅ wedge ∧ vee ∨ neg ¬ prime ′ sharp ♯ flat ♭ natural ♮ TeX TeX LaTeX LaTeX LaTeXe LaTeX2ε BibTeX BibTeX \
        slash / nobreakdash - textvisiblespace ␣
        """

    private static let greek = """
        alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ \
        mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ \
        psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
        """

    private static let styles = """
        emph textit textbf textsc texttt textrm textsf textsl textup textmd textnormal textsuperscript textsubscript text \
        underline uline mbox hbox makebox fbox em it bf sc tt rm sf sl itshape bfseries scshape slshape upshape mdseries \
        ttfamily rmfamily sffamily normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge \
        mathrm mathit mathbf mathsf mathtt mathcal mathbb mathfrak mathnormal ensuremath relax protect noopsort sortname \
        uppercase lowercase MakeUppercase MakeLowercase mkbibquote mkbibemph enquote textquote ignorespaces noindent par \
        boldmath unboldmath null selectfont centering bibinfo textlatin textgreek textcyrillic ! - / @ | * ( ) [ ]
        """
}

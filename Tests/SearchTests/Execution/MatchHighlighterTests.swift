import Testing

@testable import Books
@testable import CatalogTesting
@testable import Search
@testable import Text

@Suite("Search: highlighting matches") struct MatchHighlighterTests {
    /// Returns `text`, a value of `field`, with brackets around the matches of `query`.
    private func marked(_ text: String, _ query: String, _ field: Query.TextField = .title) -> String {
        marked(text, MatchHighlighter(Query(query)).ranges(in: text, field: field))
    }

    private func marked(_ text: String, _ ranges: [Range<Int>]) -> String {
        var bytes: [UInt8] = []
        for (offset, byte) in text.utf8.enumerated() {
            if ranges.contains(where: { $0.lowerBound == offset }) { bytes.append(UInt8(ascii: "[")) }
            bytes.append(byte)
            if ranges.contains(where: { $0.upperBound == offset + 1 }) { bytes.append(UInt8(ascii: "]")) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("Emma", "emma", "[Emma]"), ("Emma", "mm", "E[mm]a"), ("Emma", "x", "Emma"), ("Emma", "", "Emma"),
        ("", "emma", ""),
        ("Emma", "-emma", "Emma"), ("Emma and Emma", "emma", "[Emma] and [Emma]"), ("banana", "ana", "b[anana]"),
        ("The Name of the Rose", "rose name", "The [Name] of the [Rose]"), ("The Rose", "\"the rose\"", "[The Rose]"),
        ("The Rose", "rose | thorn", "The [Rose]"), ("abc", "ab bc", "[abc]"), ("abab", "ab", "[abab]"),
        ("ab ab", "ab", "[ab] [ab]"), ("The   Rose", "\"the rose\"", "[The   Rose]"),
        ("  The Rose ", "rose", "  The [Rose] "),
        ("1984", "1984", "[1984]"), ("9780441478125", "978-0441", "9780441478125"),
    ])
    func plainTextMatchesAreHighlighted(text: String, query: String, expected: String) {
        #expect(marked(text, query) == expected)
    }

    @Test func onlyTheBeginningOfALongTextIsSearched() {
        let limit = MatchHighlighter.lengthLimit
        let text = "emma " + String(repeating: "é", count: limit / 2 - 2) + " emma emma"
        let highlighter = MatchHighlighter(Query("emma"))
        #expect(highlighter.ranges(inDescription: text) == [0..<4])
        #expect(highlighter.ranges(in: text, field: .title) == [0..<4])
        let digits = String(repeating: "-", count: limit - 1) + "12"
        #expect(MatchHighlighter(Query("isbn:1")).ranges(in: digits, field: .isbn) == [limit - 1..<limit])
        #expect(MatchHighlighter(Query("isbn:2")).ranges(in: digits, field: .isbn).isEmpty)
    }

    @Test(arguments: [
        ("Straße", "strasse", "[Straße]"), ("Straße", "ss", "Stra[ß]e"), ("Straße", "as", "Str[aß]e"),
        ("Straße", "se", "Stra[ße]"), ("oﬃce", "fi", "o[ﬃ]ce"), ("oﬃce", "ice", "o[ﬃce]"), ("ﬁn", "fin", "[ﬁn]"),
        ("ǅungla", "z", "[ǅ]ungla"), ("ǅungla", "dzu", "[ǅu]ngla"), ("Brontë", "bronte", "[Brontë]"),
        ("Bronte\u{308}s", "bronte", "[Bronte\u{308}]s"), ("Bronte\u{308}s", "nt", "Bro[nt]e\u{308}s"),
        ("so\u{AD}ft", "soft", "[so\u{AD}ft]"), ("so\u{AD}ft", "ft", "so\u{AD}[ft]"), ("Ὀδύσσεια", "δυσ", "Ὀ[δύσ]σεια"),
        ("a\u{3000}\u{A0}b", "\"a b\"", "[a\u{3000}\u{A0}b]"), ("Ｆｕｌｌ", "ul", "Ｆ[ｕｌ]ｌ"), ("ΩA", "ω", "[Ω]A"),
        ("한강", "하", "[한]강"), ("한강", "한", "[한]강"), ("한강", "ㄴㄱ", "한강"), ("채식주의자", "식주", "채[식주]의자"),
        ("\u{1112}\u{1161}\u{11AB}x", "하", "[\u{1112}\u{1161}\u{11AB}]x"), ("羅生門", "生", "羅[生]門"),
        ("ｶﾞｷ", "ガ", "[ｶﾞ]ｷ"), ("כְּתָב", "כת", "[כְּתָ]ב"), ("👩‍🚀 Emma", "emma", "👩‍🚀 [Emma]"), ("№ 5", "o", "[№] 5"),
        ("x\u{301}\u{302}y", "x", "[x\u{301}\u{302}]y"), ("İstanbul", "is", "[İs]tanbul"),
    ])
    func charactersChangedByNormalizationAreHighlightedWhole(text: String, query: String, expected: String) {
        #expect(marked(text, query) == expected)
    }

    @Test(arguments: [
        ("Emma", "title:emma", Query.TextField.title, "[Emma]"), ("Emma", "author:emma", .title, "Emma"),
        ("Emma", "emma", .publisher, "Emma"), ("Emma", "publisher:emma", .publisher, "[Emma]"),
        ("Jane Austen", "emma jane", .author, "[Jane] Austen"), ("Emma", "title:=emma", .title, "[Emma]"),
        ("Emma II", "title:=emma", .title, "Emma II"),
        ("Hainish Cycle #4", "series:=\"hainish cycle\"", .series, "[Hainish Cycle] #4"),
        ("Hainish Cycles", "series:=\"hainish cycle\"", .series, "Hainish Cycles"),
        ("en", "language:en", .language, "[en]"),
        ("en-US", "language:en", .language, "[en]-US"), ("English", "language:en", .language, "[English]"),
        ("German", "language:en", .language, "German"), ("ven", "language:en", .language, "ven"),
        ("Fiction", "-subject:science fiction", .subject, "[Fiction]"),
    ])
    func onlyMatchesInTheFieldAreHighlighted(text: String, query: String, field: Query.TextField, expected: String) {
        #expect(marked(text, query, field) == expected)
    }

    @Test(arguments: [
        ("978-0-307-94730-7", "9780307", "[978-0-307]-94730-7"),
        ("978-0-307-94730-7", "isbn:94730", "978-0-307-[94730]-7"),
        ("978-0307947307", "978-0-307-94730-7", "[978-0307947307]"),
        ("9780441478125", "0-441-47812-3", "[9780441478125]"),
        ("0-441-47812-3", "0441478123", "[0-441-47812-3]"), ("0-441-47812-3", "978044", "[0-44]1-47812-3"),
        ("ISBN 0-441-47812-3", "978044", "ISBN [0-44]1-47812-3"), ("0-441-47812-3", "isbn:978", "0-441-47812-3"),
        ("9780441478125", "isbn:=9780441478125", "[9780441478125]"),
        ("9780441478125", "isbn:=9780441", "9780441478125"),
        ("9780441478125", "isbn:/^978/", "[978]0441478125"), ("9780441478125", "emma", "9780441478125"),
        ("unknown", "978", "unknown"),
    ])
    func digitsOfISBNsAreHighlighted(text: String, query: String, expected: String) {
        #expect(marked(text, query, .isbn) == expected)
    }

    @Test(arguments: [
        ("Emma", "/m+/", "E[mm]a"), ("Straße", "/s+e$/", "Stra[ße]"), ("Emma", "/^/", "Emma"), ("Emma", "/x*/", "Emma"),
        ("éa éb", "/e./", "[éa] [éb]"), ("Emma", "title:/^e/ mm", "[Emm]a"), ("Emma", "author:/m/", "Emma"),
        ("Emma", "-/m/", "Emma"), ("aaa", "/a/", "[aaa]"), ("日本", "/本?/", "日[本]"),
    ])
    func regularExpressionMatchesAreHighlighted(text: String, query: String, expected: String) {
        #expect(marked(text, query) == expected)
    }

    @Test func wordsWithoutAFieldAreHighlightedInADescription() {
        let text = "A rose.\nAnother Rose; Eco’s."
        #expect(
            marked(text, MatchHighlighter(Query("rose title:a author:eco")).ranges(inDescription: text))
                == "A [rose].\nAnother [Rose]; Eco’s.")
        #expect(
            marked(text, MatchHighlighter(Query("\"rose. another\"")).ranges(inDescription: text))
                == "A [rose.\nAnother] Rose; Eco’s.")
        #expect(MatchHighlighter(Query("title:rose -a")).ranges(inDescription: text).isEmpty)
    }

    @Test func originsDoNotChangeTheNormalizedText() {
        for book in RandomQueries.books(300, seed: 3) {
            for text in [book.title + "  \u{B4}x \u{2028}"] + book.authors {
                var bytes = ByteBuffer()
                var origins: [Int] = []
                Array(text.utf8).withUnsafeBufferPointer { bytes.append(folding: $0, origins: &origins) }
                #expect(String(decoding: bytes.bytes, as: UTF8.self) == ByteBuffer.folded(text))
                #expect(origins.count == bytes.count)
                #expect(origins == origins.sorted())
            }
        }
    }

    /// A match that the search finds is highlighted.
    @Test func everyFoundMatchIsHighlighted() {
        let books = RandomQueries.books(300, seed: 5)
        var queries = RandomQueries(of: books, seed: 5)
        for _ in 0..<300 {
            let word = queries.word().filter { $0.isLetter }
            guard !word.isEmpty else { continue }
            let finder = MatchHighlighter(Query(word))
            for book in books.prefix(60) {
                let isIn = ByteBuffer.folded(book.title).contains(ByteBuffer.folded(word))
                let ranges = finder.ranges(in: book.title, field: .title)
                if isIn { #expect(!ranges.isEmpty, "\(word) in \(book.title)") }
                for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound < next.lowerBound) }
            }
        }
    }
}

import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Threading

/// Queries and their results in list order.
@Suite("Search: results and their order") struct SearchTests {
    typealias Case = (query: String, titles: [String])

    /// Returns the titles of the books that `text` finds; every way to search must give the same result.
    private func titles(
        _ text: String, in books: [Book], userData: UserDataFilter = UserDataFilter(),
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let query = Query(text)
        let whole = BookIndex(of: books)
        let found = SearchedIndex(whole).search(query, userData: userData).list.rows
        // Each book in a separate segment, and each one tested individually.
        var single = BookIndex()
        for book in books {
            for segment in BookIndex(of: [book]).segments { single.append(segment) }
        }
        #expect(SearchedIndex(single).search(query, userData: userData).list.rows == found, sourceLocation: location)
        var ranks = [UInt8](repeating: 0, count: books.count)
        let search = SegmentMatcher(QueryPlan(query.expression, userData: userData))
        for segment in whole.segments { search.narrow(segment, from: 0, &ranks) }
        let narrowed = ranks.indices.filter { ranks[$0] != SegmentMatcher.noMatch }
        #expect(narrowed.sorted { (ranks[$0], $0) < (ranks[$1], $1) } == found, sourceLocation: location)
        return found.map { books[$0].title }
    }

    @Test func aBookThatWasReadInTwoYearsIsFoundOnce() {
        var userData = UserDataFilter()
        userData.readYears = [2020: [3, 7], 2024: [3], 2025: [3]]
        let books = (0..<40).map { Book.make(title: "Book \($0)") }
        #expect(titles("has:read", in: books, userData: userData) == ["Book 3", "Book 7"])
    }

    // MARK: Scripts

    private static let scripts: [Book] = [
        .make(title: "Jane Eyre", authors: ["Charlotte Brontë"]),
        .make(title: "Die Straße der Ölsardinen", authors: ["John Steinbeck"]),
        .make(title: "Тёмные аллеи", authors: ["Иван Бунин"]),
        .make(title: "The ﬁnest oﬃce", authors: []),
        .make(title: "Ｆｕｌｌ　Ｗｉｄｔｈ", authors: []),
        .make(title: "كِتَابُ الأَغَانِي", authors: ["أبو الفرج"]),
        .make(title: "סֵפֶר הַיָּשָׁר", authors: []),
        .make(title: "羅生門", authors: ["芥川龍之介"]),
        .make(title: "채식주의자", authors: ["한강"]),
        .make(title: "ノルウェイの森", authors: ["村上 春樹"]),
        .make(title: "Œuvres complètes", authors: ["Honoré de Balzac"]),
        .make(title: "Ὀδύσσεια", authors: ["Ὅμηρος"]),
        .make(title: "ǅungla", authors: []),
        .make(title: "Benim Adım Kırmızı", authors: ["Orhan Pamuk"]),
        .make(title: "Łódź i Ærø", authors: []),
    ]

    @Test(
        arguments: [
            ("bronte", ["Jane Eyre"]), ("Brontë", ["Jane Eyre"]), ("BRONTE\u{308}", ["Jane Eyre"]),
            ("brónté", ["Jane Eyre"]),
            ("strasse", ["Die Straße der Ölsardinen"]), ("Straße", ["Die Straße der Ölsardinen"]),
            ("STRAẞE", ["Die Straße der Ölsardinen"]), ("stras", ["Die Straße der Ölsardinen"]),
            ("olsard", ["Die Straße der Ölsardinen"]), ("о\u{308}lsard", []),
            ("темные", ["Тёмные аллеи"]), ("ТЁМНЫЕ", ["Тёмные аллеи"]), ("бунин аллеи", ["Тёмные аллеи"]),
            ("finest", ["The ﬁnest oﬃce"]), ("ﬁnest", ["The ﬁnest oﬃce"]), ("office", ["The ﬁnest oﬃce"]),
            ("oﬀice", ["The ﬁnest oﬃce"]), ("full", ["Ｆｕｌｌ　Ｗｉｄｔｈ"]), ("\"full width\"", ["Ｆｕｌｌ　Ｗｉｄｔｈ"]),
            ("ｗｉｄ", ["Ｆｕｌｌ　Ｗｉｄｔｈ"]), ("كتاب", ["كِتَابُ الأَغَانِي"]), ("كِتاب", ["كِتَابُ الأَغَانِي"]),
            ("الاغاني", ["كِتَابُ الأَغَانِي"]), ("ابو", ["كِتَابُ الأَغَانِي"]), ("ספר", ["סֵפֶר הַיָּשָׁר"]),
            ("הישר", ["סֵפֶר הַיָּשָׁר"]), ("סֵפר", ["סֵפֶר הַיָּשָׁר"]), ("羅生門", ["羅生門"]), ("生門", ["羅生門"]),
            ("門羅", []), ("龍之", ["羅生門"]), ("채식", ["채식주의자"]), ("식주의", ["채식주의자"]), ("채시", ["채식주의자"]),
            ("\u{110E}\u{1162}\u{1109}\u{1175}\u{11A8}", ["채식주의자"]), ("차", []), ("한강", ["채식주의자"]), ("하", ["채식주의자"]),
            ("ノルウェイ", ["ノルウェイの森"]), ("ﾉﾙｳｪｲ", ["ノルウェイの森"]), ("春樹 村上", ["ノルウェイの森"]),
            ("の森", ["ノルウェイの森"]), ("oeuvres", ["Œuvres complètes"]), ("œuvres COMPLETES", ["Œuvres complètes"]),
            ("honore", ["Œuvres complètes"]), ("οδυσσεια", ["Ὀδύσσεια"]), ("ΟΔΎΣΣΕΙΑ", ["Ὀδύσσεια"]),
            ("ομηρος", ["Ὀδύσσεια"]),
            ("ΌΜΗΡΟΣ", ["Ὀδύσσεια"]), ("dzungla", ["ǅungla"]), ("Ǆungla", ["ǅungla"]), ("zungla", ["ǅungla"]),
            ("kirmizi", ["Benim Adım Kırmızı"]), ("KIRMIZI", ["Benim Adım Kırmızı"]),
            ("kır\u{AD}mızı", ["Benim Adım Kırmızı"]),
            ("lodz", ["Łódź i Ærø"]), ("aero", ["Łódź i Ærø"]), ("ło ærø", ["Łódź i Ærø"]),
        ] as [Case])
    func textsAreFoundWhateverTheirFormIs(query: String, expected: [String]) {
        #expect(titles(query, in: Self.scripts) == expected)
    }

    // MARK: Ranks

    private static let woods: [Book] = [
        .make(title: "Wood and Stone", authors: ["A"]),
        .make(title: "The Sherwood Tales", authors: ["B"]),
        .make(title: "Trees", authors: ["James Wood"]),
        .searched(title: "Leaves", authors: ["C"], subjects: ["Shade", "Wood"]),
        .make(title: "Bark", authors: ["Margaret Atwood"]),
        .searched(title: "Roots", authors: [], subjects: ["Plywood"]),
        .make(title: "Into the Wood", authors: []),
        .searched(title: "Saws", authors: [], series: "Woodwork"),
    ]

    @Test(
        arguments: [
            (
                "wood",
                [
                    "Wood and Stone", "Into the Wood", "Trees", "Leaves", "Saws", "The Sherwood Tales", "Bark", "Roots",
                ]
            ),
            (
                "oo",
                [
                    "Wood and Stone", "The Sherwood Tales", "Roots", "Into the Wood", "Trees", "Bark", "Leaves", "Saws",
                ]
            ),
            ("wood the", ["Into the Wood", "The Sherwood Tales"]),
            ("the wood", ["Into the Wood", "The Sherwood Tales"]),
            ("title:wood", ["Wood and Stone", "Into the Wood", "The Sherwood Tales"]),
            ("author:wood", ["Trees", "Bark"]),
            ("subject:wood", ["Leaves", "Roots"]), ("series:wood", ["Saws"]),
            ("wood -title:wood", ["Trees", "Leaves", "Saws", "Bark", "Roots"]),
            (
                "wood | leaves",
                ["Wood and Stone", "Leaves", "Into the Wood", "Trees", "Saws", "The Sherwood Tales", "Bark", "Roots"]
            ),
            // The combined ranks of two words: 0, 2, 3, 4, 4, 8 and 0, 5, 5, 5, 5, 6.
            ("wood s", ["Wood and Stone", "Saws", "The Sherwood Tales", "Trees", "Leaves", "Roots"]),
            ("a wood", ["Wood and Stone", "Trees", "Leaves", "Bark", "Saws", "The Sherwood Tales"]),
            ("-wood", []), ("-title:o", ["Trees", "Leaves", "Bark", "Saws"]),
        ] as [Case])
    func bestMatchesComeFirst(query: String, expected: [String]) {
        #expect(titles(query, in: Self.woods) == expected)
    }

    private static let beginnings: [Book] = [
        "reading", "(reading)", "pre-reading", "“reading”", "l’reading", "spreading", "9reading", "書reading",
        "。reading",
        "éreading", "¿reading?", "_reading", "—reading",
    ].map { Book.make(title: $0, authors: []) }

    @Test func wordsBeginAfterAnyOtherCharacterThanLettersAndDigits() {
        #expect(
            titles("reading", in: Self.beginnings) == [
                "reading", "(reading)", "pre-reading", "“reading”", "l’reading", "。reading", "¿reading?", "_reading",
                "—reading", "spreading", "9reading", "書reading", "éreading",
            ])
    }

    // MARK: The language

    private static let shelf: [Book] = {
        var left = Book.searched(
            title: "The Left Hand of Darkness", authors: ["Ursula K. Le Guin"], series: "Hainish Cycle #4",
            subjects: ["Science fiction", "Gender"])
        (left.isbn, left.publisher) = (ISBN("0-441-47812-3"), "Ace Books")
        left.otherISBNs = [ISBN("9780306406157")]
        (left.published, left.pageCount, left.fiction) = (PartialDate(year: 1969), 304, true)
        (left.rating, left.status, left.description) = (4.5, .read, "Gethen.")
        (left.dateAdded, left.languages) = (PartialDate(year: 2024, month: 2, day: 29), ["en"])
        var wizard = Book.searched(
            title: "A Wizard of Earthsea", authors: ["Ursula K. Le Guin"], series: "Earthsea (1)",
            subjects: ["Fantasy fiction"])
        (wizard.publisher, wizard.published, wizard.pageCount) = ("Parnassus Press", PartialDate(year: 1968), 183)
        (wizard.fiction, wizard.rating, wizard.status, wizard.languages) = (true, 4, .reading, ["en-US"])
        var dispossessed = Book.searched(
            title: "The Dispossessed", authors: ["Ursula K. Le Guin"], series: "Hainish Cycle")
        (dispossessed.published, dispossessed.pageCount) = (PartialDate(year: 1974, month: 5), 387)
        (dispossessed.fiction, dispossessed.rating, dispossessed.status) = (true, 3.73, .toRead)
        var rose = Book.searched(title: "The Name of the Rose", authors: ["Umberto Eco"])
        (rose.published, rose.pageCount, rose.fiction) = (PartialDate(year: 1980), 502, true)
        (rose.rating, rose.languages) = (4.25, ["it", "en"])
        var cosmos = Book.searched(title: "Cosmos", authors: ["Carl Sagan"], subjects: ["Astronomy", "Science"])
        (cosmos.published, cosmos.pageCount, cosmos.fiction) = (PartialDate(year: 1980, month: 1), 365, false)
        (cosmos.rating, cosmos.cover, cosmos.languages) = (4.4, "cosmos.jpg", ["en"])
        cosmos.dateAdded = PartialDate(year: 2023)
        let gardens = Book.searched(title: "Rose Gardens", authors: [])
        var odyssey = Book.searched(title: "Odyssey 1984", authors: ["Homer"])
        (odyssey.published, odyssey.languages, odyssey.sortTitle) = (PartialDate(year: -700), ["grc"], "Ulysses")
        (odyssey.isbn, odyssey.pageCount) = (ISBN("not one"), 70_000)
        return [left, wizard, dispossessed, rose, cosmos, gardens, odyssey]
    }()

    private static let titlesByLetter: [Character: String] = [
        "L": "The Left Hand of Darkness", "W": "A Wizard of Earthsea", "D": "The Dispossessed",
        "N": "The Name of the Rose", "C": "Cosmos", "R": "Rose Gardens", "O": "Odyssey 1984",
    ]

    private static let userData = UserDataFilter(favourites: [1, 4], shelves: ["classics": [3, 6], "to buy": [5]])

    /// The user data of a book takes precedence over the catalog.
    @Test func userStatusAndRatingTakePrecedence() {
        let books = [Book.ReadingStatus.read, .read, .toRead, nil, nil].enumerated().map { number, status in
            var book = Book(title: "\(number)")
            book.status = status
            book.rating = number == 0 ? 4.5 : number == 1 ? 1 : nil
            return book
        }
        var userData = UserDataFilter()
        userData.statuses = [.reading: [1, 3], .read: [2]]
        userData.ratings = [2: [0], 5: [4]]
        func found(_ query: String) -> [String] { titles(query, in: books, userData: userData) }
        #expect(found("status:read") == ["0", "2"])
        #expect(found("status:reading") == ["1", "3"])
        #expect(found("status:to-read") == [])
        #expect(found("status:none") == ["4"])
        #expect(found("-status:read") == ["1", "3", "4"])
        #expect(found("has:status") == ["0", "1", "2", "3"])
        #expect(found("rating:>=2") == ["0", "4"])
        #expect(found("rating:4..5") == ["4"])
        #expect(found("rating:<2") == ["1"])
        #expect(found("has:rating") == ["0", "1", "4"])
        userData.notes = [(1, "Lent to Zoë"), (3, "a gift")]
        #expect(found("note:lent") == ["1"] && found("note:\"to zoe\"") == ["1"] && found("note:gif") == ["3"])
        #expect(found("has:note") == ["1", "3"] && found("-has:note") == ["0", "2", "4"])
        #expect(found("note:lent | note:gift") == ["1", "3"] && Query("note:x").needsUserData)
        userData.ratings = [StarRating(halves: 9): [0], 4: [4], 5: [2]]
        #expect(found("mine:>=4.5") == ["0", "2"] && found("mine:4.5") == ["0"] && found("mine:4") == ["4"])
        #expect(found("mine:<4.5") == ["4"] && found("mine:>4") == ["0", "2"] && found("rating:4.5") == ["0"])
        #expect(
            Query("status:read").needsUserData && Query("rating:>3").needsUserData && !Query("pages:>3").needsUserData)
    }

    /// A finished in 2019 and on 12 March 2024, B begun in 2024 and half read, C begun and finished in March 2024, D
    /// not read.
    @Test(
        "the reading log is searched by day, month, year, progress and number of readings",
        arguments: [
            ("read:2024", ["A", "C"]), ("read:2024-03", ["A", "C"]), ("read:2024-03-12", ["A"]), ("read:2019", ["A"]),
            ("read:<2024", ["A"]), ("read:>2019", ["A", "C"]), ("read:>=2024-04", []), ("read:2018..2019", ["A"]),
            ("read:2019..2018", ["A"]), ("read:2024-03-13..", ["C"]), ("started:2024", ["B", "C"]),
            ("started:2024-02", ["C"]), ("progress:>50", []), ("progress:>=50", ["B"]), ("progress:50%", ["B"]),
            ("progress:reading", ["B"]), ("readings:>1", ["A"]), ("readings:1", ["B", "C"]), ("readings:0", ["D"]),
            ("readings:<2", ["B", "C", "D"]), ("-read:2024", ["B", "D"]), ("read:2019 read:2024", ["A"]),
            ("read:20", ["A", "B", "C", "D"]), ("progress:>", ["A", "B", "C", "D"]),
        ])
    func readingLog(query: String, expected: [String]) {
        let books = ["A", "B", "C", "D"].map { Book(title: $0) }
        var userData = UserDataFilter()
        userData.statuses = [.reading: [1]]
        userData.logs = [
            .read: [(0, 20_190_000), (0, 20_240_312), (2, 20_240_330)], .started: [(1, 20_240_000), (2, 20_240_200)],
            .progress: [(1, 50)], .readings: [(0, 2), (1, 1), (2, 1)],
        ]
        #expect(titles(query, in: books, userData: userData) == expected)
        #expect(Query(query).needsUserData || expected.count == 4)
    }

    @Test(
        "what is no day and no number is an error",
        arguments: [
            ("read:soon x", "read: needs a year, month, day or range: 2024, 2024-03, >=2020, 2019..2021"),
            ("read:2024-13 x", "read: needs a year, month, day or range: 2024, 2024-03, >=2020, 2019..2021"),
            ("started:24 x", "started: needs a year, month, day or range: 2024, 2024-03, >=2020, 2019..2021"),
            ("readings:two x", "readings: needs a number or range: 2, >1"),
        ])
    func readingLogErrors(query: String, sentence: String) { #expect(Query(query).syntaxError?.sentence == sentence) }

    private func check(_ query: String, _ letters: String, _ location: SourceLocation = #_sourceLocation) {
        let expected = letters.compactMap { Self.titlesByLetter[$0] }
        #expect(
            titles(query, in: Self.shelf, userData: Self.userData) == expected, "\(query)", sourceLocation: location)
    }

    @Test(arguments: [
        ("", "LWDNCRO"), ("  ", "LWDNCRO"), ("darkness left", "L"), ("guin hand", "L"), ("le guin", "LWD"),
        ("\"le guin\"", "LWD"), ("\"guin le\"", ""), ("\"hand of dark\"", "L"), ("\"hand  of\"", "L"), ("rose", "NR"),
        ("rose -garden", "N"), ("-rose", "LWDCO"), ("-rose -guin", "CO"), ("rose | cosmos", "NCR"),
        ("rose|cosmos", "NCR"),
        ("(rose | cosmos) eco", "N"), ("-(rose | cosmos)", "LWDO"), ("guin (earthsea | dispossessed)", "WD"),
        ("rose cosmos | dispossessed", "D"), ("((rose))", "NR"), ("-(-rose)", "NR"), ("--rose", ""), ("- rose", ""),
        ("\\-rose", ""), ("\"rose", "NR"), ("(rose", "NR"), ("rose |", "NR"), ("| rose", "NR"), ("rose -", "NR"),
        ("rose ()", "NR"), ("hainish", "LD"), ("ace", ""), ("ulysses", ""), ("parnassus", ""),
        ("name rose eco umberto", "N"),
        ("\"\"", "LWDNCRO"), ("k. le", "LWD"), ("re:rose", ""),
    ])
    func wordsPhrasesAndSigns(query: String, letters: String) { check(query, letters) }

    @Test(arguments: [
        ("title:rose", "NR"), ("TITLE:Rose", "NR"), ("title:", "LWDNCRO"), ("title:(rose name)", "N"),
        ("title:(rose|wizard)", "WNR"), ("title:\"of the\"", "N"), ("title:=cosmos", "C"), ("title:=cosmo", ""),
        ("title:=\"rose gardens\"", "R"), ("title:=gardens", ""), ("author:eco", "N"), ("by:eco", "N"),
        ("-author:guin", "NCRO"), ("author:rose", ""), ("author:=\"ursula k. le guin\"", "LWD"), ("author:=guin", ""),
        ("subject:science", "LC"), ("tag:science", "LC"), ("subject:=science", "C"),
        ("subject:=\"science fiction\"", "L"),
        ("subject:fiction", "LW"), ("series:hainish", "LD"), ("series:=\"hainish cycle\"", "LD"),
        ("series:=earthsea", "W"),
        ("series:=hainish", ""), ("series:=\"hainish cycle #4\"", "L"), ("publisher:ace", "L"),
        ("press:parnassus", "W"),
        ("publisher:=\"ace books\"", "L"), ("publisher:=ace", ""), ("title:ulysses", ""),
    ])
    func fieldsOfText(query: String, letters: String) { check(query, letters) }

    @Test(arguments: [
        ("year:1980", "NC"), ("year:1968..1974", "LWD"), ("year:1974..1968", ""), ("year:>1974", "NC"),
        ("year:>=1974", "DNC"), ("year:<1969", "WO"), ("year:<=1969", "LWO"), ("year:1974..", "DNC"),
        ("year:..1968", "WO"),
        ("year:-700", "O"), ("year:<0", "O"), ("-year:1980", "LWDRO"), ("year:99999999999999999999", ""),
        ("year:<99999999999999999999", "LWDNCO"), ("year:(1968|1969)", "LW"), ("pages:>500", "NO"),
        ("pages:>=502", "NO"),
        ("pages:502", "N"), ("pages:<=502", "LWDNC"), ("pages:183..304", "LW"), ("pages:<200 guin", "W"),
        ("pages:>65535", "O"), ("pages:70000", "O"), ("pages:<65535", "LWDNC"), ("rating:>4", "LNC"),
        ("rating:>=4", "LWNC"), ("rating:4", "W"), ("rating:3.73", "D"), ("rating:<=3.73", "D"), ("rating:<3.73", ""),
        ("rating:>3.73", "LWNC"), ("rating:>=3.73", "LWDNC"), ("rating:3.5..4.25", "WDN"), ("rating:>=4.4", "LC"),
        ("rating:<4.4", "WDN"), ("rating:<100", "LWDNC"), ("added:2024", "L"), ("added:<2024", "C"),
        ("added:>=2023", "LC"),
        ("added:2000..2010", ""), ("year:>", "LWDNCRO"), ("rating:3.", ""),
    ])
    func numbersAndRanges(query: String, letters: String) { check(query, letters) }

    @Test(arguments: [
        ("has:isbn", "L"), ("-has:author", "R"), ("has:description", "L"), ("has:cover", "C"), ("has:series", "LWD"),
        ("has:rating", "LWDNC"), ("-has:year", "R"), ("has:pages", "LWDNCO"), ("has:publisher", "LW"),
        ("has:subject", "LWC"), ("has:language", "LWNCO"), ("has:status", "LWD"), ("-has:fiction", "RO"),
        ("has:added", "LC"), ("has:title", "LWDNCRO"), ("is:fiction", "LWDN"), ("fiction:yes", "LWDN"),
        ("fiction:no", "C"),
        ("is:non-fiction", "C"), ("fiction:unknown", "RO"), ("-fiction:no", "LWDNRO"), ("status:read", "L"),
        ("is:read", "L"),
        ("status:reading", "W"), ("status:to-read", "D"), ("status:none", "NCRO"), ("-status:none", "LWD"),
        ("language:en", "LWNC"), ("language:English", "LWNC"), ("language:en-us", "W"), ("language:en-gb", ""),
        ("language:it", "N"), ("lang:fr", ""), ("language:grc", "O"), ("-language:en", "DRO"), ("language:e", ""),
        ("language:en cosmos", "C"), ("language:(en it)", "N"), ("rose language:en", "N"),
        ("is:favourite", "WC"), ("-is:favourite", "LDNRO"), ("on:classics", "NO"), ("on:\"to buy\"", "R"),
        ("on:To_Buy", "R"), ("shelf:nowhere", ""), ("-shelf:nowhere", "LWDNCRO"),
        ("is:favourite | on:classics", "WNCO"),
        ("is:favourite -fiction:no", "W"),
    ])
    func conditionsOnKnownFields(query: String, letters: String) { check(query, letters) }

    @Test(arguments: [
        ("9780441478125", "L"), ("978-0-441-47812-5", "L"), ("0441478123", "L"), ("0-441-47812-3", "L"),
        ("97804414", "L"),
        ("isbn:9780306406157", "L"), ("0306406152", "L"), ("isbn:=9780306406157", "L"), ("isbn:030640", "L"),
        ("0441478124", ""), ("isbn:9780441478125", "L"), ("isbn:0441478123", "L"), ("isbn:978-0-441", "L"),
        ("isbn:978", "L"),
        ("isbn:\"978 0 441 47812 5\"", "L"), ("isbn:8125", "L"), ("8125", "L"), ("isbn:=9780441478125", "L"),
        ("isbn:=0-441-47812-3", "L"), ("isbn:=9780441", ""), ("isbn:=4", ""), ("isbn:x", ""),
        ("title:9780441478125", ""),
        ("\"9780441478125\"", "L"), ("978–0–441", "L"), ("1984", "O"), ("19-84", ""), ("-isbn:978", "WDNCRO"),
        ("4", "LO"),
    ])
    func numbersOfBooks(query: String, letters: String) { check(query, letters) }

    @Test(arguments: [
        ("/^the .* of/", "LN"), ("/rose$/", "N"), ("title:/^c/", "C"), ("author:/eco$/", "N"),
        ("subject:/^science$/", "C"),
        ("-/guin/", "NCRO"), ("/^9780441/", "L"), ("/ROSE$/", "N"), ("/gard.ns/ rose", "R"),
        ("/rose/ | /cosmos/", "NCR"),
        ("author:/^$/", ""), ("/^ace/", ""), ("publisher:/^ace/", "L"), ("language:/^e/", "WN"), ("isbn:/5$/", "L"),
        ("//", "LWDNCRO"),
        ("title:/[ŵẍ]iz/", "W"), ("/rose", "NR"), ("either / or", ""),
    ])
    func regularExpressions(query: String, letters: String) { check(query, letters) }

    @Test(arguments: [
        ("rose year:abc", "NR"), ("titel:rose", "LWDNCRO"), ("rose )", "NR"), ("rose ) wizard", "NR"),
        ("status:foo rose", "LWDNCRO"), ("rose /[/ gardens", "NR"), ("rose -(garden year:x)", "NR"),
        ("(rose year:x) | wizard", "NR"),
    ])
    func theTextBeforeASyntaxErrorFilters(query: String, letters: String) {
        #expect(Query(query).syntaxError != nil)
        check(query, letters)
    }

    // MARK: Scopes

    @Test func onlyTheBooksOfAListCount() {
        let index = SearchedIndex(BookIndex(of: Self.shelf))
        func found(_ query: String, in list: [Int], isSorted: Bool) -> [Int] {
            index.search(Query(query), in: BookList(list), isSorted: isSorted).list.rows
        }
        #expect(found("rose", in: [5, 3, 0], isSorted: false) == [3, 5])
        #expect(found("rose", in: [5, 3, 0], isSorted: true) == [5, 3])
        #expect(found("", in: [5, 3, 0], isSorted: true) == [5, 3, 0])
        #expect(found("", in: [5, 3, 0], isSorted: false) == [0, 3, 5])
        #expect(found("-rose", in: [6, 5, 4, 3, 2, 1, 0], isSorted: true) == [6, 4, 2, 1, 0])
        #expect(found("-rose", in: [6, 5, 4, 3, 2, 1, 0], isSorted: false) == [0, 1, 2, 4, 6])
        #expect(found("rose", in: [0], isSorted: true) == [])
        #expect(found("rose", in: [], isSorted: false) == [])
    }

    @Test func laterBooksDoNotBelongToTheList() {
        let index = SearchedIndex(BookIndex(of: Self.shelf))
        #expect(index.search(Query("rose"), in: BookList(allOf: 4), isSorted: false).list.rows == [3])
        #expect(index.search(Query(""), in: BookList(allOf: 0), isSorted: false).list.rows == [])
    }

    @Test func anIndexWithoutBooksHasNone() {
        let result = SearchedIndex(BookIndex()).search(Query("rose"))
        #expect(result.isComplete)
        #expect(result.list.count == 0)
    }

    @Test func aSearchThatWasStoppedIsNotComplete() {
        let books = (0..<100).map { Book.make(title: "Rose \($0)") }
        let scope = BookSearch.Scope(BookList(allOf: 100), of: BookIndex(of: books))
        let search = BookSearch(Query("rose"), in: scope, on: ThreadPool())
        search.stop()
        _ = search.wait(milliseconds: 10_000)
        let result = search.result
        // The search may finish before it is stopped.
        #expect(!result.isComplete || result.list.count == 100)
    }

    @Test func theEndOfASearchIsNotified() async {
        let scope = BookSearch.Scope(BookList(allOf: 7), of: BookIndex(of: Self.shelf))
        let pool = ThreadPool(threadCount: 1)
        await confirmation { end in
            await withCheckedContinuation { continuation in
                _ = BookSearch(Query("rose"), in: scope, on: pool) {
                    end()
                    continuation.resume()
                }
            }
        }
    }
}

extension Book {
    /// Returns a book with only searchable fields.
    static func searched(
        title: String, authors: [String] = [], series: String? = nil, subjects: [String] = []
    ) -> Book {
        var book = Book(title: title, authors: authors)
        (book.series, book.subjects) = (series, subjects)
        return book
    }
}

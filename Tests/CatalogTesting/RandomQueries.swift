package import Books
internal import Search
internal import TestSupport

/// Random queries for the content of given books, and random books; reproducible by their seed.
package struct RandomQueries {
    private let books: [Book]
    private var random: SplitMix

    /// Creates the queries for a seed.
    package init(of books: [Book], seed: UInt64) {
        self.books = books
        random = SplitMix(seed: seed)
    }

    /// Returns a number below `bound`.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }

    private mutating func oneOf<Element>(_ elements: [Element], or other: Element) -> Element {
        elements.randomElement(using: &random) ?? other
    }

    // MARK: Queries

    /// Returns the next query.
    package mutating func next() -> String {
        switch below(10) {
        case 0...2: term()
        case 3...5: term() + " " + term()
        case 6: term() + " " + term() + " " + term()
        case 7: term() + " | " + term()
        case 8: "(" + term() + " | " + term() + ") " + term()
        default: "-(" + term() + " " + term() + ") " + term()
        }
    }

    /// Returns a word in the books, or a prefix of one.
    package mutating func word() -> String {
        let words = value().split(separator: " ").map(String.init)
        return oneOf(words, or: "the")
    }

    private mutating func term() -> String {
        let sign = below(8) == 0 ? "-" : ""
        switch below(12) {
        case 0...3: return sign + piece()
        case 4: return sign + quoted(phrase())
        case 5: return sign + field() + ":" + piece()
        case 6: return sign + field() + ":=" + quoted(value())
        case 7: return sign + field() + ":(" + piece() + " | " + word() + ")"
        case 8: return sign + number()
        case 9: return sign + oneOf(Self.conditions, or: "")
        case 10: return sign + isbn()
        default:
            let plain = word().unicodeScalars.filter { $0.properties.isAlphabetic && !$0.properties.isDiacritic }
            return sign + "/" + (below(2) == 0 ? "^" : "") + String(String.UnicodeScalarView(plain)) + "/"
        }
    }

    private mutating func value() -> String {
        guard let book = books.randomElement(using: &random) else { return "" }
        let values =
            [book.title, book.title] + book.authors + book.subjects + [book.series, book.publisher].compactMap(\.self)
        return oneOf(values, or: "")
    }

    /// Returns a part of a word.
    private mutating func piece() -> String {
        let word = Array(word().unicodeScalars)
        if word.isEmpty || below(3) == 0 { return String(String.UnicodeScalarView(word)) }
        let start = below(2) == 0 ? 0 : below(word.count)
        return String(String.UnicodeScalarView(word[start...(start + below(word.count - start))]))
    }

    private mutating func phrase() -> String {
        let words = value().split(separator: " ")
        let start = below(words.count)
        return words.dropFirst(start).prefix(1 + below(3)).joined(separator: " ")
    }

    private func quoted(_ text: String) -> String { Query.text(quoting: text) }

    private mutating func field() -> String {
        oneOf(["title", "author", "subject", "series", "publisher", "isbn", "language"], or: "")
    }

    private mutating func number() -> String {
        let (field, number) =
            switch below(4) {
            case 0: ("pages", "\(below(900))")
            case 1: ("year", "\(below(2) == 0 ? 1900 + below(125) : below(4000) - 1000)")
            case 2: ("rating", "\(Double(below(21)) / 4)")
            default: ("added", "\(2000 + below(25))")
            }
        return switch below(6) {
        case 0: "\(field):\(number)"
        case 1: "\(field):>\(number)"
        case 2: "\(field):<\(number)"
        case 3: "\(field):>=\(number)"
        case 4: "\(field):\(number).."
        default: field == "rating" ? "rating:2..\(number)" : "\(field):\(number)..\(below(3000))"
        }
    }

    private mutating func isbn() -> String {
        let digits = books.randomElement(using: &random)?.isbn?.number.map { Array("\($0)") } ?? Array("9780306406157")
        let start = below(2) == 0 ? 0 : below(12)
        let part = digits[start...(start + below(13 - start))]
        let text = part.map { "\($0)" }.joined(separator: below(3) == 0 ? "-" : "")
        return (below(3) == 0 ? "isbn:" : "") + text
    }

    private static let conditions =
        [
            "fiction:yes", "fiction:no", "fiction:unknown", "is:favourite", "is:invalid-isbn", "on:shelf", "on:nowhere",
            "status:read",
            "status:none", "language:en", "language:fr", "language:en-gb", "language:pt", "year:x",
        ] + Query.KnownField.allCases.map { "has:\($0.rawValue)" }

    // MARK: Books

    private static let words = [
        "the", "The", "of", "a", "and", "Garden", "gardens", "Wood", "Sherwood", "Straße", "Brontë", "Œuvres", "Тёмные",
        "аллеи", "羅生門", "채식주의자", "한강", "ノルウェイ", "ﬁnest", "Kırmızı", "l’été", "O’Neill", "1984", "2001:", "9780",
        "King", "kingdom", "C++", "(part", "one)", "ǅungla", "كِتَابُ", "סֵפֶר", "—", "“Quoted”", "-minus", "a/b", "e", "ee",
        "so\u{AD}ft", "A\u{30A}ngström",
    ]
    private static let languages = ["en", "en-GB", "fr", "pt-BR", "Elvish", "grc", "de"]

    /// Returns `count` random books.
    package static func books(_ count: Int, seed: UInt64) -> [Book] {
        var maker = Self(of: [], seed: seed)
        return (0..<count).map { _ in maker.book() }
    }

    private mutating func text(_ range: ClosedRange<Int>) -> String {
        (0..<Int.random(in: range, using: &random)).map { _ in oneOf(Self.words, or: "") }.joined(separator: " ")
    }

    private mutating func book() -> Book {
        var book = Book(title: text(below(20) == 0 ? 0...0 : 1...5))
        for _ in 0..<below(3) { book.authors.append(text(1...3)) }
        for _ in 0..<below(4) { book.subjects.append(text(1...2)) }
        if below(3) == 0 { book.series = text(1...2) + oneOf(["", " #3", ", 2", " (1)"], or: "") }
        if below(3) == 0 { book.publisher = text(1...2) }
        for _ in 0..<below(3) { book.languages.append(oneOf(Self.languages, or: "")) }
        if below(2) == 0 {
            let stem = 978_000_000_000 + below(1_000_000_000)
            // One of ten numbers is valid.
            book.isbn = (0...9).map { ISBN("\(stem)\($0)") }.first(where: \.isValid)
        }
        if below(2) == 0 { book.pageCount = 1 + below(900) }
        if below(2) == 0 { book.published = PartialDate(year: below(10) == 0 ? -below(900) : 1900 + below(125)) }
        if below(2) == 0 { book.rating = Double(below(21)) / 4 }
        if below(2) == 0 { book.dateAdded = PartialDate(year: 2000 + below(25), month: 1 + below(12)) }
        if below(2) == 0 { book.fiction = below(2) == 0 }
        if below(3) == 0 { book.status = oneOf(Book.ReadingStatus.allCases, or: .read) }
        if below(3) == 0 { book.description = "x" }
        if below(3) == 0 { book.cover = "x" }
        return book
    }
}

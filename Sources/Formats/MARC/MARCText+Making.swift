internal import Books
internal import Text

/// Makes the record of a book that has none, without ISBD punctuation.
extension MARCText {
    init(madeOf printed: PrintedBook) {
        let book = printed.book
        // Unicode text, a monograph, and "c": subfields end without punctuation.
        leader = "00000nam a2200000 c 4500"
        let author = book.authors.first.flatMap { Self.person($0, tag: "100", as: "author") }
        let parts = [author, Self.title(of: book), Self.publication(of: book), Self.extent(of: book)]
        var data = Self.numbers(of: book) + Self.languages(of: book) + parts + [Self.series(of: book)]
        data += Self.description(of: book) + book.subjects.map(Self.subject)
        data += book.authors.dropFirst().map { Self.person($0, as: "author") }
        data += book.contributors.map { Self.person($0.name, as: $0.role ?? "contributor") }
        data += book.identifiers.filter { $0.scheme == "url" }.map(Self.identifier)
        fields = [Field("001", printed.recordKey), Field("008", Self.fixedField(of: book))] + data.compactMap(\.self)
    }

    /// Fields 010 to 035, in the order of their tags: the numbers of a book.
    private static func numbers(of book: Book) -> [Field?] {
        let numbers = [Field("020", [("a", book.isbn?.text)])] + book.identifiers.map(identifier)
        return ["010", "020", "022", "024", "035"].flatMap { tag in numbers.filter { $0?.tag == tag } }
    }

    static func identifier(_ item: Book.Identifier) -> Field? {
        switch item.scheme {
        case "lccn": Field("010", [("a", item.value)])
        case "issn": Field("022", [("a", item.value)])
        case "oclc": Field("035", [("a", "(OCoLC)" + item.value)])
        case "url": Field("856", indicators: "4 ", [("u", item.value)])
        default: Field("024", indicators: "7 ", [("a", item.value), ("2", item.scheme)])
        }
    }

    static func languages(of book: Book) -> [Field?] {
        let codes = book.languages.compactMap { MARCLanguage.code(of: $0) }
        var fields: [Field?] = []
        if codes.count > 1 { fields.append(Field("041", indicators: "0 ", codes.map { ("a", $0) })) }
        // MARC codes have no region or script.
        if book.languages.contains(where: { $0.contains("-") }) {
            fields.append(Field("041", indicators: "07", book.languages.map { ("a", $0) } + [("2", "rfc5646")]))
        }
        return fields
    }

    static func title(of book: Book) -> Field? {
        let authors = book.authors.joined(separator: ", ")
        return Field(
            "245", indicators: book.authors.isEmpty ? "00" : "10",
            [("a", book.recordTitle), ("b", book.subtitle), ("c", authors)])
    }

    static func person(_ name: String, tag: String = "700", as role: String) -> Field? {
        // The first indicator says whether the family name comes first.
        Field(tag, indicators: name.contains(", ") ? "1 " : "0 ", [("a", name), ("e", role)])
    }

    static func publication(of book: Book) -> Field? {
        Field("264", indicators: " 1", [("b", book.publisher), ("c", date(of: book))])
    }

    static func date(of book: Book) -> String? {
        book.published.map { $0.year < 0 ? "\(-$0.year) BC" : $0.year.padded(4) }
    }

    static func extent(of book: Book) -> Field? {
        Field("300", [("a", book.pageCount.map { "\($0) pages" })])
    }

    static func series(of book: Book) -> Field? {
        guard let series = book.series?.nonEmpty else { return nil }
        return Field("490", indicators: "0 ", [("a", series), ("v", book.seriesNumber)])
    }

    /// A field for each paragraph.
    static func description(of book: Book) -> [Field?] {
        (book.description ?? "").split(separator: "\n").map { Field("520", [("a", String($0))]) }
    }

    static func subject(_ subject: String) -> Field? { Field("650", indicators: " 4", [("a", subject)]) }

    /// Field 008, in which each position has its own meaning.
    private static func fixedField(of book: Book) -> String {
        let added = book.dateAdded.flatMap { date -> String? in
            guard date.year > 0, let month = date.month, let day = date.day else { return nil }
            return (date.year % 100).padded(2) + month.padded(2) + day.padded(2)
        }
        let date = fixedYear(of: book).map { "s\($0)    " } ?? "nuuuuuuuu"
        let language = fixedLanguage(of: book) ?? "und"
        // The country is unknown; illustrations, audience, form and contents are not coded.
        let unknown = String(repeating: "|", count: 14)
        return (added ?? "000000") + date + "xx " + unknown + " " + fixedForm(of: book) + "|" + language + " d"
    }

    /// The year of publication in field 008.
    static func fixedYear(of book: Book) -> String? {
        book.published.flatMap { (1...9999).contains($0.year) ? $0.year.padded(4) : nil }
    }

    /// The literary form in field 008.
    static func fixedForm(of book: Book) -> String { book.fiction.map { $0 ? "1" : "0" } ?? "|" }

    /// The language in field 008.
    static func fixedLanguage(of book: Book) -> String? {
        book.languages.lazy.compactMap { MARCLanguage.code(of: $0) }.first
    }
}

extension MARCText.Field {
    /// Creates a control field.
    init(_ tag: String, _ text: String) { self.init(tag: tag, subfields: [.init(code: "", text: text)]) }

    /// Creates a data field with the subfields that have a text; fails if there is none.
    init?(_ tag: String, indicators: String = "  ", _ subfields: [(code: String, text: String?)]) {
        let subfields = subfields.compactMap { subfield in
            subfield.text?.nonEmpty.map { MARCText.Subfield(code: subfield.code, text: $0) }
        }
        if subfields.isEmpty { return nil }
        self.init(
            tag: tag, first: String(indicators.prefix(1)), second: String(indicators.suffix(1)), subfields: subfields)
    }
}

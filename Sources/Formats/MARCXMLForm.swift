internal import Books
internal import Text

/// MARCXML: a collection of bibliographic records of MARC 21, without ISBD punctuation.
struct MARCXMLForm: BookFormatter {
    let needsUserData = false

    func expect(_ schema: Schema) -> [FieldLoss] {
        [FieldLoss].all(but: .bibliographic.union([.fiction]), in: schema) + [
            FieldLoss("months and days of publication") { $0.published?.month != nil }
        ]
    }

    func begin(_ text: inout [UInt8]) {
        XMLText.begin(&text) { $0.open("collection", [("xmlns", "http://www.loc.gov/MARC21/slim")]) }
    }

    func end(_ text: inout [UInt8]) { XMLText.append(to: &text, depth: 1) { $0.close("collection") } }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        XMLText.append(to: &text, depth: 1) { xml in
            xml.open("record")
            // Unicode text, a monograph, and "c": subfields end without punctuation.
            xml.add("leader", "00000nam a2200000 c 4500")
            xml.add("controlfield", [("tag", "001")], printed.recordKey)
            xml.add("controlfield", [("tag", "008")], fixedField(of: book))
            addNumbers(of: book, to: &xml)
            addPeople(of: book, to: &xml)
            addPublication(of: book, to: &xml)
            if let series = book.series?.nonEmpty {
                xml.field("490", "0", " ", [("a", series), ("v", book.seriesNumber)])
            }
            xml.field("520", " ", " ", [("a", book.description)])
            for subject in book.subjects { xml.field("650", " ", "4", [("a", subject)]) }
            for person in book.authors.dropFirst() { add(person, to: &xml, as: "author") }
            for person in book.contributors { add(person.name, to: &xml, as: person.role ?? "contributor") }
            for item in book.identifiers where Self.isLink(item) { xml.field("856", "4", " ", [("u", item.value)]) }
            xml.close("record")
        }
    }

    private static func isLink(_ item: Book.Identifier) -> Bool { item.scheme == "url" }

    // MARK: Fields

    private func addNumbers(of book: Book, to xml: inout XMLText) {
        func value(_ scheme: String) -> String? { book.identifiers.first { $0.scheme == scheme }?.value }
        xml.field("010", " ", " ", [("a", value("lccn"))])
        xml.field("020", " ", " ", [("a", book.isbn?.text)])
        xml.field("022", " ", " ", [("a", value("issn"))])
        for item in book.identifiers where !["lccn", "issn", "oclc", "url"].contains(item.scheme) {
            xml.field("024", "7", " ", [("a", item.value), ("2", item.scheme)])
        }
        xml.field("035", " ", " ", [("a", value("oclc").map { "(OCoLC)" + $0 })])
        let codes = book.languages.compactMap { MARCLanguage.code(of: $0) }
        if codes.count > 1 { xml.field("041", "0", " ", codes.map { ("a", $0) }) }
        // MARC codes have no region or script.
        if book.languages.contains(where: { $0.contains("-") }) {
            xml.field("041", "0", "7", book.languages.map { ("a", $0) } + [("2", "rfc5646")])
        }
    }

    private func addPeople(of book: Book, to xml: inout XMLText) {
        if let first = book.authors.first { add(first, to: &xml, tag: "100", as: "author") }
        let authors = book.authors.joined(separator: ", ")
        xml.field(
            "245", book.authors.isEmpty ? "0" : "1", "0",
            [("a", book.recordTitle), ("b", book.subtitle), ("c", authors)])
    }

    private func add(_ name: String, to xml: inout XMLText, tag: String = "700", as role: String) {
        // The first indicator says whether the family name comes first.
        xml.field(tag, name.contains(", ") ? "1" : "0", " ", [("a", name), ("e", role)])
    }

    private func addPublication(of book: Book, to xml: inout XMLText) {
        let date = book.published.map { $0.year < 0 ? "\(-$0.year) BC" : $0.year.padded(4) }
        xml.field("264", " ", "1", [("b", book.publisher), ("c", date)])
        xml.field("300", " ", " ", [("a", book.pageCount.map { "\($0) pages" })])
    }

    /// Field 008, in which each position has its own meaning.
    private func fixedField(of book: Book) -> String {
        let added = book.dateAdded.flatMap { date -> String? in
            guard date.year > 0, let month = date.month, let day = date.day else { return nil }
            return (date.year % 100).padded(2) + month.padded(2) + day.padded(2)
        }
        let year = book.published.flatMap { $0.year > 0 ? $0.year.padded(4) : nil }
        let date = year.map { "s\($0)    " } ?? "nuuuuuuuu"
        let fiction = book.fiction.map { $0 ? "1" : "0" } ?? "|"
        let language = book.languages.lazy.compactMap { MARCLanguage.code(of: $0) }.first ?? "und"
        // The country is unknown; illustrations, audience, form and contents are not coded.
        let unknown = String(repeating: "|", count: 14)
        return (added ?? "000000") + date + "xx " + unknown + " " + fiction + "|" + language + " d"
    }
}

extension XMLText {
    /// Writes a data field with the non-empty subfields, if any.
    fileprivate mutating func field(
        _ tag: String, _ first: String, _ second: String, _ subfields: [(code: String, text: String?)]
    ) {
        guard subfields.contains(where: { $0.text?.isEmpty == false }) else { return }
        open("datafield", [("tag", tag), ("ind1", first), ("ind2", second)])
        for subfield in subfields { add("subfield", [("code", subfield.code)], subfield.text) }
        close("datafield")
    }
}

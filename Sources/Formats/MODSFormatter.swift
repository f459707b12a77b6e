internal import Books
internal import Text

/// MODS 3.7: a collection of one `mods` element for each book.
struct MODSFormatter: BookFormatter {
    let needsUserData = false

    func expect(_ schema: Schema) -> [FieldLoss] {
        [FieldLoss].all(but: .bibliographic, in: schema) + [.lineBreaks]
    }

    func begin(_ text: inout [UInt8]) {
        XMLText.begin(&text) { $0.open("modsCollection", [("xmlns", "http://www.loc.gov/mods/v3")]) }
    }

    func end(_ text: inout [UInt8]) { XMLText.append(to: &text, depth: 1) { $0.close("modsCollection") } }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        XMLText.append(to: &text, depth: 1) { xml in
            xml.open("mods", [("version", "3.7")])
            xml.open("titleInfo")
            // A record must have a title.
            xml.add("title", book.recordTitle)
            xml.add("subTitle", book.subtitle)
            xml.close("titleInfo")
            for author in book.authors { add(author, as: "author", to: &xml) }
            for person in book.contributors { add(person.name, as: person.role ?? "contributor", to: &xml) }
            xml.add("typeOfResource", "text")
            addPublication(of: book, to: &xml)
            for language in book.languages { add(language, to: &xml) }
            if let count = book.pageCount {
                xml.open("physicalDescription")
                xml.add("extent", [("unit", "pages")], "\(count) pages")
                xml.close("physicalDescription")
            }
            xml.add("abstract", book.description)
            for subject in book.subjects {
                xml.open("subject")
                xml.add("topic", subject)
                xml.close("subject")
            }
            addSeries(of: book, to: &xml)
            xml.add("identifier", [("type", "isbn")], book.isbn?.text)
            for item in book.identifiers { xml.add("identifier", [("type", item.scheme)], item.value) }
            xml.open("recordInfo")
            xml.add("recordIdentifier", printed.recordKey)
            xml.close("recordInfo")
            xml.close("mods")
        }
    }

    private func add(_ name: String, as role: String, to xml: inout XMLText) {
        xml.open("name")
        xml.add("namePart", name)
        xml.open("role")
        xml.add("roleTerm", [("type", "text")], role)
        xml.close("role")
        xml.close("name")
    }

    private func add(_ language: String, to xml: inout XMLText) {
        let isTag = language.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
        xml.open("language")
        if isTag, language.utf8.prefix(while: { $0 != UInt8(ascii: "-") }).count <= 3 {
            xml.add("languageTerm", [("type", "code"), ("authority", "rfc5646")], language)
        } else {
            xml.add("languageTerm", [("type", "text")], language)
        }
        xml.close("language")
    }

    private func addPublication(of book: Book, to xml: inout XMLText) {
        let (publisher, date) = (book.publisher?.nonEmpty, book.published?.description)
        if publisher == nil, date == nil { return }
        xml.open("originInfo")
        xml.add("publisher", publisher)
        xml.add("dateIssued", [("encoding", "w3cdtf")], date)
        xml.close("originInfo")
    }

    private func addSeries(of book: Book, to xml: inout XMLText) {
        guard let series = book.series?.nonEmpty else { return }
        xml.open("relatedItem", [("type", "series")])
        xml.open("titleInfo")
        xml.add("title", series)
        xml.add("partNumber", book.seriesNumber)
        xml.close("titleInfo")
        xml.close("relatedItem")
    }
}

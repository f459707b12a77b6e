internal import JSON
internal import Text

extension XMLElement {
    /// Resolves the targets of the links of an entry, because its record is stored without the document: against
    /// `xml:base` of the link and of the entry, and `base`, that of the elements around it (XML Base, section 4).
    func resolveLinks(in base: String?) {
        let entryBase = WebAddress.resolved(self[attribute: "base"], in: base)
        for link in all("link") {
            let linkBase = WebAddress.resolved(link[attribute: "base"], in: entryBase)
            guard let target = link[attribute: "href"],
                let address = linkBase.flatMap({ WebAddress.resolved(target, in: $0) })
            else { continue }
            link.set("href", to: address)
        }
    }

    /// Appends this entry of an OPDS 1.2 catalog as JSON with the keys of stacks, if it is a book.
    ///
    /// - Returns: What the entry is.
    func appendOPDS(to rows: inout [UInt8]) -> XMLRecordKind {
        let links = all("link")
        let isNavigation = links.contains {
            $0[attribute: "type"]?.contains("atom+xml") == true && $0[attribute: "type"]?.contains("type=entry") != true
                && ["self", "alternate", "related", "http://opds-spec.org/facet"].contains($0[attribute: "rel"])
                    == false
        }
        // A library may have books without files.
        let hasImage = links.contains { $0[attribute: "rel"] == "http://opds-spec.org/image" }
        let hasBookFields =
            hasImage || ["issued", "date", "publisher", "language", "identifier"].contains { first($0) != nil }
        guard links.contains(where: \.leadsToFile) || hasBookFields && !isNavigation else {
            return isNavigation ? .navigation : .other(texts("title").first)
        }
        _ = RecordJSON.append(to: &rows, addOPDS)
        return .book
    }

    /// Whether a link leads to the file of a book: by its relation (OPDS 1.2, section 5.2), or without one by its media
    /// type.
    private var leadsToFile: Bool {
        if let relation = self[attribute: "rel"] { return relation.contains("opds-spec.org/acquisition") }
        guard let type = self[attribute: "type"] else { return false }
        return !["atom+xml", "html", "image/", "opensearchdescription", "opds+json"].contains(where: type.contains)
    }

    private func addOPDS(to json: inout RecordJSON) {
        let links = all("link")
        json.add("id", texts("id").first)
        json.add("title", first("title")?.plainText)
        json.add("subtitle", texts("alternativeHeadline").first)
        json.add("authors", all("author").map(\.atomName).filter { !$0.isEmpty })
        var isbns: [String] = []
        var others: [String] = []
        for text in texts("identifier") {
            if text.lowercased().hasPrefix("urn:isbn:") {
                isbns.append(String(text.dropFirst(9)))
            } else if text != texts("id").first {
                others.append(text)
            }
        }
        if isbns.isEmpty, let id = texts("id").first, id.lowercased().hasPrefix("urn:isbn:") {
            isbns.append(String(id.dropFirst(9)))
        }
        json.add("isbn", isbns)
        json.add("publisher", texts("publisher").first)
        json.add("published", texts("issued").first ?? texts("date").first ?? texts("published").first)
        json.add("languages", texts("language"))
        // Some servers also add categories for age groups and shelf marks.
        let subjects = all("category").filter { category in
            let scheme = category[attribute: "scheme"] ?? ""
            return !["/audience", "/typicalAgeRange", "/LCC", "/DDC"].contains(where: scheme.hasSuffix)
        }.compactMap { $0[attribute: "label"] ?? $0[attribute: "term"] }
        json.add("subjects", subjects.filter { !$0.isEmpty && !$0.contains("://") })
        if let series = all("Series").first ?? all("series").first {
            json.add("series", series[attribute: "name"] ?? series.text)
            json.add("seriesPosition", series[attribute: "position"])
        }
        let description = [first("summary"), first("content")].lazy.compactMap { $0?.wholeText }.first { !$0.isEmpty }
        json.add("description", description)
        func link(_ relation: String) -> String? {
            links.first { $0[attribute: "rel"] == relation }?[attribute: "href"]
        }
        json.add("cover", link("http://opds-spec.org/image") ?? link("http://opds-spec.org/image/thumbnail"))
        json.add("identifiers", others)
        json.add(
            "contributors",
            objects: all("contributor").map { [("name", $0.atomName), ("role", $0[attribute: "role"])] })
        json.add("rights", first("rights")?.plainText)
        json.add("updated", texts("updated").first)
        json.add(
            "links",
            // What opens the book comes first.
            objects: (links.filter(\.leadsToFile) + links.filter { !$0.leadsToFile }).compactMap { link in
                guard let target = link[attribute: "href"] else { return nil }
                return [
                    ("rel", link[attribute: "rel"]), ("href", target), ("type", link[attribute: "type"]),
                    ("title", link[attribute: "title"]),
                ]
            })
    }

    /// The text of a title, which may be HTML or have elements (RFC 4287, section 3.1).
    private var plainText: String {
        switch self[attribute: "type"] {
        case "html": HTMLText.paragraphs(of: text.replacing(#/<[^<>]*>/#, with: ""))
        case "xhtml": wholeText
        default: text
        }
    }

    private var atomName: String { texts("name").first ?? texts("sort_name").first ?? text }
}

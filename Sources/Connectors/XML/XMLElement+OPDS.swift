internal import JSON

extension XMLElement {
    /// Appends this entry of an OPDS 1.2 catalog as JSON with the keys of stacks.
    ///
    /// - Returns: Whether it is a book; other entries are links to more lists.
    func appendOPDS(to rows: inout [UInt8]) -> Bool {
        let links = all("link")
        let isAcquirable = links.contains { $0[attribute: "rel"]?.contains("opds-spec.org/acquisition") == true }
        let isNavigation = links.contains {
            $0[attribute: "type"]?.contains("atom+xml") == true && $0[attribute: "type"]?.contains("type=entry") != true
                && ["self", "alternate", "related", "http://opds-spec.org/facet"].contains($0[attribute: "rel"])
                    == false
        }
        // A library may have books without files.
        let hasImage = links.contains { $0[attribute: "rel"] == "http://opds-spec.org/image" }
        let hasBookFields =
            hasImage || ["issued", "date", "publisher", "language", "identifier"].contains { first($0) != nil }
        guard isAcquirable || hasBookFields && !isNavigation else { return false }
        _ = RecordJSON.append(to: &rows, addOPDS)
        return true
    }

    private func addOPDS(to json: inout RecordJSON) {
        let links = all("link")
        json.add("id", texts("id").first)
        json.add("title", texts("title").first)
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
        json.add("rights", texts("rights").first)
        json.add("updated", texts("updated").first)
        json.add(
            "links",
            objects: links.compactMap { link in
                guard let relation = link[attribute: "rel"], let target = link[attribute: "href"] else { return nil }
                return [
                    ("rel", relation), ("href", target), ("type", link[attribute: "type"]),
                    ("title", link[attribute: "title"]),
                ]
            })
    }

    private var atomName: String { texts("name").first ?? texts("sort_name").first ?? text }
}

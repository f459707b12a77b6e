extension XMLElement {
    /// Appends this record of MODS as JSON with the keys of stacks.
    ///
    /// - Returns: True: each record is a work.
    func appendMODS(to rows: inout [UInt8]) -> Bool {
        _ = RecordJSON.append(to: &rows, addMODS)
        return true
    }

    private func addMODS(to json: inout RecordJSON) {
        let info = first("recordInfo")?.texts("recordIdentifier").first
        json.add("id", self[attribute: "ID"] ?? info)
        if let title = all("titleInfo").first(where: { $0[attribute: "type"] == nil }) ?? first("titleInfo") {
            json.add("title", title.modsTitle)
            json.add("subtitle", title.texts("subTitle").joined(separator: " "))
        }
        addMODSPeople(to: &json)
        json.add("isbn", identifiers(of: "isbn"))
        let host = all("relatedItem").first { $0[attribute: "type"] == "host" }
        json.add("pageCount", first("physicalDescription")?.texts("extent").first ?? modsBookPages)
        let origin = [self, host].compactMap { $0?.first("originInfo") }
        json.add("publisher", origin.lazy.compactMap { $0.texts("publisher").first }.first)
        json.add("place", origin.lazy.compactMap { $0.first("place")?.texts("placeTerm").last }.first)
        let dates = origin + [first("part"), host?.first("part")].compactMap(\.self)
        json.add("published", dates.lazy.compactMap(\.modsDate).first)
        json.add("languages", all("language").flatMap { $0.texts("languageTerm").prefix(1) })
        json.add("subjects", modsSubjects)
        // bibutils makes the series of a book what contains it.
        let isHostSeries = texts("genre").contains("book") && host?.first("genre") == nil
        let series = all("relatedItem").first { $0[attribute: "type"] == "series" }
        if let series = series ?? (isHostSeries ? host : nil) {
            json.add("series", series.first("titleInfo")?.modsMainTitle)
            let number =
                series.first("titleInfo")?.texts("partNumber").first
                ?? (series.all("part") + all("part")).lazy.flatMap { $0.all("detail") }.compactMap {
                    $0.texts("number").first
                }.first
            json.add("seriesPosition", number?.firstNumber)
        }
        json.add("description", texts("abstract").joined(separator: "\n"))
        json.add("edition", origin.lazy.compactMap { $0.texts("edition").first }.first)
        var others: [(key: String, value: String)] = []
        for identifier in all("identifier") + (host?.all("identifier") ?? []) {
            let scheme = identifier[attribute: "type"] ?? "id"
            if scheme == "isbn" || others.contains(where: { $0.key == scheme }) { continue }
            if !identifier.text.isEmpty { others.append((scheme, identifier.text)) }
        }
        if let link = all("location").lazy.flatMap({ $0.texts("url") }).first { others.append(("url", link)) }
        json.add("identifiers", others)
        json.add("itemType", texts("genre").first ?? host?.texts("genre").first)
        if !isHostSeries { json.add("containedIn", host?.first("titleInfo")?.modsTitle) }
        json.add("notes", texts("note"))
    }

    private var modsMainTitle: String { (texts("nonSort") + texts("title")).joined(separator: " ") }

    private var modsTitle: String {
        let parts = texts("partNumber") + texts("partName")
        return ([modsMainTitle] + parts).filter { !$0.isEmpty }.joined(separator: ". ")
    }

    private func addMODSPeople(to json: inout RecordJSON) {
        var authors: [String] = []
        var contributors: [[(key: String, value: String?)]] = []
        for person in all("name") {
            let name = person.modsName
            // BibTeX's "and others" is not a person.
            if name.isEmpty || name == "others" { continue }
            let roles = person.all("role").flatMap { $0.texts("roleTerm") }.map { $0.lowercased() }
            if roles.isEmpty || roles.contains(where: { ["author", "aut", "creator", "cre"].contains($0) }) {
                authors.append(name)
            } else {
                contributors.append([("name", name), ("role", roles.first)])
            }
        }
        json.add("authors", authors)
        json.add("contributors", objects: contributors)
    }

    private var modsName: String {
        let parts = all("namePart")
        func texts(_ type: String?) -> [String] {
            parts.filter { $0[attribute: "type"] == type }.map(\.text).filter { !$0.isEmpty }
        }
        let family = texts("family").joined(separator: " ")
        let given = texts("given").map { $0.count == 1 ? $0 + "." : $0 }.joined(separator: " ")
        let whole = texts(nil).joined(separator: ", ")
        var name = family.isEmpty ? (whole.isEmpty ? given : whole) : given.isEmpty ? family : "\(family), \(given)"
        if let suffix = (texts("suffix") + texts("termsOfAddress")).first, !name.isEmpty { name += ", " + suffix }
        return name.isEmpty ? self.texts("displayForm").first ?? "" : name
    }

    private var modsDate: String? {
        let elements = ["dateIssued", "copyrightDate", "date", "dateCreated"].flatMap { all($0) }
        // The date for machines, rather than "c1999-".
        let best =
            elements.first { $0[attribute: "encoding"] != nil && $0[attribute: "point"] != "end" } ?? elements.first
        guard let text = best?.text, !text.isEmpty else { return nil }
        let isDate = text.allSatisfy { $0.isNumber || $0 == "-" }
        return isDate ? text : text.firstYear ?? text
    }

    /// The number of pages where bibutils has it: books have one number for what are the pages of an article.
    private var modsBookPages: String? {
        guard texts("genre").contains("book"), let part = first("part") else { return nil }
        return part.all("detail").first { $0[attribute: "type"] == "page" }?.texts("number").first
    }

    private var modsSubjects: [String] {
        var subjects: [String] = []
        for subject in all("subject") {
            let parts = subject.children.filter { $0.name != "cartographics" && $0.name != "geographicCode" }
                .map { $0.name == "name" ? $0.modsName : $0.wholeText }
            let text = parts.filter { !$0.isEmpty }.joined(separator: " – ")
            if !text.isEmpty, !subjects.contains(text) { subjects.append(text) }
        }
        return subjects
    }

    private func identifiers(of type: String) -> [String] {
        all("identifier").filter { $0[attribute: "type"]?.lowercased() == type && $0[attribute: "invalid"] != "yes" }
            .map(\.text).filter { !$0.isEmpty }
    }
}

internal import JSON
internal import MARC

extension XMLElement {
    /// Appends this MODS record as JSON with the keys of stacks.
    ///
    /// - Parameter inventsIDs: Whether identifiers such as "ref1" are sequence numbers added by bibutils.
    /// - Returns: True, because each record is a book.
    func appendMODS(inventsIDs: Bool, to rows: inout [UInt8]) -> XMLRecordKind {
        _ = RecordJSON.append(to: &rows) { addMODS(to: &$0, inventsIDs: inventsIDs) }
        return .book
    }

    private func addMODS(to json: inout RecordJSON, inventsIDs: Bool) {
        let info = first("recordInfo")?.texts("recordIdentifier").first
        // A sequence number would belong to another record as soon as one is inserted.
        let isInvented = inventsIDs && self[attribute: "ID"].map(Self.isCount) ?? false
        json.add("id", isInvented ? nil : self[attribute: "ID"] ?? info)
        if let title = modsTitleInfo {
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
        // bibutils writes the series of a book as its host.
        let isHostSeries = texts("genre").contains("book") && host?.first("genre") == nil
        let series = all("relatedItem").first { $0[attribute: "type"] == "series" }
        if let series = series ?? (isHostSeries ? host : nil) {
            json.add("series", series.modsTitleInfo?.modsMainTitle)
            let number =
                series.first("titleInfo")?.texts("partNumber").first
                ?? (series.all("part") + all("part")).lazy.flatMap { $0.all("detail") }.filter(\.isMODSPosition)
                .compactMap { $0.texts("number").first }.first
            json.add("seriesPosition", number?.firstNumber)
        }
        json.add("description", texts("abstract").joined(separator: "\n"))
        json.add("edition", origin.lazy.compactMap { $0.texts("edition").first }.first)
        json.add("identifiers", modsIdentifiers(host, without: isInvented ? self[attribute: "ID"] : nil))
        json.add("itemType", texts("genre").first ?? host?.texts("genre").first)
        if !isHostSeries { json.add("containedIn", host?.modsTitleInfo?.modsTitle) }
        json.add("notes", texts("note"))
    }

    /// Returns whether an identifier is "ref" and a number, which bibutils adds to records without an identifier.
    private static func isCount(_ id: String) -> Bool {
        id.hasPrefix("ref") && id.utf8.count > 3 && id.utf8.dropFirst(3).allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The title, otherwise a title of another type, such as an abbreviated title.
    private var modsTitleInfo: XMLElement? {
        let titles = all("titleInfo").filter { !$0.modsTitle.isEmpty }
        return titles.first { $0[attribute: "type"] == nil } ?? titles.first
    }

    /// Returns the identifiers other than ISBNs of the record and its host, and the links.
    private func modsIdentifiers(_ host: XMLElement?, without left: String?) -> [(key: String, value: String)] {
        var identifiers = BookIdentifiers()
        for identifier in all("identifier") + (host?.all("identifier") ?? []) {
            let scheme = identifier[attribute: "type"] ?? "id"
            if scheme != "isbn", scheme != "citekey" || identifier.text != left {
                identifiers.add(scheme, identifier.text)
            }
        }
        for link in all("location").flatMap({ $0.texts("url") }) { identifiers.add("url", link) }
        return identifiers.found
    }

    /// Whether this detail of a part is a place in a series, rather than a page, for example.
    private var isMODSPosition: Bool {
        self[attribute: "type"].map { ["volume", "issue", "number", "part"].contains($0.lowercased()) } ?? true
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
            guard let name = person.modsPersonName else { continue }
            let roles = person.modsRoles
            if roles.isEmpty || person.isMODSAuthor {
                authors.append(name)
            } else {
                contributors.append([("name", name), ("role", roles.first)])
            }
        }
        // The contributors of the host.
        let hosts = all("relatedItem").filter { $0[attribute: "type"] == "host" || $0[attribute: "type"] == "series" }
        for person in hosts.flatMap({ $0.all("name") }) {
            guard let name = person.modsPersonName, !authors.contains(name) else { continue }
            contributors.append([("name", name), ("role", person.isMODSAuthor ? nil : person.modsRoles.first)])
        }
        json.add("authors", authors)
        json.add("contributors", objects: contributors)
    }

    private var modsRoles: [String] { all("role").flatMap { $0.texts("roleTerm") }.map { $0.lowercased() } }

    private var isMODSAuthor: Bool { modsRoles.contains { ["author", "aut", "creator", "cre"].contains($0) } }

    /// The name; nil for BibTeX's "and others".
    private var modsPersonName: String? {
        let name = modsName
        return name.isEmpty || name == "others" ? nil : name
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
        // The machine-readable date, rather than "c1999-".
        let best =
            elements.first { $0[attribute: "encoding"] != nil && $0[attribute: "point"] != "end" } ?? elements.first
        guard let text = best?.text, !text.isEmpty else { return nil }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? text : text.leadingDate ?? text.firstYear ?? text
    }

    /// The number of pages at the path that bibutils uses: for books it writes a single number where articles have a
    /// range.
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

extension String {
    /// The date at the start of this text: "2001-02" in "2001-02/2004"; nil if there is none. A minus sign or a hyphen
    /// may precede the year.
    var leadingDate: String? {
        let sign = hasPrefix("-") || hasPrefix("\u{2212}") ? "-" : ""
        var numbers: [Substring] = []
        var rest = sign.isEmpty ? self[...] : dropFirst()
        while numbers.count < 3 {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let isYear = numbers.isEmpty
            guard isYear ? digits.count == 4 : (1...2).contains(digits.count) else { break }
            // A season is not a month.
            if numbers.count == 1, !(1...12).contains(Int(digits) ?? 0) { break }
            numbers.append(digits)
            rest = rest.dropFirst(digits.count)
            if rest.first != "-" { break }
            rest = rest.dropFirst()
        }
        return numbers.isEmpty ? nil : sign + numbers.joined(separator: "-")
    }
}

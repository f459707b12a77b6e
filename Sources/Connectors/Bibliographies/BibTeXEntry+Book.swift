internal import JSON
internal import MARC

extension BibTeXEntry {
    /// Appends this entry as JSON with the keys of stacks. Fields without a key there keep their own names.
    ///
    /// - Parameter splitsTitles: Whether a title may contain the subtitle, as in BibTeX.
    func append(to rows: inout [UInt8], splitsTitles: Bool) {
        var entry = self
        _ = RecordJSON.append(to: &rows) { entry.add(to: &$0, splitsTitles) }
    }

    private mutating func add(to json: inout RecordJSON, _ splitsTitles: Bool) {
        json.add("id", key)
        addTitle(to: &json, splitsTitles && !isByStacks)
        json.add("authors", names(take("author")))
        let note = text(take("note", "notes"))
        let credits = isByStacks ? note.flatMap(Self.credits) : nil
        json.add("contributors", objects: contributors() + (credits ?? []))
        json.add("isbn", text(take("isbn")).map(BookIdentifiers.numbers) ?? [])
        addPages(to: &json)
        json.add("publisher", text(take("publisher")))
        json.add("place", text(take("location", "address")))
        json.add("published", published())
        json.add("languages", languages())
        json.add("subjects", subjects())
        if let series = take("series") {
            json.add("series", text(series))
            json.add("seriesPosition", text(take("number", "volume"))?.firstNumber)
        }
        json.add("description", text(take("abstract")))
        json.add("edition", text(take("edition")))
        json.add("identifiers", identifiers())
        json.add("itemType", Self.itemTypes[type] ?? type)
        json.add("containedIn", text(take("journaltitle", "journal", "booktitle")))
        json.add("notes", credits == nil ? note.map { [$0] } ?? [] : [])
        addOthers(to: &json)
    }

    private func text(_ value: ArraySlice<UInt8>?) -> String? { value.map(LaTeXText.plain) }

    /// Whether stacks made the key: it ends in an ISBN or in the digits of an identity, and perhaps a number. Its titles
    /// have no subtitle, and its notes hold contributors.
    private var isByStacks: Bool {
        let parts = key.split(separator: "-").suffix(3)
        guard parts.count > 1 else { return false }
        return parts.dropFirst().contains { part in
            part.utf8.count == 13 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                || part.utf8.count == 16
                    && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
    }

    private mutating func addTitle(to json: inout RecordJSON, _ mayBeSplit: Bool) {
        let isSplit = mayBeSplit && !has("subtitle")
        let title = text(take("title", "booktitle", "maintitle"))
        let subtitle = text(take("subtitle"))
        let parts = isSplit ? title?.titleAndSubtitle : nil
        json.add("title", parts?.title ?? title)
        json.add("subtitle", parts?.subtitle ?? subtitle)
    }

    // MARK: People

    private static let roles = [
        ("editor", "editor"), ("editora", "editor"), ("editorb", "editor"), ("editorc", "editor"),
        ("translator", "translator"), ("annotator", "annotator"), ("commentator", "commentator"),
        ("introduction", "author of introduction, etc."), ("foreword", "author of introduction, etc."),
        ("afterword", "author of afterword, colophon, etc."), ("bookauthor", "author"), ("illustrator", "illustrator"),
        ("redactor", "redactor"), ("compiler", "compiler"),
    ]

    private mutating func contributors() -> [[(key: String, value: String?)]] {
        var contributors: [[(key: String, value: String?)]] = []
        for (field, role) in Self.roles {
            guard let value = take(field) else { continue }
            let role = text(take(field + "type")) ?? role
            for name in names(value) { contributors.append([("name", name), ("role", role)]) }
        }
        return contributors
    }

    /// Returns the contributors in a note such as "Illustrator: Ann Alpha; Contributor: Bob Beta"; nil for other notes.
    private static func credits(in note: String) -> [[(key: String, value: String?)]]? {
        var contributors: [[(key: String, value: String?)]] = []
        for part in note.split(separator: ";") {
            guard let colon = part.firstRange(of: ": ") else { return nil }
            let role = String(part[..<colon.lowerBound]).trimmingBlanks
            let name = String(part[colon.upperBound...]).trimmingBlanks
            contributors.append([("name", name), ("role", role == "Contributor" ? nil : role)])
        }
        return contributors
    }

    private func names(_ value: ArraySlice<UInt8>?) -> [String] {
        guard let value else { return [] }
        return value.split(byWord: "and").compactMap { name in
            if let group = name.wholeGroup { return LaTeXText.plain(group) }
            var parts = name.split(atAny: UInt8(ascii: ",")).map { part in
                part.split(atAny: 0x20, 0x09, 0x0D, 0x0A, UInt8(ascii: "~")).map(LaTeXText.plain).filter { !$0.isEmpty }
            }
            if let last = parts.last, last.suffix(2) == ["et", "al."] { parts[parts.count - 1].removeLast(2) }
            let name = PersonName.inverted(parts)
            return name.isEmpty || name == "others" ? nil : name
        }
    }

    // MARK: Numbers and lists

    /// Adds the number of pages; `pages` is one if it is a single number of a book.
    private mutating func addPages(to json: inout RecordJSON) {
        let total = text(take("pagetotal", "numpages", "pagecount"))
        guard let pages = text(take("pages")) else {
            json.add("pageCount", total)
            return
        }
        let isBook = Self.itemTypes[type] == "book" || type == "collection"
        let isCount = total == nil && isBook && pages.isCount
        json.add("pageCount", isCount ? pages : total)
        json.add("pageRange", isCount ? nil : pages)
    }

    private mutating func published() -> String? {
        if let date = text(take("date")) {
            // What BibTeX needs beside the date of BibLaTeX.
            for name in ["year", "month", "day"] { _ = take(name) }
            return date.publicationDate
        }
        guard let year = text(take("year")) else { return nil }
        let date = year.publicationDate
        guard date.dropFirst().contains("-") == false, let month = text(take("month")) else { return date }
        guard let (number, day) = month.monthAndDay else { return date }
        let days = day ?? text(take("day")).flatMap { Int($0) }
        return ([number] + (days.map { [$0] } ?? [])).reduce(date) { "\($0)-\($1 < 10 ? "0" : "")\($1)" }
    }

    private mutating func languages() -> [String] {
        guard let value = take("language", "langid") else { return [] }
        return value.split(atAny: UInt8(ascii: ","), UInt8(ascii: ";")).flatMap { $0.split(byWord: "and") }.map(
            LaTeXText.plain
        )
        .filter { !$0.isEmpty }
        .map { Self.babelLanguages[$0] ?? $0 }
    }

    /// The names of the package babel that are not those of languages.
    private static let babelLanguages = [
        "ngerman": "german", "naustrian": "german", "austrian": "german", "nswissgerman": "german",
        "american": "english", "british": "english", "usenglish": "english", "ukenglish": "english",
        "australian": "english", "canadian": "english", "newzealand": "english", "francais": "french",
        "acadian": "french", "canadien": "french", "brazilian": "portuguese", "brazil": "portuguese",
        "portuges": "portuguese", "mexican": "spanish",
    ]

    private mutating func subjects() -> [String] {
        var subjects: [String] = []
        while let value = take("keywords", "keyword") {
            let parts = value.split(atAny: UInt8(ascii: ";"))
            for part in parts.count > 1 ? parts : value.split(atAny: UInt8(ascii: ",")) {
                let text = LaTeXText.plain(part)
                if !text.isEmpty, !subjects.contains(text) { subjects.append(text) }
            }
        }
        return subjects
    }

    private mutating func identifiers() -> [(key: String, value: String)] {
        var identifiers = BookIdentifiers()
        identifiers.add("citekey", key)
        for scheme in ["doi", "eprint", "issn", "ismn", "lccn", "oclc", "pmid", "pmcid", "asin"] {
            if let value = take(scheme) { identifiers.add(scheme, LaTeXText.verbatim(value)) }
        }
        for name in ["url", "link"] {
            while let value = take(name) { identifiers.add("url", LaTeXText.verbatim(value)) }
        }
        return identifiers.found
    }

    // MARK: Other fields

    private static let itemTypes = [
        "book": "book", "booklet": "book", "mvbook": "book", "article": "journal article", "inbook": "book chapter",
        "incollection": "book chapter", "bookinbook": "book chapter", "suppbook": "book chapter",
        "inproceedings": "conference publication", "conference": "conference publication",
        "proceedings": "conference publication", "phdthesis": "thesis", "mastersthesis": "thesis",
        "techreport": "report", "manual": "instruction", "misc": "miscellaneous", "online": "web page",
        "electronic": "web page", "www": "web page",
    ]

    /// The members that the fields of an entry become, which no field may have as its own name.
    private static let members: Set = [
        "id", "title", "subtitle", "authors", "contributors", "isbn", "publisher", "place", "published", "languages",
        "subjects", "series", "description", "edition", "identifiers", "notes",
    ]

    /// Adds the other fields under their own names; one that is there several times as a list.
    private mutating func addOthers(to json: inout RecordJSON) {
        while let name = fields.first?.name {
            let texts = takeAll(name).map { value in
                name == "file" ? String(decoding: value, as: UTF8.self).trimmingBlanks : LaTeXText.plain(value)
            }
            .filter { !$0.isEmpty }
            json.add(named: Self.members.contains(name) ? "\(name) 2" : name, texts)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the parts between the separators that are outside of braces.
    fileprivate func split(atAny separators: UInt8...) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var depth = 0
        var start = startIndex
        for index in indices {
            let byte = self[index]
            if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
            } else if depth <= 0, separators.contains(byte) {
                parts.append(self[start..<index])
                start = index + 1
            }
        }
        return parts + [self[start...]]
    }

    /// Returns the parts between the places of a word, such as "and", outside of braces.
    fileprivate func split(byWord word: String) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = startIndex
        for blank in split(atAny: 0x20, 0x09, 0x0D, 0x0A) where blank.count == word.utf8.count {
            guard blank.elementsEqual(word.utf8, by: { $0 | 0x20 == $1 }) else { continue }
            parts.append(self[start..<blank.startIndex])
            start = blank.endIndex
        }
        return parts + [self[start...]]
    }

    /// The content of the group in braces that is the whole text; nil if there is other text.
    fileprivate var wholeGroup: ArraySlice<UInt8>? {
        let text = drop { $0 <= 0x20 }
        guard text.first == UInt8(ascii: "{") else { return nil }
        let end = BibTeXEntry.endOfGroup(in: text, from: text.startIndex + 1)
        guard text[Swift.min(end + 1, text.endIndex)...].allSatisfy({ $0 <= 0x20 }) else { return nil }
        return text[(text.startIndex + 1)..<end]
    }
}

extension String {
    /// The date at the start of this text, otherwise its year, otherwise the text. The digits of a year before Christ
    /// are four.
    fileprivate var publicationDate: String {
        if utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return self }
        if hasPrefix("-"), dropFirst().count < 4, dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) {
            return "-" + String(repeating: "0", count: 5 - count) + dropFirst()
        }
        return leadingDate ?? firstYear ?? self
    }

    /// The month, and the day if there is one, in a text such as "3", "March" or "5 January".
    fileprivate var monthAndDay: (month: Int, day: Int?)? {
        let words = lowercased().split { !$0.isLetter && !$0.isNumber }
        let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let month = words.lazy.compactMap { word in months.firstIndex { word.hasPrefix($0) } }.first
        let number = words.lazy.compactMap { Int($0) }.first { (1...31).contains($0) }
        if let month { return (month + 1, number) }
        return number.flatMap { $0 <= 12 ? ($0, nil) : nil }
    }
}

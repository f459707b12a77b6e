internal import Books
internal import JSON
internal import MARC
internal import Text

extension RISRecord {
    /// Appends this reference as JSON with the keys of stacks, which takes its values. Tags without a key there become
    /// members with English names.
    mutating func append(to rows: inout [UInt8]) {
        _ = RecordJSON.append(to: &rows) { add(to: &$0) }
    }

    private mutating func add(to json: inout RecordJSON) {
        values.removeAll { $0.place.isEmpty }
        let type = take("TY").map { string($0) } ?? ""
        let itemType = Self.itemTypes[type]
        let isBook = itemType == "book"
        let id = take("ID")
        add("id", id, to: &json)
        addTitle(take("TI") ?? take("T1") ?? take("CT") ?? take("BT") ?? take("ST"), to: &json)
        addAuthors(takeAll("AU") + takeAll("A1"), to: &json)
        json.add("contributors", objects: contributors())
        let numbers = takeAll("SN").flatMap { BookIdentifiers.numbers(in: string($0)) }
        let isbns = numbers.filter { !$0.isISSN && ISBN($0).isValid }
        // The number of a chapter is that of the book.
        let isChapter = itemType == "book chapter"
        json.add("isbn", isChapter ? [] : isbns)
        addPages(to: &json, isBook)
        add("publisher", take("PB"), to: &json)
        add("place", take("CY") ?? take("PP") ?? take("CT"), to: &json)
        json.add("published", published())
        add("languages", takeAll("LA"), to: &json)
        add("subjects", distinct(takeAll("KW")), to: &json)
        let series = take("T3") ?? (isBook ? take("T2") : nil)
        add("series", series, to: &json)
        if series != nil {
            json.add("seriesPosition", (take("VL") ?? take("IS") ?? take("M1")).map { string($0) }?.firstNumber)
        }
        add("description", take("AB") ?? take("N2"), to: &json)
        add("edition", take("ET"), to: &json)
        json.add("identifiers", identifiers(id.map { string($0) }, numbers.filter { !isbns.contains($0) }))
        json.add("itemType", itemType ?? type.lowercased())
        add("containedIn", take("BT") ?? take("T2") ?? take("JO") ?? take("JF") ?? take("JA"), to: &json)
        json.add(named: "bookISBN", isChapter ? isbns : [])
        add("notes", takeAll("N1") + takeAll("AB") + takeAll("N2"), to: &json)
        addOthers(to: &json)
    }

    // MARK: Values

    /// Takes the first value of a tag.
    private mutating func take(_ tag: Tag) -> Range<Int>? {
        values.firstIndex { $0.tag == tag }.map { values.remove(at: $0).place }
    }

    /// Takes all values of a tag.
    private mutating func takeAll(_ tag: Tag) -> [Range<Int>] {
        guard values.contains(where: { $0.tag == tag }) else { return [] }
        defer { values.removeAll { $0.tag == tag } }
        return values.filter { $0.tag == tag }.map(\.place)
    }

    private func string(_ place: Range<Int>) -> String { String(decoding: text[place], as: UTF8.self) }

    /// Returns the places without those with the same text as an earlier one.
    private func distinct(_ places: [Range<Int>]) -> [Range<Int>] {
        if places.count > Self.comparedCount {
            var seen: Set<String> = []
            return places.filter { seen.insert(string($0)).inserted }
        }
        var distinct: [Range<Int>] = []
        for place in places where !distinct.contains(where: { text[$0] == text[place] }) { distinct.append(place) }
        return distinct
    }

    /// The maximum number of texts of which each is compared with all others.
    private static let comparedCount = 16

    // What is written as it is needs no strings.

    private func append(_ place: Range<Int>, to json: inout RecordJSON) {
        text.withUnsafeBufferPointer { json.value(UnsafeBufferPointer(rebasing: $0[place])) }
    }

    private func add(_ key: StaticString, _ place: Range<Int>?, to json: inout RecordJSON) {
        guard let place else { return }
        json.addKey(key)
        append(place, to: &json)
    }

    private func add(_ key: StaticString, _ places: [Range<Int>], to json: inout RecordJSON) {
        if places.isEmpty { return }
        json.addKey(key)
        json.open("[")
        for place in places { append(place, to: &json) }
        json.close("]")
    }

    private func addTitle(_ place: Range<Int>?, to json: inout RecordJSON) {
        guard let place, text[place].contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "?") }) else {
            return add("title", place, to: &json)
        }
        let parts = string(place).titleAndSubtitle
        json.add("title", parts.title)
        json.add("subtitle", parts.subtitle)
    }

    private static let itemTypes = [
        "BOOK": "book", "WHOLE": "book", "EBOOK": "book", "EDBOOK": "book", "CHAP": "book chapter",
        "ECHAP": "book chapter", "JOUR": "journal article", "EJOUR": "journal article", "THES": "thesis",
        "CONF": "conference publication", "CPAPER": "conference publication", "RPRT": "report", "ELEC": "web page",
        "GEN": "miscellaneous", "UNPB": "unpublished", "NEWS": "newspaper article", "MGZN": "magazine article",
    ]

    // MARK: People

    private static let roles: [(Tag, String?)] = [
        ("ED", "editor"), ("A2", nil), ("A3", "series editor"), ("A4", "translator"), ("TR", "translator"), ("A5", nil),
    ]

    private mutating func contributors() -> [[(key: String, value: String?)]] {
        var people: [[(key: String, value: String?)]] = []
        for (tag, role) in Self.roles {
            for place in takeAll(tag) { people.append([("name", Self.name(string(place))), ("role", role)]) }
        }
        return people
    }

    private func addAuthors(_ places: [Range<Int>], to json: inout RecordJSON) {
        if places.isEmpty { return }
        json.addKey("authors")
        json.open("[")
        var name: [UInt8] = []
        for place in places {
            if invert(place, into: &name) {
                name.withUnsafeBufferPointer { json.value($0) }
            } else {
                json.value(Self.name(string(place)))
            }
        }
        json.close("]")
    }

    /// Puts a plain name of a person, such as "Jane Anne Austen" or "José A. Conde", into the order of bibliographies;
    /// false if it is not plain: most are, and take a fifth of the time of others.
    private func invert(_ place: Range<Int>, into name: inout [UInt8]) -> Bool {
        var (word, start, wordCount) = (place, place.lowerBound, 0)
        for end in place.lowerBound...place.upperBound where end == place.upperBound || text[end] == 0x20 {
            (word, start, wordCount) = (start..<end, end + 1, wordCount + 1)
            guard isPlainWord(word) || isInitial(word) && end < place.upperBound else { return false }
        }
        guard wordCount > 1, word.count > Self.suffixLength || !PersonName.isSuffix([string(word)]) else {
            return false
        }
        var folded = ByteBuffer()
        _ = text.withUnsafeBufferPointer { folded.append(folding: UnsafeBufferPointer(rebasing: $0[place])) }
        guard NameKey.isPersonal(UnsafeBufferPointer(folded.bytes)) else { return false }
        name.removeAll(keepingCapacity: true)
        name += text[word]
        name.append(UInt8(ascii: ","))
        name.append(0x20)
        name += text[place.lowerBound..<word.lowerBound - 1]
        return true
    }

    /// Returns whether a word is a capital letter of ASCII and small letters, some of which may be others of Latin.
    private func isPlainWord(_ word: Range<Int>) -> Bool {
        guard word.count > 1, (0x41...0x5A).contains(text[word.lowerBound]) else { return false }
        var hasSmallLetters = false
        var index = word.lowerBound + 1
        while index < word.upperBound {
            switch text[index] {
            case 0x61...0x7A: hasSmallLetters = true
            // U+00C0 to U+027F, and below U+1E00 to U+1EFF.
            case 0xC3...0xC9: index += 1
            case 0xE1 where (0xB8...0xBB).contains(text[index + 1]): index += 2
            default: return false
            }
            index += 1
        }
        return hasSmallLetters
    }

    /// Returns whether a word is an initial, such as "A.".
    private func isInitial(_ word: Range<Int>) -> Bool {
        word.count == 2 && (0x41...0x5A).contains(text[word.lowerBound])
            && text[word.lowerBound + 1] == UInt8(ascii: ".")
    }

    /// The maximum length of a suffix of a name.
    private static let suffixLength = 4

    /// Returns a name as "Family, Given, Suffix". A name without a comma is that of an organization, or begins with the
    /// given names, or ends in initials.
    private static func name(_ text: String) -> String {
        let parts = text.parts(between: UInt8(ascii: ",")).map(\.words)
        guard parts.count == 1, let words = parts.first, words.count > 1 else { return PersonName.inverted(parts) }
        if let last = words.last, last.hasSuffix("."), last.count <= 6,
            last.allSatisfy({ $0.isUppercase || $0 == "." }),
            words.dropLast().allSatisfy({ $0.count > 2 })
        {
            return PersonName.inverted([words.dropLast(), [last]])
        }
        return NameParts(text) == nil ? words.joined(separator: " ") : PersonName.inverted(parts)
    }

    // MARK: Numbers and identifiers

    /// Adds the number of pages: the first page of a book without a last page is that number.
    private mutating func addPages(to json: inout RecordJSON, _ isBook: Bool) {
        guard let first = take("SP").map({ string($0) }) else { return }
        let last = take("EP").map { string($0) }
        let isCount = isBook && last == nil && first.isCount
        json.add("pageCount", isCount ? first : nil)
        json.add("pageRange", isCount ? nil : [first, last].compactMap(\.self).joined(separator: "–"))
    }

    /// Takes the date of publication: the first one, or a more precise one in the same year.
    private mutating func published() -> String? {
        var published: (first: String, longest: String)?
        for place in takeAll("PY") + takeAll("Y1") + takeAll("DA") {
            let date = date(place)
            guard let (first, longest) = published else {
                published = (date, date)
                continue
            }
            if date.utf8.count > longest.utf8.count, date.hasPrefix(first) { published = (first, date) }
        }
        return published?.longest
    }

    /// Returns a date such as "1999/03/02/spring" in the form of ISO 8601.
    private func date(_ place: Range<Int>) -> String {
        var date = ""
        var rest = text[place]
        for lengths in [4...4, 1...2, 1...2] {
            let part = rest.prefix { $0 != UInt8(ascii: "/") }
            let digits = part.trimmingBlanks
            guard lengths.contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { break }
            if !date.isEmpty { date += digits.count == 1 ? "-0" : "-" }
            date += String(decoding: digits, as: UTF8.self)
            rest = rest[part.endIndex...].dropFirst()
        }
        if !date.isEmpty { return date }
        let text = string(place)
        return text.leadingDate ?? text.firstYear ?? text
    }

    private mutating func identifiers(_ id: String?, _ numbers: [String]) -> [(key: String, value: String)] {
        var identifiers = BookIdentifiers()
        identifiers.add("citekey", id ?? "")
        for doi in takeAll("DO") { identifiers.add("doi", string(doi)) }
        for number in numbers { identifiers.add(number.isISSN ? "issn" : "serial number", number) }
        for link in takeAll("UR") { identifiers.add("url", string(link)) }
        for place in takeAll("L1") {
            let link = string(place)
            if link.contains("://") { identifiers.add("url", link) } else { values.append(("L1", place)) }
        }
        // Exports of stacks write other identifiers with their schemes.
        for place in takeAll("AN") {
            let number = string(place)
            let scheme = number.prefix { $0 != ":" }
            let value = number.dropFirst(scheme.count + 1)
            if value.isEmpty || value.hasPrefix("//") {
                values.append(("AN", place))
            } else {
                identifiers.add(String(scheme), value.trimmingBlanks)
            }
        }
        return identifiers.found
    }

    // MARK: Other fields

    /// The names of tags without a key of stacks.
    private static let names: [Tag: String] = [
        "AD": "authorAddress", "AN": "accessionNumber", "AV": "availability", "C1": "custom1", "C2": "custom2",
        "C3": "custom3", "C4": "custom4", "C5": "custom5", "C6": "custom6", "C7": "custom7", "C8": "custom8",
        "CA": "caption", "CN": "callNumber", "CY": "place 2", "DB": "database", "DP": "databaseProvider",
        "EP": "lastPage", "ET": "edition 2", "IS": "issue", "J1": "abbreviatedTitle", "J2": "abbreviatedTitle",
        "JA": "abbreviatedTitle", "JF": "journal", "JO": "journal", "L1": "file", "L2": "fullText",
        "L3": "relatedRecords", "L4": "figure", "LB": "label", "LK": "link", "M1": "number", "M2": "miscellaneous2",
        "M3": "typeOfWork", "NV": "numberOfVolumes", "OP": "originalPublication", "PP": "placeOfPublication",
        "RI": "reviewedItem", "RN": "researchNotes", "RP": "reprintStatus", "SE": "section", "ST": "shortTitle",
        "T1": "title 2", "TI": "title 2", "T2": "secondaryTitle", "T3": "series 2", "TA": "translatedAuthor",
        "TT": "translatedTitle", "U1": "userDefined1", "U2": "userDefined2", "U3": "userDefined3",
        "U4": "userDefined4", "U5": "userDefined5", "VL": "volume", "VO": "volume", "Y2": "accessed",
    ]

    /// Adds the other values; one that is there several times as a list.
    private mutating func addOthers(to json: inout RecordJSON) {
        func name(_ tag: Tag) -> String { Self.names[tag] ?? tag.text }
        while let first = values.first.map({ name($0.tag) }) {
            json.add(named: first, values.filter { name($0.tag) == first }.map { string($0.place) })
            values.removeAll { name($0.tag) == first }
        }
    }
}

extension String {
    /// Whether this text is an International Standard Serial Number, such as "1234-567X", perhaps before a remark.
    fileprivate var isISSN: Bool {
        guard utf8.dropFirst(4).first == UInt8(ascii: "-") else { return false }
        let start = Array(utf8.prefix(10))
        return start.count >= 9 && start.dropFirst(9).allSatisfy { $0 == 0x20 }
            && start.prefix(9).enumerated().allSatisfy {
                $0 == 4 || (0x30...0x39).contains($1) || $0 == 8 && $1 | 0x20 == UInt8(ascii: "x")
            }
    }
}

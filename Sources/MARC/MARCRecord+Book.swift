internal import JSON

extension MARCRecord {
    /// Appends this record as JSON: the fields of a book under the keys of stacks, and under "marc" all of the record
    /// as MARC-in-JSON.
    ///
    /// - Returns: Whether all text was UTF-8.
    public func append(to rows: inout [UInt8]) -> Bool {
        RecordJSON.append(to: &rows) { json in
            addBook(to: &json)
            addAll(to: &json)
        }
    }

    /// The fields of a book that a row has, without the record: JSON in UTF-8.
    public var bookAsJSON: [UInt8] {
        var bytes: [UInt8] = []
        _ = RecordJSON.append(to: &bytes) { addBook(to: &$0) }
        return bytes
    }

    // MARK: The fields of a book

    private func addBook(to json: inout RecordJSON) {
        if isUNIMARC { return addUNIMARCBook(to: &json) }
        let title = fields.first { $0.tag == 245 }
        json.add("id", fields.first { $0.tag == 1 }.map { text(of: $0) })
        // Records of letters and papers have a form of work and its dates, those of old catalogs another title only: a
        // uniform one, as the main entry or beside it, or an uncontrolled one.
        let others = [240, 130, 246, 740].lazy.compactMap { tag in fields.first { $0.tag == tag }.flatMap(heading(of:))
        }
        json.add("title", title.flatMap(heading(of:)) ?? title.flatMap(formOfWork(of:)) ?? others.first)
        if let title {
            json.add("sortTitle", sortTitle(title))
            json.add("subtitle", strings(title, "b").map(plain).joined(separator: " "))
        }
        json.add("otherTitle", fields.first { tagOfTwin($0) == 245 }.flatMap(wholeTitle(of:)))
        addPeople(to: &json)
        json.add("isbn", values(20, "a"))
        json.add("pageCount", values(300, "a").first.map(plain))
        if let isFiction {
            json.addKey("fiction")
            json.add(raw: isFiction ? "true" : "false")
        }
        addPublication(to: &json)
        json.add("languages", languages)
        json.add("subjects", subjects)
        addSeries(to: &json)
        json.add("description", values(520, "a").joined(separator: "\n"))
        json.add("identifiers", identifiers)
        addOwnFields(to: &json)
    }

    /// Returns the title of a field with the number and the name of the part.
    private func heading(of field: Field) -> String? {
        let parts = strings(field, "a") + strings(field, "n") + strings(field, "p")
        var title = ""
        for part in parts.lazy.map(plain) where !part.isEmpty {
            if let last = title.utf8.last { title += ".?!".utf8.contains(last) ? " " : ". " }
            title += part
        }
        return title.isEmpty ? nil : title
    }

    private func formOfWork(of field: Field) -> String? {
        let title = plain((strings(field, "k") + strings(field, "f")).joined(separator: " "))
        return title.isEmpty ? nil : title
    }

    /// Returns the title of a field with its second part.
    private func wholeTitle(of field: Field) -> String? {
        let parts = [heading(of: field)].compactMap(\.self) + strings(field, "b").map(plain)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    /// Returns the tag of the field of which a field 880 says the same in the original script: subfield 6 begins with it.
    func tagOfTwin(_ field: Field) -> Int? {
        guard field.tag == 880, let link = field.subfields.first(where: { subfields[$0].code == UInt8(ascii: "6") })
        else { return nil }
        let digits = bytes[subfields[link].text].prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private func addPeople(to json: inout RecordJSON) {
        var authors: [String] = []
        var contributors: [[(key: String, value: String?)]] = []
        for person in people {
            if !person.isAuthor {
                contributors.append([("name", person.name), ("role", person.role)])
            } else if !authors.contains(person.name) {
                authors.append(person.name)
            }
        }
        json.add("authors", authors)
        json.add("contributors", objects: contributors)
    }

    /// A person or a body that had a part in a book.
    public struct Person: Sendable {
        /// The number of the field.
        public let field: Int
        /// The name with numeration and titles.
        public let name: String
        /// The role in lower case, if the record has one.
        public let role: String?
        /// Whether the person is an author; if there is none, those without a role count as such.
        public fileprivate(set) var isAuthor: Bool
    }

    /// The persons and bodies of the book, in record order.
    public var people: [Person] {
        var people: [Person] = []
        for (number, field) in fields.enumerated() where [100, 110, 111, 700, 710, 711].contains(field.tag) {
            // A field with a title names another work, not a person of this one. Further people without a role are
            // authors.
            if field.tag >= 700, !strings(field, "t").isEmpty { continue }
            let name = name(of: field)
            if name.isEmpty { continue }
            let roles = strings(field, "e").map { plain($0).lowercased() }.filter { !$0.isEmpty } + strings(field, "4")
            let isAuthor =
                field.tag < 200 || roles.contains { ["author", "aut", "creator", "cre"].contains($0) }
                || roles.isEmpty && field.tag == 700
            people.append(Person(field: number, name: name, role: roles.first, isAuthor: isAuthor))
        }
        if !people.contains(where: \.isAuthor) {
            for number in people.indices { people[number].isAuthor = people[number].role == nil }
        }
        return people
    }

    private func addPublication(to json: inout RecordJSON) {
        let isPublication = { (field: Field) in field.tag == 264 && field.second == UInt8(ascii: "1") }
        let has264 = fields.contains(where: isPublication)
        func first(_ code: Unicode.Scalar) -> String? {
            for field in fields where has264 ? isPublication(field) : field.tag == 260 {
                if let text = strings(field, code).first { return text }
            }
            return nil
        }
        json.add("publisher", first("b").map(plain))
        json.add("place", first("a").map(plain))
        json.add("published", fixedYear ?? first("c")?.yearOfPublication)
    }

    /// Whether the book is fiction according to the literary form in field 008; nil for poetry, drama and unknown
    /// forms.
    private var isFiction: Bool? {
        guard leader.count > 7, leader[6] == UInt8(ascii: "a") || leader[6] == UInt8(ascii: "t"),
            leader[7] == UInt8(ascii: "m")
        else { return nil }
        return switch fixed(33..<34) {
        case "1", "f", "j": true
        case "0", "e", "i", "s": false
        default: nil
        }
    }

    /// The first year of field 008, if all of its digits are known.
    private var fixedYear: String? {
        guard let year = fixed(7..<11), year.utf8.allSatisfy({ (0x30...0x39).contains($0) }), year != "0000",
            year != "9999"
        else { return nil }
        return year
    }

    /// Returns characters of field 008, in which each position has its own meaning.
    private func fixed(_ range: Range<Int>) -> String? {
        guard let field = fields.first(where: { $0.tag == 8 }), let subfield = subfields[field.subfields].first,
            subfield.text.count >= range.upperBound
        else { return nil }
        let start = subfield.text.lowerBound
        return String(decoding: bytes[start + range.lowerBound..<start + range.upperBound], as: UTF8.self)
    }

    private var languages: [String] {
        // Tags such as "en-US", with the source of the codes.
        let other = fields.filter { $0.tag == 41 && $0.second == UInt8(ascii: "7") }
        let tags = other.filter { strings($0, "2").first == "rfc5646" }.flatMap { strings($0, "a") }
        if !tags.isEmpty { return tags }
        // Older records have several codes in one subfield.
        let codes = fields.filter { $0.tag == 41 && $0.second != UInt8(ascii: "7") }.flatMap { strings($0, "a") }
            .flatMap { text in
                stride(from: 0, to: text.utf8.count - 2, by: 3).map {
                    String(Array(text.utf8)[$0..<$0 + 3].map { Character(Unicode.Scalar($0)) })
                }
            }
        let all = codes.isEmpty ? [fixed(35..<38) ?? ""] : codes
        var languages: [String] = []
        for code in all where code.count == 3 && code.allSatisfy({ $0.isLetter && $0.isASCII }) {
            if !["und", "zxx", "mul", "mis"].contains(code.lowercased()), !languages.contains(code.lowercased()) {
                languages.append(code.lowercased())
            }
        }
        return languages
    }

    private var subjects: [String] {
        var subjects: [String] = []
        for field in fields {
            if let subject = subject(of: field), !subjects.contains(subject) { subjects.append(subject) }
        }
        return subjects
    }

    /// Returns the subject or genre that a field names, with its subdivisions; nil for other fields.
    public func subject(of field: Field) -> String? {
        guard (600...655).contains(field.tag) else { return nil }
        var subject = field.tag <= 611 ? name(of: field) : ""
        for item in subfields[field.subfields] {
            switch item.code {
            case UInt8(ascii: "a") where field.tag > 611: subject = plain(string(item.text))
            case UInt8(ascii: "v"), UInt8(ascii: "x"), UInt8(ascii: "y"), UInt8(ascii: "z"):
                subject += " – " + plain(string(item.text))
            default: break
            }
        }
        return subject.isEmpty ? nil : subject
    }

    private func addSeries(to json: inout RecordJSON) {
        guard
            let field = fields.first(where: { $0.tag == 490 })
                ?? fields.first(where: { $0.tag == 440 || $0.tag == 830 })
        else { return }
        json.add("series", strings(field, "a").first.map(plain))
        json.add("seriesPosition", strings(field, "v").first?.firstNumber)
    }

    private var identifiers: [(key: String, value: String)] {
        var identifiers: [(key: String, value: String)] = []
        for tag in [10, 22, 35, 24, 856] {
            for field in fields where field.tag == tag {
                guard let item = identifier(of: field), !identifiers.contains(where: { $0.key == item.key }) else {
                    continue
                }
                identifiers.append(item)
            }
        }
        return identifiers
    }

    /// Returns the identifier that a field has, with its scheme; nil for other fields.
    public func identifier(of field: Field) -> (key: String, value: String)? {
        let item: (key: String, value: String)?
        switch field.tag {
        case 10: item = strings(field, "a").first.map { ("lccn", $0.trimmed) }
        case 22: item = strings(field, "a").first.map { ("issn", $0.trimmed) }
        case 35:
            let number = strings(field, "a").first { $0.hasPrefix("(OCoLC)") }
            item = number.map { ("oclc", String($0.dropFirst(7).drop { !$0.isNumber })) }
        case 24:
            let number = strings(field, "a").first
            item = number.flatMap { number in strings(field, "2").first.map { ($0.lowercased(), number) } }
        case 856: item = strings(field, "u").first.map { ("url", $0) }
        default: item = nil
        }
        guard let item, !item.value.isEmpty else { return nil }
        return item
    }

    // MARK: Text

    /// Returns the text of a subfield without ISBD punctuation, unless the record declares that it has none.
    public func plain(_ text: String) -> String {
        let text = text.withoutOldCatalog
        return leader.count > 18 && leader[18] == UInt8(ascii: "c") ? text.trimmed : text.withoutPunctuation
    }

    /// The text in a range of the buffer.
    func string(_ range: Range<Int>) -> String {
        let text = bytes[range]
        // Validating takes several times as long as decoding.
        if text.withUnsafeBufferPointer(JSONText.isASCII) { return String(decoding: text, as: UTF8.self) }
        if let valid = String(validating: text, as: UTF8.self) { return Self.withoutMarks(valid) }
        return Self.windows1252(text)
    }

    /// The text of a control field.
    public func text(of field: Field) -> String {
        subfields[field.subfields].first.map { string($0.text).trimmed } ?? ""
    }

    // Loops are used because most codes and tags have no texts, and an empty array is not allocated.
    /// The texts of the subfields of a field with this code.
    func strings(_ field: Field, _ code: Unicode.Scalar) -> [String] {
        var texts: [String] = []
        add(field, UInt8(ascii: code), to: &texts)
        return texts
    }

    /// The texts of the subfields of all fields with this tag and code.
    func values(_ tag: Int, _ code: Unicode.Scalar) -> [String] {
        var texts: [String] = []
        for field in fields where field.tag == tag { add(field, UInt8(ascii: code), to: &texts) }
        return texts
    }

    private func add(_ field: Field, _ code: UInt8, to texts: inout [String]) {
        for index in field.subfields where subfields[index].code == code {
            if !subfields[index].text.isEmpty { texts.append(string(subfields[index].text)) }
        }
    }

    // MARK: The whole record

    private func addAll(to json: inout RecordJSON) {
        json.addKey("marc")
        json.open("{")
        json.addKey("leader")
        leader.withUnsafeBufferPointer { json.value($0) }
        json.addKey("fields")
        json.open("[")
        bytes.withUnsafeBufferPointer { bytes in
            func value(_ range: Range<Int>) { json.value(UnsafeBufferPointer(rebasing: bytes[range])) }
            for field in fields {
                json.open("{")
                json.key(field.name)
                if let only = subfields[field.subfields].first, only.code == 0 {
                    value(only.text)
                } else {
                    json.open("{")
                    json.addKey("ind1")
                    json.value(field.first)
                    json.addKey("ind2")
                    json.value(field.second)
                    json.addKey("subfields")
                    json.open("[")
                    for subfield in subfields[field.subfields] {
                        json.open("{")
                        json.key(subfield.code)
                        value(subfield.text)
                        json.close("}")
                    }
                    json.close("]")
                    json.close("}")
                }
                json.close("}")
            }
        }
        json.close("]")
        json.close("}")
    }
}

extension MARCRecord {
    /// Appends this record as JSON: the fields of a book under the keys of stacks, and under "marc" all of the record
    /// as MARC-in-JSON.
    ///
    /// - Returns: Whether all text was UTF-8.
    func append(to rows: inout [UInt8]) -> Bool {
        RecordJSON.append(to: &rows) { json in
            addBook(to: &json)
            addAll(to: &json)
        }
    }

    // MARK: The fields of a book

    private func addBook(to json: inout RecordJSON) {
        if isUNIMARC { return addUNIMARCBook(to: &json) }
        let title = fields.first { $0.tag == 245 }
        json.add("id", fields.first { $0.tag == 1 }.map { text(of: $0) })
        if let title {
            let parts = strings(title, "a") + strings(title, "n") + strings(title, "p")
            json.add("title", parts.map(plain).filter { !$0.isEmpty }.joined(separator: ". "))
            json.add("sortTitle", sortTitle(title))
            json.add("subtitle", strings(title, "b").map(plain).joined(separator: " "))
        }
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
        json.add("edition", values(250, "a").first.map(plain))
        json.add("identifiers", identifiers)
        json.add("notes", values(500, "a"))
    }

    private func addPeople(to json: inout RecordJSON) {
        var authors: [String] = []
        var contributors: [[(key: String, value: String?)]] = []
        var others: [String] = []
        for field in fields where [100, 110, 111, 700, 710, 711].contains(field.tag) {
            // A field with a title names another work, not a person of this one. Further people without a role are
            // authors.
            if field.tag >= 700, !strings(field, "t").isEmpty { continue }
            let name = name(of: field)
            if name.isEmpty { continue }
            let roles = strings(field, "e").map { plain($0).lowercased() } + strings(field, "4")
            let isAuthor =
                roles.contains { ["author", "aut", "creator", "cre"].contains($0) } || roles.isEmpty && field.tag == 700
            if field.tag < 200 || isAuthor {
                if !authors.contains(name) { authors.append(name) }
            } else if roles.isEmpty {
                others.append(name)
                contributors.append([("name", name), ("role", nil)])
            } else {
                contributors.append([("name", name), ("role", roles.first)])
            }
        }
        json.add("authors", authors.isEmpty ? others : authors)
        if authors.isEmpty { contributors.removeAll { member in others.contains(member[0].value ?? "") } }
        json.add("contributors", objects: contributors)
    }

    /// Returns the name of a person with numeration and titles, such as "Elizabeth II, Queen".
    func name(of field: Field) -> String {
        let lastCode = UInt8(ascii: field.tag % 100 == 0 ? "c" : "b")
        var name = ""
        for subfield in subfields[field.subfields] where (UInt8(ascii: "a")...lastCode).contains(subfield.code) {
            if !name.isEmpty { name += name.hasSuffix(",") ? " " : name.hasSuffix(".") ? " " : ", " }
            name += string(subfield.text)
        }
        return plain(name)
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
        for field in fields where (600...655).contains(field.tag) {
            var subject = field.tag <= 611 ? name(of: field) : ""
            for item in self.subfields[field.subfields] {
                switch item.code {
                case UInt8(ascii: "a") where field.tag > 611: subject = plain(string(item.text))
                case UInt8(ascii: "v"), UInt8(ascii: "x"), UInt8(ascii: "y"), UInt8(ascii: "z"):
                    subject += " – " + plain(string(item.text))
                default: break
                }
            }
            if !subject.isEmpty, !subjects.contains(subject) { subjects.append(subject) }
        }
        return subjects
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
        func add(_ key: String, _ value: String?) {
            guard let value, !value.isEmpty, !identifiers.contains(where: { $0.key == key }) else { return }
            identifiers.append((key, value))
        }
        add("lccn", values(10, "a").first?.trimmed)
        add("issn", values(22, "a").first?.trimmed)
        for number in values(35, "a") where number.hasPrefix("(OCoLC)") {
            add("oclc", String(number.dropFirst(7).drop { !$0.isNumber }))
        }
        for field in fields where field.tag == 24 {
            if let scheme = strings(field, "2").first { add(scheme.lowercased(), strings(field, "a").first) }
        }
        add("url", values(856, "u").first)
        return identifiers
    }

    // MARK: Text

    /// Returns the text of a subfield without ISBD punctuation, unless the record declares that it has none.
    private func plain(_ text: String) -> String {
        leader.count > 18 && leader[18] == UInt8(ascii: "c") ? text.trimmed : text.withoutPunctuation
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
    func text(of field: Field) -> String {
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

extension String {
    /// The text without leading and trailing ASCII white space.
    var trimmed: String {
        part { bytes in
            var range = bytes.indices
            while let last = range.last, bytes[last].isBlank { range.removeLast() }
            while let first = range.first, bytes[first].isBlank { range.removeFirst() }
            return range
        }
    }

    /// The text without ISBD punctuation before the next part: "Emma /" becomes "Emma". The period of an initial or a
    /// short abbreviation stays.
    var withoutPunctuation: String {
        part { bytes in
            var range = bytes.indices
            while let last = range.last, bytes[last].isBlank || bytes[last].isPunctuation { range.removeLast() }
            while let first = range.first, bytes[first].isBlank { range.removeFirst() }
            if range.count > 1, bytes[range.upperBound - 1] == UInt8(ascii: ".") {
                let word = bytes[range].dropLast().reversed().prefix { $0.isWord }
                let before = bytes[range.upperBound - 2]
                let isEnd = word.count > 3 || word.contains { $0 <= UInt8(ascii: "9") }
                if isEnd || before == UInt8(ascii: "]") || before == UInt8(ascii: ")") { range.removeLast() }
            }
            if range.count > 1, bytes[range.lowerBound] == UInt8(ascii: "["),
                bytes[range.upperBound - 1] == UInt8(ascii: "]"),
                !bytes[range].dropFirst().dropLast().contains(where: \.isSquareBracket)
            {
                range = range.dropFirst().dropLast()
            }
            return range
        }
    }

    /// Returns the part of the UTF-8 bytes that `find` returns. Reading characters would take ten times as long.
    private func part(_ find: (UnsafeBufferPointer<UInt8>) -> Range<Int>) -> String {
        var text = self
        return text.withUTF8 { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[find(bytes)]), as: UTF8.self)
        }
    }

    /// The first four digits in a row.
    var firstYear: String? {
        var count = 0
        for index in utf8.indices {
            count = (0x30...0x39).contains(utf8[index]) ? count + 1 : 0
            if count == 4 { return String(self[utf8.index(index, offsetBy: -3)...index]) }
        }
        return nil
    }

    /// The year of a date of publication: "-0430" of "430 BC", or the first four digits.
    fileprivate var yearOfPublication: String? {
        // Looking for a substring takes long.
        if utf8.contains(UInt8(ascii: "B")), let era = firstRange(of: "BC") ?? firstRange(of: "B.C.") {
            let digits = self[..<era.lowerBound].reversed().drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
            if !digits.isEmpty, digits.count <= 4 {
                return "-" + String(repeating: "0", count: 4 - digits.count) + String(digits.reversed())
            }
        }
        return firstYear
    }

    /// The first number, with a decimal point if it has one.
    var firstNumber: String? {
        let start = drop { !($0.isNumber && $0.isASCII) }
        let number = start.prefix { $0.isNumber && $0.isASCII || $0 == "." }
        return number.isEmpty ? nil : String(number.hasSuffix(".") ? number.dropLast() : number)
    }
}

extension UInt8 {
    /// Whether the byte is white space.
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether the byte is ISBD punctuation at the end of a part.
    fileprivate var isPunctuation: Bool { "/:;,=".utf8.contains(self) }

    fileprivate var isSquareBracket: Bool { self == UInt8(ascii: "[") || self == UInt8(ascii: "]") }

    /// Whether the byte is a digit or belongs to a letter.
    fileprivate var isWord: Bool {
        self >= 0x80 || (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF)
    }
}

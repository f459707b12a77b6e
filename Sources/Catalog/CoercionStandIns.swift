// Simple readings of values, until those of the branch "coercion" are merged.

extension JSONValue {
    var isbn: ISBN? {
        switch self {
        case .string, .number:
            guard let text, !text.contains("://"), !text.hasPrefix("urn:") || text.hasPrefix("urn:isbn:") else {
                return nil
            }
            return ISBN(text)
        case .array(let elements):
            let found = elements.compactMap(\.isbn)
            return found.first(where: \.isValid) ?? found.first
        case .object: return (self["identifier"] ?? self["value"])?.isbn
        default: return nil
        }
    }

    var partialDate: PartialDate? {
        switch self {
        case .number(let number): return Int(number).flatMap { $0 == 0 ? nil : PartialDate(year: $0) }
        case .string(let string):
            let line = string.onOneLine
            let isNegative = line.hasPrefix("-")
            let parts = line.prefix { $0 != "T" }.split(separator: "-").prefix(3).compactMap { Int($0) }
            guard let year = parts.first, year != 0, !line.hasPrefix("0001-01-01") else { return nil }
            return PartialDate(
                year: isNegative ? -year : year, month: parts.count > 1 ? parts[1] : nil,
                day: parts.count > 2 ? parts[2] : nil)
        case .array(let elements):
            let parts = elements.compactMap { $0.integer ?? $0.string.flatMap { Int($0) } }
            guard let year = parts.first else { return elements.lazy.compactMap(\.partialDate).first }
            return PartialDate(
                year: year, month: parts.count > 1 ? parts[1] : nil, day: parts.count > 2 ? parts[2] : nil)
        case .object:
            return ["$date", "date-parts", "raw", "literal", "value"].lazy.compactMap { self[$0]?.partialDate }.first
        default: return nil
        }
    }

    var fiction: Bool? {
        if let boolean { return boolean }
        return switch string?.lowercased() {
        case "true", "fiction": true
        case "false", "non-fiction", "nonfiction": false
        default: nil
        }
    }

    var texts: [String] {
        var seen: Set<String> = []
        return listed(by: ["name", "value", "label"]).filter { seen.insert($0).inserted }
    }

    private func listed(by keys: [String]) -> [String] {
        switch self {
        case .string, .number: text.map { [$0] } ?? []
        case .array(let elements): elements.flatMap { $0.listed(by: keys) }
        case .object: keys.lazy.compactMap { self[$0]?.listed(by: keys) }.first { !$0.isEmpty } ?? []
        default: []
        }
    }

    var languages: [String] {
        var seen: Set<String> = []
        return listed(by: ["key", "name"]).map { text in
            let code = String(text.split(separator: "/").last ?? "")
            return ["eng": "en", "fre": "fr", "fra": "fr", "ger": "de", "deu": "de", "Urdu": "ur", "jpn": "ja"][code]
                ?? code
        }.filter { seen.insert($0).inserted }
    }

    var double: Double? {
        switch self {
        case .number(let number): return Double(number).flatMap { $0.isFinite ? $0 : nil }
        case .string(let string): return Double(string.onOneLine).flatMap { $0.isFinite ? $0 : nil }
        case .array(let elements): return elements.lazy.compactMap(\.double).first
        default: return nil
        }
    }

    var paragraphs: String? {
        switch self {
        case .string(let string):
            var plain = ""
            var isTag = false
            for character in string.replacing("</p><p>", with: "\n") {
                if character == "<" {
                    isTag = true
                } else if character == ">" {
                    isTag = false
                } else if !isTag {
                    plain.append(character)
                }
            }
            let entities = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            plain = entities.reduce(plain) { $0.replacing($1.0, with: $1.1) }
            let lines = plain.split(separator: "\n").map { String($0).onOneLine }.filter { !$0.isEmpty }
            return lines.isEmpty ? nil : lines.joined(separator: "\n")
        case .array(let elements): return elements.lazy.compactMap(\.paragraphs).first
        case .object: return self["value"]?.paragraphs
        default: return nil
        }
    }

    var link: String? {
        switch self {
        case .string, .number: text.flatMap { $0.hasPrefix("-") ? nil : $0 }
        case .array(let elements): elements.lazy.compactMap(\.link).first
        case .object: (self["href"] ?? self["url"])?.link
        default: nil
        }
    }

    var contributors: [Book.Contributor] {
        switch self {
        case .string: names.map { Book.Contributor(name: $0) }
        case .array(let elements): elements.flatMap(\.contributors)
        case .object(let members):
            names.isEmpty
                ? members.filter { $0.key != "role" }.flatMap { member in
                    member.value.names.map { Book.Contributor(name: $0, role: member.key) }
                }
                : names.map { Book.Contributor(name: $0, role: self["role"]?.text) }
        default: []
        }
    }

    var identifiers: [Book.Identifier] {
        switch self {
        case .string, .number:
            text.map { text in
                let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
                if parts.count < 2 { return [Book.Identifier(scheme: "id", value: text)] }
                if parts[0] == "urn" { return JSONValue.string(parts[1]).identifiers }
                if parts[0].hasPrefix("http") { return [Book.Identifier(scheme: "url", value: text)] }
                return [Book.Identifier(scheme: parts[0], value: parts[1])]
            } ?? []
        case .array(let elements): elements.flatMap(\.identifiers)
        case .object(let members):
            if let value = self["identifier"]?.text ?? self["value"]?.text {
                [
                    Book.Identifier(
                        scheme: (self["type"] ?? self["scheme"] ?? self["propertyID"])?.text ?? "id", value: value)
                ]
            } else {
                members.flatMap { member in member.value.texts.map { Book.Identifier(scheme: member.key, value: $0) } }
            }
        default: []
        }
    }
}

extension PartialDate: CustomStringConvertible {
    /// The date in the form of ISO 8601.
    public var description: String {
        func padded(_ number: Int, to count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        var text = (year < 0 ? "-" : "") + padded(Int(year.magnitude), to: 4)
        if let month { text += "-" + padded(month, to: 2) }
        if month != nil, let day { text += "-" + padded(day, to: 2) }
        return text
    }
}

extension Book {
    static func isFiction(subjects: [String]) -> Bool? {
        let says = subjects.contains { subject in
            let text = subject.lowercased().replacing("non-fiction", with: "").replacing("nonfiction", with: "")
            return text.split { !$0.isLetter }.contains("fiction")
        }
        return says ? true : nil
    }
}

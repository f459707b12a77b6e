internal import JSON
internal import Text

/// The possible encodings of a value at one candidate, closest to the existing encoding first.
struct ValueEncodings {
    let field: BookField
    let candidate: FieldMapping.Candidate

    /// The number of existing elements or members that are tried as templates.
    static let limit = 16
    /// The number of nested encodings after which the search stops.
    static let formLimit = 64

    /// Returns the encodings of a single value, to replace `raw`.
    func ofOne(_ value: FieldValue, like raw: JSONValue?) -> [JSONValue] {
        var forms = nested(value, in: raw, depth: 0)
        if case .array(let elements)? = raw {
            // Other fields may read the remaining elements.
            forms += plain(value, like: nil).flatMap { [.array(elements + [$0]), .array([$0])] }
        }
        return forms + plain(value, like: nil)
    }

    private func nested(_ value: FieldValue, in raw: JSONValue?, depth: Int) -> [JSONValue] {
        guard depth < 4 else { return [] }
        var forms: [JSONValue] = []
        switch raw {
        case .array(let elements)?:
            if case .date(let date) = value, Self.areDateParts(elements) { return [parts(of: date, like: elements)] }
            for (index, element) in elements.prefix(Self.limit).enumerated() where forms.count < Self.formLimit {
                for form in nested(value, in: element, depth: depth + 1) {
                    var changed = elements
                    changed[index] = form
                    forms.append(.array(changed))
                }
            }
            return forms
        case .object(let members)?:
            for member in members.prefix(Self.limit) where forms.count < Self.formLimit {
                for form in nested(value, in: member.value, depth: depth + 1) {
                    forms.append(JSONValue.object(members).setting(member.key, to: form))
                }
            }
            return forms
        default: return plain(value, like: raw)
        }
    }

    /// Returns the encodings that are neither array nor object.
    private func plain(_ value: FieldValue, like raw: JSONValue?) -> [JSONValue] {
        if candidate.separatesSeries, let string = raw?.string, let found = SeriesInTitle(string.onOneLine) {
            return [.string(found.text(with: value, of: field))]
        }
        if candidate.separatesImprint, case .text(let publisher) = value,
            var imprint = raw?.string.flatMap({ Imprint($0.onOneLine) })
        {
            imprint.publisher = publisher
            return [.string(imprint.text)]
        }
        let forms: [JSONValue]
        switch value {
        case .text(let text): forms = self.forms(ofText: text, like: raw)
        case .isbn(let isbn): forms = self.forms(of: isbn, like: raw)
        case .integer(let integer):
            let changed = raw.flatMap { old -> [JSONValue]? in
                guard case .string(let string) = old, case .integer(let number)? = candidate.value(of: field, in: old)
                else { return nil }
                return [.string(string.replacing(String(number), with: String(integer), maxReplacements: 1))]
            }
            forms = (changed ?? []) + inKind(of: raw, String(integer))
        case .number(let number):
            let scaled = field == .rating ? number / 5 * (candidate.scale ?? 5) : number
            guard scaled.isFinite else { return [] }
            // Rounding removes the error of the scaling: 7.4, not 7.4000000000000004.
            let rounded = (scaled * 1e6).rounded() / 1e6
            forms = [rounded, scaled].filter(\.isFinite).flatMap { inKind(of: raw, Self.text(of: $0)) }
        case .boolean(let boolean): forms = [.boolean(boolean), .string(boolean ? "true" : "false")]
        case .date(let date): forms = self.forms(of: date, like: raw)
        case .status(let status): forms = [.string(status.rawValue)]
        case .list: forms = []
        }
        return candidate.values.isEmpty ? forms : forms.flatMap { inCatalogWords($0, like: raw) }
    }

    fileprivate static func text(of number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    /// Returns the number as a number or, if `raw` is a string, preferably as a string.
    private func inKind(of raw: JSONValue?, _ number: String) -> [JSONValue] {
        let forms: [JSONValue] = [.number(number), .string(number)]
        return raw?.string == nil ? forms : forms.reversed()
    }

    private func forms(ofText text: String, like raw: JSONValue?) -> [JSONValue] {
        var forms: [JSONValue] = []
        if case .number? = raw, let number = Self.number(text) { forms.append(number) }
        if field == .description {
            let escaped = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")].reduce(text) { $0.replacing($1.0, with: $1.1) }
            let paragraphs = escaped.split(separator: "\n").map { "<p>\($0)</p>" }.joined()
            // If the old text was HTML, the new one is too.
            if raw?.string?.contains("</") == true { forms.append(.string(paragraphs)) }
            forms += [
                .string(text), .string(text.replacing("\n", with: "\n\n")), .string(escaped), .string(paragraphs),
            ]
        } else {
            forms.append(.string(text))
        }
        return forms
    }

    /// Returns `text` as a number if it is valid JSON syntax for one.
    private static func number(_ text: String) -> JSONValue? {
        JSONValue(parsing: text.utf8) == .number(text) ? .number(text) : nil
    }

    private func forms(of isbn: ISBN, like raw: JSONValue?) -> [JSONValue] {
        guard let text = candidate.spelling(of: isbn, like: raw?.text) else { return [] }
        var forms: [JSONValue] = [.string(text)]
        if case .number? = raw, let number = Self.number(text) { forms.insert(number, at: 0) }
        // Some formats allow only URIs here.
        let uri = JSONValue.string("urn:isbn:" + text)
        if raw?.string?.lowercased().hasPrefix("urn:isbn:") == true { return [uri] + forms }
        return forms + [uri]
    }

    private func forms(of date: PartialDate, like raw: JSONValue?) -> [JSONValue] {
        let text = date.description
        var forms: [JSONValue] = []
        switch raw {
        case .number?:
            if date.month == nil { forms.append(.number(String(date.year))) }
        case .string(let string)?:
            // The time of day is kept, because other programs may expect a full timestamp.
            if case .date(let old)? = candidate.value(of: field, in: .string(string)), old.day != nil, date.day != nil,
                string.hasPrefix(old.description)
            {
                forms.append(.string(text + string.dropFirst(old.description.count)))
            }
        default: break
        }
        return forms + [.string(text)] + (date.month == nil ? [.number(String(date.year))] : [])
    }

    /// Whether the elements are the year, month and day of a date.
    private static func areDateParts(_ elements: [JSONValue]) -> Bool {
        if elements.first?.integer != nil { return true }
        return elements.count > 1 && elements.allSatisfy { Int($0.string ?? "") != nil }
    }

    private func parts(of date: PartialDate, like elements: [JSONValue]) -> JSONValue {
        let isText = elements.first?.string != nil
        return .array(
            [date.year, date.month, date.month == nil ? nil : date.day].compactMap(\.self).map {
                isText ? .string(String($0)) : .number(String($0))
            })
    }

    /// Returns the value in the catalog's words, followed by the untranslated value.
    func inCatalogWords(_ form: JSONValue, like raw: JSONValue?) -> [JSONValue] {
        let text: String
        switch form {
        case .string(let string): text = string
        case .number(let number): text = number
        case .boolean(let boolean): text = boolean ? "true" : "false"
        default: return [form]
        }
        let words = candidate.values.filter { $0.value == text }.keys.sorted()
        return words.flatMap { word -> [JSONValue] in
            switch raw {
            case .number?: [Self.number(word), .string(word)].compactMap(\.self)
            case .boolean? where word == "true" || word == "false": [.boolean(word == "true")]
            default: [.string(word)]
            }
        } + [form]
    }
}

extension SeriesInTitle {
    /// Returns the title as it is written, with another value of one of its fields.
    fileprivate func text(with value: FieldValue, of field: BookField) -> String {
        var changed = self
        switch (field, value) {
        case (.series, .text(let name)): changed.name = name
        case (.seriesPosition, .number(let number)): changed.number = ValueEncodings.text(of: number)
        default: changed.title = value.text
        }
        return changed.text
    }
}

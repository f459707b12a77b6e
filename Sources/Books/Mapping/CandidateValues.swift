public import JSON
internal import Text

/// The values that a candidate reads.
extension FieldMapping.Candidate {
    /// Returns the value of `field` that `raw` encodes.
    public func value(of field: BookField, in raw: JSONValue) -> FieldValue? {
        if raw.isBlank { return nil }
        if separatesNames, field == .contributors || raw.string != nil { return people(of: field, in: raw) }
        if separatesSeries, let text = raw.string { return value(of: field, inTitle: text.onOneLine) }
        if separatesImprint, let imprint = raw.string.flatMap({ Imprint($0.onOneLine) }) {
            return .text(imprint.publisher)
        }
        switch field.value(of: values.isEmpty && separator == nil ? raw : translated(raw)) {
        case .number(let number)? where field == .rating:
            let rating = number / (scale ?? 5) * 5
            guard (0...5).contains(rating) else { return nil }
            // Rounding makes a rating that was scaled up and down again equal to the original.
            return .number((rating * 1e6).rounded() / 1e6)
        case .list(let items)? where tag != nil && field == .contributors:
            return .list(items.map { FieldValue.Item(text: $0.text, tag: $0.tag ?? tag) })
        case .list? where tag != nil && field == .identifiers:
            // The texts are used unchanged, because "10.1000/182" does not name its scheme.
            return .list(raw.texts.map { FieldValue.Item(text: $0, tag: tag) })
        case .isbn(let isbn)? where mustBeValid && !isbn.isValid: return nil
        case nil where field == .status && hasStatusWords:
            return raw.text.flatMap(Book.ReadingStatus.init(meantBy:)).map(FieldValue.status)
        case let value: return value
        }
    }

    /// Whether a string is split into names by the rules of `ListedName`.
    public var separatesNames: Bool { split == "names" }

    /// Whether a title is split from the series after it by the rules of `SeriesInTitle`.
    public var separatesSeries: Bool { split == "series" }

    /// Whether a publisher is split from the edition after it by the rules of `Imprint`.
    public var separatesImprint: Bool { split == "imprint" }

    /// The separator between several values in one string.
    private var separator: String? { separatesNames || separatesSeries || separatesImprint ? nil : split }

    /// Returns the authors or contributors in a string with names. The elements of an array are names already.
    private func people(of field: BookField, in raw: JSONValue) -> FieldValue? {
        guard let text = raw.string else { return nil }
        let items =
            field == .contributors
            ? ListedName.names(in: text).filter { !$0.isAuthor }.map { FieldValue.Item(text: $0.name, tag: $0.role) }
            : ListedName.authors(in: text, leavesOutContributors: leavesOutContributors).map {
                FieldValue.Item(text: $0)
            }
        return items.isEmpty ? nil : .list(items)
    }

    /// Returns the title, the series or the place in it from a title that may have a series after it.
    private func value(of field: BookField, inTitle text: String) -> FieldValue? {
        let found = SeriesInTitle(text)
        switch field {
        case .series: return found.map { .text($0.name) }
        case .seriesPosition: return found?.position.map(FieldValue.number)
        default: return field.value(of: .string(found?.title ?? text))
        }
    }

    /// Whether the key says that it has reading statuses, so that words for them are understood. A plain "status" may be
    /// that of a series: finished.
    private var hasStatusWords: Bool {
        path.soleName.map { BookField.status.names.telling.contains(FieldNames.key(of: $0)) } ?? false
    }

    /// Returns `raw` with the catalog's words translated and strings split.
    private func translated(_ raw: JSONValue) -> JSONValue {
        switch raw {
        case .array(let elements): return .array(elements.map(translated))
        case .string(let string):
            if let meaning = values[string.onOneLine] { return .string(meaning) }
            guard let separator, !separator.isEmpty else { return raw }
            let parts = Self.parts(of: string, at: separator)
            return parts.count > 1
                ? .array(parts.map { .string(values[$0] ?? $0) }) : parts.first.map { .string($0) } ?? raw
        case .number(let number): return values[number].map { .string($0) } ?? raw
        case .boolean(let boolean): return values[boolean ? "true" : "false"].map { .string($0) } ?? raw
        case .null, .object: return raw
        }
    }

    private static func parts(of string: String, at separator: String) -> [String] {
        let isDoubled = separator.contains("&")
        let separator = Array(separator.utf8)
        let bytes = Array(string.utf8)
        var parts: [[UInt8]] = [[]]
        var index = 0
        while index < bytes.count {
            if isDoubled, bytes[index...].starts(with: "&&".utf8) {
                parts[parts.count - 1].append(UInt8(ascii: "&"))
                index += 2
            } else if bytes[index...].starts(with: separator) {
                parts.append([])
                index += separator.count
            } else {
                parts[parts.count - 1].append(bytes[index])
                index += 1
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self).onOneLine }.filter { !$0.isEmpty }
    }

    /// Returns `parts` joined into one string that splits into the same parts.
    func joined(_ parts: [String]) -> String? {
        if separatesNames { return parts.joined(separator: "; ") }
        guard let separator, !separator.isEmpty else { return nil }
        return parts.map { separator.contains("&") ? $0.replacing("&", with: "&&") : $0 }.joined(separator: separator)
    }
}

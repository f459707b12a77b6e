package import Books
package import JSON
internal import Text

/// The characteristics of the values at a path.
package struct PathValues {
    private let values: [JSONValue]
    private let strings: [String]
    private let numbers: [Double]
    private let booleanCount: Int

    /// Examines values.
    package init(_ values: [JSONValue]) {
        self.values = values
        strings = values.flatMap(\.strings)
        numbers = values.compactMap { value in
            switch value {
            case .number, .string: value.plainNumber
            default: nil
            }
        }
        booleanCount = values.count { $0.boolean != nil }
    }

    /// The number of values.
    package var count: Int { values.count }

    private func share(_ isSo: (String) -> Bool) -> Double {
        strings.isEmpty ? 0 : Double(strings.count(where: isSo)) / Double(strings.count)
    }

    private func share(of isSo: (JSONValue) -> Bool) -> Double {
        values.isEmpty ? 0 : Double(values.count(where: isSo)) / Double(values.count)
    }

    private var averageLength: Double {
        strings.isEmpty ? 0 : Double(strings.reduce(0) { $0 + $1.count }) / Double(strings.count)
    }

    /// Whether many values have several elements.
    private var areSeveral: Bool { share(of: { $0.elementCount > 1 }) >= 0.3 }

    private var distinctShare: Double {
        values.isEmpty ? 0 : Double(Set(values).count) / Double(values.count)
    }

    private var isText: Bool {
        share { $0.contains(where: \.isLetter) && !$0.contains("://") && !$0.isISODate } >= 0.5
    }

    private var yearShare: Double {
        share(of: { value in
            guard let date = value.partialDate else { return false }
            // A page count could be mistaken for a medieval year.
            return (1400...2100).contains(date.year)
        })
    }

    /// Returns how plausible the values are for a field with a matching name, from 0 to 1.
    package func plausibility(for field: BookField) -> Double {
        switch field {
        case .title:
            // A list of titles is not the title of one book.
            return booleanCount > 0 ? 0 : areSeveral ? 0.2 : isText ? 1 : 0.5
        case .authors, .contributors:
            return share { $0.contains("://") } > 0.5 || booleanCount > 0 ? 0.1 : isText ? 1 : 0.3
        case .pageCount:
            let counts = values.compactMap(\.pages).sorted()
            guard let median = counts.isEmpty ? nil : counts[counts.count / 2] else { return 0 }
            // No three books in a row have between 1400 and 2100 pages.
            if counts.count >= 3, yearShare >= 0.9 { return 0.1 }
            return (8...5000).contains(median) || counts.count < 3 ? 1 : 0.4
        case .sourceID: return distinctShare >= 0.95 && values.allSatisfy(\.isKey) ? 1 : 0
        case .published: return share(of: { $0.partialDate != nil }) >= 0.3 ? 0.6 + 0.4 * yearShare : 0
        case .languages:
            return share(of: { !$0.languages.isEmpty && $0.languages.allSatisfy { LanguageTag($0) != nil } })
        case .seriesPosition: return share(of: { ($0.double ?? -1) >= 0 && ($0.double ?? 0) < 1000 }) >= 0.5 ? 1 : 0
        case .description: return booleanCount > 0 || !isText ? 0 : averageLength >= 25 ? 1 : 0.4
        case .cover:
            if booleanCount > 0 { return 0 }
            return share(of: { $0.looksLikeLink }) >= 0.5 || numbers.count == values.count ? 1 : 0
        case .rating: return numbers.count * 2 >= values.count && (numbers.max() ?? 1000) <= 100 ? 1 : 0
        default: return plausibility(for: field.info.kind)
        }
    }

    /// Returns how plausible the values are for a field of this kind, from 0 to 1.
    private func plausibility(for kind: BookField.Kind) -> Double {
        switch kind {
        case .text: return booleanCount == 0 && isText ? 1 : 0
        case .link: return share { $0.contains("://") }
        case .number: return numbers.count * 2 >= values.count ? 1 : 0
        case .isbn:
            let valid = share(of: { $0.isbn?.isValid == true })
            return valid > 0 ? 0.6 + 0.4 * valid : 0.5
        case .date: return share(of: { $0.partialDate != nil }) >= 0.5 ? 1 : 0
        case .boolean: return share(of: { $0.fiction != nil }) >= 0.5 ? 1 : 0
        case .status:
            return share(of: { $0.text.map { Book.ReadingStatus(meantBy: $0) != nil } ?? false }) >= 0.5 ? 1 : 0
        case .list: return booleanCount > 0 || share { $0.contains("://") } > 0.5 ? 0 : isText ? 1 : 0.2
        case .gatheredList: return values.contains { $0.members != nil || $0.isList } ? 1 : 0.5
        }
    }

    /// Returns how strongly the values alone indicate a field, regardless of the key, from 0 to 1.
    package func score(withoutNameFor field: BookField) -> Double {
        guard !strings.isEmpty || !numbers.isEmpty, values.allSatisfy({ $0.members == nil }) else { return 0 }
        switch field {
        case .isbn: return share(of: { $0.isbn?.isValid == true }) >= 0.5 ? 0.75 : 0
        case .pageCount:
            return share(of: { $0.string.map { Int($0) == nil } == true && $0.pages != nil }) >= 0.7 ? 0.7 : 0
        case .fiction:
            return share(of: { $0.string != nil && $0.fiction != nil && $0.string?.count ?? 0 > 5 }) >= 0.9 ? 0.6 : 0
        case .cover: return share { $0.isPicture } >= 0.7 ? 0.5 : 0
        case .languages:
            // "Ada" is a name and the code of a language, but codes are not written so.
            let isCode = share { (2...3).contains($0.count) && !$0.isCapitalized && LanguageTag($0) != nil } >= 0.9
            return isCode && !strings.isEmpty && Set(strings).count <= 60 ? 0.4 : 0
        case .published: return yearShare >= 0.9 && numbers.count + strings.count > 0 && !isText ? 0.35 : 0
        case .description: return averageLength > 150 && isText ? 0.35 : 0
        case .authors:
            let isNames = share { $0.looksLikeName } >= 0.7
            return isNames ? 0.3 : 0
        case .title:
            let isTitle =
                !areSeveral && isText && distinctShare >= 0.8 && (3...120).contains(averageLength)
                && share { $0.looksLikeName } < 0.7
                && share { LanguageTag($0) != nil || ISBN($0).isValid } < 0.3
            return isTitle ? 0.26 : 0
        default: return 0
        }
    }

    /// Returns the candidate for a field at `path`, with the encoding options that the values require.
    package func candidate(at path: FieldPath, for field: BookField) -> FieldMapping.Candidate {
        var candidate = FieldMapping.Candidate(path)
        switch field {
        case .authors, .subjects: candidate.split = separator(for: field)
        case .contributors:
            // The filter value is the role of these people.
            for case .filter(let filter) in path.steps { candidate.tag = filter.value.string }
        case .rating:
            let highest = numbers.max() ?? 5
            if highest > 10 { candidate.scale = 100 } else if highest > 5 { candidate.scale = 10 }
        case .status:
            for text in Set(strings.map(\.onOneLine)) {
                guard Book.ReadingStatus(written: text) == nil, let status = Book.ReadingStatus(meantBy: text) else {
                    continue
                }
                candidate.values[text] = status.rawValue
            }
        default: break
        }
        return candidate
    }

    /// Returns the separator of several values in one string, or nil if none is frequent enough.
    private func separator(for field: BookField) -> String? {
        let texts = values.compactMap(\.string)
        guard texts.count * 2 > values.count else { return nil }
        let separators =
            field == .authors
            ? ["; ", ";", " & ", " and ", " und ", " et ", "|", " / ", ", "]
            : ["; ", ";", "|", " > ", " / ", ", ", ","]
        for separator in separators {
            let split = texts.map { $0.components(at: separator) }.filter { $0.count > 1 }
            guard split.count * 20 >= texts.count, !split.isEmpty else { continue }
            let areRight = split.filter { parts in
                parts.allSatisfy { part in
                    let words = part.split(separator: " ").count
                    guard words > 0 else { return false }
                    switch separator {
                    // "Austen, Jane" is a single name.
                    case ", " where field == .authors: return words > 1 && part.looksLikeName
                    case ", ", ",", " / ", " > ": return words <= 4
                    case " & ", " and ", " und ", " et ":
                        return part.first?.isUppercase == true
                            || part.first?.isLetter == true && part.first?.isLowercase == false
                    default: return true
                    }
                }
            }
            if areRight.count * 10 >= split.count * 8 { return separator }
        }
        return nil
    }
}

extension JSONValue {
    /// The string, or the strings of an array.
    fileprivate var strings: [String] {
        switch self {
        case .string(let string): [string]
        case .array(let elements): elements.flatMap(\.strings)
        case .null, .boolean, .number, .object: []
        }
    }

    /// Whether the value may be the key of a record: text, a number, or a MongoDB object id.
    fileprivate var isKey: Bool {
        switch self {
        case .string, .number: true
        case .object(let members): members.count == 1 && members[0].key == "$oid"
        case .null, .boolean, .array: false
        }
    }

    fileprivate var elementCount: Int {
        if case .array(let elements) = self { elements.count } else { 0 }
    }

    fileprivate var isList: Bool {
        if case .array = self { true } else { false }
    }

    /// The number, if the value contains nothing else.
    fileprivate var plainNumber: Double? {
        switch self {
        case .number(let number): Double(number)
        case .string(let string): string.utf8.count <= 32 ? Double(string) : nil
        case .null, .boolean, .array, .object: nil
        }
    }

    fileprivate var looksLikeLink: Bool {
        guard let link else { return false }
        return link.contains("://") || link.hasPrefix("/") || link.hasPrefix("./") || link.isPicture
    }
}

extension String {
    /// Whether only the first letter is a capital.
    fileprivate var isCapitalized: Bool {
        first?.isUppercase == true && dropFirst().contains(where: \.isLowercase)
    }

    fileprivate var isPicture: Bool {
        let end = lowercased().prefix { $0 != "?" }
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"].contains { end.hasSuffix($0) }
    }

    /// Whether the text starts with four digits, a hyphen and two digits.
    fileprivate var isISODate: Bool {
        let start = Array(utf8.prefix(7))
        return start.count == 7 && start[4] == UInt8(ascii: "-")
            && start.enumerated().allSatisfy { $0.offset == 4 || $0.element.isASCIIDigit }
    }

    /// Whether the text consists of two to five words with initial capitals, apart from name particles.
    fileprivate var looksLikeName: Bool {
        let words = split { $0 == " " || $0 == "," }
        guard (2...5).contains(words.count), !contains(where: \.isNumber), !contains(":") else { return false }
        let small: Set<Substring> = [
            "de", "von", "van", "der", "le", "la", "du", "di", "da", "del", "bin", "ten", "zu", "y", "e",
        ]
        return words.allSatisfy { word in
            word.first?.isUppercase == true || small.contains(word)
        } && !["The", "A", "An", "Der", "Die", "Das", "Le", "La", "Les", "El", "Il", "Of"].contains { $0 == words[0] }
    }

    /// Returns the parts between `separator`, trimmed.
    fileprivate func components(at separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]).onOneLine)
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest).onOneLine]
    }
}

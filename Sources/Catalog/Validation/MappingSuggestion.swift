public import Books
public import JSON
internal import Text

/// Suggests a field mapping for records of any shape, by the names of keys and the contents of values.
public struct MappingSuggestion {
    /// The result of applying a rule to the sampled records.
    public struct Look: Hashable, Sendable {
        /// The number of records with a value.
        public var count: Int
        /// The number of records.
        public var recordCount: Int
        /// The first few distinct values as text on one line.
        public var samples: [String]

        /// The fraction of records with a value, from 0 to 1.
        public var share: Double { recordCount == 0 ? 0 : Double(count) / Double(recordCount) }
    }

    /// The suggested rules by field.
    public private(set) var rules: [BookField: FieldMapping.Rule] = [:]
    private let records: [JSONValue]
    private let paths: RecordSchema

    /// The maximum number of sample values per field.
    public static let sampleCount = 3

    /// Suggests rules for a sample of some hundred records; the paths of a known `mapping` take precedence over equally
    /// good ones.
    public init(for records: [JSONValue], knownAs mapping: FieldMapping? = nil) {
        self.records = records
        paths = RecordSchema(in: records)
        var proposals = Assignment(of: paths).rules
        for field in BookField.allCases {
            guard let known = mapping?.rules[field].flatMap({ Self.worthwhile($0, of: field, in: records) }) else {
                continue
            }
            let proposed = proposals[field].map { Self.look(at: $0, of: field, in: records).count } ?? 0
            let count = Self.look(at: known, of: field, in: records).count
            if count > 0, Double(count) >= 0.9 * Double(proposed) { proposals[field] = known }
        }
        rules = proposals
    }

    /// Returns the rule with only the candidates that contribute values, or nil if none does.
    private static func worthwhile(
        _ rule: FieldMapping.Rule, of field: BookField, in records: [JSONValue]
    ) -> FieldMapping.Rule? {
        var candidates: [FieldMapping.Candidate] = []
        var count = 0
        for candidate in rule.candidates {
            let more = look(at: FieldMapping.Rule(candidates + [candidate]), of: field, in: records).count
            let isNeeded =
                field.gathers
                ? look(at: FieldMapping.Rule([candidate]), of: field, in: records).count > 0 : more > count
            if isNeeded { candidates.append(candidate) }
            count = max(count, more)
        }
        return candidates.isEmpty ? nil : FieldMapping.Rule(candidates)
    }

    /// Returns the result of applying `rule`.
    public func look(at rule: FieldMapping.Rule, of field: BookField) -> Look {
        Self.look(at: rule, of: field, in: records)
    }

    private static func look(at rule: FieldMapping.Rule, of field: BookField, in records: [JSONValue]) -> Look {
        let mapping = FieldMapping(rules: [field: rule])
        var look = Look(count: 0, recordCount: records.count, samples: [])
        for record in records {
            guard let value = mapping.value(of: field, in: record) else { continue }
            look.count += 1
            if look.samples.count < sampleCount, !look.samples.contains(value.sample) {
                look.samples.append(value.sample)
            }
        }
        return look
    }

    /// All paths in the records, with the fraction of records that have a value, and a sample value.
    public var allPaths: [(path: FieldPath, share: Double, sample: String)] {
        paths.paths.filter { !$0.isFiltered }.map { path in
            let present = path.present
            return (path.path, Double(present.count) / Double(max(1, records.count)), present.first?.json ?? "")
        }
    }
}

extension FieldValue {
    /// The value as text on one line.
    fileprivate var sample: String {
        switch self {
        case .text(let text): text.onOneLine
        case .number(let number): number == number.rounded() && number.magnitude < 1e9 ? "\(Int(number))" : "\(number)"
        case .integer(let number): "\(number)"
        case .boolean(let boolean): boolean ? "yes" : "no"
        case .isbn(let isbn): isbn.isValid ? isbn.formatted : isbn.text + " (not a valid ISBN)"
        case .date(let date): date.description
        case .status(let status): status.rawValue
        case .list(let items):
            items.map { item in item.tag.map { "\(item.text) (\($0))" } ?? item.text }.joined(separator: ", ")
        }
    }
}

// MARK: - Assignment

/// Assigns to each field the most likely path, and no path to two fields.
private struct Assignment {
    private(set) var rules: [BookField: FieldMapping.Rule] = [:]

    /// A possible path of a field.
    private struct Offer {
        let field: BookField
        let path: Int
        let candidate: FieldMapping.Candidate
        let score: Double
        let likeness: Double
        /// Whether each record yields a value.
        let gives: [Bool]
    }

    /// The minimum score of a suggestion.
    private static let leastScore = 0.18

    init(of paths: RecordSchema) {
        var offers: [Offer] = []
        for (index, path) in paths.paths.enumerated() {
            let values = PathValues(path.present)
            for field in BookField.allCases {
                if let offer = Self.offer(path, index, values, for: field) { offers.append(offer) }
            }
        }
        // Ties are resolved by the order in the records.
        let ranked = offers.enumerated().sorted {
            $0.element.score != $1.element.score ? $0.element.score > $1.element.score : $0.offset < $1.offset
        }.map(\.element)
        var owners: [Int: BookField] = [:]
        var chosen: [BookField: [Offer]] = [:]
        func isFree(_ offer: Offer) -> Bool {
            let path = paths.paths[offer.path].path
            if let owner = owners[offer.path] { return Self.mayShare(owner, offer.field) }
            guard offer.field == .contributors else { return true }
            // The contributors must not include the authors again.
            return !owners.contains { index, owner in
                owner == .authors && paths.paths[index].path.steps.starts(with: path.steps)
            }
        }
        for offer in ranked where chosen[offer.field] == nil && isFree(offer) {
            chosen[offer.field] = [offer]
            owners[offer.path] = offer.field
        }
        // Further paths are added if they yield values for records without one.
        for offer in ranked where offer.likeness >= 0.8 && !offer.field.gathers {
            guard let taken = chosen[offer.field], taken.count < 3, owners[offer.path] == nil, isFree(offer) else {
                continue
            }
            let isNew = offer.gives.indices.contains { index in
                offer.gives[index] && !taken.contains { $0.gives[index] }
            }
            if isNew {
                chosen[offer.field]?.append(offer)
                owners[offer.path] = offer.field
            }
        }
        for (field, offers) in chosen { rules[field] = FieldMapping.Rule(offers.map(\.candidate)) }
    }

    /// Whether two fields may share a path: the key of a record may also be an identifier or ISBN.
    private static func mayShare(_ left: BookField, _ right: BookField) -> Bool {
        let sharing: [BookField] = [.isbn, .sourceID, .identifiers]
        return sharing.contains(left) && sharing.contains(right) && left != right
    }

    private static func offer(
        _ path: RecordSchema.Path, _ index: Int, _ values: PathValues, for field: BookField
    ) -> Offer? {
        let likeness = FieldNames.likeness(of: path.keys, to: field)
        let isOfAnotherTime = field == .published && FieldNames.isOfAnotherTime(path.keys)
        let alone = isOfAnotherTime ? 0 : values.score(withoutNameFor: field)
        guard likeness >= 0.3 || alone > 0 else { return nil }
        let candidate = values.candidate(at: path.path, for: field)
        let gives = path.values.map { $0.map { candidate.value(of: field, in: $0) != nil } ?? false }
        let readable = Double(gives.count { $0 }) / Double(max(1, values.count))
        guard readable > 0 else { return nil }
        let share = Double(gives.count { $0 }) / Double(max(1, gives.count))
        let named = likeness * (0.3 + 0.7 * readable) * values.plausibility(for: field)
        let depth = Double(path.keys.count - 1) * 0.004
        // A filtered path is more specific than the unfiltered one.
        let score =
            max(named >= 0.35 ? named : 0, alone * readable) * (0.7 + 0.3 * share) + (path.isFiltered ? 0.05 : 0)
            - depth
        guard score >= leastScore else { return nil }
        return Offer(
            field: field, path: index, candidate: candidate, score: score, likeness: likeness, gives: gives)
    }
}

/// The characteristics of the values at a path.
private struct PathValues {
    private let values: [JSONValue]
    private let strings: [String]
    private let numbers: [Double]
    private let booleanCount: Int

    init(_ values: [JSONValue]) {
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

    var count: Int { values.count }

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
    func plausibility(for field: BookField) -> Double {
        switch field {
        case .title, .subtitle, .sortTitle, .publisher, .series:
            if booleanCount > 0 { return 0 }
            // A list of titles is not the title of one book.
            if field == .title, areSeveral { return 0.2 }
            return isText ? 1 : field == .title ? 0.5 : 0
        case .authors, .contributors:
            return share { $0.contains("://") } > 0.5 || booleanCount > 0 ? 0.1 : isText ? 1 : 0.3
        case .isbn:
            let valid = share(of: { $0.isbn?.isValid == true })
            return valid > 0 ? 0.6 + 0.4 * valid : 0.5
        case .pageCount:
            let counts = values.compactMap(\.pages).sorted()
            guard let median = counts.isEmpty ? nil : counts[counts.count / 2] else { return 0 }
            // No three books in a row have between 1400 and 2100 pages.
            if counts.count >= 3, yearShare >= 0.9 { return 0.1 }
            return (8...5000).contains(median) || counts.count < 3 ? 1 : 0.4
        case .fiction: return share(of: { $0.fiction != nil }) >= 0.5 ? 1 : 0
        case .sourceID: return distinctShare >= 0.95 && values.allSatisfy(\.isKey) ? 1 : 0
        case .published: return share(of: { $0.partialDate != nil }) >= 0.3 ? 0.6 + 0.4 * yearShare : 0
        case .dateAdded: return share(of: { $0.partialDate != nil }) >= 0.5 ? 1 : 0
        case .languages:
            return share(of: { !$0.languages.isEmpty && $0.languages.allSatisfy { LanguageTag($0) != nil } })
        case .subjects: return booleanCount > 0 || share { $0.contains("://") } > 0.5 ? 0 : isText ? 1 : 0.2
        case .seriesPosition: return share(of: { ($0.double ?? -1) >= 0 && ($0.double ?? 0) < 1000 }) >= 0.5 ? 1 : 0
        case .description: return booleanCount > 0 || !isText ? 0 : averageLength >= 25 ? 1 : 0.4
        case .cover:
            if booleanCount > 0 { return 0 }
            return share(of: { $0.looksLikeLink }) >= 0.5 || numbers.count == values.count ? 1 : 0
        case .identifiers: return values.contains { $0.members != nil || $0.isList } ? 1 : 0.5
        case .rating: return numbers.count * 2 >= values.count && (numbers.max() ?? 1000) <= 100 ? 1 : 0
        case .status: return share(of: { $0.text.map { Self.status($0) != nil } ?? false }) >= 0.5 ? 1 : 0
        }
    }

    /// Returns how strongly the values alone indicate a field, regardless of the key, from 0 to 1.
    func score(withoutNameFor field: BookField) -> Double {
        guard !strings.isEmpty || !numbers.isEmpty, values.allSatisfy({ $0.members == nil }) else { return 0 }
        switch field {
        case .isbn: return share(of: { $0.isbn?.isValid == true }) >= 0.5 ? 0.75 : 0
        case .pageCount:
            return share(of: { $0.string.map { Int($0) == nil } == true && $0.pages != nil }) >= 0.7 ? 0.7 : 0
        case .fiction:
            return share(of: { $0.string != nil && $0.fiction != nil && $0.string?.count ?? 0 > 5 }) >= 0.9 ? 0.6 : 0
        case .cover: return share { $0.isPicture } >= 0.7 ? 0.5 : 0
        case .languages:
            let isCode = share { (2...3).contains($0.count) && LanguageTag($0) != nil } >= 0.9
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
    func candidate(at path: FieldPath, for field: BookField) -> FieldMapping.Candidate {
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
                guard Book.ReadingStatus(text) == nil, let status = Self.status(text) else { continue }
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

    /// Returns the reading status that a word stands for.
    static func status(_ text: String) -> Book.ReadingStatus? {
        if let status = Book.ReadingStatus(text) { return status }
        let word = text.lowercased().filter(\.isLetter)
        return statuses.first { $0.words.contains(word) }?.status
    }

    private static let statuses: [(status: Book.ReadingStatus, words: Set<String>)] = [
        (
            .read,
            [
                "read", "done", "finished", "complete", "completed", "gelesen", "fertig", "lu", "terminé", "letto",
                "leído",
                "leido", "lido", "gelezen", "läst", "lest", "przeczytane", "прочитано", "luettu", "已读", "読了",
            ]
        ),
        (
            .reading,
            [
                "reading", "currentlyreading", "current", "inprogress", "started", "amlesen", "lese", "encours",
                "inlettura",
                "leyendo", "lendo", "bezig", "läser", "czytam", "читаю", "kesken", "在读", "読書中",
            ]
        ),
        (
            .toRead,
            [
                "toread", "wanttoread", "wishlist", "wanted", "planned", "unread", "tbr", "notstarted", "queue",
                "ungelesen",
                "zulesen", "àlire", "alire", "daleggere", "porleer", "paraler", "telezen", "attläsa", "doprzeczytania",
                "хочупрочитать", "想读", "積読",
            ]
        ),
        (
            .abandoned,
            [
                "abandoned", "dnf", "didnotfinish", "dropped", "gaveup", "stopped", "abgebrochen", "abandonné",
                "abbandonato", "abandonado", "gestopt", "porzucone", "брошено", "弃读",
            ]
        ),
    ]
}

extension Book.ReadingStatus {
    /// Creates the status from its name in a catalog.
    fileprivate init?(_ text: String) {
        guard case .status(let status)? = BookField.status.value(of: .string(text)) else { return nil }
        self = status
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

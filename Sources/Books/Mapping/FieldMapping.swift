package import JSON
internal import Text

/// Where each field of a book is found in the records of a catalog, and how a book is written back there.
public struct FieldMapping: Hashable, Sendable {
    /// A place where a field may be.
    public struct Candidate: Hashable, Sendable {
        /// Where.
        public var path: FieldPath
        /// What stands between the values in a string: " & "; a doubled "&" is one that separates nothing.
        public var split: String?
        /// The highest mark that there is, where it is not 5.
        public var scale: Double?
        /// What the texts of the catalog mean: "done" is "read".
        public var values: [String: String]
        /// The role of contributors, or the scheme of identifiers, that the value has none for.
        public var tag: String?
        /// Whether a text counts as a book number only where it is a valid one: where others have the same path, it may be
        /// anything.
        package fileprivate(set) var mustBeValid = false

        /// The place at `path`.
        public init(
            _ path: FieldPath, split: String? = nil, scale: Double? = nil, values: [String: String] = [:],
            tag: String? = nil
        ) {
            self.path = path
            self.split = split
            self.scale = scale
            self.values = values
            self.tag = tag
        }
    }

    /// Where a field may be.
    public struct Rule: Hashable, Sendable {
        /// The places. The first counts that has a value that the field can make something of, or a valid book number; of
        /// contributors and identifiers all count.
        public var candidates: [Candidate]
        /// The value where there is none.
        package var defaultValue: JSONValue?

        /// The rule that tries `candidates` in their order.
        public init(_ candidates: [Candidate]) { self.candidates = candidates }

        /// The same, with a value where none has any.
        package init(_ candidates: [Candidate], default defaultValue: JSONValue?) {
            self.candidates = candidates
            self.defaultValue = defaultValue
        }
    }

    /// The rules by their fields; other fields are not in the catalog.
    public let rules: [BookField: Rule]
    /// What is not worth showing, with all beneath it.
    public let ignored: [FieldPath]
    /// The candidates that are a member of the record itself, by its key: each record that is read looks up all of its keys.
    private let membersByKey: [String: [Member]]

    /// A member of a record that a field is read from.
    private struct Member: Hashable, Sendable {
        let field: BookField
        let candidate: Candidate
    }

    /// The mapping of these rules.
    public init(rules: [BookField: Rule], ignored: [FieldPath] = []) {
        var rules = rules
        if var rule = rules[.isbn] {
            let others = [rules[.sourceID], rules[.identifiers]].flatMap { $0?.candidates.map(\.path) ?? [] }
            for index in rule.candidates.indices {
                rule.candidates[index].mustBeValid = others.contains(rule.candidates[index].path)
            }
            rules[.isbn] = rule
        }
        self.rules = rules
        self.ignored = ignored
        var membersByKey: [String: [Member]] = [:]
        for field in BookField.allCases {
            for candidate in rules[field]?.candidates ?? [] {
                guard let key = candidate.path.soleName else { continue }
                membersByKey[key, default: []].append(Member(field: field, candidate: candidate))
            }
        }
        self.membersByKey = membersByKey
    }
}

// MARK: - Reading

extension FieldMapping {
    /// The book that `record` describes.
    package func book(from record: JSONValue) -> Book {
        var book = Book(title: "")
        var names: [String] = []
        for field in BookField.allCases {
            if let value = value(of: field, in: record, naming: { names.append($0) }) { field.set(value, in: &book) }
        }
        book.fiction = book.fiction ?? Book.isFiction(subjects: book.subjects)
        book.otherFields = otherFields(of: record, besides: names)
        return book
    }

    /// This mapping for records that are at these steps within what is read.
    package func within(_ steps: [FieldPath.Step]) -> FieldMapping {
        if steps.isEmpty { return self }
        func inner(_ path: FieldPath) -> FieldPath { FieldPath(steps: steps + path.steps) }
        let inside = rules.mapValues { rule in
            var rule = rule
            for index in rule.candidates.indices { rule.candidates[index].path = inner(rule.candidates[index].path) }
            return rule
        }
        return FieldMapping(rules: inside, ignored: ignored.map(inner))
    }

    /// What a field is in `record`.
    ///
    /// - Parameter note: Told the names of members that it is made of, where they are members of the record itself.
    package func value(
        of field: BookField, in record: JSONValue, naming note: (String) -> Void = { _ in }
    ) -> FieldValue? {
        guard let rule = rules[field] else { return nil }
        if field.gathers {
            let items = rule.candidates.flatMap { candidate in
                let items = self.items(of: field, at: candidate, in: record)
                if !items.isEmpty, let name = candidate.path.soleName { note(name) }
                return items
            }
            if !items.isEmpty { return .list(items) }
        } else {
            var first: FieldValue?
            for candidate in rule.candidates {
                guard let value = value(of: field, at: candidate, in: record) else { continue }
                if let name = candidate.path.soleName { note(name) }
                // A number that is right is better than one before it that is not.
                if case .isbn(let isbn) = value, !isbn.isValid {
                    first = first ?? value
                } else {
                    return value
                }
            }
            if let first { return first }
        }
        return rule.defaultValue.flatMap { field.value(of: $0) }
    }

    /// The same at one place alone.
    func value(of field: BookField, at candidate: Candidate, in record: JSONValue) -> FieldValue? {
        guard let raw = candidate.path.value(in: record) else { return nil }
        return candidate.value(of: field, in: raw)
    }

    /// The items of a list at one place alone.
    func items(of field: BookField, at candidate: Candidate, in record: JSONValue) -> [FieldValue.Item] {
        if case .list(let items)? = value(of: field, at: candidate, in: record) { items } else { [] }
    }
}

extension FieldMapping.Candidate {
    /// What a field makes of the value here.
    package func value(of field: BookField, in raw: JSONValue) -> FieldValue? {
        if raw.isBlank { return nil }
        switch field.value(of: values.isEmpty && split == nil ? raw : translated(raw)) {
        case .number(let number)? where field == .rating:
            let rating = number / (scale ?? 5) * 5
            guard (0...5).contains(rating) else { return nil }
            // What was scaled up and down again is to be what it was.
            return .number((rating * 1e6).rounded() / 1e6)
        case .list(let items)? where tag != nil && field == .contributors:
            return .list(items.map { FieldValue.Item(text: $0.text, tag: $0.tag ?? tag) })
        case .list? where tag != nil && field == .identifiers:
            // The texts as they are: "10.1000/182" has no scheme of its own.
            return .list(raw.texts.map { FieldValue.Item(text: $0, tag: tag) })
        case .isbn(let isbn)? where mustBeValid && !isbn.isValid: return nil
        case let value: return value
        }
    }

    /// A value with the texts that mean another replaced, and with strings split.
    private func translated(_ raw: JSONValue) -> JSONValue {
        switch raw {
        case .array(let elements): return .array(elements.map(translated))
        case .string(let string):
            if let meaning = values[string.onOneLine] { return .string(meaning) }
            guard let split, !split.isEmpty else { return raw }
            let parts = Self.parts(of: string, at: split)
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

    /// The string that is split into `parts`.
    func joined(_ parts: [String]) -> String? {
        guard let split, !split.isEmpty else { return nil }
        return parts.map { split.contains("&") ? $0.replacing("&", with: "&&") : $0 }.joined(separator: split)
    }
}

// MARK: - What is no field

extension FieldMapping {
    /// How many characters of a text are kept that is no field.
    static let longestOtherText = 1000

    /// The values that no path leads to whose field can make something of them, and that are not ignored.
    ///
    /// - Parameter names: Members that a field is made of.
    func otherFields(of record: JSONValue, besides names: [String]) -> [Book.OtherField] {
        // Nearly always each key is that of a field, and the rest need not be done.
        if (record.members ?? []).allSatisfy({ names.contains($0.key) || isCovered($0) }) { return [] }
        var covered: Set<[JSONValue.Place]> = []
        for field in BookField.allCases {
            for candidate in rules[field]?.candidates ?? [] where value(of: field, at: candidate, in: record) != nil {
                candidate.path.forEachPlace(in: record) { covered.insert($0) }
            }
        }
        for path in ignored { path.forEachPlace(in: record) { covered.insert($0) } }
        var fields: [Book.OtherField] = []
        Self.append(record, at: [], without: covered, to: &fields)
        return fields
    }

    /// Whether a field can make something of this member of a record.
    private func isCovered(_ member: JSONValue.Member) -> Bool {
        membersByKey[member.key]?.contains { $0.candidate.value(of: $0.field, in: member.value) != nil } ?? false
    }

    private static func append(
        _ value: JSONValue, at places: [JSONValue.Place], without covered: Set<[JSONValue.Place]>,
        to fields: inout [Book.OtherField]
    ) {
        if covered.contains(places) { return }
        if case .object = value, !places.isEmpty || value.members?.isEmpty == false {
            for child in value.children {
                append(child.value, at: places + [child.place], without: covered, to: &fields)
            }
            return
        }
        guard let rest = value.without(covered, at: places), !rest.isBlank, let text = rest.textOfAnyKind else {
            return
        }
        let steps = places.map { place -> FieldPath.Step in
            switch place {
            case .key(let key): .name(key)
            case .index(let index): .index(index)
            }
        }
        fields.append(Book.OtherField(path: FieldPath(steps: steps).description, text: text))
    }
}

extension JSONValue {
    /// This value without what is at the places `covered`; nil where it is there itself, or nothing is left.
    fileprivate func without(_ covered: Set<[Place]>, at places: [Place]) -> JSONValue? {
        if covered.contains(places) { return nil }
        switch self {
        case .array(let elements):
            let rest = elements.enumerated().compactMap { index, element in
                element.without(covered, at: places + [.index(index)])
            }
            return rest.isEmpty ? nil : .array(rest)
        case .object(let members):
            let rest = members.compactMap { member in
                member.value.without(covered, at: places + [.key(member.key)]).map {
                    Member(key: member.key, value: $0)
                }
            }
            return rest.isEmpty ? nil : .object(rest)
        case .null, .boolean, .number, .string: return self
        }
    }

    /// Text on one line: of scalars what they are, of an array of them all, of anything else its JSON.
    fileprivate var textOfAnyKind: String? {
        let text: String?
        switch self {
        case .array(let elements) where elements.allSatisfy(\.isScalar):
            text = elements.prefix(FieldMapping.longestOtherText).compactMap(\.scalarText).joined(separator: ", ")
        case .array, .object: text = json.beginning
        case .null, .boolean, .number, .string: text = scalarText
        }
        guard let text, !text.isEmpty else { return nil }
        return text.utf8.count > FieldMapping.longestOtherText && text.count > FieldMapping.longestOtherText
            ? text.prefix(FieldMapping.longestOtherText) + "…" : text
    }

    private var isScalar: Bool {
        switch self {
        case .null, .boolean, .number, .string: true
        case .array, .object: false
        }
    }

    private var scalarText: String? {
        switch self {
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .number(let number): return number.beginning
        case .string(let string):
            let line = string.beginning.onOneLine
            return line.isEmpty ? nil : line
        case .null, .array, .object: return nil
        }
    }
}

extension String {
    /// As much of a text as may be shown of it: what is behind need not be looked at.
    fileprivate var beginning: String {
        let length = 8 * FieldMapping.longestOtherText
        return utf8.count > length ? String(unicodeScalars.prefix(length)) : self
    }
}

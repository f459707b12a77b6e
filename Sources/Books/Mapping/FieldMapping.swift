public import JSON
internal import Text

/// The rules that read the fields of a book from the records of a catalog, and write them back.
public struct FieldMapping: Hashable, Sendable {
    /// One path at which a field may be found, with the way its value is encoded there.
    public struct Candidate: Hashable, Sendable {
        /// The path within the record.
        public var path: FieldPath
        /// The separator between several values in one string, " & " for example; a doubled "&" is an escaped one. "names",
        /// "series" and "imprint" stand for the rules of `ListedName`, `SeriesInTitle` and `Imprint`.
        public var split: String?
        /// The highest possible rating, if it is not 5.
        public var scale: Double?
        /// The book's values by the catalog's words for them, "read" by "done" for example.
        public var values: [String: String]
        /// The role of contributors, or the scheme of identifiers, for values that name none.
        public var tag: String?
        /// Whether an invalid ISBN is ignored, because other fields have the same path and the text may belong to them.
        public fileprivate(set) var mustBeValid = false
        /// Whether people with other roles than that of an author are left out, because they are read as contributors.
        public fileprivate(set) var leavesOutContributors = false

        /// Creates a candidate for the value at `path`.
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

    /// The candidates of one field, and its default value.
    public struct Rule: Hashable, Sendable {
        /// The candidates in order of preference.
        ///
        /// The first one with a readable value (for an ISBN: a valid one) is used; contributors and identifiers are
        /// collected from all of them.
        public var candidates: [Candidate]
        /// The raw value to use when no candidate yields one.
        public var defaultValue: JSONValue?

        /// Creates a rule that tries `candidates` in order.
        public init(_ candidates: [Candidate]) { self.candidates = candidates }

        /// Creates a rule that falls back to `defaultValue`.
        public init(_ candidates: [Candidate], default defaultValue: JSONValue?) {
            self.candidates = candidates
            self.defaultValue = defaultValue
        }
    }

    /// The rules by field; the catalog has no values for the fields without a rule.
    public let rules: [BookField: Rule]
    /// The fields that only this catalog has, in its order; each is read from its path.
    public let own: [BookField]
    /// The paths whose values, including everything beneath them, are left out of `Book.otherFields`.
    public let ignored: [FieldPath]
    /// The candidates whose path is a single name, by that name, because every key of every record is looked up here.
    private let membersByKey: [String: [Member]]
    /// The keys with which the paths of the fields of every catalog begin; nil if one begins with another step.
    let keysOfPaths: Set<String>?
    /// The fields with their rules, resolved once, in the order of the table of fields.
    private let steps: [Step]

    /// A field that records may have.
    private struct Step: Hashable, Sendable {
        let field: BookField
        let rule: Rule
    }

    /// A member of the record that a field is read from.
    private struct Member: Hashable, Sendable {
        let field: BookField
        let candidate: Candidate
    }

    /// Creates a mapping; ISBN candidates that share their path with another field accept only valid numbers.
    ///
    /// - Parameter own: The fields that only this catalog has.
    public init(rules: [BookField: Rule], own: [BookField] = [], ignored: [FieldPath] = []) {
        var rules = rules
        for field in own {
            if let path = field.info.own?.path { rules[field] = rules[field] ?? Rule([Candidate(path)]) }
        }
        if var rule = rules[.isbn] {
            let others = [rules[.sourceID], rules[.identifiers]].flatMap { $0?.candidates.map(\.path) ?? [] }
            for index in rule.candidates.indices {
                rule.candidates[index].mustBeValid = others.contains(rule.candidates[index].path)
            }
            rules[.isbn] = rule
        }
        if var rule = rules[.authors], let others = rules[.contributors]?.candidates.map(\.path) {
            for index in rule.candidates.indices {
                rule.candidates[index].leavesOutContributors = others.contains(rule.candidates[index].path)
            }
            rules[.authors] = rule
        }
        self.rules = rules
        self.own = own
        self.ignored = ignored
        steps = (BookField.builtIn + own).compactMap { field in rules[field].map { Step(field: field, rule: $0) } }
        var membersByKey: [String: [Member]] = [:]
        for step in steps {
            for candidate in step.rule.candidates {
                guard let key = candidate.path.soleName else { continue }
                membersByKey[key, default: []].append(Member(field: step.field, candidate: candidate))
            }
        }
        self.membersByKey = membersByKey
        let paths = steps.filter { !$0.field.isOwn }.flatMap { $0.rule.candidates.map(\.path) }
        let keys = paths.map { path in if case .name(let name)? = path.steps.first { name } else { String?.none } }
        keysOfPaths = keys.contains(nil) ? nil : Set(keys.compactMap(\.self))
    }
}

// MARK: - Reading

extension FieldMapping {
    /// The fields of the catalog.
    public var schema: Schema { Schema(own: own) }

    /// Returns this mapping for a catalog that has further fields.
    public func with(own fields: [BookField]) -> FieldMapping {
        fields.isEmpty ? self : FieldMapping(rules: rules, own: own + fields, ignored: ignored)
    }

    /// Returns the book that `record` describes.
    public func book(from record: JSONValue) -> Book {
        var names: [String] = []
        var book = plainBook(from: record) { names.append($1) }
        book.otherFields = otherFields(of: record, besides: names)
        return book
    }

    /// Returns the book without its other fields.
    ///
    /// - Parameter note: Receives each field with the name of each top-level member that it is read from.
    func plainBook(from record: JSONValue, naming note: (BookField, String) -> Void) -> Book {
        var book = Book(title: "")
        for step in steps {
            let value = value(of: step.field, by: step.rule, in: record) { note(step.field, $0) }
            guard let value else { continue }
            if step.field.isOwn { book.own.append(.init(step.field, value)) } else { step.field.set(value, in: &book) }
        }
        book.otherISBNs = otherISBNs(in: record, besides: book.isbn)
        return book
    }

    /// Returns the valid ISBNs of `record` besides the one of its book.
    public func otherISBNs(in record: JSONValue, besides isbn: ISBN?) -> [ISBN] {
        guard let isbn, isbn.isValid, let rule = rules[.isbn] else { return [] }
        var numbers: Set = [isbn.number]
        return rule.candidates.flatMap { $0.path.value(in: record)?.isbns ?? [] }
            .filter { numbers.insert($0.number).inserted }
    }

    /// Returns this mapping for records that are nested at `steps` within the value that is read.
    public func within(_ steps: [FieldPath.Step]) -> FieldMapping {
        if steps.isEmpty { return self }
        func inner(_ path: FieldPath) -> FieldPath { FieldPath(steps: steps + path.steps) }
        let inside = rules.mapValues { rule in
            var rule = rule
            for index in rule.candidates.indices { rule.candidates[index].path = inner(rule.candidates[index].path) }
            return rule
        }
        return FieldMapping(rules: inside, own: own, ignored: ignored.map(inner))
    }

    /// Returns the value of `field` in `record`.
    ///
    /// - Parameter note: Receives the name of each top-level member that the value is read from.
    public func value(
        of field: BookField, in record: JSONValue, naming note: (String) -> Void = { _ in }
    ) -> FieldValue? {
        rules[field].flatMap { value(of: field, by: $0, in: record, naming: note) }
    }

    private func value(
        of field: BookField, by rule: Rule, in record: JSONValue, naming note: (String) -> Void
    ) -> FieldValue? {
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
                // A valid ISBN takes precedence over an invalid one from an earlier candidate.
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

    /// Returns the value of `field` at one candidate only.
    func value(of field: BookField, at candidate: Candidate, in record: JSONValue) -> FieldValue? {
        guard let raw = candidate.path.value(in: record) else { return nil }
        return candidate.value(of: field, in: raw)
    }

    /// Returns the items of a list field at one candidate only.
    func items(of field: BookField, at candidate: Candidate, in record: JSONValue) -> [FieldValue.Item] {
        if case .list(let items)? = value(of: field, at: candidate, in: record) { items } else { [] }
    }
}

// MARK: - Other fields

extension FieldMapping {
    /// The number of characters that are kept of the text of an other field.
    static let longestOtherText = 1000

    /// Returns the values of `record` that no field reads and that are not ignored.
    ///
    /// - Parameter names: The top-level members that a field has already been read from.
    func otherFields(of record: JSONValue, besides names: [String]) -> [Book.OtherField] {
        // Nearly always every key belongs to a field, and the full comparison is unnecessary.
        if (record.members ?? []).allSatisfy({ names.contains($0.key) || isCovered($0) }) { return [] }
        var covered = locations(in: record, ofOwnFields: true)
        for path in ignored { path.forEachLocation(in: record) { covered.insert($0) } }
        var fields: [Book.OtherField] = []
        var restCount = 0
        Self.append(record, at: [], without: covered, to: &fields, &restCount)
        if restCount > 0 { fields.append(Book.OtherField(path: "…", text: "\(restCount) more values")) }
        return fields
    }

    /// Returns where the values are that fields can read.
    ///
    /// - Parameter includesOwn: Whether the catalog's own fields count.
    func locations(in record: JSONValue, ofOwnFields includesOwn: Bool) -> Set<[JSONValue.Step]> {
        var locations: Set<[JSONValue.Step]> = []
        for step in steps where includesOwn || !step.field.isOwn {
            for candidate in step.rule.candidates where value(of: step.field, at: candidate, in: record) != nil {
                candidate.path.forEachLocation(in: record) { locations.insert($0) }
            }
        }
        return locations
    }

    /// Whether a field can read the value of this member.
    private func isCovered(_ member: JSONValue.Member) -> Bool {
        membersByKey[member.key]?.contains { $0.candidate.value(of: $0.field, in: member.value) != nil } ?? false
    }

    /// Appends the value, or those within it, each as a line: an array of scalars is one.
    private static func append(
        _ value: JSONValue, at steps: [JSONValue.Step], without covered: Set<[JSONValue.Step]>,
        to fields: inout [Book.OtherField], _ restCount: inout Int
    ) {
        if covered.contains(steps) { return }
        if value.holdsObjects, steps.count < deepestOtherField {
            for child in value.children {
                append(child.value, at: steps + [child.step], without: covered, to: &fields, &restCount)
            }
            return
        }
        guard let rest = value.without(covered, at: steps), !rest.isBlank, let text = rest.textOfAnyKind else {
            return
        }
        guard fields.count < otherFieldLimit else {
            restCount += 1
            return
        }
        let steps = steps.map { place -> FieldPath.Step in
            switch place {
            case .key(let key): .name(key)
            case .index(let index): .index(index)
            }
        }
        fields.append(Book.OtherField(path: FieldPath(steps: steps).description, text: text))
    }

    /// The greatest number of other values that are told one by one, and of the steps to one.
    private static let (otherFieldLimit, deepestOtherField) = (200, 16)
}

extension JSONValue {
    /// Returns this value without the values at the paths `covered`, or nil if nothing remains.
    func without(_ covered: Set<[JSONValue.Step]>, at steps: [JSONValue.Step]) -> JSONValue? {
        if covered.contains(steps) { return nil }
        switch self {
        case .array(let elements):
            let rest = elements.enumerated().compactMap { index, element in
                element.without(covered, at: steps + [.index(index)])
            }
            return rest.isEmpty ? nil : .array(rest)
        case .object(let members):
            let rest = members.compactMap { member in
                member.value.without(covered, at: steps + [.key(member.key)]).map {
                    Member(key: member.key, value: $0)
                }
            }
            return rest.isEmpty ? nil : .object(rest)
        case .null, .boolean, .number, .string: return self
        }
    }

    /// The value as text on one line: scalars as they are, arrays of scalars joined with commas, everything else as
    /// JSON.
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

    /// Whether the value is an object, or an array of other values than scalars.
    fileprivate var holdsObjects: Bool {
        switch self {
        case .object: true
        case .array(let elements): !elements.allSatisfy(\.isScalar)
        case .null, .boolean, .number, .string: false
        }
    }

    /// Whether the value is neither an array nor an object.
    var isScalar: Bool {
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
    /// The beginning of a text, long enough to display; a long remainder is not processed.
    fileprivate var beginning: String {
        let length = 8 * FieldMapping.longestOtherText
        return utf8.count > length ? String(unicodeScalars.prefix(length)) : self
    }
}

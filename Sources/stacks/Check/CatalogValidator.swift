internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Text

/// Collects statistics and problems of a catalog's records in one pass, keeping only the first few problems of each
/// kind.
struct CatalogValidator {
    /// A problem in a record that is a book.
    enum Issue: Hashable, Sendable {
        /// A required field has no value.
        case missing(BookField)
        /// A field has an unreadable value.
        case unreadable(BookField)
    }

    /// The location of a problem.
    struct Location: Hashable, Sendable {
        /// The number of the record, from 0.
        var record: Int
        /// The keys and indices from the record to the value; empty for the record itself.
        var steps: [JSONValue.Step] = []

        /// Creates the location at `steps` in a record.
        init(record: Int, steps: [JSONValue.Step] = []) {
            self.record = record
            self.steps = steps
        }

        /// The location within the record as a path.
        var path: FieldPath {
            FieldPath(
                steps: steps.map { step in
                    switch step {
                    case .key(let key): .name(key)
                    case .index(let index): .index(index)
                    }
                })
        }
    }

    /// The number of occurrences of a problem, and the first of them.
    struct Findings: Hashable, Sendable {
        /// The number of occurrences.
        var count = 0
        /// The first occurrences, at most `maximumCount`.
        var first: [Location] = []
    }

    /// An invalid ISBN.
    struct InvalidISBN: Hashable, Sendable {
        /// The text in the catalog.
        var text: String
        /// The location of the text.
        var location: Location
    }

    /// The fields that are checked, in display order.
    let fields: [BookField]
    /// The number of records.
    private(set) var recordCount = 0
    /// The number of records with a value in each field.
    private(set) var coverage: [BookField: Int] = [:]
    /// The problems found.
    private(set) var issues: [Issue: Findings] = [:]
    /// The number of invalid ISBNs.
    private(set) var invalidISBNCount = 0
    /// The first invalid ISBNs, at most `maximumCount`.
    private(set) var firstInvalidISBNs: [InvalidISBN] = []

    /// The maximum number of examples per problem.
    static let maximumCount = 10

    private let mapping: FieldMapping
    /// One bit per record: whether it has a title.
    private var titled: [UInt64] = []

    /// Creates a validator of records that `mapping` reads.
    init(_ mapping: FieldMapping) {
        self.mapping = mapping
        fields = mapping.schema.fields.filter { field in
            // A book's fiction status may follow from its subjects.
            mapping.rules[field] != nil || field == .fiction && mapping.rules[.subjects] != nil
        }
    }

    /// Checks the next record.
    mutating func add(_ record: JSONValue) {
        let number = recordCount
        recordCount += 1
        if titled.count * 64 < recordCount { titled.append(0) }
        for field in fields {
            let reading = Reading(of: field, in: record, mapping)
            for steps in reading.unreadable { note(.unreadable(field), at: Location(record: number, steps: steps)) }
            if case .isbn(let isbn)? = reading.value, !isbn.isValid {
                invalidISBNCount += 1
                if firstInvalidISBNs.count < Self.maximumCount {
                    let location = Location(record: number, steps: reading.steps ?? [])
                    firstInvalidISBNs.append(InvalidISBN(text: isbn.text, location: location))
                }
            }
            if reading.value != nil {
                coverage[field, default: 0] += 1
                if field == .title { titled[number >> 6] |= 1 << UInt64(number & 63) }
            } else if field == .title, mapping.rules[.title]?.defaultValue == nil, reading.unreadable.isEmpty {
                note(.missing(.title), at: Location(record: number))
            }
        }
    }

    private mutating func note(_ issue: Issue, at location: Location) {
        issues[issue, default: Findings()].count += 1
        if let count = issues[issue]?.first.count, count < Self.maximumCount { issues[issue]?.first.append(location) }
    }

    /// Whether a record has a title.
    private func isTitled(_ record: Int) -> Bool {
        titled.indices.contains(record >> 6) && titled[record >> 6] >> UInt64(record & 63) & 1 != 0
    }
}

// MARK: - Duplicates

extension CatalogValidator {
    /// The records that share a key.
    struct Doubles: Hashable, Sendable {
        /// The number of keys with several records.
        var groupCount = 0
        /// The number of records with these keys.
        var recordCount = 0
        /// The records of the first few keys, in catalog order and at most `maximumCount` each.
        var first: [[Int]] = []
    }

    /// Returns the records with the same valid ISBN.
    func doublesByISBN(in index: BookIndex) -> Doubles {
        doubles(in: index) { $0.keys(of: BookID($1)).isbn?.indexed }
    }

    /// Returns the records with the same title and authors, ignoring case and accents; records without a title are
    /// never duplicates.
    func doublesByTitle(in index: BookIndex) -> Doubles {
        doubles(in: index) { isTitled($1) ? $0.keys(of: BookID($1)).hash.indexed : nil }
    }

    /// Sorts the keys, at eight bytes per record, and then reads the index again to locate the first few duplicates.
    private func doubles(in index: BookIndex, _ key: (BookIndex, Int) -> UInt64?) -> Doubles {
        var keys: [UInt64] = []
        keys.reserveCapacity(index.count)
        for record in 0..<index.count {
            if let key = key(index, record) { keys.append(key) }
        }
        keys.sort()
        var doubles = Doubles()
        var shared: [UInt64] = []
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] == keys[start] { end += 1 }
            if end - start > 1 {
                doubles.groupCount += 1
                doubles.recordCount += end - start
                shared.append(keys[start])
            }
            start = end
        }
        keys = []
        if shared.isEmpty { return doubles }
        var groups: [UInt64: Int] = [:]
        for record in 0..<index.count {
            guard let key = key(index, record), shared.containsSorted(key) else { continue }
            if let group = groups[key] {
                if doubles.first[group].count < Self.maximumCount { doubles.first[group].append(record) }
            } else if doubles.first.count < Self.maximumCount {
                groups[key] = doubles.first.count
                doubles.first.append([record])
            }
        }
        return doubles
    }
}

extension [UInt64] {
    /// Whether this ascending array contains `value`. Logarithmic.
    fileprivate func containsSorted(_ value: UInt64) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == value
    }
}

// MARK: - Fields

/// The readable and unreadable values of a field in a record.
private struct Reading {
    /// The value.
    var value: FieldValue?
    /// The location of the value.
    var steps: [JSONValue.Step]?
    /// The steps of unreadable values, at most `maximumCount`.
    var unreadable: [[JSONValue.Step]] = []
    private static let maximumCount = 10

    init(of field: BookField, in record: JSONValue, _ mapping: FieldMapping) {
        guard let rule = mapping.rules[field] else { return }
        var isInvalid = false
        for candidate in rule.candidates {
            guard let raw = candidate.path.value(in: record), !raw.isBlank else { continue }
            let found = candidate.value(of: field, in: raw)
            let isUnread = found == nil || field.names(found: found) == false
            if field.reportsUnreadableValues {
                // `isPlaceholder` is evaluated last, because nearly all values are readable.
                if !field.isList {
                    if isUnread, !raw.isPlaceholder { note(candidate, in: record) { _ in true } }
                } else if isUnread || raw.isArray {
                    note(candidate, in: record) { element in
                        let value = candidate.value(of: field, in: element)
                        guard value == nil || field.names(found: value) == false else { return false }
                        return !element.isBlank && !element.isPlaceholder
                    }
                }
            }
            guard let found else { continue }
            if field.gathers {
                value = value ?? found
                continue
            }
            // A valid ISBN takes precedence over an invalid one from an earlier candidate.
            let isWorse: Bool
            if case .isbn(let isbn) = found { isWorse = !isbn.isValid } else { isWorse = false }
            if value == nil || isInvalid && !isWorse {
                value = found
                candidate.path.forEachLocation(in: record) { found in steps = steps ?? found }
            }
            isInvalid = isWorse
            if !isWorse { break }
        }
        // Another path may have a value that one path lacks.
        if value != nil, !field.isList { unreadable = [] }
    }

    /// Records the steps of the values at `candidate`, or of their elements, that are unreadable.
    private mutating func note(
        _ candidate: FieldMapping.Candidate, in record: JSONValue, _ isUnreadable: (JSONValue) -> Bool
    ) {
        var found: [[JSONValue.Step]] = []
        candidate.path.forEachLocation(in: record) { steps in
            guard found.count < Self.maximumCount,
                let value = steps.reduce(Optional(record), { $0?.child($1).first?.value })
            else {
                return
            }
            if case .array(let elements) = value {
                for (index, element) in elements.enumerated()
                where found.count < Self.maximumCount && isUnreadable(element) {
                    found.append(steps + [.index(index)])
                }
            } else if isUnreadable(value) {
                found.append(steps)
            }
        }
        // Several candidates may have the same path.
        for steps in found where unreadable.count < Self.maximumCount && !unreadable.contains(steps) {
            unreadable.append(steps)
        }
    }
}

extension BookField {
    /// Whether an unreadable value of this field is a problem; identifiers may belong to other schemes.
    fileprivate var reportsUnreadableValues: Bool {
        switch self {
        case .isbn, .sourceID, .identifiers: false
        default: true
        }
    }

    /// Whether every language has a known tag; nil for other fields.
    fileprivate func names(found: FieldValue?) -> Bool? {
        guard self == .languages, case .list(let items)? = found else { return nil }
        return items.allSatisfy { LanguageTag($0.text) != nil }
    }
}

extension JSONValue {
    fileprivate var isArray: Bool {
        if case .array = self { true } else { false }
    }

    /// Whether the value is a placeholder that catalogs write for a missing value.
    fileprivate var isPlaceholder: Bool {
        switch self {
        case .null: return true
        case .boolean: return false
        case .number(let number): return Double(number).map { $0 == 0 || $0 == -1 } ?? false
        case .string(let string):
            let text = string.prefix(40).lowercased().filter { !$0.isWhitespace }
            return ["", "0", "-", "–", "?", "none", "null", "nil", "n/a", "na", "unknown", "undefined", "nan"].contains(
                text)
                || text.hasPrefix("0001-01-01") || text.hasPrefix("0101-01-01")
        case .array(let elements): return elements.allSatisfy(\.isPlaceholder)
        case .object(let members): return members.allSatisfy(\.value.isPlaceholder)
        }
    }
}

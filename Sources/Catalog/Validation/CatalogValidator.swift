public import Books
public import Indexing
public import JSON
internal import Text

/// What the records of a catalog have and what is wrong with them, found in one pass: records are added one after another,
/// and of each kind of fault only the first few are kept.
public struct CatalogValidator {
    /// What can be wrong with a record that is a book.
    public enum Flaw: Hashable, Sendable {
        /// It has no value for a field that each book should have.
        case missing(BookField)
        /// It has a value of which the field can make nothing.
        case unreadable(BookField)
    }

    /// Where a flaw is.
    public struct Place: Hashable, Sendable {
        /// The number of the record, from zero.
        public var record: Int
        /// The way from the record to the value; empty where it is the record.
        public var steps: [JSONValue.Place] = []

        /// The place at these steps in the record of this number.
        public init(record: Int, steps: [JSONValue.Place] = []) {
            self.record = record
            self.steps = steps
        }

        /// The same as a path.
        public var path: FieldPath {
            FieldPath(
                steps: steps.map { step in
                    switch step {
                    case .key(let key): .name(key)
                    case .index(let index): .index(index)
                    }
                })
        }
    }

    /// How often something was found, and where at first.
    public struct Findings: Hashable, Sendable {
        /// How often.
        public var count = 0
        /// The first few.
        public var first: [Place] = []
    }

    /// An ISBN whose check digit is wrong, or that is none.
    public struct InvalidISBN: Hashable, Sendable {
        /// What the catalog has.
        public var text: String
        /// Where.
        public var place: Place
    }

    /// The fields that the records were looked through for, in the order in which they are shown.
    public let fields: [BookField]
    /// How many records there are.
    public private(set) var recordCount = 0
    /// How many of them have each field.
    public private(set) var coverage: [BookField: Int] = [:]
    /// What is wrong with them.
    public private(set) var flaws: [Flaw: Findings] = [:]
    /// How many have an invalid ISBN.
    public private(set) var invalidISBNCount = 0
    /// The first few of these.
    public private(set) var firstInvalidISBNs: [InvalidISBN] = []

    /// Of each kind so many are kept.
    package static let keptCount = 10

    private let mapping: FieldMapping
    /// A bit for each record: whether it has a title.
    private var titled: [UInt64] = []

    /// A report on records of which the books are made by `mapping`.
    public init(_ mapping: FieldMapping) {
        self.mapping = mapping
        fields = BookField.allCases.filter { field in
            // That a book is fiction may follow from its subjects.
            mapping.rules[field] != nil || field == .fiction && mapping.rules[.subjects] != nil
        }
    }

    /// Takes in the next record.
    public mutating func add(_ record: JSONValue) {
        let number = recordCount
        recordCount += 1
        if titled.count * 64 < recordCount { titled.append(0) }
        for field in fields {
            let reading = Reading(of: field, in: record, mapping)
            for steps in reading.unreadable { note(.unreadable(field), at: Place(record: number, steps: steps)) }
            if case .isbn(let isbn)? = reading.value, !isbn.isValid {
                invalidISBNCount += 1
                if firstInvalidISBNs.count < Self.keptCount {
                    let place = Place(record: number, steps: reading.steps ?? [])
                    firstInvalidISBNs.append(InvalidISBN(text: isbn.text, place: place))
                }
            }
            if reading.value != nil || field == .fiction && isFiction(record) {
                coverage[field, default: 0] += 1
                if field == .title { titled[number >> 6] |= 1 << UInt64(number & 63) }
            } else if field == .title, mapping.rules[.title]?.defaultValue == nil, reading.unreadable.isEmpty {
                note(.missing(.title), at: Place(record: number))
            }
        }
    }

    private mutating func note(_ flaw: Flaw, at place: Place) {
        flaws[flaw, default: Findings()].count += 1
        if let count = flaws[flaw]?.first.count, count < Self.keptCount { flaws[flaw]?.first.append(place) }
    }

    private func isFiction(_ record: JSONValue) -> Bool {
        guard case .list(let subjects)? = mapping.value(of: .subjects, in: record) else { return false }
        return Book.isFiction(subjects: subjects.map(\.text)) == true
    }

    /// Whether the record of this number has a title.
    private func isTitled(_ record: Int) -> Bool {
        titled.indices.contains(record >> 6) && titled[record >> 6] >> UInt64(record & 63) & 1 != 0
    }
}

// MARK: - Doubles

extension CatalogValidator {
    /// Records that share a key.
    public struct Doubles: Hashable, Sendable {
        /// How many keys several records share.
        public var groupCount = 0
        /// How many records these are.
        public var recordCount = 0
        /// The records of the first few keys, in the catalog's order; not all of a large group.
        public var first: [[Int]] = []
    }

    /// The records with the same valid ISBN.
    public func doublesByISBN(in index: BookIndex) -> Doubles {
        doubles(in: index) { $0.keys(of: BookID($1)).isbn?.indexed }
    }

    /// The records with the same title and authors, but for case and accents; those without a title are alike in nothing.
    public func doublesByTitle(in index: BookIndex) -> Doubles {
        doubles(in: index) { isTitled($1) ? $0.keys(of: BookID($1)).hash.indexed : nil }
    }

    /// Sorts the keys, which takes eight bytes a record, and reads the index again for the first few of those that occur more
    /// than once.
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
                if doubles.first[group].count < Self.keptCount { doubles.first[group].append(record) }
            } else if doubles.first.count < Self.keptCount {
                groups[key] = doubles.first.count
                doubles.first.append([record])
            }
        }
        return doubles
    }
}

extension [UInt64] {
    /// Whether `value` is among these, which are sorted.
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

/// What a field makes of a record, and what it can make nothing of.
private struct Reading {
    /// The value.
    var value: FieldValue?
    /// Where it is.
    var steps: [JSONValue.Place]?
    /// Where the values are that cannot be read, the first few of many.
    var unreadable: [[JSONValue.Place]] = []
    private static let keptCount = 10

    init(of field: BookField, in record: JSONValue, _ mapping: FieldMapping) {
        guard let rule = mapping.rules[field] else { return }
        var isInvalid = false
        for candidate in rule.candidates {
            guard let raw = candidate.path.value(in: record), !raw.isBlank else { continue }
            let found = candidate.value(of: field, in: raw)
            let isUnread = found == nil || field.names(found: found) == false
            if field.tellsWhatIsUnreadable {
                // Whether a value says nothing is asked last: nearly all say something that can be read.
                if !field.isList {
                    if isUnread, !raw.saysNothing { note(candidate, in: record) { _ in true } }
                } else if isUnread || raw.isArray {
                    note(candidate, in: record) { element in
                        let made = candidate.value(of: field, in: element)
                        guard made == nil || field.names(found: made) == false else { return false }
                        return !element.isBlank && !element.saysNothing
                    }
                }
            }
            guard let found else { continue }
            if field.gathers {
                value = value ?? found
                continue
            }
            // A valid number is better than one before it that is not.
            let isWorse: Bool
            if case .isbn(let isbn) = found { isWorse = !isbn.isValid } else { isWorse = false }
            if value == nil || isInvalid && !isWorse {
                value = found
                candidate.path.forEachPlace(in: record) { places in steps = steps ?? places }
            }
            isInvalid = isWorse
            if !isWorse { break }
        }
        // What one path has not got another may have.
        if value != nil, !field.isList { unreadable = [] }
    }

    /// Remembers the places of the values at `candidate`, or of their elements, of which `isUnreadable` is true.
    private mutating func note(
        _ candidate: FieldMapping.Candidate, in record: JSONValue, _ isUnreadable: (JSONValue) -> Bool
    ) {
        var found: [[JSONValue.Place]] = []
        candidate.path.forEachPlace(in: record) { places in
            guard found.count < Self.keptCount,
                let value = places.reduce(Optional(record), { $0?.child($1).first?.value })
            else {
                return
            }
            if case .array(let elements) = value {
                for (index, element) in elements.enumerated()
                where found.count < Self.keptCount && isUnreadable(element) {
                    found.append(places + [.index(index)])
                }
            } else if isUnreadable(value) {
                found.append(places)
            }
        }
        // Several candidates may have one path.
        for places in found where unreadable.count < Self.keptCount && !unreadable.contains(places) {
            unreadable.append(places)
        }
    }
}

extension BookField {
    /// Whether a value that this field can make nothing of is a fault: of numbers in schemes, only some are for this field.
    fileprivate var tellsWhatIsUnreadable: Bool {
        switch self {
        case .isbn, .sourceID, .identifiers: false
        default: true
        }
    }

    /// Whether what was found is what the field is of: each language must be one that has a name. Nil where that is not asked.
    fileprivate func names(found: FieldValue?) -> Bool? {
        guard self == .languages, case .list(let items)? = found else { return nil }
        return items.allSatisfy { LanguageTag($0.text) != nil }
    }
}

extension JSONValue {
    fileprivate var isArray: Bool {
        if case .array = self { true } else { false }
    }

    /// Whether it is one of the values that catalogs write for want of another.
    fileprivate var saysNothing: Bool {
        switch self {
        case .null: return true
        case .boolean: return false
        case .number(let number): return Double(number).map { $0 == 0 || $0 == -1 } ?? false
        case .string(let string):
            let text = string.prefix(40).lowercased().filter { !$0.isWhitespace }
            return ["", "0", "-", "–", "?", "none", "null", "nil", "n/a", "na", "unknown", "undefined", "nan"].contains(
                text)
                || text.hasPrefix("0001-01-01") || text.hasPrefix("0101-01-01")
        case .array(let elements): return elements.allSatisfy(\.saysNothing)
        case .object(let members): return members.allSatisfy(\.value.saysNothing)
        }
    }
}

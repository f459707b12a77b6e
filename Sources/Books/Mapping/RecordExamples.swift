public import JSON

/// Records of a catalog that show how it writes its fields: at which of several paths, and with which JSON types.
public final class RecordExamples {
    /// The type of a JSON value; a time stamp is a separate type of text, because programs parse it.
    enum Kind: Hashable {
        case boolean, number, text, timeStamp, array, object
    }

    /// The key of an element of any array in a path.
    private static let element = "[*]"

    private let records: [JSONValue]
    /// Whether values of other types are rejected.
    let keepsTypes: Bool
    /// The types of the values at each path, which is a list of keys.
    private var kinds: [[String]: Set<Kind>] = [:]
    /// Statistics on the candidates, by field and number of the candidate.
    private var shown: [BookField: [Shown]] = [:]

    /// Statistics on the values of a candidate in the records.
    private struct Shown {
        /// The number of records that have a value there.
        var count = 0
        /// The last record that has one.
        var record: JSONValue?
    }

    /// Creates examples from records; the last one is the closest.
    ///
    /// - Parameter keepsTypes: Whether values of types that the records do not have are rejected.
    public init(_ records: [JSONValue], keepsTypes: Bool = true) {
        (self.records, self.keepsTypes) = (records, keepsTypes)
        for record in records { note(record, at: []) }
    }

    private func note(_ value: JSONValue, at path: [String]) {
        if let kind = Kind(of: value) { kinds[path, default: []].insert(kind) }
        switch value {
        case .array(let elements):
            for element in elements { note(element, at: path + [Self.element]) }
        case .object(let members):
            for member in members { note(member.value, at: path + [member.key]) }
        case .null, .boolean, .number, .string: break
        }
    }

    // MARK: - Types

    /// Returns the types that the catalog has at the first path where `new` differs from `old` and has another type;
    /// nil if there is none.
    func kindsMissed(by new: JSONValue, insteadOf old: JSONValue) -> Set<Kind>? {
        kindsMissed(by: new, insteadOf: old, recordTypes: [], at: [])
    }

    /// - Parameter recordTypes: The types that the record itself has at this path.
    private func kindsMissed(
        by new: JSONValue, insteadOf old: JSONValue?, recordTypes: Set<Kind>, at path: [String]
    ) -> Set<Kind>? {
        if new == old { return nil }
        if let kind = Kind(of: new) {
            let recordTypes = old.flatMap(Kind.init).map { recordTypes.union([$0]) } ?? recordTypes
            let known = (kinds[path] ?? []).union(recordTypes)
            if !known.isEmpty, !known.contains(kind) { return known }
        }
        switch new {
        case .array(let elements):
            let olds = old?.elements ?? []
            let recordTypes = Set(olds.compactMap(Kind.init))
            for (index, element) in elements.enumerated() where !olds.contains(element) {
                let old = index < olds.count ? olds[index] : nil
                if let missed = kindsMissed(
                    by: element, insteadOf: old, recordTypes: recordTypes, at: path + [Self.element])
                {
                    return missed
                }
            }
        case .object(let members):
            for member in members {
                let old = old?[member.key]
                // Nearly all members are the same, and their paths need not be made.
                if member.value == old { continue }
                if let missed = kindsMissed(by: member.value, insteadOf: old, recordTypes: [], at: path + [member.key])
                {
                    return missed
                }
            }
        case .null, .boolean, .number, .string: break
        }
        return nil
    }

    /// Returns the kind of value that the catalog accepts instead of the value of `field` in `book`; nil if the type of
    /// the value is not the reason why `record` cannot hold it.
    public func fitting(
        _ field: BookField, insteadOf book: Book, in record: JSONValue, _ mapping: FieldMapping
    ) -> FittingValue? {
        let tolerant = RecordExamples(records, keepsTypes: false)
        let new = mapping.record(of: book, in: record, writing: [field], like: tolerant)
        guard mapping.matches(field, of: book, in: new), let kinds = kindsMissed(by: new, insteadOf: record) else {
            return nil
        }
        let isDate = field.info.kind == .date
        if kinds.contains(.timeStamp) { return isDate ? .day : .other }
        if kinds.contains(.number) { return isDate ? .year : .number }
        guard case .list(let items)? = field.value(in: book), items.count > 1 else { return .other }
        return kinds.contains(.array) ? .other : .oneValue
    }

    // MARK: - Places

    /// Returns the number of records that have a value for `field` at each of its candidates.
    func counts(of field: BookField, at candidates: [FieldMapping.Candidate]) -> [Int] {
        shown(field, at: candidates).map(\.count)
    }

    /// Returns an example value of `field` at the candidate with this number, without the other book's data.
    ///
    /// - Parameter isList: Whether all values are wanted as an array if the path can match several.
    func example(
        of field: BookField, at index: Int, among candidates: [FieldMapping.Candidate], isList: Bool
    ) -> JSONValue? {
        let shown = shown(field, at: candidates)
        var index = index
        // Both lengths of ISBN are written alike.
        if field == .isbn, shown[index].record == nil {
            index = shown.firstIndex { $0.record != nil } ?? index
        }
        guard let record = shown[index].record else { return nil }
        let candidate = candidates[index]
        let found = candidate.path.found(in: record)
        let values = found.values.filter { candidate.value(of: field, in: $0) != nil }
        guard let first = values.first else { return nil }
        let example = candidate.smallest(first, of: field)
        return isList && found.isMany ? .array([example]) : example
    }

    private func shown(_ field: BookField, at candidates: [FieldMapping.Candidate]) -> [Shown] {
        if let known = shown[field], known.count == candidates.count { return known }
        let made = candidates.map { candidate in
            var shown = Shown()
            for record in records {
                guard let raw = candidate.path.value(in: record), candidate.value(of: field, in: raw) != nil else {
                    continue
                }
                shown.count += 1
                shown.record = record
            }
            return shown
        }
        shown[field] = made
        return made
    }
}

/// The values that a catalog can hold in a field, given the JSON types of its values.
public enum FittingValue: Hashable, Sendable {
    /// A date that is a year alone.
    case year
    /// A date with its month and day.
    case day
    /// A number.
    case number
    /// One value, not a list.
    case oneValue
    /// Values like those of the other records.
    case other
}

extension RecordExamples.Kind {
    /// The type of a value; nil for null, which can replace a value of any type.
    init?(of value: JSONValue) {
        switch value {
        case .null: return nil
        case .boolean: self = .boolean
        case .number: self = .number
        case .string(let text):
            if text.isEmpty { return nil }
            self = text.isTimeStamp ? .timeStamp : .text
        case .array: self = .array
        case .object: self = .object
        }
    }
}

extension FieldMapping.Candidate {
    /// Returns `value` without the elements, members and words that are not needed for a value of `field`.
    fileprivate func smallest(_ value: JSONValue, of field: BookField) -> JSONValue {
        switch value {
        case .array(let elements):
            guard let element = elements.first(where: { self.value(of: field, in: $0) != nil }) else { return value }
            return .array([smallest(element, of: field)])
        case .object(let members):
            // Names and roles in a list are kept as a whole, because the members that they consist of are unknown.
            let wanted = self.value(of: field, in: value)
            var rest = members
            for index in members.indices.reversed() {
                var fewer = rest
                fewer.remove(at: index)
                if self.value(of: field, in: .object(fewer)) == wanted { rest = fewer }
            }
            return .object(rest)
        case .string(let text):
            // "xii, 300 p. ; 23 cm" contains more than the number of pages.
            guard case .integer(let number)? = self.value(of: field, in: value) else { return value }
            return .string(text.contains("\(number) p.") ? "\(number) p." : String(number))
        case .null, .boolean, .number: return value
        }
    }
}

extension String {
    /// Whether the text is a date with a time of day, as in ISO 8601: 2009-04-01T00:00:00.
    fileprivate var isTimeStamp: Bool {
        let bytes = Array(utf8.prefix(13))
        guard bytes.count == 13, bytes[10] == UInt8(ascii: "T") else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            switch index {
            case 4, 7: byte == UInt8(ascii: "-")
            case 10: true
            default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        }
    }
}

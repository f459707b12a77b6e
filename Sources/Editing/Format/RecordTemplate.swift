internal import Books
internal import Catalog
internal import JSON

/// The format of a neighbouring record, in which new records are written.
struct RecordTemplate {
    private let mapping: FieldMapping
    /// The neighbours, which show the paths and types of values.
    private let examples: RecordExamples
    /// The keys of objects in the neighbours, in order, by the path of the object.
    private let keys: [[String]: [String]]
    /// The spelling of an empty member in the catalog, by key; only for members that every record has.
    private let emptyValues: [String: JSONValue]
    /// The members that identify the neighbours as books, by key.
    private let markers: [String: JSONValue]
    /// The style of the neighbour.
    private let style: JSONStyle
    /// The indent of the neighbour's last line.
    private let margin: [UInt8]

    /// Creates the template of a neighbour with these bytes.
    ///
    /// - Parameters:
    ///   - others: Other records, which show the spelling of empty values.
    ///   - style: The style of the neighbour, if it is known better than from its bytes alone.
    ///   - format: The way the catalog is read.
    init?(neighbour bytes: [UInt8], others: [JSONValue], style: JSONStyle?, format: CatalogFormat) {
        guard let record = JSONValue(parsing: bytes), record.members != nil,
            let located = try? LocatedValue(at: bytes)
        else { return nil }
        mapping = format.mapping
        let all = others + [record]
        markers = format.markers(in: all)
        examples = RecordExamples(all)
        var keys: [[String]: [String]] = [:]
        for record in all.reversed() { Self.note(record, at: [], in: &keys) }
        self.keys = keys
        self.style = style ?? JSONStyle(of: located, in: bytes)
        let closing = located.range.upperBound - 1
        margin = self.style.lineBreak == nil ? [] : Array(JSONStyle.indent(before: closing, in: bytes))
        emptyValues = Dictionary(
            (keys[[]] ?? []).compactMap { key -> (String, JSONValue)? in
                guard all.allSatisfy({ $0[key] != nil }) else { return nil }
                return all.lazy.compactMap { $0[key] }.first(where: \.isBlank).map { (key, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the bytes of a record of `book`.
    ///
    /// - Throws: `CatalogEditError.cannotHold` for the first field that the record cannot hold.
    func bytes(of new: NewBook) throws(CatalogEditError) -> [UInt8] {
        let book = new.book
        var record = mapping.record(of: book, like: examples)
        if let missing = mapping.schema.fields.first(where: { !mapping.matches($0, of: book, in: record) }) {
            throw .cannotHold(missing, of: book, in: .object([]), mapping: mapping, like: examples)
        }
        record = record.completed(with: new.unread)
        for (key, value) in emptyValues.merging(markers, uniquingKeysWith: { $1 }) where record[key] == nil {
            record = record.setting(key, to: value)
        }
        record = ordered(record, at: [])
        var bytes: [UInt8] = []
        style.write(record, margin: margin, to: &bytes)
        return bytes
    }

    /// Returns `value` with the members of its objects in the order of the neighbours; new members come last.
    private func ordered(_ value: JSONValue, at place: [String]) -> JSONValue {
        switch value {
        case .object(let members):
            let order = keys[place] ?? []
            let ranks = members.map { order.firstIndex(of: $0.key) ?? order.count }
            let sorted = members.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
            return .object(
                sorted.map {
                    .init(key: members[$0].key, value: ordered(members[$0].value, at: place + [members[$0].key]))
                })
        case .array(let elements): return .array(elements.map { ordered($0, at: place + [Self.element]) })
        case .null, .boolean, .number, .string: return value
        }
    }

    private static let element = "[*]"

    /// Records the order of the keys of all objects in `value`; known keys keep their order.
    private static func note(_ value: JSONValue, at place: [String], in keys: inout [[String]: [String]]) {
        switch value {
        case .object(let members):
            var known = keys[place] ?? []
            var last: Int?
            for member in members {
                if let index = known.firstIndex(of: member.key) {
                    // A repeated key, or one with another position in this record, must not break the order of the
                    // neighbour.
                    last = max(last ?? 0, index)
                } else {
                    // A key that only some records have comes after the key that it follows there.
                    let index = last.map { $0 + 1 } ?? 0
                    known.insert(member.key, at: index)
                    last = index
                }
            }
            keys[place] = known
            for member in members { note(member.value, at: place + [member.key], in: &keys) }
        case .array(let elements):
            for element in elements { note(element, at: place + [Self.element], in: &keys) }
        case .null, .boolean, .number, .string: break
        }
    }
}

extension CatalogFormat {
    /// Returns the members that identify records as books, such as "type": "book": those by which the profile selects
    /// records, and words that the profile ignores and that all of these records have. The last record is the closest.
    fileprivate func markers(in records: [JSONValue]) -> [String: JSONValue] {
        guard let last = records.last, recordPaths.first?.stepsWithinElement.isEmpty != false else { return [:] }
        var markers: [String: JSONValue] = [:]
        for path in profile.mapping.ignored {
            guard path.steps.count == 1, case .name(let key) = path.steps[0], let value = last[key],
                // Dates and numbers that are equal by chance do not apply to another book.
                let word = value.string, !word.isEmpty, !word.contains(where: \.isNumber),
                records.allSatisfy({ $0[key] == value })
            else { continue }
            markers[key] = value
        }
        for path in recordPaths {
            guard case .filter(let filter)? = path.steps.last, filter.matches(last), let key = filter.names.first,
                filter.names.count == 1, let value = last[key]
            else { continue }
            markers[key] = value
        }
        return markers
    }
}

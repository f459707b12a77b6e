internal import Books
internal import CText
internal import Glibc
internal import Indexing
internal import JSON

/// Finds the values of some fields in the bytes of records, in the same way as a mapping finds them in decoded records.
///
/// The names that lead to the values form a tree, which is walked while a record is read once. What is not found by names
/// in objects is left to the mapping.
struct RecordValueFinder: Sendable {
    /// A name within the record, or the record itself.
    private struct Node: Sendable {
        var name: [UInt8] = []
        var children: [Int] = []
        /// The fields that have their values here.
        var fields: [Int] = []
        /// The fields that have their values here or below.
        var fieldsWithin: [Int] = []
    }

    private let mapping: FieldMapping
    private let fields: [BookField]
    private var nodes = [Node()]
    /// The fields that the mapping must read, because a path has other steps than names, or there are several paths or
    /// conversions.
    private var generalFields: [Int] = []
    private let areLists: [Bool]

    /// Creates a finder of own fields.
    init(_ fields: [BookField], by mapping: FieldMapping) {
        (self.fields, self.mapping) = (fields, mapping)
        areLists = fields.map { $0.info.own?.kind == .list }
        for (number, field) in fields.enumerated() {
            guard let rule = mapping.rules[field], rule.candidates.count == 1, rule.defaultValue == nil,
                let candidate = rule.candidates.first, candidate.split == nil, candidate.values.isEmpty,
                !candidate.path.steps.isEmpty, candidate.path.leadingNames.count == candidate.path.steps.count
            else {
                generalFields.append(number)
                continue
            }
            insert(number, at: candidate.path.leadingNames)
        }
    }

    private mutating func insert(_ field: Int, at names: [String]) {
        var node = 0
        nodes[0].fieldsWithin.append(field)
        for name in names {
            let name = Array(name.utf8)
            if let child = nodes[node].children.first(where: { nodes[$0].name == name }) {
                node = child
            } else {
                nodes.append(Node(name: name))
                nodes[node].children.append(nodes.count - 1)
                node = nodes.count - 1
            }
            nodes[node].fieldsWithin.append(field)
        }
        nodes[node].fields.append(field)
    }

    /// Passes the values of the record that begins here to the collectors, one for each field.
    ///
    /// - Throws: `JSONSyntaxError` if there is no complete object.
    func collect(
        with reader: inout JSONReader, _ collectors: [ColumnCollector], _ found: inout Finding
    ) throws(JSONSyntaxError) {
        let start = reader
        guard reader.peek() == UInt8(ascii: "{") else { throw reader.fault(.unexpectedCharacter) }
        found.begin(fields.count, generalFields)
        try readMembers(of: 0, depth: 1, with: &reader, &found)
        if !found.general.isEmpty {
            var reader = start
            _ = reader.peek()
            let record = try reader.readValue(depth: 1)
            for number in found.general {
                collectors[number].add(mapping.columnValues(of: fields[number], in: record))
            }
        }
        for (number, range) in found.ranges.enumerated() where !range.isEmpty && !found.general.contains(number) {
            add(range, of: number, in: reader, to: collectors[number], &found.elements)
        }
    }

    /// What was found of a record.
    struct Finding {
        /// The ranges of the values of the fields; empty for a field without.
        fileprivate(set) var ranges: [Range<Int>] = []
        /// The fields that the mapping must read.
        fileprivate(set) var general: [Int] = []
        /// The elements of the array that is read.
        fileprivate var elements: [Range<Int>] = []

        fileprivate mutating func begin(_ count: Int, _ generalFields: [Int]) {
            if ranges.count != count { ranges = Array(repeating: 0..<0, count: count) }
            for number in 0..<count { ranges[number] = 0..<0 }
            if general != generalFields { general = generalFields }
        }
    }

    private func readMembers(
        of node: Int, depth: Int, with reader: inout JSONReader, _ found: inout Finding
    ) throws(JSONSyntaxError) {
        try reader.readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
            let child = child(of: node, named: key, in: reader)
            if child == 0 {
                try reader.skipValue(depth: depth + 1)
            } else {
                try readValue(of: child, depth: depth + 1, with: &reader, &found)
            }
        }
    }

    @inline(__always)
    private func child(of node: Int, named key: Range<Int>, in reader: JSONReader) -> Int {
        if reader.isKeyEscaped {
            let name = Array(reader.string(of: key).utf8)
            return nodes[node].children.first { nodes[$0].name == name } ?? 0
        }
        let start = reader.pointer(to: key.lowerBound + 1)
        for child in nodes[node].children where nodes[child].name.count == key.count - 2 {
            if nodes[child].name.withUnsafeBufferPointer({ isEqual($0, start) }) { return child }
        }
        return 0
    }

    @inline(__always)
    private func isEqual(_ name: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>) -> Bool {
        name.baseAddress.map { memcmp($0, start, name.count) == 0 } ?? true
    }

    private func readValue(
        of node: Int, depth: Int, with reader: inout JSONReader, _ found: inout Finding
    ) throws(JSONSyntaxError) {
        // If a key occurs several times, the last one counts.
        for field in nodes[node].fieldsWithin {
            found.ranges[field] = 0..<0
            if found.general.contains(field), !generalFields.contains(field) { found.general.removeAll { $0 == field } }
        }
        let start = reader.offset
        let first = reader.byte
        if first == UInt8(ascii: "{"), !nodes[node].children.isEmpty {
            try readMembers(of: node, depth: depth, with: &reader, &found)
        } else {
            try reader.skipValue(depth: depth)
        }
        for field in nodes[node].fields { found.ranges[field] = start..<reader.offset }
        // The names that follow may belong to the elements.
        if first == UInt8(ascii: "["), nodes[node].fieldsWithin.count > nodes[node].fields.count {
            for field in nodes[node].fieldsWithin where !nodes[node].fields.contains(field) {
                if !found.general.contains(field) { found.general.append(field) }
            }
        }
    }

    private func add(
        _ range: Range<Int>, of number: Int, in reader: JSONReader, to collector: ColumnCollector,
        _ elements: inout [Range<Int>]
    ) {
        switch reader.pointer(to: range.lowerBound).pointee {
        case UInt8(ascii: "n"), UInt8(ascii: "{"): return
        case UInt8(ascii: "["):
            // Of several values, only a list has any.
            if !areLists[number] { return }
            if find(&elements, in: range, reader) {
                for element in elements { collector.add(reader.bytes(of: element)) }
            } else {
                addDecoded(range, of: number, in: reader, to: collector)
            }
        default:
            if range.count > Self.longestValue {
                addDecoded(range, of: number, in: reader, to: collector)
            } else {
                collector.add(reader.bytes(of: range))
            }
        }
    }

    /// The number of bytes of the longest value that is kept as it is.
    private static let longestValue = 4 * FieldColumn.longestText

    /// Finds the elements of an array of scalars.
    ///
    /// - Returns: False if there are others, or long ones.
    private func find(_ elements: inout [Range<Int>], in range: Range<Int>, _ reader: JSONReader) -> Bool {
        elements.removeAll(keepingCapacity: true)
        var reader = reader
        reader.move(to: range.lowerBound + 1)
        if reader.peek() == UInt8(ascii: "]") { return true }
        repeat {
            guard let first = reader.peek(), first != UInt8(ascii: "["), first != UInt8(ascii: "{") else {
                return false
            }
            let start = reader.offset
            guard (try? reader.skipValue(depth: 2)) != nil, reader.offset - start <= Self.longestValue else {
                return false
            }
            if first != UInt8(ascii: "n") { elements.append(start..<reader.offset) }
        } while (try? reader.hasMore(before: UInt8(ascii: "]"))) == true
        return true
    }

    /// Adds a value by decoding it.
    private func addDecoded(
        _ range: Range<Int>, of number: Int, in reader: JSONReader, to collector: ColumnCollector
    ) {
        var reader = reader
        reader.move(to: range.lowerBound)
        guard let raw = try? reader.readValue(depth: 2), !raw.isBlank, let kind = fields[number].info.own?.kind else {
            return
        }
        collector.add(kind.columnValues(of: kind.value(of: raw)))
    }
}

extension JSONReader {
    /// Returns the error for the next byte.
    fileprivate func fault(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(offset < count ? reason : .unexpectedEnd, at: min(offset, count))
    }
}

extension ColumnPlan {
    /// The plan of a catalog's own field of this kind.
    init(of kind: OwnField.Kind) {
        self.init(kind.columnKind, isList: kind == .list, readsStrings: kind == .text || kind == .list) { raw in
            guard let raw = JSONValue(parsing: raw), !raw.isBlank else { return .nothing }
            return kind.columnValues(of: kind.value(of: raw)).first ?? .nothing
        }
    }
}

extension ColumnCollector {
    /// Adds the values of the book.
    func add(_ values: [ColumnMeaning]) {
        for value in values {
            switch value {
            case .text(let text): add(text)
            case .number(let number): add(number)
            case .nothing: continue
            }
        }
    }
}

internal import Books
internal import CText
internal import Glibc
internal import Indexing
internal import JSON

// Unchecked, because the compiler cannot know that the nodes are never written after initialization.
/// Finds the values of some fields in the bytes of records, in the same way as a mapping finds them in decoded records.
///
/// The names that lead to the values form a tree, which is walked while a record is read once. What is not found by names
/// in objects is left to the mapping.
final class RecordValueFinder: @unchecked Sendable {
    /// A name within the record, or the record itself. Without references, because several threads would count them for each
    /// key.
    private struct Node: BitwiseCopyable {
        var name: UnsafePointer<UInt8>?
        var count = 0
        /// The next node with the same parent, and the first child; 0 if there is none.
        var next = 0
        var firstChild = 0
        /// The fields (bit mask) that have their values here, and those that have them here or below.
        var fields: UInt64 = 0
        var fieldsWithin: UInt64 = 0
    }

    private let mapping: FieldMapping
    private let fields: [BookField]
    private let nodes: UnsafeMutablePointer<Node>
    private var nodeCount = 1
    /// The fields (bit mask) that the mapping must read, because a path has other steps than names, or there are several
    /// paths or conversions.
    private var generalFields: UInt64 = 0
    /// The fields (bit mask) that are lists.
    private var lists: UInt64 = 0

    /// The maximum number of fields.
    static let maximumCount = 64

    /// Creates a finder of at most `maximumCount` own fields.
    init(_ fields: [BookField], by mapping: FieldMapping) {
        (self.fields, self.mapping) = (fields, mapping)
        let rules = fields.map { mapping.rules[$0] }
        let names = rules.map { $0?.candidates.first?.path.leadingNames ?? [] }
        nodes = .allocate(capacity: 1 + names.reduce(0) { $0 + $1.count })
        nodes.initialize(to: Node())
        for (number, rule) in rules.enumerated() {
            if fields[number].info.own?.kind == .list { lists |= 1 << UInt64(number) }
            guard let rule, rule.candidates.count == 1, rule.defaultValue == nil, let candidate = rule.candidates.first,
                candidate.split == nil, candidate.values.isEmpty, !names[number].isEmpty,
                names[number].count == candidate.path.steps.count
            else {
                generalFields |= 1 << UInt64(number)
                continue
            }
            insert(1 << UInt64(number), at: names[number])
        }
    }

    deinit {
        for number in 0..<nodeCount { nodes[number].name?.deallocate() }
        nodes.deallocate()
    }

    private func insert(_ field: UInt64, at names: [String]) {
        var node = 0
        nodes[0].fieldsWithin |= field
        for name in names {
            let bytes = Array(name.utf8)
            var child = bytes.withUnsafeBufferPointer { self.child(of: node, named: $0) }
            if child == 0 {
                child = nodeCount
                nodeCount += 1
                let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
                bytes.withUnsafeBufferPointer {
                    if let base = $0.baseAddress { copy.update(from: base, count: $0.count) }
                }
                (nodes + child).initialize(
                    to: Node(name: UnsafePointer(copy), count: bytes.count, next: nodes[node].firstChild))
                nodes[node].firstChild = child
            }
            node = child
            nodes[node].fieldsWithin |= field
        }
        nodes[node].fields |= field
    }

    /// Returns the child of a node with this name, or 0 if there is none.
    @inline(__always)
    private func child(of node: Int, named name: UnsafeBufferPointer<UInt8>) -> Int {
        var child = nodes[node].firstChild
        while child != 0 {
            if nodes[child].count == name.count, let one = nodes[child].name,
                name.baseAddress.map({ memcmp(one, $0, name.count) == 0 }) ?? true
            {
                return child
            }
            child = nodes[child].next
        }
        return 0
    }

    /// Passes the values of the record that begins here to the collectors, one for each field.
    ///
    /// - Throws: `JSONSyntaxError` if there is no complete object.
    func collect(
        with reader: inout JSONReader, _ collectors: [ColumnCollector], _ found: inout Finding
    ) throws(JSONSyntaxError) {
        let start = reader
        guard reader.peek() == UInt8(ascii: "{") else { throw reader.syntaxError(.unexpectedCharacter) }
        if found.ranges.isEmpty { found.ranges = Array(repeating: 0..<0, count: collectors.count) }
        (found.found, found.general) = (0, generalFields)
        try readMembers(of: 0, depth: 1, with: &reader, &found)
        if found.general != 0 {
            var reader = start
            _ = reader.peek()
            let record = try reader.readValue(depth: 1)
            found.general.forEachBit { number in
                collectors[number].add(mapping.columnValues(of: fields[number], in: record))
            }
        }
        (found.found & ~found.general).forEachBit { number in
            add(found.ranges[number], of: number, in: reader, to: collectors[number], &found.elements)
        }
    }

    /// What was found of a record.
    struct Finding {
        /// The fields (bit mask) that have a value, and the ranges of the values.
        fileprivate var found: UInt64 = 0
        fileprivate var ranges: [Range<Int>] = []
        /// The fields (bit mask) that the mapping must read.
        fileprivate var general: UInt64 = 0
        /// The elements of the array that is read.
        fileprivate var elements: [Range<Int>] = []
    }

    private func readMembers(
        of node: Int, depth: Int, with reader: inout JSONReader, _ found: inout Finding
    ) throws(JSONSyntaxError) {
        try reader.readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
            let child =
                reader.isKeyEscaped
                ? self.child(of: node, spelled: reader.string(of: key))
                : self.child(of: node, named: reader.bytes(of: key.lowerBound + 1..<key.upperBound - 1))
            if child == 0 {
                try reader.skipValue(depth: depth + 1)
            } else {
                try readValue(of: child, depth: depth + 1, with: &reader, &found)
            }
        }
    }

    private func child(of node: Int, spelled name: String) -> Int {
        Array(name.utf8).withUnsafeBufferPointer { child(of: node, named: $0) }
    }

    private func readValue(
        of node: Int, depth: Int, with reader: inout JSONReader, _ found: inout Finding
    ) throws(JSONSyntaxError) {
        let properties = nodes[node]
        // If a key occurs several times, the last one counts.
        found.found &= ~properties.fieldsWithin
        found.general &= ~properties.fieldsWithin
        let start = reader.offset
        let first = reader.byte
        if first == UInt8(ascii: "{"), properties.firstChild != 0 {
            try readMembers(of: node, depth: depth, with: &reader, &found)
        } else {
            try reader.skipValue(depth: depth)
        }
        found.found |= properties.fields
        properties.fields.forEachBit { found.ranges[$0] = start..<reader.offset }
        // The names that follow may belong to the elements.
        if first == UInt8(ascii: "[") { found.general |= properties.fieldsWithin & ~properties.fields }
    }

    private func add(
        _ range: Range<Int>, of number: Int, in reader: JSONReader, to collector: ColumnCollector,
        _ elements: inout [Range<Int>]
    ) {
        switch reader.pointer(to: range.lowerBound).pointee {
        case UInt8(ascii: "n"), UInt8(ascii: "{"): return
        case UInt8(ascii: "["):
            // Of several values, only a list has any.
            if lists >> UInt64(number) & 1 == 0 { return }
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
    fileprivate func syntaxError(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
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

extension UInt64 {
    /// Calls `body` with the number of each bit that is set.
    @inline(__always)
    fileprivate func forEachBit(_ body: (Int) -> Void) {
        var rest = self
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

internal import JSON

/// Records the locations of a plan's fields in a record while its syntax is validated.
struct FieldExtractor: ~Copyable {
    private let plan: KeyTrie
    /// The nodes that the record contains, and those whose value is null, an array, or a string without
    /// escapes.
    private var found: KeyTrie.NodeSet = 0
    private var nulls: KeyTrie.NodeSet = 0
    private var arrays: KeyTrie.NodeSet = 0
    private var plainStrings: KeyTrie.NodeSet = 0
    /// The fields (bit mask) that have a readable value, and those that have an unreadable one.
    private(set) var accepted: UInt8 = 0
    private(set) var refused: UInt8 = 0
    /// The byte ranges of the values, by node.
    private let ranges: UnsafeMutablePointer<Range<Int>>

    /// Creates an extractor for the fields of `plan`.
    init(_ plan: KeyTrie) {
        self.plan = plan
        ranges = .allocate(capacity: plan.nodes.count)
        ranges.initialize(repeating: 0..<0, count: plan.nodes.count)
    }

    deinit { ranges.deallocate() }

    /// Reads the record that starts here.
    mutating func readRecord(depth: Int, with reader: inout JSONReader) throws(JSONSyntaxError) {
        (found, nulls, arrays, plainStrings) = (0, 0, 0, 0)
        (accepted, refused) = (0, 0)
        try readMembers(of: 0, depth: depth, with: &reader)
    }

    private mutating func readMembers(
        of node: Int, depth: Int, with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        try reader.readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
            let child =
                reader.isKeyEscaped
                ? plan.child(of: node, named: reader.string(of: key))
                : plan.child(of: node, named: reader.pointer(to: key.lowerBound + 1), length: key.count - 2)
            if child == 0 {
                try reader.skipValue(depth: depth + 1)
            } else {
                try readValue(of: child, depth: depth + 1, with: &reader)
            }
        }
    }

    /// Reads the value of a node; if a key occurs several times, the last one counts.
    @inline(__always)
    private mutating func readValue(
        of node: Int, depth: Int, with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let properties = plan.nodes[node]
        let bit: KeyTrie.NodeSet = 1 &<< KeyTrie.NodeSet(truncatingIfNeeded: node)
        if found & properties.family != 0 { forget(properties.family, with: reader) }
        let start = reader.offset
        let first = reader.byte
        var bits = bit
        switch first {
        case UInt8(ascii: "\""):
            if try reader.skipString() { plainStrings |= bit }
        case UInt8(ascii: "n"):
            nulls |= bit
            bits = 0
            try reader.skipValue(depth: depth)
        case UInt8(ascii: "{") where properties.hasChildren:
            try readMembers(of: node, depth: depth, with: &reader)
        default:
            if first == UInt8(ascii: "[") { arrays |= bit }
            try reader.skipValue(depth: depth)
        }
        found |= bit
        ranges[node] = Range(uncheckedBounds: (start, reader.offset))
        if bits != 0, properties.fields != 0 {
            let readable = properties.readableFields(fromValueBeginningWith: first)
            accepted |= readable
            refused |= properties.fields & ~readable
        }
    }

    /// Discards the nodes, because their key occurred again.
    @inline(never)
    private mutating func forget(_ bits: KeyTrie.NodeSet, with reader: JSONReader) {
        found &= ~bits
        nulls &= ~bits
        arrays &= ~bits
        plainStrings &= ~bits
        (accepted, refused) = (0, 0)
        for node in 1..<plan.nodes.count where (found & ~nulls) &>> KeyTrie.NodeSet(node) & 1 != 0 {
            let first = reader.pointer(to: ranges[node].lowerBound).pointee
            let readable = plan.nodes[node].readableFields(fromValueBeginningWith: first)
            accepted |= readable
            refused |= plan.nodes[node].fields & ~readable
        }
    }

    /// The value that a record has at a path.
    enum Finding {
        /// There is no value, or null.
        case missing
        /// A string without escapes, including its quotes.
        case plainString(Range<Int>)
        /// An array that is used as it is.
        case array(Range<Int>)
        /// Another value at this offset, reached by the first `stepCount` steps of the path.
        case other(offset: Int, stepCount: Int)
    }

    /// Returns the range of the field's targets, in order of preference; empty if the record has none of their names, as
    /// for most fields.
    @inline(__always)
    func targets(of field: IndexedField) -> Range<Int> {
        found & plan.nodes(of: field) == 0 ? 0..<0 : plan.targets(of: field)
    }

    /// Returns the value that the record has at `target`.
    @inline(__always)
    func finding(at target: KeyTrie.Target) -> Finding {
        let bit: KeyTrie.NodeSet = 1 &<< KeyTrie.NodeSet(truncatingIfNeeded: target.node)
        if (found & ~nulls) & bit != 0 {
            if target.isPlain, plainStrings & bit != 0 { return .plainString(ranges[target.node]) }
            if target.isPlain, arrays & bit != 0 { return .array(ranges[target.node]) }
            return .other(offset: ranges[target.node].lowerBound, stepCount: target.nameCount)
        }
        // The following names may belong to the elements of an array.
        let above = arrays & target.ancestors
        if above == 0 { return .missing }
        let node = above.trailingZeroBitCount
        return .other(offset: ranges[node].lowerBound, stepCount: plan.depth(of: node))
    }

    /// Returns the value at `target`, null if missing; nil unless it is an unescaped string or an array and used as it
    /// is.
    func plainValue(at target: KeyTrie.Target, in reader: JSONReader) -> JSONValue? {
        switch finding(at: target) {
        case .missing: return .null
        case .plainString(let range): return .string(reader.string(of: range))
        case .array(let range):
            var reader = reader
            reader.move(to: range.lowerBound)
            return try? reader.readValue(depth: 2)
        case .other: return nil
        }
    }

    /// Whether the value at `target` is missing or null.
    func isMissing(at target: KeyTrie.Target) -> Bool {
        if case .missing = finding(at: target) { true } else { false }
    }

    /// Returns the part of the record that the keys are computed from.
    func record(in reader: JSONReader) -> JSONValue {
        var members: [JSONValue.Member] = []
        var taken: KeyTrie.NodeSet = 0
        for index in plan.candidates.indices {
            let node = plan.root(ofCandidateAt: index)
            let bit: KeyTrie.NodeSet = 1 &<< KeyTrie.NodeSet(node)
            // The key fields come first.
            if !plan.candidates[index].field.isKey { break }
            guard found & bit != 0, taken & bit == 0, let name = plan.candidates[index].names.first else { continue }
            taken |= bit
            var reader = reader
            reader.move(to: ranges[node].lowerBound)
            guard let value = try? reader.readValue(depth: 2) else { continue }
            members.append(JSONValue.Member(key: name, value: value))
        }
        return .object(members)
    }
}

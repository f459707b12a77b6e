internal import JSON

/// Notes where the fields of a plan stand in a record while it is checked.
struct FieldExtractor: ~Copyable {
    private let plan: KeyTrie
    /// The bits of the nodes that the record has, of those whose value is null, an array, and a string without escapes.
    private var found: UInt64 = 0
    private var nulls: UInt64 = 0
    private var arrays: UInt64 = 0
    private var plainStrings: UInt64 = 0
    /// The bits of the fields that can be read, and of those that have a value from which they cannot.
    private(set) var accepted: UInt8 = 0
    private(set) var refused: UInt8 = 0
    /// Where the values are, by their nodes.
    private let ranges: UnsafeMutablePointer<Range<Int>>

    /// A scanner for the fields of `plan`.
    init(_ plan: KeyTrie) {
        self.plan = plan
        ranges = .allocate(capacity: plan.nodeCount)
        ranges.initialize(repeating: 0..<0, count: plan.nodeCount)
    }

    deinit { ranges.deallocate() }

    /// Reads the object that begins here, a record.
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

    /// Reads the value of a node. Of several members with one key the last counts.
    @inline(__always)
    private mutating func readValue(
        of node: Int, depth: Int, with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let properties = plan.nodes + node
        let bit = UInt64(1) << UInt64(truncatingIfNeeded: node)
        if found & properties.pointee.family != 0 { forget(properties.pointee.family, with: reader) }
        let start = reader.offset
        let first = reader.byte
        var bits: UInt64 = bit
        switch first {
        case UInt8(ascii: "\""):
            if try reader.skipString() { plainStrings |= bit }
        case UInt8(ascii: "n"):
            nulls |= bit
            bits = 0
            try reader.skipValue(depth: depth)
        case UInt8(ascii: "{") where properties.pointee.hasChildren:
            try readMembers(of: node, depth: depth, with: &reader)
        default:
            if first == UInt8(ascii: "[") { arrays |= bit }
            try reader.skipValue(depth: depth)
        }
        found |= bit
        ranges[node] = Range(uncheckedBounds: (start, reader.offset))
        if bits != 0, properties.pointee.fields != 0 {
            let readable = properties.pointee.readableFields(fromValueBeginningWith: first)
            accepted |= readable
            refused |= properties.pointee.fields & ~readable
        }
    }

    /// Forgets the nodes of these bits: what they had was said again.
    @inline(never)
    private mutating func forget(_ bits: UInt64, with reader: JSONReader) {
        found &= ~bits
        nulls &= ~bits
        arrays &= ~bits
        plainStrings &= ~bits
        (accepted, refused) = (0, 0)
        for node in 1..<plan.nodeCount where (found & ~nulls) >> UInt64(node) & 1 != 0 {
            let first = reader.pointer(to: ranges[node].lowerBound).pointee
            let readable = plan.nodes[node].readableFields(fromValueBeginningWith: first)
            accepted |= readable
            refused |= plan.nodes[node].fields & ~readable
        }
    }

    /// What a record has at a place.
    enum Finding {
        /// Nothing, or null.
        case missing
        /// A string without escapes, quotes included.
        case plainString(Range<Int>)
        /// An array, the value as it is.
        case array(Range<Int>)
        /// Something at this offset, to which so many of the path's steps lead.
        case other(offset: Int, stepCount: Int)
    }

    /// What the record has at `place`.
    @inline(__always)
    func finding(at place: KeyTrie.Place) -> Finding {
        let bit = UInt64(1) << UInt64(truncatingIfNeeded: place.node)
        if (found & ~nulls) & bit != 0 {
            if place.isPlain, plainStrings & bit != 0 { return .plainString(ranges[place.node]) }
            if place.isPlain, arrays & bit != 0 { return .array(ranges[place.node]) }
            return .other(offset: ranges[place.node].lowerBound, stepCount: place.nameCount)
        }
        // The names that follow may be those of what an array holds.
        let above = arrays & place.ancestors
        if above == 0 { return .missing }
        let node = above.trailingZeroBitCount
        return .other(offset: ranges[node].lowerBound, stepCount: plan.depth(of: node))
    }

    /// What the record has at `place`: null where it has nothing; nil where it is neither a string without escapes nor an
    /// array, or is not taken as it is.
    func plainValue(at place: KeyTrie.Place, in reader: JSONReader) -> JSONValue? {
        switch finding(at: place) {
        case .missing: return .null
        case .plainString(let range): return .string(reader.string(of: range))
        case .array(let range):
            var reader = reader
            reader.move(to: range.lowerBound)
            return try? reader.readValue(depth: 2)
        case .other: return nil
        }
    }

    /// Whether the record has nothing at `place`, or null.
    func isMissing(at place: KeyTrie.Place) -> Bool {
        if case .missing = finding(at: place) { true } else { false }
    }

    /// As much of the record as the keys are made of.
    func record(in reader: JSONReader) -> JSONValue {
        var members: [JSONValue.Member] = []
        var taken: UInt64 = 0
        for index in plan.candidates.indices {
            let node = plan.root(ofCandidateAt: index)
            let bit = UInt64(1) << UInt64(node)
            // In the order of the fields the keys come first.
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

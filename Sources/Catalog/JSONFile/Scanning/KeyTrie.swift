internal import Books

/// A trie of the keys that lead to the indexed fields of a record, with lookups in a few nanoseconds.
///
/// Paths with the same prefix share their nodes, which are numbered from 1; node 0 is the record itself. A class,
/// because passing one reference costs less than retaining each array of a structure.
final class KeyTrie: Sendable {
    /// A set of nodes, as a bit mask.
    typealias NodeSet = UInt128

    /// The maximum number of nodes besides the record, so that a set of nodes fits its mask. The built-in profile of
    /// tables has 90.
    static let maximumNodeCount = NodeSet.bitWidth - 1

    /// A path at which a field may be found.
    struct Candidate: Sendable {
        /// The field.
        var field: IndexedField
        /// The leading names of the path.
        var names: [String]
        /// Whether the value is used unchanged: the path ends after the names, and no conversion applies.
        var isPlain: Bool
        /// The whole path, if it can be compiled and the value needs no conversion except the two below.
        var path: CompiledPath?
        /// The separator of several values in one string, if there is one.
        var separator: UInt8?
        /// Whether an invalid ISBN is ignored.
        var mustBeValid = false
        /// Whether a string may have several names.
        var separatesNames = false
        /// Whether those of them who are not authors are left out.
        var leavesOutContributors = false
    }

    /// A candidate as the scanner uses it; without references, because each record accesses all of them.
    struct Target: Sendable {
        /// The node of its last name.
        var node: Int
        /// The nodes of the names before it.
        var ancestors: NodeSet
        /// Whether the value is used unchanged.
        var isPlain: Bool
        /// The separator of several values in one string, if there is one.
        var separator: UInt8?
        /// Whether an invalid ISBN is ignored.
        var mustBeValid: Bool
        /// Whether a string may have several names.
        var separatesNames: Bool
        /// Whether those of them who are not authors are left out.
        var leavesOutContributors: Bool
        /// The number of names.
        var nameCount: Int
        /// The number of steps of the compiled path; nil if the path cannot be compiled.
        var stepCount: Int?
        /// The index of its candidate.
        fileprivate var candidate: Int
    }

    /// The properties of a node; without references, for the same reason.
    struct Node: Sendable {
        fileprivate var digest = Digest()
        /// The range of the name in `names` if the digest does not determine it, otherwise empty.
        fileprivate var name = 0..<0
        /// The index in `tables` of the hash table of the children; negative without children.
        fileprivate var table = -1
        fileprivate var multiplier: UInt64 = 0
        fileprivate var shift: UInt64 = 0
        /// The number of the parent node.
        fileprivate var parent = 0
        /// This node and all of its descendants.
        var family: NodeSet = 0
        /// The fields at this node that identify a record as a book, as a bit mask.
        var fields: UInt8 = 0
        /// For each type of value, the fields among these that can be read from it, as bit masks.
        fileprivate var readable: (string: UInt8, array: UInt8, object: UInt8, boolean: UInt8, number: UInt8) =
            (0, 0, 0, 0, 0)

        /// Whether the node has children.
        @inline(__always)
        var hasChildren: Bool { table >= 0 }

        /// Returns the fields that can be read from a value that begins with `byte`, as a bit mask.
        @inline(__always)
        func readableFields(fromValueBeginningWith byte: UInt8) -> UInt8 {
            switch byte {
            case UInt8(ascii: "\""): readable.string
            case UInt8(ascii: "["): readable.array
            case UInt8(ascii: "{"): readable.object
            case UInt8(ascii: "t"), UInt8(ascii: "f"): readable.boolean
            default: readable.number
            }
        }
    }

    /// The nodes, starting with the record itself.
    let nodes: [Node]
    /// The candidates.
    let candidates: [Candidate]
    /// Whether a field has a default value for records without it.
    let hasDefaults: Bool
    /// Fields (bit mask) whose paths do not all fit the trie; they are read from the parsed record instead.
    let overflow: UInt32
    /// The targets in the order of the fields, and in order of preference within a field.
    private let targets: [Target]
    /// The index of the first target of each field, and finally the number of targets.
    private let starts: [Int]
    /// The nodes that lead to each field.
    private let nodesOfFields: [NodeSet]
    /// The node of the first name of each candidate.
    private let roots: [Int]
    /// The names that their digests do not determine, concatenated.
    private let names: [UInt8]
    /// The hash tables of the nodes with children, concatenated: numbers of nodes, or 0 for an empty slot.
    private let tables: [UInt8]

    /// A trie without fields.
    static let nothing: KeyTrie = {
        guard let plan = KeyTrie([]) else { preconditionFailure("no names are always told apart") }
        return plan
    }()

    /// Creates a trie of `candidates`, which are sorted by field and in order of preference within a field.
    ///
    /// - Parameters:
    ///   - hasDefaults: Whether a field has a default value for records without it.
    ///   - overflow: Fields (bit mask) that have further paths outside the trie.
    /// - Returns: Nil if the fields that identify books have too many names, or names that collide.
    init?(_ candidates: [Candidate], hasDefaults: Bool = false, overflow: UInt32 = 0) {
        var builder = Builder()
        var targets: [Target] = []
        var overflow = overflow
        var starts = [Int](repeating: 0, count: IndexedField.allCases.count + 1)
        var nodesOfFields = [NodeSet](repeating: 0, count: IndexedField.allCases.count)
        var roots = [Int](repeating: 0, count: candidates.count)
        for (index, candidate) in candidates.enumerated() {
            let field = candidate.field
            guard let target = builder.insert(candidate, at: index) else {
                // Fields that do not identify books are left to the general parser.
                if field.identifiesBooks { return nil }
                overflow |= field.mask
                continue
            }
            roots[index] = builder.root(of: target.node)
            targets.append(target)
            nodesOfFields[Int(field.rawValue)] |= target.ancestors | 1 &<< NodeSet(target.node)
            starts[Int(field.rawValue) + 1] = targets.count
        }
        for number in 1...IndexedField.allCases.count { starts[number] = max(starts[number], starts[number - 1]) }
        builder.finish()
        self.candidates = candidates
        self.hasDefaults = hasDefaults
        self.overflow = overflow
        (self.targets, self.starts, self.nodesOfFields, self.roots) = (targets, starts, nodesOfFields, roots)
        (nodes, names, tables) = (builder.nodes, builder.names, builder.tables)
    }

    /// Returns the range of the field's targets, in order of preference. It returns numbers, because a slice of the
    /// array would be retained for each field of each record, which takes an eighth of the indexing time.
    @inline(__always)
    func targets(of field: IndexedField) -> Range<Int> {
        let field = Int(field.rawValue)
        return Range(uncheckedBounds: (starts[field], starts[field + 1]))
    }

    /// Returns the nodes on the paths of the field.
    @inline(__always)
    func nodes(of field: IndexedField) -> NodeSet { nodesOfFields[Int(field.rawValue)] }

    /// The target with this number.
    @inline(__always)
    subscript(number: Int) -> Target { targets[number] }

    /// The compiled path of a target, if it can be compiled.
    func path(of target: Target) -> CompiledPath? { candidates[target.candidate].path }

    /// Returns the number of names that lead to a node.
    func depth(of node: Int) -> Int {
        var (count, node) = (0, node)
        while node > 0 { (count, node) = (count + 1, nodes[node].parent) }
        return count
    }

    /// Returns the node of the first name of the candidate at `index`; 0 if it has no names.
    func root(ofCandidateAt index: Int) -> Int { roots[index] }

    /// Returns the child of `node` whose name has `length` bytes at `key`, or 0 if there is none. Eight bytes must be
    /// readable at `key`, whatever the length.
    @inline(__always)
    func child(of node: Int, named key: UnsafePointer<UInt8>, length: Int) -> Int {
        let parent = nodes[node]
        if parent.table < 0 { return 0 }
        let digest = Digest(key, length: length)
        let target = parent.table + Int(truncatingIfNeeded: digest.hash(parent.multiplier) >> parent.shift)
        let child = Int(tables[target])
        guard child != 0, nodes[child].digest == digest else { return 0 }
        let name = nodes[child].name
        return name.isEmpty || isName(name, at: key) ? child : 0
    }

    /// Returns whether the name in `range` is at `key`; both must have the same length.
    private func isName(_ range: Range<Int>, at key: UnsafePointer<UInt8>) -> Bool {
        names[range].elementsEqual(UnsafeBufferPointer(start: key, count: range.count))
    }

    /// Returns the child of `node` with this name, or 0 if there is none.
    func child(of node: Int, named key: String) -> Int {
        let bytes = Array(key.utf8) + [UInt8](repeating: 0, count: 8)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { child(of: node, named: $0, length: bytes.count - 8) } ?? 0
        }
    }
}

extension KeyTrie {
    /// Builds the nodes and their hash tables.
    private struct Builder {
        var nodes = [Node()]
        var names: [UInt8] = []
        var tables: [UInt8] = []

        /// Adds the names of a candidate that are missing.
        ///
        /// - Returns: Nil if there are too many nodes, or if two names collide.
        mutating func insert(_ candidate: Candidate, at index: Int) -> Target? {
            var target = Target(
                node: 0, ancestors: 0, isPlain: candidate.isPlain, separator: candidate.separator,
                mustBeValid: candidate.mustBeValid, separatesNames: candidate.separatesNames,
                leavesOutContributors: candidate.leavesOutContributors, nameCount: candidate.names.count,
                stepCount: candidate.path?.steps.count, candidate: index)
            for name in candidate.names {
                if target.node > 0 { target.ancestors |= 1 &<< NodeSet(target.node) }
                guard let node = insert(Array(name.utf8), into: target.node) else { return nil }
                target.node = node
            }
            let field = candidate.field
            // The type of a nested value is unknown until it is read; every type is accepted for it.
            func readable(_ byte: Unicode.Scalar) -> UInt8 {
                !candidate.isPlain || field.accepts(valueBeginningWith: UInt8(ascii: byte)) ? field.bit : 0
            }
            nodes[target.node].fields |= field.bit
            nodes[target.node].readable.string |= readable("\"")
            nodes[target.node].readable.array |= readable("[")
            nodes[target.node].readable.object |= readable("{")
            nodes[target.node].readable.boolean |= readable("t")
            nodes[target.node].readable.number |= readable("0")
            return target
        }

        private mutating func insert(_ name: [UInt8], into parent: Int) -> Int? {
            let digest = Digest(name)
            for node in children(of: parent) {
                let known = nodes[node]
                if known.digest == digest, known.name.isEmpty || Array(names[known.name]) == name { return node }
                if known.digest.hashInput == digest.hashInput { return nil }
            }
            guard nodes.count <= KeyTrie.maximumNodeCount else { return nil }
            var node = Node()
            node.digest = digest
            node.parent = parent
            if !digest.isWhole {
                node.name = names.count..<names.count + name.count
                names += name
            }
            nodes.append(node)
            return nodes.count - 1
        }

        private func children(of parent: Int) -> [Int] {
            nodes.indices.filter { $0 > 0 && nodes[$0].parent == parent }
        }

        /// Returns the first node on the path from the record to `node`.
        func root(of node: Int) -> Int {
            var root = node
            while nodes[root].parent > 0 { root = nodes[root].parent }
            return root
        }

        /// Computes the properties that depend on all nodes.
        mutating func finish() {
            // Children come after their parents.
            for node in nodes.indices.reversed() {
                nodes[node].family |= 1 &<< NodeSet(node)
                if node > 0 { nodes[nodes[node].parent].family |= nodes[node].family }
            }
            for node in nodes.indices {
                let children = children(of: node)
                if !children.isEmpty { addTable(to: node, of: children) }
            }
        }

        /// Creates a hash table without collisions for a node by trying multipliers, and larger tables if none
        /// succeeds.
        private mutating func addTable(to parent: Int, of children: [Int]) {
            // With eight slots per child, at least one multiplier in six has no collisions.
            var bits = max(4, Int.bitWidth - (8 * children.count - 1).leadingZeroBitCount)
            var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
            while true {
                let shift = UInt64(UInt64.bitWidth - bits)
                for _ in 0..<64 {
                    if let table = table(of: children, size: 1 << bits, multiplier: multiplier, shift: shift) {
                        nodes[parent].table = tables.count
                        (nodes[parent].multiplier, nodes[parent].shift) = (multiplier, shift)
                        tables += table
                        return
                    }
                    multiplier = multiplier &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F | 1
                }
                bits += 1
            }
        }

        /// Returns the hash table, or nil if two children share a slot.
        private func table(of children: [Int], size: Int, multiplier: UInt64, shift: UInt64) -> [UInt8]? {
            var table = [UInt8](repeating: 0, count: size)
            for child in children {
                let target = Int(nodes[child].digest.hash(multiplier) >> shift)
                if table[target] != 0 { return nil }
                table[target] = UInt8(child)
            }
            return table
        }
    }
}

/// A digest that distinguishes names: the length, the first eight bytes, padded with zeros, and the last eight bytes of
/// longer names.
private struct Digest: Equatable, Sendable {
    private var length = 0
    private var first: UInt64 = 0
    private var last: UInt64 = 0

    init() {}

    /// Creates the digest of the name of `length` bytes at `name`, where eight bytes must be readable, whatever the
    /// length.
    @inline(__always)
    init(_ name: UnsafePointer<UInt8>, length: Int) {
        self.length = length
        first = Self.word(name)
        if length > 8 { last = Self.word(name + length - 8) }
        if length < 8 { first &= 1 << UInt64(truncatingIfNeeded: 8 * length) &- 1 }
    }

    /// Creates the digest of `name`.
    init(_ name: [UInt8]) {
        length = name.count
        for (index, byte) in name.prefix(8).enumerated() { first |= UInt64(byte) << UInt64(8 * index) }
        if length > 8 { for byte in name.suffix(8).reversed() { last = last << 8 | UInt64(byte) } }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// Returns a hash whose highest bits are the best.
    @inline(__always)
    func hash(_ multiplier: UInt64) -> UInt64 {
        (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length)) &* multiplier
    }

    /// Whether the digest determines the name.
    var isWhole: Bool { length <= 16 }

    /// The value that the hash is computed from.
    var hashInput: UInt64 { hash(1) }
}

internal import Books

/// Where the fields that are searched may stand in a record, in a form in which keys are told apart in a few nanoseconds.
///
/// Paths that begin with the same keys share them: the names are a tree, whose nodes are numbered from 1; 0 is the record
/// itself. A class, as to hand on a reference costs less than to count each array of a structure.
final class KeyTrie: Sendable {
    /// More names than this are not looked for: what was found of them is noted in the bits of one number.
    static let maximumNodeCount = 63

    /// A path at which a field may stand.
    struct Candidate: Sendable {
        /// The field.
        var field: IndexedField
        /// The names that the path begins with.
        var names: [String]
        /// Whether what stands there is the value as it is: nothing follows the names, and nothing is done with it.
        var isPlain: Bool
        /// The whole path, where its steps can be taken over bytes and nothing is done with what is found but what the
        /// two properties below say.
        var path: CompiledPath?
        /// Whether a text with this byte is several.
        var separator: UInt8?
        /// Whether a text that is no valid book number is none at all.
        var mustBeValid = false
    }

    /// A candidate as the scanner sees it; without references, as each record asks for all of them.
    struct Target: Sendable {
        /// The node of its last name.
        var node: Int
        /// The bits of the nodes of the names before it.
        var ancestors: UInt64
        /// Whether what stands there is the value as it is.
        var isPlain: Bool
        /// Whether a text with this byte is several.
        var separator: UInt8?
        /// Whether a text that is no valid book number is none at all.
        var mustBeValid: Bool
        /// How many names there are.
        var nameCount: Int
        /// How many steps the whole path has, if they can be taken over bytes; else none can.
        var stepCount: Int?
        /// The index of its candidate.
        fileprivate var candidate: Int
    }

    /// What is known of a node; without references, likewise.
    struct Node: Sendable {
        fileprivate var digest = Digest()
        /// Where in `names` the name is, if it is longer than its digest tells; else empty.
        fileprivate var name = 0..<0
        /// Where in `tables` the children are found by a hash of their names; negative without children.
        fileprivate var table = -1
        fileprivate var multiplier: UInt64 = 0
        fileprivate var shift: UInt64 = 0
        /// The number of the node that this one is a child of.
        fileprivate var parent = 0
        /// The bits of this node and of all below it.
        var family: UInt64 = 0
        /// The bits of the fields that it can be, which decide whether a record is a book.
        var fields: UInt8 = 0
        /// For each kind of value, the bits of those fields that can be read from it.
        fileprivate var readable: (string: UInt8, array: UInt8, object: UInt8, boolean: UInt8, number: UInt8) =
            (0, 0, 0, 0, 0)

        /// Whether there are names below it.
        @inline(__always)
        var hasChildren: Bool { table >= 0 }

        /// The bits of the fields that can be read from a value that begins with `byte`.
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

    /// What is known of the nodes, the record itself first.
    let nodes: [Node]
    /// What it looks for.
    let candidates: [Candidate]
    /// Whether a field that is searched has a value where a record has none.
    let hasDefaults: Bool
    /// Fields (bit mask) whose paths do not all fit the trie; they are read from the parsed record instead.
    let overflow: UInt32
    /// Where the fields may stand, in the order of the fields; of each the first choice first.
    private let targets: [Target]
    /// For each field the number of its first place, and at the end the number of all.
    private let starts: [Int]
    /// The node of the first name of each candidate.
    private let roots: [Int]
    /// The names that are longer than their digests tell, one after another.
    private let names: [UInt8]
    /// The tables of the nodes that have children, one after another: numbers of nodes, 0 for none.
    private let tables: [UInt8]

    /// A plan to look for nothing.
    static let nothing: KeyTrie = {
        guard let plan = KeyTrie([]) else { preconditionFailure("no names are always told apart") }
        return plan
    }()

    /// The plan to look for the fields at `candidates`, which are in the order of the fields, and of each field in that of
    /// choice.
    ///
    /// - Parameters:
    ///   - hasDefaults: Whether a key has a value where a record has none.
    ///   - unplaced: The fields that may stand elsewhere besides.
    /// - Returns: Nil if those of the fields that tell books have too many names, or some that are too much alike.
    init?(_ candidates: [Candidate], hasDefaults: Bool = false, overflow: UInt32 = 0) {
        var builder = Builder()
        var targets: [Target] = []
        var overflow = overflow
        var starts = [Int](repeating: 0, count: IndexedField.allCases.count + 1)
        var roots = [Int](repeating: 0, count: candidates.count)
        for (index, candidate) in candidates.enumerated() {
            let field = candidate.field
            guard let target = builder.insert(candidate, at: index) else {
                // What only tells more of a book is left to the general way.
                if field.tellsBooks { return nil }
                overflow |= field.mask
                continue
            }
            roots[index] = builder.root(of: target.node)
            targets.append(target)
            starts[Int(field.rawValue) + 1] = targets.count
        }
        for number in 1...IndexedField.allCases.count { starts[number] = max(starts[number], starts[number - 1]) }
        builder.finish()
        self.candidates = candidates
        self.hasDefaults = hasDefaults
        self.overflow = overflow
        (self.targets, self.starts, self.roots) = (targets, starts, roots)
        (nodes, names, tables) = (builder.nodes, builder.names, builder.tables)
    }

    /// The numbers of the places where a field may stand, the first choice first. Numbers, as a slice of the array would be
    /// counted as another owner of it for each field of each record: that takes an eighth of the time of indexing.
    @inline(__always)
    func targets(of field: IndexedField) -> Range<Int> {
        let field = Int(field.rawValue)
        return Range(uncheckedBounds: (starts[field], starts[field + 1]))
    }

    /// The place of this number.
    @inline(__always)
    subscript(number: Int) -> Target { targets[number] }

    /// The whole path of a place, if its steps can be taken over bytes.
    func path(of target: Target) -> CompiledPath? { candidates[target.candidate].path }

    /// How many names lead to a node.
    func depth(of node: Int) -> Int {
        var (count, node) = (0, node)
        while node > 0 { (count, node) = (count + 1, nodes[node].parent) }
        return count
    }

    /// The node of the first name of the candidate at `index`; 0 where it has none.
    func root(ofCandidateAt index: Int) -> Int { roots[index] }

    /// The number of the child of `node` whose name has `length` bytes at `key`, of which eight may be read whatever the
    /// length; 0 where there is none.
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

    /// Whether the name that is kept in `range` stands at `key`; its length is known to be the same.
    private func isName(_ range: Range<Int>, at key: UnsafePointer<UInt8>) -> Bool {
        names[range].elementsEqual(UnsafeBufferPointer(start: key, count: range.count))
    }

    /// The number of the child of `node` of this name; 0 where there is none.
    func child(of node: Int, named key: String) -> Int {
        let bytes = Array(key.utf8) + [UInt8](repeating: 0, count: 8)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { child(of: node, named: $0, length: bytes.count - 8) } ?? 0
        }
    }
}

extension KeyTrie {
    /// Puts the nodes together.
    private struct Builder {
        var nodes = [Node()]
        var names: [UInt8] = []
        var tables: [UInt8] = []

        /// Adds the names of a candidate that are not there yet.
        ///
        /// - Returns: Nil where there is no room for them, or one is too much like another.
        mutating func insert(_ candidate: Candidate, at index: Int) -> Target? {
            var target = Target(
                node: 0, ancestors: 0, isPlain: candidate.isPlain, separator: candidate.separator,
                mustBeValid: candidate.mustBeValid, nameCount: candidate.names.count,
                stepCount: candidate.path?.steps.count, candidate: index)
            for name in candidate.names {
                if target.node > 0 { target.ancestors |= 1 << UInt64(target.node) }
                guard let node = insert(Array(name.utf8), into: target.node) else { return nil }
                target.node = node
            }
            let field = candidate.field
            // What is made of a part of a value nobody can tell from its kind; it is something.
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
                if known.digest.hashed == digest.hashed { return nil }
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

        /// The first node on the way from the record to `node`.
        func root(of node: Int) -> Int {
            var root = node
            while nodes[root].parent > 0 { root = nodes[root].parent }
            return root
        }

        /// Makes what is known of each node from all that were added.
        mutating func finish() {
            // Children come behind their parents.
            for node in nodes.indices.reversed() {
                nodes[node].family |= 1 << UInt64(node)
                if node > 0 { nodes[nodes[node].parent].family |= nodes[node].family }
            }
            for node in nodes.indices {
                let children = children(of: node)
                if !children.isEmpty { addTable(to: node, of: children) }
            }
        }

        /// Gives a node a table without collisions, for which multipliers are tried, and larger tables where none is found.
        private mutating func addTable(to parent: Int, of children: [Int]) {
            // Among eight times as many places as there are children, each sixth multiplier at the worst has no collision.
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

        /// - Returns: The table; nil if two children have the same place.
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

/// By what names are told apart: the length, the first eight bytes, zeros behind them where there are fewer, and, where
/// there are more, the last eight.
private struct Digest: Equatable, Sendable {
    private var length = 0
    private var first: UInt64 = 0
    private var last: UInt64 = 0

    init() {}

    /// The digest of the name of `length` bytes at `name`, of which eight may be read whatever the length.
    @inline(__always)
    init(_ name: UnsafePointer<UInt8>, length: Int) {
        self.length = length
        first = Self.word(name)
        if length > 8 { last = Self.word(name + length - 8) }
        if length < 8 { first &= 1 << UInt64(truncatingIfNeeded: 8 * length) &- 1 }
    }

    /// The digest of `name`.
    init(_ name: [UInt8]) {
        length = name.count
        for (index, byte) in name.prefix(8).enumerated() { first |= UInt64(byte) << UInt64(8 * index) }
        if length > 8 { for byte in name.suffix(8).reversed() { last = last << 8 | UInt64(byte) } }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// A hash, whose highest bits are the best.
    @inline(__always)
    func hash(_ multiplier: UInt64) -> UInt64 {
        (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length)) &* multiplier
    }

    /// Whether no two names have it.
    var isWhole: Bool { length <= 16 }

    /// What the hash is made of.
    var hashed: UInt64 { hash(1) }
}

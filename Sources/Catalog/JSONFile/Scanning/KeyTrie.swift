internal import Glibc

// Unchecked, as the compiler cannot know that nobody writes to the tables after they were made.
/// Where the fields that are searched may stand in a record, in a form in which keys are told apart in a few nanoseconds.
/// Immutable.
///
/// Paths that begin with the same keys share them: the names are a tree, whose nodes are numbered from 1; 0 is the record
/// itself.
final class KeyTrie: @unchecked Sendable {
    /// More names than this are not looked for: what was found of them is noted in the bits of one number.
    static let maximumNodeCount = 63

    /// A path at which a field may stand.
    struct Candidate {
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

    /// A candidate as the scanner sees it.
    struct Place {
        /// The node of its last name.
        var node: Int
        /// The bits of the nodes of the names before it.
        var ancestors: UInt64
        /// Whether what stands there is the value as it is.
        var isPlain: Bool
        /// The whole path, where its steps can be taken over bytes.
        var path: CompiledPath?
        /// Whether a text with this byte is several.
        var separator: UInt8?
        /// Whether a text that is no valid book number is none at all.
        var mustBeValid: Bool
        /// How many names there are.
        var nameCount: Int
    }

    /// What is known of a node.
    struct Node {
        fileprivate var digest = Digest()
        /// The name, where it is longer than its digest tells; of others nothing.
        fileprivate var name: UnsafeMutablePointer<UInt8>?
        /// Where the children are found by a hash of their names: as many entries as `shift` leaves values.
        fileprivate var children: UnsafeMutablePointer<UInt8>?
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
        var hasChildren: Bool { children != nil }

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
    let nodes: UnsafeMutablePointer<Node>
    /// How many there are.
    private(set) var nodeCount = 1
    /// Where the fields may stand, in the order of the fields; of each the first choice first.
    private let places: UnsafeMutablePointer<Place>
    /// For each field the number of its first place, and at the end the number of all.
    private let starts: UnsafeMutablePointer<UInt8>
    /// Fields (bit mask) whose paths do not all fit the trie; they are read from the parsed record instead.
    @inline(__always)
    var unplaced: UInt32 { unplacedMasks.pointee }
    // Memory of its own: each access to a property that may change is checked, which takes longer than what is done with it.
    private let unplacedMasks: UnsafeMutablePointer<UInt32>

    /// What it looks for.
    let candidates: [Candidate]
    /// The node of the first name of each candidate.
    private let roots: UnsafeMutablePointer<UInt8>
    /// Whether a field that is searched has a value where a record has none.
    let hasDefaults: Bool

    /// A plan to look for nothing.
    static let nothing: KeyTrie = {
        guard let plan = KeyTrie([]) else { preconditionFailure("no names are always told apart") }
        return plan
    }()

    /// Where a field may stand.
    @inline(__always)
    func places(of field: IndexedField) -> UnsafeBufferPointer<Place> {
        let start = Int(starts[Int(field.rawValue)])
        return UnsafeBufferPointer(start: places + start, count: Int(starts[Int(field.rawValue) + 1]) - start)
    }

    /// The plan to look for the fields at `candidates`, which are in the order of the fields, and of each field in that of
    /// choice. Their paths are the plan's from here on, and are given back with it: a catalog that is read again has a new
    /// one.
    ///
    /// - Parameters:
    ///   - hasDefaults: Whether a key has a value where a record has none.
    ///   - unplaced: The fields that may stand elsewhere besides.
    /// - Returns: Nil where those of the fields that tell books have too many names, or some that are too much alike.
    // With plain memory, as it is made before the first screen: each type of array or dictionary would take as long to put
    // together as ten books to read.
    init?(_ candidates: [Candidate], hasDefaults: Bool = false, unplaced: UInt32 = 0) {
        self.candidates = candidates
        self.hasDefaults = hasDefaults
        unplacedMasks = .allocate(capacity: 1)
        unplacedMasks.initialize(to: unplaced)
        roots = .allocate(capacity: max(1, candidates.count))
        roots.initialize(repeating: 0, count: max(1, candidates.count))
        nodes = .allocate(capacity: Self.maximumNodeCount + 1)
        nodes.initialize(repeating: Node(), count: Self.maximumNodeCount + 1)
        places = .allocate(capacity: max(1, candidates.count))

        starts = .allocate(capacity: IndexedField.allCases.count + 1)
        starts.initialize(repeating: 0, count: IndexedField.allCases.count + 1)
        var placeCount = 0
        for index in candidates.indices {
            let field = candidates[index].field
            guard let place = insert(candidates[index]) else {
                // What only tells more of a book is left to the general way.
                if field.tellsBooks { return nil }
                unplacedMasks.pointee |= field.mask
                continue
            }
            var root = place.node
            while nodes[root].parent > 0 { root = nodes[root].parent }
            roots[index] = UInt8(root)
            (places + placeCount).initialize(to: place)
            placeCount += 1
            starts[Int(field.rawValue) + 1] = UInt8(placeCount)
        }
        for number in 1...IndexedField.allCases.count { starts[number] = max(starts[number], starts[number - 1]) }
        // Children come behind their parents.
        for node in stride(from: nodeCount - 1, through: 0, by: -1) {
            nodes[node].family |= 1 << UInt64(node)
            if node > 0 { nodes[nodes[node].parent].family |= nodes[node].family }
        }
        for node in 0..<nodeCount where nodes[node].family & (nodes[node].family - 1) != 0 { addTable(to: node) }
    }

    deinit {
        for node in 0..<nodeCount {
            nodes[node].name?.deallocate()
            nodes[node].children?.deallocate()
        }
        nodes.deallocate()
        places.deallocate()
        roots.deallocate()
        starts.deallocate()
        unplacedMasks.deallocate()
        candidates.forEach { $0.path?.deallocate() }
    }

    /// How many names lead to a node.
    func depth(of node: Int) -> Int {
        var (count, node) = (0, node)
        while node > 0 { (count, node) = (count + 1, nodes[node].parent) }
        return count
    }

    /// The node of the first name of the candidate at `index`; 0 where it has none.
    func root(ofCandidateAt index: Int) -> Int { Int(roots[index]) }

    /// Adds the names of a candidate that are not there yet.
    ///
    /// - Returns: Nil where there is no room for them, or one is too much like another.
    private func insert(_ candidate: Candidate) -> Place? {
        var place = Place(
            node: 0, ancestors: 0, isPlain: candidate.isPlain, path: candidate.path, separator: candidate.separator,
            mustBeValid: candidate.mustBeValid, nameCount: candidate.names.count)
        for name in candidate.names {
            if place.node > 0 { place.ancestors |= 1 << UInt64(place.node) }
            guard let node = insert(Array(name.utf8), into: place.node) else { return nil }
            place.node = node
        }
        let field = candidate.field
        // What is made of a part of a value nobody can tell from its kind; it is something.
        func readable(_ byte: Unicode.Scalar) -> UInt8 {
            !candidate.isPlain || field.accepts(valueBeginningWith: UInt8(ascii: byte)) ? field.bit : 0
        }
        nodes[place.node].fields |= field.bit
        nodes[place.node].readable.string |= readable("\"")
        nodes[place.node].readable.array |= readable("[")
        nodes[place.node].readable.object |= readable("{")
        nodes[place.node].readable.boolean |= readable("t")
        nodes[place.node].readable.number |= readable("0")
        return place
    }

    private func insert(_ name: [UInt8], into parent: Int) -> Int? {
        let digest = Digest(name)
        for node in 1..<max(1, nodeCount) where nodes[node].parent == parent {
            if nodes[node].digest == digest, nodes[node].name.map({ memcmp($0, name, name.count) == 0 }) ?? true {
                return node
            }
            if nodes[node].digest.hashed == digest.hashed { return nil }
        }
        guard nodeCount <= Self.maximumNodeCount else { return nil }
        nodes[nodeCount].digest = digest
        nodes[nodeCount].parent = parent
        if !digest.isWhole {
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
            copy.initialize(from: name, count: name.count)
            nodes[nodeCount].name = copy
        }
        nodeCount += 1
        return nodeCount - 1
    }

    /// Gives a node a table without collisions, for which multipliers are tried, and larger tables where none is found.
    private func addTable(to parent: Int) {
        var children = 0
        for node in 1..<nodeCount where nodes[node].parent == parent { children += 1 }
        // Among eight times as many places as there are children, each sixth multiplier at the worst has no collision.
        var bits = max(4, Int.bitWidth - (8 * children - 1).leadingZeroBitCount)
        var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
        while true {
            let shift = UInt64(UInt64.bitWidth - bits)
            let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << bits)
            for _ in 0..<64 {
                table.initialize(repeating: 0, count: 1 << bits)
                if fill(table, of: parent, multiplier: multiplier, shift: shift) {
                    nodes[parent].children = table
                    (nodes[parent].multiplier, nodes[parent].shift) = (multiplier, shift)
                    return
                }
                multiplier = multiplier &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F | 1
            }
            table.deallocate()
            bits += 1
        }
    }

    /// - Returns: Whether there was a place for each child.
    private func fill(_ table: UnsafeMutablePointer<UInt8>, of parent: Int, multiplier: UInt64, shift: UInt64) -> Bool {
        for node in 1..<nodeCount where nodes[node].parent == parent {
            let place = Int(nodes[node].digest.hash(multiplier) >> shift)
            if table[place] != 0 { return false }
            table[place] = UInt8(node)
        }
        return true
    }

    /// The number of the child of `node` whose name has `length` bytes at `key`, of which eight may be read whatever the
    /// length; 0 where there is none.
    @inline(__always)
    func child(of node: Int, named key: UnsafePointer<UInt8>, length: Int) -> Int {
        guard let children = nodes[node].children else { return 0 }
        let digest = Digest(key, length: length)
        let place = digest.hash(nodes[node].multiplier) >> nodes[node].shift
        let child = Int(children[Int(truncatingIfNeeded: place)])
        guard child != 0, nodes[child].digest == digest else { return 0 }
        if let name = nodes[child].name, memcmp(name, key, length) != 0 { return 0 }
        return child
    }

    /// The number of the child of `node` of this name; 0 where there is none.
    func child(of node: Int, named key: String) -> Int {
        let bytes = Array(key.utf8) + [UInt8](repeating: 0, count: 8)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { child(of: node, named: $0, length: bytes.count - 8) } ?? 0
        }
    }
}

/// By what names are told apart: the length, the first eight bytes, zeros behind them where there are fewer, and, where
/// there are more, the last eight.
private struct Digest: Equatable {
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

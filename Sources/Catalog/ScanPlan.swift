private import CSystem
internal import Glibc

/// Where the fields that are searched may stand in a record, in a form in which keys are told apart in a few nanoseconds.
/// Immutable.
///
/// Paths that begin with the same keys share them: the names are a tree, whose nodes are numbered from 1; 0 is the record
/// itself.
// Unchecked, as the compiler cannot know that nobody writes to the tables after they were made.
final class ScanPlan: @unchecked Sendable {
    /// More names than this are not looked for: what was found of them is noted in the bits of one number.
    static let maximumNodeCount = 63

    /// A path at which a field may stand.
    struct Candidate {
        /// The field.
        var field: ScannedField
        /// The names that the path begins with.
        var names: [String]
        /// Whether what stands there is the value as it is: nothing follows the names, and nothing is done with it.
        var isPlain: Bool
    }

    /// A candidate as the scanner sees it.
    struct Place {
        /// The node of its last name.
        var node: Int
        /// The bits of the nodes of the names before it.
        var ancestors: UInt64
        /// Whether what stands there is the value as it is.
        var isPlain: Bool
    }

    /// What is known of a node.
    struct Node {
        fileprivate var digest = Digest()
        fileprivate var name = UnsafePointer<UInt8>(bitPattern: 1)
        /// Where the children are found by a hash of their names: as many entries as `shift` leaves values.
        fileprivate var children: UnsafePointer<UInt8>?
        fileprivate var multiplier: UInt64 = 0
        fileprivate var shift: UInt64 = 0
        /// The bits of this node and of all below it.
        var family: UInt64 = 0
        /// The bits of the fields that it can be, which decide whether a record is a book.
        var fields: UInt8 = 0
        /// For each kind of value, the bits of those fields that can be read from it.
        fileprivate var readable: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)

        /// Whether there are names below it.
        @inline(__always)
        var hasChildren: Bool { children != nil }

        /// The bits of the fields that can be read from a value that begins with `byte`.
        @inline(__always)
        func readableFields(fromValueBeginningWith byte: UInt8) -> UInt8 {
            switch byte {
            case UInt8(ascii: "\""): readable.0
            case UInt8(ascii: "["): readable.1
            case UInt8(ascii: "{"): readable.2
            case UInt8(ascii: "t"), UInt8(ascii: "f"): readable.3
            default: readable.4
            }
        }
    }

    /// What is known of the nodes, the record itself first.
    let nodes: UnsafePointer<Node>
    /// How many there are.
    let nodeCount: Int
    /// Where each field may stand, the first choice first.
    let titles: [Place]
    let authors: [Place]
    let isbns: [Place]
    /// Memory that the nodes point to.
    private let tables: [UnsafeMutablePointer<UInt8>]

    /// The plan to look for the fields at `candidates`, of each field in this order.
    ///
    /// - Returns: Nil where they have too many names, or some that are too much alike.
    init?(_ candidates: [Candidate]) {
        var tree = Tree()
        var places: [ScannedField: [Place]] = [:]
        for candidate in candidates {
            let nodes = tree.insert(candidate.names)
            let ancestors = nodes.dropLast().reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
            places[candidate.field, default: []].append(
                Place(node: nodes.last ?? 0, ancestors: ancestors, isPlain: candidate.isPlain))
            tree.nodes[nodes.last ?? 0].uses.append((candidate.field, candidate.isPlain))
        }
        guard tree.nodes.count - 1 <= Self.maximumNodeCount, tree.hasDistinctNames else { return nil }
        let nodes = UnsafeMutablePointer<Node>.allocate(capacity: tree.nodes.count)
        var tables: [UnsafeMutablePointer<UInt8>] = []
        for (number, node) in tree.nodes.enumerated() {
            (nodes + number).initialize(to: node.compiled(number, of: tree, tables: &tables))
        }
        self.nodes = UnsafePointer(nodes)
        nodeCount = tree.nodes.count
        self.tables = tables
        titles = places[.title] ?? []
        authors = places[.authors] ?? []
        isbns = places[.isbn] ?? []
    }

    deinit {
        nodes.deallocate()
        tables.forEach { $0.deallocate() }
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
        // What the digest has of a name is all of it, up to sixteen bytes.
        if length > 16, let name = nodes[child].name, memcmp(name, key, length) != 0 { return 0 }
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
private struct Digest: Hashable {
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
        self = (name + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { Digest($0, length: name.count) } ?? Digest()
        }
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

    /// What the hash is made of.
    var hashed: UInt64 { hash(1) }
}

/// The names while the plan is made.
private struct Tree {
    struct Node {
        var name: [UInt8] = []
        var children: [Int] = []
        var uses: [(field: ScannedField, isPlain: Bool)] = []
    }

    var nodes = [Node()]

    /// The nodes of a path.
    mutating func insert(_ names: [String]) -> [Int] {
        var place = 0
        return names.map { name in
            let name = Array(name.utf8)
            if let child = nodes[place].children.first(where: { nodes[$0].name == name }) {
                place = child
            } else {
                nodes.append(Node(name: name))
                nodes[place].children.append(nodes.count - 1)
                place = nodes.count - 1
            }
            return place
        }
    }

    /// Whether the children of each node can be told apart by the hashes of their names.
    var hasDistinctNames: Bool {
        nodes.allSatisfy { node in Set(node.children.map { Digest(nodes[$0].name).hashed }).count == node.children.count
        }
    }

    /// The bits of a node and of all below it.
    func family(of number: Int) -> UInt64 {
        nodes[number].children.reduce(1 << UInt64(number)) { $0 | family(of: $1) }
    }
}

extension Tree.Node {
    fileprivate func compiled(
        _ number: Int, of tree: Tree, tables: inout [UnsafeMutablePointer<UInt8>]
    ) -> ScanPlan.Node {
        var node = ScanPlan.Node()
        node.family = tree.family(of: number)
        node.digest = Digest(name)
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, name.count))
        copy.initialize(from: name, count: name.count)
        tables.append(copy)
        node.name = UnsafePointer(copy)
        for (field, isPlain) in uses {
            node.fields |= field.bit
            // What is made of a part of a value nobody can tell from its kind; it is something.
            func readable(_ byte: Unicode.Scalar) -> UInt8 {
                !isPlain || field.accepts(valueBeginningWith: UInt8(ascii: byte)) ? field.bit : 0
            }
            node.readable.0 |= readable("\"")
            node.readable.1 |= readable("[")
            node.readable.2 |= readable("{")
            node.readable.3 |= readable("t")
            node.readable.4 |= readable("0")
        }
        if !children.isEmpty { addTable(of: tree, to: &node, tables: &tables) }
        return node
    }

    /// Adds a table without collisions, for which multipliers are tried, and larger tables where none is found.
    private func addTable(of tree: Tree, to node: inout ScanPlan.Node, tables: inout [UnsafeMutablePointer<UInt8>]) {
        let names = children.map { (child: $0, digest: Digest(tree.nodes[$0].name)) }
        var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
        var attempt = 0
        while true {
            attempt += 1
            let shift = UInt64(61 - attempt / 64)
            let places = names.map { Int($0.digest.hash(multiplier) >> shift) }
            if Set(places).count == names.count {
                let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << (64 - shift))
                table.initialize(repeating: 0, count: 1 << (64 - shift))
                for (place, name) in zip(places, names) { table[place] = UInt8(name.child) }
                tables.append(table)
                node.children = UnsafePointer(table)
                (node.multiplier, node.shift) = (multiplier, shift)
                return
            }
            multiplier = multiplier &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F | 1
        }
    }
}

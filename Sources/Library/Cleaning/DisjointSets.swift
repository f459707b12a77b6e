/// A partition of the numbers from 0 up to a limit into sets, which can only be united (Tarjan's disjoint sets with path
/// halving). The smallest number of a set stands for it.
struct DisjointSets {
    private var parents: [UInt32]

    /// Creates sets of one number each.
    init(count: Int) { parents = Array(0..<UInt32(count)) }

    /// Returns the smallest number in the set of `number`.
    mutating func root(of number: UInt32) -> UInt32 {
        var number = number
        while parents[Int(number)] != number {
            parents[Int(number)] = parents[Int(parents[Int(number)])]
            number = parents[Int(number)]
        }
        return number
    }

    /// Unites the sets of two numbers.
    ///
    /// - Returns: Whether these were two sets.
    @discardableResult
    mutating func unite(_ first: UInt32, _ second: UInt32) -> Bool {
        let (a, b) = (root(of: first), root(of: second))
        if a == b { return false }
        parents[Int(max(a, b))] = min(a, b)
        return true
    }
}

/// Which book of a catalog has which identity, in both directions.
struct IdentityIndex {
    private let keys: [BookIdentity.Key]
    private var firstIndex: [BookIdentity.Key: Int]
    /// The indices of keys that several books share, in file order.
    private var doubles: [BookIdentity.Key: [Int]] = [:]

    /// The index of the books with `keys`, in file order. Linear.
    init(keys: [BookIdentity.Key]) {
        self.keys = keys
        firstIndex = Dictionary(minimumCapacity: keys.count)
        for (index, key) in keys.enumerated() {
            if let first = firstIndex[key] {
                doubles[key, default: [first]].append(index)
            } else {
                firstIndex[key] = index
            }
        }
    }

    /// The identity of the book at `index`; logarithmic in the number of its doubles.
    func identity(at index: Int) -> BookIdentity {
        let key = keys[index]
        guard let indices = doubles[key] else { return BookIdentity(key: key) }
        var low = 0
        var high = indices.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if indices[middle] <= index { low = middle } else { high = middle }
        }
        return BookIdentity(key: key, occurrence: low + 1)
    }

    /// Where the books with `key` are, in file order.
    func indices(of key: BookIdentity.Key) -> [Int] {
        doubles[key] ?? firstIndex[key].map { [$0] } ?? []
    }

    /// Where the book with `identity` is; nil where it is not in the catalog.
    func index(of identity: BookIdentity) -> Int? {
        guard identity.occurrence > 1 else { return firstIndex[identity.key] }
        guard let indices = doubles[identity.key], identity.occurrence <= indices.count else { return nil }
        return indices[identity.occurrence - 1]
    }
}

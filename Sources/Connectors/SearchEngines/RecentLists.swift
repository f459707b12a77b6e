internal import Threading

/// What is known of the lists of recent requests, which all threads share.
final class RecentLists<List: Sendable>: Sendable {
    /// The lists by their query and order, the latest last.
    private let entries = Locked<[(key: String, list: List)]>([])
    private let limit = 8

    /// Returns the list with this key.
    ///
    /// - Parameters:
    ///   - isNew: Whether it replaces what was known.
    ///   - make: Makes a list of which nothing is known.
    func list(_ key: String, replacing isNew: Bool = false, or make: () -> List) -> List {
        entries.withLock { entries in
            var list: List?
            if let index = entries.firstIndex(where: { $0.key == key }) {
                let entry = entries.remove(at: index)
                if !isNew { list = entry.list }
            }
            if entries.count >= limit { entries.removeFirst() }
            let found = list ?? make()
            entries.append((key, found))
            return found
        }
    }
}

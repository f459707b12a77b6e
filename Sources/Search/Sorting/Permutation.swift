internal import Threading

/// Books in the order of a key: those of which the key is known, and then the others. Immutable.
struct Permutation: Sendable, Equatable {
    /// The indices of the books.
    let indices: [UInt32]
    /// How many of them have a key that is known; they come first.
    let knownCount: Int

    /// The order of `keys`; those with the same key stay in the order in which they were. Nil where it was cancelled.
    ///
    /// - Parameters:
    ///   - start: The books that are ordered, in the order in which they were: one by another key, the order of which counts
    ///     where this one has the same, or a part of the catalog. Nil for all books in the catalog's order.
    ///   - threadCount: How many threads share the work, the caller's among them.
    ///   - isCancelled: Asked several times a millisecond by each thread.
    init?(
        by keys: SortKeys, from start: [UInt32]? = nil, threadCount: Int = BackgroundThread.workerCount,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        let order = keys.reading {
            RadixSort(keys.count, of: start, by: .bytes($0), threadCount: threadCount, isCancelled: isCancelled).order()
        }
        guard let order else { return nil }
        (indices, knownCount) = order
    }

    /// The order of numbers, one for each book of the catalog, as `SortableInteger` makes them; else as above.
    init?(
        by numbers: [UInt32], from start: [UInt32]? = nil, threadCount: Int = BackgroundThread.workerCount,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        let order = numbers.withUnsafeBufferPointer {
            RadixSort($0.count, of: start, by: .numbers($0), threadCount: threadCount, isCancelled: isCancelled).order()
        }
        guard let order else { return nil }
        (indices, knownCount) = order
    }

    private init(indices: [UInt32], knownCount: Int) {
        self.indices = indices
        self.knownCount = knownCount
    }

    /// The same books from the last to the first, those with the same key too; but those of which it is unknown stay last,
    /// in their order.
    var reversed: Permutation {
        if indices.isEmpty { return self }
        let reversed = [UInt32](unsafeUninitializedCapacity: indices.count) { buffer, count in
            for place in 0..<knownCount { buffer.initializeElement(at: place, to: indices[knownCount - 1 - place]) }
            for place in knownCount..<indices.count { buffer.initializeElement(at: place, to: indices[place]) }
            count = indices.count
        }
        return Permutation(indices: reversed, knownCount: knownCount)
    }

    /// The same, with those of which it is unknown from the last to the first, too.
    var reversedThroughout: Permutation {
        Permutation(
            indices: indices[..<knownCount].reversed() + indices[knownCount...].reversed(), knownCount: knownCount)
    }
}

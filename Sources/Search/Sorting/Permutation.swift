internal import Threading

/// The books in the order of a key, those with an unknown key last. Immutable.
struct Permutation: Sendable, Equatable {
    /// The indices of the books.
    let indices: [UInt32]
    /// The number of books whose key is known; they come first.
    let knownCount: Int

    /// Sorts books by `keys`; the sort is stable. Fails if it was cancelled.
    ///
    /// - Parameters:
    ///   - start: The books to sort, either part of the catalog or in the order of the next key, which decides ties;
    ///     nil for all books in catalog order.
    ///   - threadCount: The number of threads, including the calling one.
    ///   - isCancelled: Called several times a millisecond by each thread.
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

    /// Sorts by numbers from `SortableInteger`, one for each book of the catalog; the other parameters are as above.
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

    /// The books with known keys in reverse, including ties; books with unknown keys stay last and keep their order.
    var reversed: Permutation {
        if indices.isEmpty { return self }
        let reversed = [UInt32](unsafeUninitializedCapacity: indices.count) { buffer, count in
            for position in 0..<knownCount {
                buffer.initializeElement(at: position, to: indices[knownCount - 1 - position])
            }
            for position in knownCount..<indices.count { buffer.initializeElement(at: position, to: indices[position]) }
            count = indices.count
        }
        return Permutation(indices: reversed, knownCount: knownCount)
    }

    /// The books in reverse like `reversed`, with those with unknown keys also in reverse order.
    var reversedThroughout: Permutation {
        Permutation(
            indices: indices[..<knownCount].reversed() + indices[knownCount...].reversed(), knownCount: knownCount)
    }
}

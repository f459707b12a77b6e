internal import CText
public import Indexing
internal import Synchronization
internal import Text
public import Threading

// Unchecked, because the compiler cannot know that the texts belong to the index and are never written.
/// The distinct authors, series and subjects of a catalog with the numbers of their books, the most frequent first.
/// Immutable.
public final class DistinctNames: @unchecked Sendable {
    /// A name.
    struct Entry: BitwiseCopyable {
        /// The normalized name, in the text of the index.
        var text: UnsafeBufferPointer<UInt8>
        var kind: JumpCandidate.Kind
        /// The number of books that have the name, and the first of them.
        var bookCount: UInt32
        var first: UInt32
    }

    /// The names.
    let entries: [Entry]
    /// The index that has the texts.
    private let index: BookIndex

    /// The number of books.
    public var bookCount: Int { index.count }
    /// The number of names.
    public var count: Int { entries.count }

    fileprivate init(_ entries: [Entry], of index: BookIndex) {
        (self.entries, self.index) = (entries, index)
    }
}

extension BookIndex {
    /// Starts to collect the distinct names of all books. Linear in the text, about half a microsecond for each book.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    public func distinctNames(
        on pool: ThreadPool = .shared, notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<DistinctNames> {
        let collection = Collection(self)
        let job = PhasedJob<DistinctNames>(
            [
                .init(partCount: collection.slices.count, perform: { collection.count(slice: $0) }),
                .init(
                    partCount: Collection.partCount, perform: { collection.merge(part: $0) },
                    finish: { collection.finish() }),
            ], making: { collection.names.withLock { $0 } })
        return pool.start(job, as: .batch, notifying: notify)
    }

    private typealias Collection = NameCounting
}

// Unchecked, because the compiler cannot know that each thread uses its own worker, and that a phase writes only what
// later phases read.
/// Counts the names in an index.
private final class NameCounting: @unchecked Sendable {
    private typealias Table = TermHashTable<FacetAccumulator.Tally>

    /// The names that one thread has counted, by kind.
    private final class Worker {
        var authors = Table()
        var series = Table()
        var subjects = Table()

        func count(_ slice: IndexSlice) {
            func take(_ tally: inout FacetAccumulator.Tally, _ book: UInt32) { tally.add(book) }
            for position in slice.books {
                let book = UInt32(truncatingIfNeeded: slice.start + position)
                for line in IndexedText(slice.segment.text(at: position)) where !line.content.isEmpty {
                    switch line.kind {
                    case .author: authors.add(line.content, of: book, take)
                    case .subject: subjects.add(line.content, of: book, take)
                    case .series:
                        let name = line.content.prefix(SeriesName.length(of: line.content))
                        if !name.isEmpty { series.add(UnsafeBufferPointer(rebasing: name), of: book, take) }
                    default: continue
                    }
                }
            }
            authors.addPending(take)
            series.addPending(take)
            subjects.addPending(take)
        }
    }

    let names = Locked<DistinctNames?>(nil)
    let slices: [IndexSlice]
    private let index: BookIndex
    private let idle = Locked<[Worker]>([])
    private let merged = Locked<[DistinctNames.Entry]>([])

    /// Names are merged in partitions by the top bits of their hashes.
    private static let partBitCount = 3
    static let partCount = 1 << partBitCount

    init(_ index: BookIndex) {
        self.index = index
        slices = index.slices
    }

    func count(slice: Int) {
        let worker = idle.withLock { $0.popLast() } ?? Worker()
        worker.count(slices[slice])
        idle.withLock { $0.append(worker) }
    }

    func merge(part: Int) {
        let workers = idle.withLock { $0 }
        var entries: [DistinctNames.Entry] = []
        func add(
            _ kind: JumpCandidate.Kind, _ count: (Worker) -> Int, _ forEach: (Worker, (Table.Entry) -> Void) -> Void
        ) {
            // Names come in the order of their hashes: in a table that grows, they would all want the same few slots.
            let count = workers.reduce(0) { $0 + count($1) } / Self.partCount
            var table = Table(count: count + count / 8, ignoredBitCount: Self.partBitCount)
            for worker in workers {
                forEach(worker) { table.entry(of: $0.bytes, hash: $0.hash).pointee.note.add($0.note) }
            }
            table.forEachEntry {
                entries.append(.init(text: $0.bytes, kind: kind, bookCount: $0.note.count, first: $0.note.first))
            }
        }
        let bits = Self.partBitCount
        add(.author, { $0.authors.count }) { $0.authors.forEachEntry(inPart: part, bitCount: bits, $1) }
        add(.series, { $0.series.count }) { $0.series.forEachEntry(inPart: part, bitCount: bits, $1) }
        add(.subject, { $0.subjects.count }) { $0.subjects.forEachEntry(inPart: part, bitCount: bits, $1) }
        merged.withLock { $0 += entries }
    }

    func finish() {
        idle.withLock { $0 = [] }
        var entries = merged.withLock { merged in
            defer { merged = [] }
            return merged
        }
        entries.sort { ($1.bookCount, $0.first, $0.kind.rawValue) < ($0.bookCount, $1.first, $1.kind.rawValue) }
        let found = DistinctNames(entries, of: index)
        names.withLock { $0 = found }
    }
}

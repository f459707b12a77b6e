internal import Glibc
public import Indexing
internal import Text
public import Threading

extension BookIndex {
    /// Starts grouping the books of `list`, which must belong to this index, into sections.
    ///
    /// - Parameters:
    ///   - columns: The columns of the fields that only the catalog has.
    ///   - isDescending: Whether the last section comes first; unknown values come last in any case.
    ///   - userData: The user data, whose reading statuses override those in the catalog.
    ///   - pool: The thread pool.
    ///   - notify: Called on any thread when the sections are complete.
    public func sections(
        of list: BookList, by key: SectionKey, columns: FieldColumns = [:], isDescending: Bool = false,
        userData: UserDataFilter = UserDataFilter(), on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<BookSections> {
        if case .own(let field) = key {
            return BackgroundTask(notifying: notify) { _ in
                BookSections(of: list, by: field, columns[field], isDescending: isDescending, in: self)
            }
        }
        return sections(
            of: list, by: key, .collated, isDescending: isDescending, userData: userData, on: pool, notifying: notify)
    }

    /// Starts to group the books with this order of sections.
    func sections(
        of list: BookList, by key: SectionKey, _ order: SectionOrder, isDescending: Bool = false,
        userData: UserDataFilter = UserDataFilter(), on pool: ThreadPool,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<BookSections> {
        typealias Phase = PhasedJob<BookSections>.Phase
        let grouping = Grouping(
            list, self, key, order, isDescending,
            key == .status ? UserStatusOverlay(userData) : UserStatusOverlay())
        let numbering = Phase(
            partCount: segments.count, perform: { grouping.number(segment: $0) }, finish: { grouping.endNumbering() })
        let merging = Phase(
            partCount: Grouping.partCount, perform: { grouping.merge(part: $0) }, finish: { grouping.endMerging() })
        let sorting = Phase(partCount: Grouping.partCount, perform: { grouping.sort(range: $0) })
        let ending = Phase(
            partCount: segments.count, perform: { grouping.rank(segment: $0) }, finish: { grouping.finish() })
        let job = PhasedJob(
            key.textKind == nil ? [numbering, ending] : [numbering, merging, sorting, ending],
            making: { grouping.sections.withLock { $0 } })
        return pool.start(job, as: .batch, notifying: notify)
    }
}

// Unchecked, because the compiler cannot know that threads write to disjoint memory, and that each phase writes only
// what later phases read.
/// The state of a grouping job.
private final class Grouping: @unchecked Sendable {
    private final class Worker {
        let number: Int
        var numbering = GroupDictionary()
        /// The common section number for each number of this worker.
        var common: UnsafeMutableBufferPointer<UInt32> = .allocate(capacity: 0)

        init(number: Int) { self.number = number }

        deinit { common.deallocate() }
    }

    private struct Workers {
        /// The workers that are not in use by a thread.
        var idle: [Worker] = []
        var count = 0
    }

    /// One partition of the distinct texts.
    private final class Part {
        var texts: [ParallelStringSort.Text] = []
        var keys = ByteBuffer()
        /// The common number of the partition's first text.
        var start: UInt32 = 0
    }

    let sections = Locked<BookSections?>(nil)
    private let list: BookList
    private let index: BookIndex
    private let key: SectionKey
    private let order: SectionOrder
    private let isDescending: Bool
    private let statuses: UserStatusOverlay
    private let books: SelectionBySegment
    /// The section number of each book, by book index: first the worker's number, then the common one.
    private let numbers: UnsafeMutableBufferPointer<UInt32>
    /// The worker that processed each segment.
    private let workerNumbers: UnsafeMutableBufferPointer<Int>
    private let idleWorkers = Locked(Workers())
    /// All workers by number.
    private var workers: [Worker] = []
    private var parts: [Part]
    private var sortedTexts: ParallelStringSort?
    /// The position of each section in the sorted order, by common number.
    private var positions: UnsafeMutableBufferPointer<UInt32> = .allocate(capacity: 0)

    /// Texts are merged in partitions by the top bits of their hashes, so that several threads can work on them.
    private static let partBitCount = 4
    static let partCount = 1 << partBitCount
    /// Until all partitions are complete, a common number consists of the partition and, in these lower bits, the index
    /// in it.
    private static let numberBitCount = UInt32(32 - partBitCount)

    init(
        _ list: BookList, _ index: BookIndex, _ key: SectionKey, _ order: SectionOrder, _ isDescending: Bool,
        _ statuses: UserStatusOverlay
    ) {
        (self.list, self.index, self.key, self.order, self.statuses) = (list, index, key, order, statuses)
        self.isDescending = isDescending
        books = SelectionBySegment(list, of: index)
        numbers = .allocate(capacity: index.count)
        workerNumbers = .allocate(capacity: index.segments.count)
        parts = (0..<Self.partCount).map { _ in Part() }
    }

    deinit {
        numbers.deallocate()
        workerNumbers.deallocate()
        positions.deallocate()
    }

    /// Assigns the books of a segment to sections.
    func number(segment: Int) {
        guard let numbers = numbers.baseAddress else { return }
        let worker = idleWorkers.withLock { workers in
            if let worker = workers.idle.popLast() { return worker }
            workers.count += 1
            return Worker(number: workers.count - 1)
        }
        workerNumbers.initializeElement(at: segment, to: worker.number)
        worker.numbering.number(books, inSegment: segment, by: key, order, statuses, into: numbers)
        idleWorkers.withLock { $0.idle.append(worker) }
    }

    /// Allocates the tables of common numbers, and fills them if the sections are not texts.
    func endNumbering() {
        workers = idleWorkers.withLock { $0.idle }.sorted { $0.number < $1.number }
        for worker in workers {
            worker.common.deallocate()
            worker.common = .allocate(capacity: worker.numbering.count)
        }
        if key.textKind != nil { return }
        let orders = Set(workers.flatMap { $0.numbering.orders }).sorted()
        let positions = Dictionary(uniqueKeysWithValues: zip(orders, UInt32(0)...))
        for worker in workers {
            for (number, order) in worker.numbering.orders.enumerated() {
                worker.common.initializeElement(at: number, to: positions[order] ?? 0)
            }
        }
        setRoom(for: orders.count)
        for position in self.positions.indices { self.positions[position] = UInt32(position) }
    }

    private func setRoom(for count: Int) {
        positions.deallocate()
        positions = .allocate(capacity: count)
    }

    /// Merges the workers' texts of one partition.
    func merge(part number: Int) {
        let part = parts[number]
        let count = workers.reduce(0) { $0 + $1.numbering.count }
        var table = TermHashTable<UInt32>(count: count / Self.partCount, ignoredBitCount: Self.partBitCount)
        part.texts.reserveCapacity(count / Self.partCount)
        var texts: [UnsafeBufferPointer<UInt8>] = []
        var keyEnds: [Int] = []
        for worker in workers {
            let common = worker.common
            worker.numbering.texts.forEachEntry(inPart: number, bitCount: Self.partBitCount) { other in
                let entry = table.entry(of: other.bytes, hash: other.hash)
                if entry.pointee.note == 0 {
                    entry.pointee.note = UInt32(table.count)
                    if let appendKey = order.appendKey {
                        appendKey(key, other.bytes, &part.keys)
                        keyEnds.append(part.keys.count)
                    } else {
                        texts.append(other.bytes)
                    }
                }
                common.initializeElement(
                    at: Int(other.note - 1), to: UInt32(number) << Self.numberBitCount | (entry.pointee.note - 1))
            }
        }
        // The buffer of keys does not move any more, so pointers into it are valid.
        let keys = UnsafeBufferPointer(part.keys.bytes)
        var start = 0
        for end in keyEnds {
            texts.append(UnsafeBufferPointer(rebasing: keys[start..<end]))
            start = end
        }
        part.texts = zip(texts, UInt32(0)...).map { ParallelStringSort.Text($0, number: $1) }
    }

    /// Numbers the texts of all partitions, and prepares to sort them.
    func endMerging() {
        var start = 0
        for part in parts {
            part.start = UInt32(start)
            start += part.texts.count
        }
        setRoom(for: start)
        sortedTexts = ParallelStringSort(parts.map { ($0.texts, $0.start) }, rangeCount: Self.partCount)
    }

    /// Sorts a range of the texts.
    func sort(range: Int) {
        let positions = positions
        sortedTexts?.sort(range: range) { positions.initializeElement(at: Int($0), to: UInt32($1)) }
    }

    /// Replaces the section numbers of a segment's books by the positions of the sections.
    func rank(segment: Int) {
        let worker = workers[workerNumbers[segment]]
        let starts = parts.map(\.start)
        let start = books.starts[segment]
        let mask = UInt32(1) << Self.numberBitCount - 1
        let isText = key.textKind != nil
        let last = UInt32(max(0, positions.count - 1))
        books.forEach(inSegment: segment) { position in
            let number = numbers[start + position]
            if number == GroupDictionary.none {
                numbers[start + position] = UInt32(positions.count)
            } else {
                let common = worker.common[Int(number)]
                let found = isText ? starts[Int(common >> Self.numberBitCount)] + common & mask : common
                let ascending = positions[Int(found)]
                numbers[start + position] = isDescending ? last - ascending : ascending
            }
        }
    }

    /// Orders the books by section.
    func finish() {
        let unknown = positions.count
        var ends = [UInt32](repeating: 0, count: unknown + 1)
        var starts: [Int] = []
        let rows: [UInt32] = ends.withUnsafeMutableBufferPointer { ends in
            forEachBook { _, number in ends[number] += 1 }
            var total: UInt32 = 0
            for number in ends.indices where ends[number] > 0 {
                starts.append(Int(total))
                let length = ends[number]
                // From here on, `ends` holds the position at which the next book of each section is written.
                ends[number] = total
                total += length
            }
            if list.count == 0 { return [] }
            return [UInt32](unsafeUninitializedCapacity: list.count) { rows, count in
                forEachBook { book, number in
                    rows.initializeElement(at: Int(ends[number]), to: book)
                    ends[number] += 1
                }
                count = Int(total)
            }
        }
        let grouped = BookList(numbers: rows)
        let sections = BookSections(
            key: key, list: grouped, starts: starts, hasUnknown: ends[unknown] > 0, index: index, order: order,
            statuses: statuses)
        self.sections.withLock { $0 = sections }
        // The workers take more memory than the catalog's index.
        idleWorkers.withLock { $0.idle = [] }
        (workers, parts, sortedTexts) = ([], [], nil)
    }

    /// Calls `body` with each book of the list and its section number.
    @inline(__always)
    private func forEachBook(_ body: (UInt32, Int) -> Void) {
        let count = index.count
        func number(of book: Int) -> Int { book < count ? Int(numbers[book]) : positions.count }
        if let indices = list.indices {
            for book in indices { body(book, number(of: Int(book))) }
        } else {
            for book in 0..<list.count { body(UInt32(truncatingIfNeeded: book), number(of: book)) }
        }
    }
}

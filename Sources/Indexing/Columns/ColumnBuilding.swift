internal import Glibc
internal import Text
public import Threading

/// Makes columns of the values of books, several in one pass over the books.
public enum ColumnMaking {
    /// Starts to make columns.
    ///
    /// - Parameters:
    ///   - plans: What to make.
    ///   - slices: Consecutive books that a thread looks at together, which takes some milliseconds; together all of them.
    ///   - scan: Passes the values of the books to collectors, one for each plan, which need `begin` and `end` for each
    ///     book; on any thread.
    ///   - notify: Called on any thread when they are complete.
    /// - Returns: The columns; one whose distinct texts take more than four gigabytes has no values.
    public static func start(
        _ plans: [ColumnPlan], of slices: [Range<Int>], on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {},
        scan: @escaping @Sendable (Range<Int>, [ColumnCollector]) -> Void
    ) -> BackgroundTask<[FieldColumn]> {
        let building = ColumnBuilding(plans, of: slices, scan)
        return pool.start(building.job, as: .batch, notifying: notify)
    }
}

// Unchecked, because the compiler cannot know that each slice, part and bucket is written by one thread, and that a phase
// writes only what later phases read.
/// Columns that are being made.
private final class ColumnBuilding: @unchecked Sendable {
    /// What one thread has collected.
    private final class Worker {
        let number: UInt32
        let collectors: [ColumnCollector]

        init(_ number: Int, _ collectors: [ColumnCollector]) {
            (self.number, self.collectors) = (UInt32(number), collectors)
        }
    }

    private let slices: [Range<Int>]
    private let scan: @Sendable (Range<Int>, [ColumnCollector]) -> Void
    private let drafts: [ColumnDraft]
    private let workers = Locked<(all: [Worker], idle: [Worker])>(([], []))
    private let workersOfSlices: UnsafeMutablePointer<UInt32>
    private let columns = Locked<[FieldColumn]?>(nil)

    init(
        _ plans: [ColumnPlan], of slices: [Range<Int>],
        _ scan: @escaping @Sendable (Range<Int>, [ColumnCollector]) -> Void
    ) {
        (self.slices, self.scan) = (slices, scan)
        let bookCount = slices.last?.upperBound ?? 0
        drafts = plans.map { ColumnDraft($0, bookCount: bookCount) }
        workersOfSlices = .allocate(capacity: slices.count)
        workersOfSlices.initialize(repeating: 0, count: slices.count)
    }

    deinit { workersOfSlices.deallocate() }

    /// The work in phases.
    var job: PhasedJob<[FieldColumn]> {
        PhasedJob(
            [
                .init(partCount: slices.count, perform: { self.collect(slice: $0) }, finish: { self.endCollecting() }),
                phase({ $0.takeValues(part: $1) }, { $0.values?.choose() }),
                phase({ $0.sortValues(bucket: $1) }, { $0.countValues() }),
                phase({ $0.rankValues(bucket: $1) }),
                phase({ $0.takeEntries(part: $1) }, { $0.entries?.choose() }),
                phase({ $0.entries?.sort(bucket: $1) }, { $0.allocate() }),
                phase({ $0.write(bucket: $1) }),
                .init(partCount: slices.count, perform: { self.relabel(slice: $0) }, finish: { self.finish() }),
            ], making: { self.columns.withLock { $0 } })
    }

    private func phase(
        _ perform: @escaping @Sendable (ColumnDraft, Int) -> Void,
        _ finish: @escaping @Sendable (ColumnDraft) -> Void = { _ in }
    ) -> PhasedJob<[FieldColumn]>.Phase {
        let count = ColumnSorting.partCount
        return .init(
            partCount: count * drafts.count, perform: { perform(self.drafts[$0 / count], $0 % count) },
            finish: { self.drafts.forEach(finish) })
    }

    private func collect(slice: Int) {
        let worker = workers.withLock { workers -> Worker in
            if let worker = workers.idle.popLast() { return worker }
            let worker = Worker(workers.all.count, drafts.map { ColumnCollector($0.plan, into: $0.numbers) })
            workers.all.append(worker)
            return worker
        }
        scan(slices[slice], worker.collectors)
        workersOfSlices[slice] = worker.number
        workers.withLock { $0.idle.append(worker) }
    }

    private func endCollecting() {
        let all = workers.withLock { workers in
            defer { workers = ([], []) }
            return workers.all
        }
        for (index, draft) in drafts.enumerated() { draft.take(all.map { $0.collectors[index] }) }
    }

    private func relabel(slice: Int) {
        for draft in drafts { draft.relabel(slices[slice], worker: Int(workersOfSlices[slice])) }
    }

    private func finish() {
        let made = drafts.map { $0.finish() }
        columns.withLock { $0 = made }
    }
}

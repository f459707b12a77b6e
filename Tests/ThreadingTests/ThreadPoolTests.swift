import Synchronization
import Testing

@testable import Threading

@Suite("Threads: thread pool") struct ThreadPoolTests {
    /// A job whose parts wait until the gate opens.
    private final class Gate: ParallelJob {
        let partCount: Int
        private let isOpen = Locked(false)
        private let beganCount = Locked(0)

        init(partCount: Int) { self.partCount = partCount }

        func open() { isOpen.change { $0 = true } }

        /// Waits until `count` parts have started.
        func hasBegun(_ count: Int) -> Bool { beganCount.wait(milliseconds: 10_000) { $0 >= count } }

        func perform(part: Int) {
            beganCount.change { $0 += 1 }
            isOpen.wait { $0 ? () : nil }
        }

        func complete() -> Int? { partCount }

        func stop() { open() }
    }

    @Test func twoJobsRunInParallel() {
        let pool = ThreadPool(threadCount: 2)
        let (first, second) = (Gate(partCount: 1), Gate(partCount: 1))
        let tasks = [pool.start(first), pool.start(second)]
        // Neither job waits for the other or stops it.
        #expect(first.hasBegun(1))
        #expect(second.hasBegun(1))
        #expect(!tasks[0].isMade)
        first.open()
        #expect(tasks[0].wait(milliseconds: 10_000) == 1)
        #expect(!tasks[1].isMade)
        second.open()
        #expect(tasks[1].wait(milliseconds: 10_000) == 1)
    }

    @Test func interactiveJobsDoNotWaitForBatchJobs() {
        let pool = ThreadPool(threadCount: 1)
        let (slow, quick) = (Gate(partCount: 3), Gate(partCount: 1))
        let task = pool.start(slow, as: .batch)
        #expect(slow.hasBegun(1))
        quick.open()
        #expect(pool.start(quick, as: .interactive).wait(milliseconds: 10_000) == 1)
        #expect(!task.isMade)
        slow.open()
        #expect(task.wait(milliseconds: 10_000) == 3)
    }

    @Test func theNewestJobComesFirst() {
        let pool = ThreadPool(threadCount: 1)
        let (running, older, newer) = (Gate(partCount: 1), Gate(partCount: 1), Gate(partCount: 1))
        let task = pool.start(running)
        #expect(running.hasBegun(1))
        let (olderTask, newerTask) = (pool.start(older), pool.start(newer))
        running.open()
        #expect(task.wait(milliseconds: 10_000) == 1)
        #expect(newer.hasBegun(1))
        #expect(!olderTask.isMade)
        newer.open()
        older.open()
        #expect(newerTask.wait(milliseconds: 10_000) == 1)
        #expect(olderTask.wait(milliseconds: 10_000) == 1)
    }

    @Test func aNewerJobComesBeforeTheRestOfAnOlderOne() {
        let pool = ThreadPool(threadCount: 1)
        let (older, rest, newer) = (Gate(partCount: 1), Gate(partCount: 1), Gate(partCount: 1))
        let task = pool.start(GatedParts(parts: [older, rest]))
        #expect(older.hasBegun(1))
        newer.open()
        let newest = pool.start(newer)
        older.open()
        #expect(newest.wait(milliseconds: 10_000) == 1)
        // The second part has not kept the thread from the newer job.
        #expect(!task.isMade)
        rest.open()
        #expect(task.wait(milliseconds: 10_000) == 2)
    }

    /// A job whose parts wait for a gate each.
    private final class GatedParts: ParallelJob {
        private let parts: [Gate]
        var partCount: Int { parts.count }
        init(parts: [Gate]) { self.parts = parts }
        func perform(part: Int) { parts[part].perform(part: 0) }
        func complete() -> Int? { partCount }
    }

    @Test func cancellingAJobStartsTheNext() {
        let pool = ThreadPool(threadCount: 1)
        let (cancelled, next) = (Gate(partCount: 1000), Gate(partCount: 2))
        let task = pool.start(cancelled)
        #expect(cancelled.hasBegun(1))
        task.cancel()
        #expect(task.isMade)
        #expect(task.value == nil)
        next.open()
        #expect(pool.start(next).wait(milliseconds: 10_000) == 2)
    }

    @Test func givingUpWaitingCancelsTheJob() {
        let gate = Gate(partCount: 1)
        let task = ThreadPool(threadCount: 1).start(gate)
        let asked = Locked(0)
        let made = task.wait {
            asked.withLock { $0 += 1 }
            return asked.withLock { $0 } == 3
        }
        #expect(made == nil)
        #expect(task.isMade)
    }

    @Test(arguments: [0, 1, 2, 4]) func eachNumberIsTakenOnce(threadCount: Int) {
        let pool = ThreadPool(threadCount: threadCount)
        let taken = Locked<[Int]>([])
        let stateCount = Locked(0)
        pool.forEach(100, threadCount: 3, with: { stateCount.withLock { $0 += 1 } }) { _, number in
            taken.withLock { $0.append(number) }
        }
        #expect(taken.withLock { $0.sorted() } == Array(0..<100))
        #expect((1...3).contains(stateCount.withLock { $0 }))
    }

    @Test(arguments: [0, 1, 9, 10, 11, 95]) func resultsAreReturnedInOrder(count: Int) {
        let pool = ThreadPool(threadCount: 3)
        let parts = pool.map(count, by: 10) { Array($0) }
        #expect(parts.allSatisfy { (1...10).contains($0.count) })
        #expect(parts.count == (count + 9) / 10)
        #expect(Array(parts.joined()) == Array(0..<count))
    }

    @Test func aJobFinishesWithoutAReferenceToThePool() {
        let gate = Gate(partCount: 5)
        let task = ThreadPool(threadCount: 2).start(gate)
        gate.open()
        #expect(task.wait(milliseconds: 10_000) == 5)
    }

    @Test func anEmptyRangeIsComplete() {
        ThreadPool(threadCount: 1).forEach(0, threadCount: 2) { _ in Issue.record("there are no numbers") }
    }

    @Test func notifyFollowsTheResult() async {
        let pool = ThreadPool(threadCount: 2)
        for _ in 0..<100 {
            let gate = Gate(partCount: 3)
            gate.open()
            let task = Locked<BackgroundTask<Int>?>(nil)
            await withCheckedContinuation { continuation in
                let started = pool.start(gate) {
                    let known = task.wait { $0 }
                    #expect(known.value == 3)
                    continuation.resume()
                }
                task.change { $0 = started }
            }
        }
    }
}

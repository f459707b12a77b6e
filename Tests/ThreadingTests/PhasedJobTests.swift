import Synchronization
import Testing

@testable import Threading

@Suite("Threads: jobs in phases") struct PhasedJobTests {
    /// Records the steps in order.
    private final class Record: Sendable {
        private let steps = Locked<[String]>([])

        func add(_ step: String) { steps.withLock { $0.append(step) } }

        var all: [String] { steps.withLock { $0 } }

        func phase(_ name: String, _ partCount: Int) -> PhasedJob<Int>.Phase {
            PhasedJob.Phase(
                partCount: partCount, perform: { self.add("\(name)\($0)") }, finish: { self.add("\(name) ends") })
        }
    }

    @Test(arguments: [0, 1, 2, 4]) func aPhaseBeginsWhenTheOneBeforeHasEnded(threadCount: Int) {
        let pool = ThreadPool(threadCount: threadCount)
        for _ in 0..<100 {
            let record = Record()
            let phases = [record.phase("a", 5), record.phase("b", 0), record.phase("c", 3)]
            let task = pool.start(PhasedJob(phases) { 7 })
            #expect(task.wait(milliseconds: 10_000) == 7)
            #expect(task.fraction == 1)
            let steps = record.all
            #expect(steps.count == 11)
            #expect(Set(steps.prefix(5)) == ["a0", "a1", "a2", "a3", "a4"])
            #expect(steps[5...6] == ["a ends", "b ends"])
            #expect(Set(steps[7...9]) == ["c0", "c1", "c2"])
            #expect(steps[10] == "c ends")
        }
    }

    @Test func aCancelledJobHasNoResult() {
        let pool = ThreadPool(threadCount: 2)
        for _ in 0..<100 {
            let record = Record()
            let task = pool.start(PhasedJob([record.phase("a", 50), record.phase("b", 50)]) { 7 })
            task.cancel()
            let made = task.wait(milliseconds: 10_000)
            #expect(task.isMade)
            #expect(made == nil || record.all.count == 102)
        }
    }

    @Test func aJobWithoutPhasesIsComplete() {
        #expect(ThreadPool(threadCount: 1).start(PhasedJob([]) { 7 }).wait(milliseconds: 10_000) == 7)
    }
}

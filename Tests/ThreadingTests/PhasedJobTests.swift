import Synchronization
import Testing

@testable import Threading

struct PhasedJobTests {
    /// What was done, in its order.
    private final class Record: Sendable {
        private let steps = Locked<[String]>([])

        func add(_ step: String) { steps.withLock { $0.append(step) } }

        var all: [String] { steps.withLock { $0 } }

        func phase(_ name: String, _ partCount: Int) -> PhasedJob.Phase {
            PhasedJob.Phase(
                partCount: partCount, perform: { self.add("\(name)\($0)") }, finish: { self.add("\(name) ends") })
        }
    }

    @Test(arguments: [1, 2, 4]) func aPhaseBeginsWhenTheOneBeforeHasEnded(threadCount: Int) {
        let team = ThreadPool(threadCount: threadCount)
        for _ in 0..<100 {
            let record = Record()
            let task = team.start(PhasedJob([record.phase("a", 5), record.phase("b", 0), record.phase("c", 3)]))
            #expect(task.wait(milliseconds: 10_000))
            let steps = record.all
            #expect(steps.count == 11)
            #expect(Set(steps.prefix(5)) == ["a0", "a1", "a2", "a3", "a4"])
            #expect(steps[5...6] == ["a ends", "b ends"])
            #expect(Set(steps[7...9]) == ["c0", "c1", "c2"])
            #expect(steps[10] == "c ends")
        }
    }

    @Test func whatIsStoppedDoesNotEnd() {
        let team = ThreadPool(threadCount: 2)
        for _ in 0..<100 {
            let record = Record()
            let work = PhasedJob([record.phase("a", 50), record.phase("b", 50)])
            let task = team.start(work)
            work.stop()
            // The team comes to its end all the same.
            #expect(task.wait(milliseconds: 10_000))
            #expect(!record.all.contains("b ends") || record.all.count == 102)
        }
    }

    @Test func aWorkWithoutPhasesIsComplete() {
        #expect(ThreadPool(threadCount: 1).start(PhasedJob([])).wait(milliseconds: 10_000))
    }
}

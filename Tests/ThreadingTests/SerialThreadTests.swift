import Glibc
import Testing

@testable import Threading

@Suite("Threads: serial thread") struct SerialThreadTests {
    @Test func worksArePerformedOnOneThreadInTheirOrder() {
        let thread = SerialThread()
        let performed = Locked<[(number: Int, thread: pthread_t)]>([])
        for number in 0..<100 {
            #expect(thread.perform { performed.change { $0.append((number, pthread_self())) } })
        }
        let all = performed.wait { $0.count == 100 ? $0 : nil }
        #expect(all.map(\.number) == Array(0..<100))
        #expect(all.allSatisfy { $0.thread == all[0].thread && $0.thread != pthread_self() })
    }

    @Test func aWorkIsPerformedAlthoughTheThreadIsNoLongerReferenced() {
        let performed = Locked(0)
        for _ in 0..<100 { #expect(SerialThread().perform { performed.change { $0 += 1 } }) }
        #expect(performed.wait { $0 == 100 ? $0 : nil } == 100)
    }

    @Test func aTaskWaitsForTheTasksBeforeIt() {
        let thread = SerialThread()
        let gate = Locked(false)
        let first = BackgroundTask<Int>(on: thread) { _ in
            gate.wait { $0 ? () : nil }
            return 1
        }
        let second = BackgroundTask<Int>(on: thread) { _ in 2 }
        #expect(second.wait(milliseconds: 50) == nil)
        gate.change { $0 = true }
        #expect(second.taken() == 2)
        #expect(first.value == 1)
    }
}

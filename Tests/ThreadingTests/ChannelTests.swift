import Foundation
import Synchronization
import Testing

@testable import Threading

@Suite("Threads: channel") struct ChannelTests {
    /// Counts the notifications.
    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock(\.self) }
        func increase() { value.withLock { $0 += 1 } }
    }

    private let counter = Counter()

    private func channel() -> Channel<Int> {
        Channel { [counter] in counter.increase() }
    }

    @Test func postedItemsAreTakenOnceAndInOrder() {
        let channel = channel()
        #expect(channel.takeAll() == [])
        for number in 0..<5 { channel.post(number) }
        #expect(channel.takeAll() == [0, 1, 2, 3, 4])
        #expect(channel.takeAll() == [])
    }

    @Test func theFirstItemIsNotifiedAtOnceAndLaterOnesAreCombined() {
        let channel = channel()
        channel.post(0)
        #expect(counter.count == 1)
        let start = ContinuousClock.now
        var posted = 1
        while start.duration(to: .now) < .milliseconds(500) {
            channel.post(posted)
            posted += 1
        }
        // At most twenty a second: ten in half a second, and the first.
        #expect((2...11).contains(counter.count))
        #expect(channel.takeAll().count == posted)
    }

    @Test func flushingNotifiesIfItemsArePending() {
        let channel = channel()
        channel.flush()
        #expect(counter.count == 0)
        channel.post(0)
        channel.post(1)
        let count = counter.count
        channel.flush()
        #expect(counter.count == count + 1)
        _ = channel.takeAll()
        channel.flush()
        #expect(counter.count == count + 1)
    }

    @Test func noItemOfSeveralThreadsIsLost() {
        let channel = channel()
        let taken = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            if thread == 0 {
                for _ in 0..<1000 {
                    let items = channel.takeAll()
                    taken.withLock { $0 += items }
                }
            } else {
                for number in 0..<1000 { channel.post(1000 * thread + number) }
            }
        }
        let all = taken.withLock(\.self) + channel.takeAll()
        #expect(all.count == 4000)
        for thread in 1...4 {
            #expect(all.filter { $0 / 1000 == thread } == Array(1000 * thread..<1000 * (thread + 1)))
        }
    }
}

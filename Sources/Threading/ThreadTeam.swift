internal import Glibc
internal import Synchronization

/// Several threads that do a work together.
package enum ThreadTeam {
    // Unchecked, as the compiler cannot know that a semaphore is made for several threads.
    private final class Semaphore: @unchecked Sendable {
        private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init() {
            semaphore.initialize(to: sem_t())
            sem_init(semaphore, 0, 0)
        }

        deinit {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }

        func signal() { sem_post(semaphore) }

        func wait() {
            // A signal to the process ends a wait before its time.
            while sem_wait(semaphore) != 0 {}
        }
    }

    /// Calls `work` with each number below `count`, each on a thread of its own, one of which is the caller's; returns when
    /// all are done.
    package static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
        let semaphore = Semaphore()
        var left: [Int] = []
        for number in 1..<max(1, count) {
            let isStarted = BackgroundThread.start {
                work(number)
                semaphore.signal()
            }
            if !isStarted { left.append(number) }
        }
        for number in [0] + left { work(number) }
        for _ in 1..<max(1, count - left.count) { semaphore.wait() }
    }
}

/// Numbers from 0 on that threads share: each is taken once.
package final class SharedCounter: Sendable {
    private let next = Atomic(0)

    /// A counter at 0.
    package init() {}

    /// The next number; nil where all below `end` are taken.
    package func take(below end: Int) -> Int? {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < end ? number : nil
    }
}

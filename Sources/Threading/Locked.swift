internal import Glibc

// Unchecked, as the compiler cannot know that the value is only touched with the lock.
/// A value that one thread at a time may look at and change.
///
/// Like `Mutex` of the Synchronization module, whose way when threads wait for each other ThreadSanitizer does not see: it
/// would report races that are none, and those that are would be lost among them.
public final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// A lock around `value`.
    public init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// What `body` makes of the value, while no other thread has it.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

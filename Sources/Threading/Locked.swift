private import CSystem
internal import Glibc

// Unchecked, as the compiler cannot know that the value is only touched with the lock.
/// A value that one thread at a time may look at and change, and for a change of which others may wait.
///
/// Like `Mutex` of the Synchronization module, whose way when threads wait for each other ThreadSanitizer does not see: it
/// would report races that are none, and those that are would be lost among them.
public final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A lock around `value`.
    public init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        cs_make_condition(condition)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
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

    /// The same, and wakes those who wait for the change.
    @discardableResult
    public func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until the value is as `isMet` says, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    @discardableResult
    public func wait(milliseconds: Int, until isMet: (Value) -> Bool) -> Bool {
        let end = cs_now() + Int64(clamping: milliseconds)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isMet(value) {
            if cs_wait_until(condition, mutex, end) == ETIMEDOUT { return isMet(value) }
        }
        return true
    }

    /// Waits until `make` makes something of the value, however long that takes.
    public func wait<Result>(for make: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = make(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}

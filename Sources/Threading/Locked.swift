private import CSystem
internal import Glibc

// Unchecked, since the compiler cannot know that the value is only accessed under the lock.
/// A value that one thread at a time can access, and whose changes other threads can wait for.
///
/// It replaces `Mutex` of the Synchronization module, whose waiting ThreadSanitizer does not see: the sanitizer would
/// report false races and hide real ones among them.
public final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a lock around `value`.
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

    /// Returns the result of `body`, which has exclusive access to the value.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Returns the result of `body`, which has exclusive access to the value, and wakes the threads that wait for a
    /// change.
    @discardableResult
    public func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until `isMet` returns true for the value, at most `milliseconds`.
    ///
    /// - Returns: Whether the condition is met.
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

    /// Waits until `make` returns a result for the value, without a time limit, and returns it.
    public func wait<Result>(for make: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = make(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}

internal import Glibc

/// A clock that nobody sets.
enum MonotonicClock {
    /// The time since a beginning that stays the same, in milliseconds.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

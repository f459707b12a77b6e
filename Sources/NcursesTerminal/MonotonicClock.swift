internal import CSystem
internal import Glibc

/// A clock that is not affected by changes of the system time.
enum MonotonicClock {
    /// The time in milliseconds since a fixed instant.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

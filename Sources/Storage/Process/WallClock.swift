internal import CSystem
internal import Glibc

/// The time that clocks on the wall show.
public enum WallClock {
    /// The time in microseconds since 1970; it can be set back.
    public static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}

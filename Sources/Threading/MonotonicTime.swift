internal import CSystem

/// A clock that nobody can set, for measuring durations.
public enum MonotonicTime {
    /// The time since a fixed but arbitrary moment, in milliseconds.
    public static var milliseconds: Int { Int(cs_now()) }
}

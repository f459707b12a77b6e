internal import CSystem

/// The time of a clock that nobody sets, to measure how long something takes.
public enum MonotonicTime {
    /// The time since a beginning that stays the same, in milliseconds.
    public static var milliseconds: Int { Int(cs_now()) }
}

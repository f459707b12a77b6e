/// The policy for updating the copy of a source.
public enum MirrorRefresh: Sendable {
    /// When the source has changed since.
    case whenChanged
    /// At the start, whether it has changed or not, and when it changes later.
    case atStart
    /// When the source has changed since, which a server is asked at once, also within the time for which a copy is trusted.
    case whenChangedNow
    /// Never: the last copy is shown as it is.
    case never
}

/// When the copy of a source is made anew.
public enum MirrorRefresh: Sendable {
    /// When the source has changed since.
    case whenChanged
    /// At the start, whether it has changed or not, and when it changes later.
    case atStart
    /// Never: the last copy is shown as it is.
    case never
}

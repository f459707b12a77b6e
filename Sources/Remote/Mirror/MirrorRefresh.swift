/// The policy for updating the copy of a source.
public enum MirrorRefresh: Sendable {
    /// Updates the copy if the source has changed.
    case whenChanged
    /// Updates the copy at the start even if the source is unchanged, and later if it changes.
    case atStart
    /// Updates the copy if the source has changed; asks a server at once, even if the copy is recent.
    case whenChangedNow
    /// Never updates the copy.
    case never
}

public import Shelves
internal import Storage

extension UserData {
    /// The message that lines of the journal cannot be read; nil for at most one, which a crash can leave torn.
    public var incompleteText: String? {
        guard unreadableLineCount > 1, let path else { return nil }
        return "favourites may be missing, as \(unreadableLineCount.grouped) lines of \(abbreviatedPath(path)) "
            + "cannot be read"
    }
}

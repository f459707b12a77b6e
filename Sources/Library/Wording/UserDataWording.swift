public import Shelves
internal import Storage

extension UserData {
    /// The message that lines of the journal cannot be read; nil for at most one, which a crash can leave torn.
    public var incompleteText: String? {
        guard unreadableLineCount > 1, let path else { return nil }
        return Message.userDataIncomplete.text(unreadableLineCount.grouped, abbreviatedPath(path))
    }
}

internal import Text

/// The messages about files of user data that are damaged, unreadable or of a later version.
enum SnapshotMessage: String, MessageTable {
    case writtenByNewerVersion = "Changes are not saved: a newer stacks wrote {path}"
    case rebuilt = "{path} was damaged and has been rebuilt from the history"
    case rebuiltAside = "{path} was damaged and has been rebuilt from the history; the old one is {path}"
    case readFromHistory = "{path}: {reason}. Your data was read from the history instead"
    case latestChangesMissing = "Your latest changes are missing: {path}: {reason}"
}

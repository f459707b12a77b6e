public import Storage

/// Why a shelf or a saved query was not made or renamed.
public enum ShelvesError: Error, Hashable, Sendable {
    /// Another one has the name, ignoring case; here as that one writes it.
    case nameIsTaken(String)
    /// The name is empty, or blank.
    case nameIsBlank
    /// It is made or renamed, but could not be saved; it is kept in memory, and saved with the next change that is.
    case notSaved(FileError)
}

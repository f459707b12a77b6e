public import Storage

/// The reason why a shelf or saved search could not be created or renamed.
public enum ShelvesError: Error, Hashable, Sendable {
    /// The name is taken, ignoring case; the value is the existing name.
    case nameIsTaken(String)
    /// The name is empty or blank.
    case nameIsBlank
    /// The change could not be saved; it is kept in memory and saved with the next change that succeeds.
    case notSaved(FileError)
}

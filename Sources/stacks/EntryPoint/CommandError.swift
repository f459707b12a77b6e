internal import Catalog

/// An error that ends the command.
struct CommandError: Error {
    /// The error message with the next step, without a full stop.
    var sentence: String
    /// The exit status.
    var exitStatus: Int32
    /// Whether an immediate new attempt would fail too, although the exit status suggests one.
    var isFinal = false
    /// The reason why a file is not a catalog, if that is the error.
    var refusal: CatalogError?

    /// Prints the message to standard error.
    ///
    /// - Returns: The exit status.
    func report() -> Int32 {
        printError(sentence)
        return exitStatus
    }
}

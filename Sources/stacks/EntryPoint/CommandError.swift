/// An error that ends the command.
struct CommandError: Error {
    /// The error message with the next step, without a full stop.
    var sentence: String
    /// The exit status.
    var exitStatus: Int32
    /// Whether trying again at once is of no use, though the exit status says that it can be tried again.
    var isFinal = false

    /// Prints the message to standard error.
    ///
    /// - Returns: The exit status.
    func report() -> Int32 {
        printError(sentence)
        return exitStatus
    }
}

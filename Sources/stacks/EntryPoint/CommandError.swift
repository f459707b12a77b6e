/// Why there is nothing to go on with.
struct CommandError: Error {
    /// What is wrong and what to do, without a full stop.
    var sentence: String
    /// The exit code.
    var exitStatus: Int32

    /// Says it on standard error.
    ///
    /// - Returns: The exit code.
    func report() -> Int32 {
        printError(sentence)
        return exitStatus
    }
}

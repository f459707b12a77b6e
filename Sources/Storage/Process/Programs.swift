internal import CSystem

/// Starts `program`, found in PATH, with one argument and without a shell. It runs in a session of its own, so that it
/// does not use this terminal and outlives this process.
///
/// - Returns: The error number (errno(3)) if it could not be started, otherwise nil.
public func startApart(_ program: String, with argument: String) -> Int32? {
    let code = cs_start_apart(program, argument)
    return code == 0 ? nil : code
}

internal import CSystem

/// Starts `program`, found on the PATH, with one argument and through no shell. It has a session of its own, and neither
/// our terminal nor our end touches it.
///
/// - Returns: The error number, of errno(3), where it could not be started; nil where it was.
public func startApart(_ program: String, with argument: String) -> Int32? {
    let code = cs_start_apart(program, argument)
    return code == 0 ? nil : code
}

internal import CSystem
internal import Glibc
internal import Threading

/// The result of running a program, as far as it is known.
public enum ProgramOutcome: Hashable, Sendable {
    /// The program could not be started; the error number (errno(3)).
    case notStarted(Int32)
    /// The program exited with this status.
    case exited(Int32)
    /// The program was killed by this signal.
    case killed(Int32)
    /// The program is still running.
    case running
}

/// Runs `program`, found in PATH, with one argument and without a shell, and waits for it for at most `milliseconds`.
///
/// The program runs in a separate session, so that it does not use this terminal and outlives this process.
public func runApart(_ program: String, with argument: String, waiting milliseconds: Int) -> ProgramOutcome {
    var child = pid_t()
    let code = cs_start_apart(program, argument, &child)
    guard code == 0 else { return .notStarted(code) }
    let end = MonotonicTime.milliseconds + milliseconds
    while true {
        if let outcome = outcome(of: child, options: WNOHANG) { return outcome }
        if MonotonicTime.milliseconds >= end { break }
        usleep(20_000)
    }
    // A process that is never waited for remains as a zombie.
    BackgroundThread.start { [child] in _ = outcome(of: child, options: 0) }
    return .running
}

/// Returns how a child process ended, or nil if it is still running.
private func outcome(of child: pid_t, options: Int32) -> ProgramOutcome? {
    var status: Int32 = 0
    while true {
        switch waitpid(child, &status, options) {
        case 0: return nil
        case child: return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
        case _ where errno == EINTR: continue
        // Another thread has already waited for it.
        default: return .exited(0)
        }
    }
}

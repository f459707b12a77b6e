internal import CSystem
internal import Glibc

/// Keeps what is written to standard error while the screen is up, where it would spoil it, and gives it out afterwards.
struct StandardErrorCapture: ~Copyable {
    /// A file in memory with what was written.
    let captured: Int32
    /// Where standard error really goes.
    let original: Int32

    /// Begins; nil where the system does not allow it, and standard error stays as it is.
    init?() {
        captured = cs_memory_file("stacks-messages")
        original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard captured >= 0, original >= 0, dup2(captured, STDERR_FILENO) >= 0 else { return nil }
    }

    /// From now on what is written to standard error is lost, with what was kept, where it leads to a terminal: to one
    /// that takes nothing, so that to write to it would never end.
    func discard() {
        guard isatty(original) == 1, case let null = open("/dev/null", O_WRONLY | O_CLOEXEC), null >= 0 else { return }
        _ = cs_redirect(original, null)
        _ = close(null)
    }

    /// Ends, and gives out what was kept.
    deinit {
        _ = dup2(original, STDERR_FILENO)
        var chunk = [UInt8](repeating: 0, count: 4096)
        var offset = 0
        while case let count = pread(captured, &chunk, chunk.count, off_t(offset)), count > 0 {
            _ = write(STDERR_FILENO, chunk, count)
            offset += count
        }
        _ = close(captured)
        _ = close(original)
    }
}

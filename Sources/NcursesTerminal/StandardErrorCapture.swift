internal import CSystem
internal import Glibc

/// Captures standard error while the screen is up, which it would corrupt, and replays it afterwards.
struct StandardErrorCapture: ~Copyable {
    /// The memory file that receives standard error.
    let captured: Int32
    /// A duplicate of the original standard error.
    let original: Int32

    /// Starts the capture; returns nil and leaves standard error unchanged if the system does not allow it.
    init?() {
        captured = cs_memory_file("stacks-messages")
        original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard captured >= 0, original >= 0, dup2(captured, STDERR_FILENO) >= 0 else { return nil }
    }

    /// Discards the captured and all later output if standard error is a terminal: writing to a stopped terminal would
    /// block forever.
    func discard() {
        guard isatty(original) == 1, case let null = open("/dev/null", O_WRONLY | O_CLOEXEC), null >= 0 else { return }
        _ = cs_redirect(original, null)
        _ = close(null)
    }

    /// Restores standard error and replays the captured output.
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

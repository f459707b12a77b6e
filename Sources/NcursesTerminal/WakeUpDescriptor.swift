internal import CSystem
internal import Glibc

/// The way for other threads to end the wait of the one that the terminal belongs to.
final class WakeUpDescriptor: Sendable {
    /// Readable where there was a signal since the last `take()`; -1 where the system has none left.
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// Ends the wait, or the next one. From any thread.
    func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes the descriptor wait for the next signal.
    func take() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}

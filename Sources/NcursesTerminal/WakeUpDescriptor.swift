internal import CSystem
internal import Glibc

/// A descriptor through which other threads end the wait of the main thread.
final class WakeUpDescriptor: Sendable {
    /// Readable after a `signal()` until the next `take()`; -1 if the system has no descriptors left.
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// Ends the current or next wait; may be called from any thread.
    func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Resets the descriptor until the next signal.
    func take() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}

internal import CSystem
internal import Glibc
internal import Threading

/// Watches the name of a file: whether somebody writes to it, replaces it or takes it away.
public final class FileWatch: Sendable {
    private let queue: Int32

    /// How long nothing must happen before a change is told of, in milliseconds: who writes a file writes many times.
    private static let quiet: Int32 = 200
    /// After how long a change is told of though it goes on.
    private static var patience: Duration { .seconds(2) }

    /// Watches the file at `path`, and calls `notify`, on a thread of its own, when it was changed; nil where the system
    /// does not allow it.
    public init?(_ path: String, notifying notify: @escaping @Sendable () -> Void) {
        guard let resolved = resolvedPath(path) else { return nil }
        queue = inotify_init1(Int32(IN_CLOEXEC))
        guard queue >= 0 else { return nil }
        // The directory: a file that is replaced is another one, and its own watch would stay with the old.
        let events = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        guard inotify_add_watch(queue, directory(of: resolved), UInt32(events)) >= 0 else {
            _ = close(queue)
            return nil
        }
        let name = fileName(of: resolved)
        let queue = fcntl(queue, F_DUPFD_CLOEXEC, 3)
        BackgroundThread.start { Self.watch(name, with: queue, notifying: notify) }
    }

    /// Ends the thread too, whose own descriptor still leads to the queue.
    deinit {
        inotify_rm_watch(queue, 1)
        _ = close(queue)
    }

    private static func watch(_ name: String, with queue: Int32, notifying notify: () -> Void) {
        defer { _ = close(queue) }
        while let isConcerned = next(name, from: queue) {
            guard isConcerned else { continue }
            let deadline = ContinuousClock.now + patience
            var descriptor = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
            while ContinuousClock.now < deadline, poll(&descriptor, 1, quiet) > 0 {
                if next(name, from: queue) == nil { return }
            }
            notify()
        }
    }

    /// Waits for events.
    ///
    /// - Returns: Whether one of them is about the file called `name`; nil where the watch has ended.
    private static func next(_ name: String, from queue: Int32) -> Bool? {
        withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
            var count = -1
            repeat { count = read(queue, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            guard count > 0 else { return nil }
            var offset = 0
            var isConcerned = false
            while offset < count {
                let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                if Int(event.mask) & Int(IN_IGNORED) != 0 { return nil }
                let start = offset + MemoryLayout<inotify_event>.size
                if event.len > 0, let base = buffer.baseAddress {
                    let found = String(cString: (base + start).assumingMemoryBound(to: CChar.self))
                    isConcerned = isConcerned || found == name
                }
                offset = start + Int(event.len)
            }
            return isConcerned
        }
    }
}

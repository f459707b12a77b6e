internal import CSystem
internal import Glibc
internal import Threading

/// Watches the name of a file and reports when the file is written, replaced or removed.
public final class FileWatch: Sendable {
    private let queue: Int32

    /// The idle time in milliseconds before a change is reported, since a program often writes a file in many steps.
    private static let idleInterval: Int32 = 200
    /// The maximum delay of a report while changes continue.
    private static var maximumDelay: Duration { .seconds(2) }

    /// Watches the file at `path` and calls `notify` on a separate thread after each change; fails if the system does
    /// not allow it.
    public init?(_ path: String, notifying notify: @escaping @Sendable () -> Void) {
        guard let resolved = resolvedPath(path) else { return nil }
        queue = inotify_init1(Int32(IN_CLOEXEC))
        guard queue >= 0 else { return nil }
        // Watch the directory: a replaced file is a new one, and a watch on the file would stay with the old one.
        let events = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        guard inotify_add_watch(queue, directory(of: resolved), UInt32(events)) >= 0 else {
            _ = close(queue)
            return nil
        }
        let name = fileName(of: resolved)
        let queue = fcntl(queue, F_DUPFD_CLOEXEC, 3)
        BackgroundThread.start { Self.watch(name, with: queue, notifying: notify) }
    }

    /// Removing the watch also ends the thread, which has its own descriptor of the queue.
    deinit {
        inotify_rm_watch(queue, 1)
        _ = close(queue)
    }

    private static func watch(_ name: String, with queue: Int32, notifying notify: () -> Void) {
        defer { _ = close(queue) }
        while let isConcerned = next(name, from: queue) {
            guard isConcerned else { continue }
            let deadline = ContinuousClock.now + maximumDelay
            var descriptor = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
            while ContinuousClock.now < deadline, poll(&descriptor, 1, idleInterval) > 0 {
                if next(name, from: queue) == nil { return }
            }
            notify()
        }
    }

    /// Waits for events.
    ///
    /// - Returns: Whether any of them concerns the file `name`; nil once the watch has ended.
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

import Synchronization

/// Items added by several threads.
final class Collected: Sendable {
    private let list = Mutex<[String]>([])

    var items: [String] { list.withLock { $0 } }

    func add(_ item: String) { list.withLock { $0.append(item) } }
}

/// A flag that any thread can clear.
final class Flag: Sendable {
    private let value = Mutex(true)

    var isUp: Bool { value.withLock { $0 } }

    func lower() { value.withLock { $0 = false } }
}

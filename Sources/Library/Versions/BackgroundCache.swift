internal import Threading

/// A value that is made on another thread, once for each version of the library at which it is needed.
struct BackgroundCache<Value: Sendable> {
    /// The value that was made last.
    private(set) var made = Cached<Value>()
    private var making: (version: LibraryVersion, task: BackgroundTask<Value>)?

    /// The value, if it is known for `version`.
    subscript(version: LibraryVersion) -> Value? {
        get { made[version] }
        set { made[version] = newValue }
    }

    /// The value that was made last, whatever its version.
    var latest: Value? {
        get { made.latest }
        set { made.latest = newValue }
    }

    /// Whether the value is being made for `version`.
    func isMaking(for version: LibraryVersion) -> Bool { making?.version == version }

    /// Takes over the value that was made in the background.
    ///
    /// - Returns: Whether there was one.
    mutating func receive() -> Bool {
        guard let (version, task) = making, task.isMade else { return false }
        making = nil
        guard let value = task.value else { return false }
        made[version] = value
        return true
    }

    /// Starts to make the value for `version`, in place of another one that is being made.
    mutating func begin(for version: LibraryVersion, _ task: BackgroundTask<Value>) {
        making?.task.cancel()
        making = (version, task)
    }

    /// Returns the value for `version`, waiting at most `milliseconds` for it; nil while it is being made.
    ///
    /// - Parameter make: Starts to make it.
    mutating func value(
        for version: LibraryVersion, waiting milliseconds: Int = 0, orMake make: () -> BackgroundTask<Value>
    ) -> Value? {
        _ = receive()
        if let known = made[version] { return known }
        if !isMaking(for: version) { begin(for: version, make()) }
        making?.task.wait(milliseconds: milliseconds)
        _ = receive()
        return made[version]
    }

    /// Discards the value, and stops making it.
    mutating func forget() {
        making?.task.cancel()
        self = BackgroundCache()
    }
}

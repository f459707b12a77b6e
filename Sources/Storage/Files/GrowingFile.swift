internal import Threading

/// The readable length of a file that another thread or process is still writing.
public final class GrowingFile: Sendable {
    private let state = Locked((count: 0, isAtEnd: false))

    /// Creates the state of an empty file.
    public init() {}

    /// Records that the first `count` bytes of the file can be read.
    public func grow(to count: Int) { state.change { $0.count = max($0.count, count) } }

    /// Records that the file is complete.
    public func end() { state.change { $0.isAtEnd = true } }

    /// Whether reading at `offset` does not have to wait.
    func hasInput(beyond offset: Int) -> Bool { state.withLock { $0.isAtEnd || $0.count > offset } }

    /// Waits until the file extends beyond `offset` or has ended.
    ///
    /// - Returns: The number of bytes that can be read.
    func wait(beyond offset: Int) -> Int {
        state.wait { $0.isAtEnd || $0.count > offset ? $0.count : nil }
    }
}

public import Books

/// A provider of decoded books that never waits long.
public protocol BookReader {
    /// Returns the book if it is already decoded or can be decoded without waiting.
    func bookAtHand(_ id: BookID) -> Book?

    /// Whether books are being read, so that some are not at hand yet.
    var isFetching: Bool { get }
}
